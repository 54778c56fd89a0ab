#!/bin/sh
# The classic: a function that calls itself twice, in the background. Its fuse is the depth.
bomb() {
    [ "$1" -gt 10 ] && exec sleep 5
    bomb $(($1 + 1)) | bomb $(($1 + 1)) &
}
read -r _
# A shell that cannot fork exits: this one forks once, before anybody else does, and stays.
bomb 0 2>/dev/null &
exec sleep 1000
