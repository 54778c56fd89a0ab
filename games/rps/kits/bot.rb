# Your bot. This one sends every unit to the nearest base, and then to the enemy's factory. Make it better!
require_relative 'protocol'

LAST = 19 # your factory is at (0, 0), the enemy's at (LAST, LAST)
KINDS = [ROCK, PAPER, SCISSORS].freeze # each beats the one before it

# The lines of an answer: an array of step(id, direction) and produce(kind).
def choose(game)
  allies = game.soldiers.select { |soldier| soldier.side == ALLY }
  answer = [produce(KINDS[allies.size % 3])]
  allies.each do |soldier|
    x, y = goal(game, soldier)
    dx = x <=> soldier.x
    dy = y <=> soldier.y
    if dx != 0 && free?(game, soldier, soldier.x + dx, soldier.y)
      answer << step(soldier.id, dx.positive? ? RIGHT : LEFT)
      soldier.x += dx
    elsif dy != 0 && free?(game, soldier, soldier.x, soldier.y + dy)
      answer << step(soldier.id, dy.positive? ? DOWN : UP)
      soldier.y += dy
    end
  end
  answer
end

# The nearest of the enemy's factory and the bases that are not ours.
def goal(game, soldier)
  goals = [[LAST, LAST]]
  goals << [LAST, 0] if game.base_r != ALLY
  goals << [0, LAST] if game.base_d != ALLY
  goals.min_by { |x, y| (x - soldier.x).abs + (y - soldier.y).abs }
end

# Whether nobody is there but an enemy that it beats.
def free?(game, soldier, x, y)
  other = game.soldiers.find { |one| one.x == x && one.y == y }
  other.nil? || other.side != ALLY && beats?(soldier.kind, other.kind)
end

def beats?(kind, other)
  KINDS.index(kind) == (KINDS.index(other) + 1) % 3
end
