"""Lets the bot answer every turn of the match in packets.txt."""
import unittest

from bot import choose
from protocol import Game, text_of


class Packets(unittest.TestCase):
    def test_every_turn_is_answered(self):
        game, turns = Game("packets.txt"), 0
        game.read_start()
        while game.read_turn():
            turns += 1
            with self.subTest(turn=turns):
                self.assertTrue(text_of(choose(game)).endswith("\n"))
        self.assertEqual(turns, {{ turns }})


if __name__ == "__main__":
    unittest.main()
