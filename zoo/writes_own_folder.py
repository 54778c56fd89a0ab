"""Changes its own program and folder, for its next match."""
import os

from attack import play_on, tried

own = os.path.abspath(__file__)
tried("opens itself to write", lambda: open(own, "a"))
tried("makes a file beside itself", lambda: open(own + ".owned", "w"))
tried("changes its mode", lambda: os.chmod(own, 0o777))
tried("replaces itself", lambda: os.rename(own, own + ".old"))
tried("puts a link beside itself", lambda: os.symlink("/etc/passwd", own + ".link"))
play_on()
