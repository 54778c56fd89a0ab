"""Writes to standard error what confuses terminals and decoders: escapes, zeros, broken UTF-8, carriage returns."""
import os

from attack import play_on

os.write(2, b"\x1b]0;owned\x07\x1b[2J\x1b[31m\x00\xff\xfe\xed\xa0\x80\r\x08\xe2\x80\xae\n" * 1000)
play_on()
