# Plays {{ title }}: reads, lets the bot choose, and answers.
require_relative 'bot'

$stdout.sync = true
game = Game.new(ENV['PALESTRA_PACKETS'])
game.read_start
print text_of(choose(game)) while game.read_turn
