//! Your bot. This one takes whatever it can beat, otherwise it marches to the front. Make it better!
use crate::protocol::{move_all, neighbours, rest, steps_to, Answer, Cell, Game, CAPITAL, CITY, MOUNTAIN};

/// The answer to a turn: rest(), move_all(...) or move_half(...). Cells are counted from 0 here, row by row.
pub fn choose(game: &Game) -> Answer {
    let columns = game.columns as usize;
    let steps = steps_to(game, |cell| cell.owner != game.me, blocked);
    let (mut best, mut best_value) = (rest(), 0);
    for (here, cell) in game.cells.iter().enumerate() {
        if cell.owner != game.me || cell.units < 2 {
            continue;
        }
        for there in neighbours(game, here) {
            let target = &game.cells[there];
            let value = match target {
                _ if blocked(target) => 0,
                // Nothing to take here: march, the largest army first.
                _ if target.owner == game.me && steps[there] < steps[here] => cell.units,
                _ if target.owner != game.me && target.units < cell.units - 1 => cell.units + worth(target),
                _ => 0,
            };
            if value > best_value {
                best_value = value;
                let place = |cell: usize| ((cell / columns) as i64 + 1, (cell % columns) as i64 + 1);
                let ((row, column), (to_row, to_column)) = (place(here), place(there));
                best = move_all(row, column, to_row, to_column);
            }
        }
    }
    best
}

/// Capitals first, then what belongs to somebody, then cities, then land.
fn worth(cell: &Cell) -> i64 {
    match cell.kind {
        CAPITAL => 1_000_000,
        _ if cell.owner != 0 => 3000,
        CITY => 2000,
        _ => 1000,
    }
}

/// A hidden cell that looks like a city may as well be a mountain.
fn blocked(cell: &Cell) -> bool {
    cell.kind == MOUNTAIN || !cell.visible && cell.kind == CITY
}
