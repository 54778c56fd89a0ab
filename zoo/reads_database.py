"""Opens the arena's database, to read the other bots and to write a better result."""
from attack import play_on, read, tried

read("@database@")
tried("writes the database", lambda: open("@database@", "ab"))
play_on()
