# Lets the bot answer every turn of the match in packets.txt.
require_relative 'bot'

game = Game.new('packets.txt')
turns = 0
game.read_start
while game.read_turn
  turns += 1
  raise "turn #{turns}" unless text_of(choose(game)).end_with?("\n")
end
raise "#{turns} turns, not {{ turns }}" unless turns == {{ turns }}

puts "all #{turns} turns are answered"
