# Your bot. This one takes whatever it can beat, otherwise it marches to the front. Make it better!
require_relative 'protocol'

# The answer to a turn: nothing, move_army(...), build_wall(...) or build_city(...). Cells are counted from 0 here, row by row.
def choose(game)
  steps = steps_to(game, ->(cell) { cell.owner != game.me }, method(:blocked?))
  best = nothing
  best_value = 0
  game.cells.each_with_index do |cell, here|
    next if cell.owner != game.me || cell.army < 2

    neighbours(game, here).each do |there|
      target = game.cells[there]
      value = 0
      next if blocked?(target)

      if target.owner == game.me
        value = cell.army if steps[there] < steps[here] # nothing to take here: march
      elsif strength(target) <= 10 * (cell.army - 2)
        value = cell.army + worth(target)
      end
      next unless value > best_value

      best_value = value
      best = move_army(*here.divmod(game.width), *there.divmod(game.width), cell.army - 1)
    end
  end
  best
end

# Capitals first, then cities, then what belongs to somebody, then land.
def worth(cell)
  return 1_000_000 if cell.kind == CAPITAL
  return 300_000 if cell.kind != PLAIN

  cell.owner.zero? ? 10_000 : 20_000
end

# Ten times the strength of who is there: behind a wall it is 1.3 times as much.
def strength(cell)
  cell.army * (cell.wall ? 13 : 10)
end

# A hidden cell that is no plain looks like a mountain.
def blocked?(cell)
  cell.kind == MOUNTAIN
end
