"""Plays {{ title }}: reads, lets the bot choose, and answers."""
from bot import choose
from protocol import Game

game = Game()
game.read_start()
while game.read_turn():
    game.answer(choose(game))
