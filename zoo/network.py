"""Calls a server on this machine, and looks up a name."""
import socket

from attack import play_on, tried

tried("calls a server", lambda: socket.create_connection(("127.0.0.1", "@port@"), 2))
tried("looks up a name", lambda: socket.getaddrinfo("example.org", 80))
play_on()
