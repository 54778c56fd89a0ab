//! Your bot. This one takes whatever it can beat, otherwise it marches to the front. Make it better!
use crate::protocol::{
    move_army, neighbours, nothing, steps_to, Answer, Cell, Game, CAPITAL, MOUNTAIN, PLAIN,
};

/// The answer to a turn: nothing(), move_army(...), build_wall(...) or build_city(...). Cells are counted from 0 here, row by row.
pub fn choose(game: &Game) -> Answer {
    let columns = game.width as usize;
    let steps = steps_to(game, |cell| cell.owner != game.me, blocked);
    let (mut best, mut best_value) = (nothing(), 0);
    for (here, cell) in game.cells.iter().enumerate() {
        if cell.owner != game.me || cell.army < 2 {
            continue;
        }
        for there in neighbours(game, here) {
            let target = &game.cells[there];
            let value = match target {
                _ if blocked(target) => 0,
                // Nothing to take here: march, the largest army first.
                _ if target.owner == game.me && steps[there] < steps[here] => cell.army,
                _ if target.owner != game.me && strength(target) <= 10 * (cell.army - 2) => {
                    cell.army + worth(target)
                }
                _ => 0,
            };
            if value > best_value {
                best_value = value;
                let place = |cell: usize| ((cell / columns) as i64, (cell % columns) as i64);
                let ((row, column), (to_row, to_column)) = (place(here), place(there));
                best = move_army(row, column, to_row, to_column, cell.army - 1);
            }
        }
    }
    best
}

/// Capitals first, then cities, then what belongs to somebody, then land.
fn worth(cell: &Cell) -> i64 {
    match cell.kind.as_str() {
        CAPITAL => 1_000_000,
        PLAIN if cell.owner != 0 => 20_000,
        PLAIN => 10_000,
        _ => 300_000,
    }
}

/// Ten times the strength of who is there: behind a wall it is 1.3 times as much.
fn strength(cell: &Cell) -> i64 {
    cell.army * if cell.wall { 13 } else { 10 }
}

/// A hidden cell that is no plain looks like a mountain.
fn blocked(cell: &Cell) -> bool {
    cell.kind == MOUNTAIN
}
