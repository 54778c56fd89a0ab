//! Observations and actions as numbers. Sees views, never states, so it cannot tell what a seat may not know.
//!
//! Rows and columns are those of the board. What is written of a cell follows from that cell alone as the player sees it, and
//! from the mountains beside it, so a turn writes the few cells that look different behind it.

use crate::Generals;
use crate::action::{Action, Amount, Move};
use crate::map::Map;
use crate::reader::Knowledge;
use crate::settings::Settings;
use crate::state::Kind;
use crate::view::{Around, Seen, Touched, View};
use palestra_core::Rng;
use palestra_core::encoding::{Decoded, Encoding, Extent, Observation, Space, behind, narrow, pick};
use palestra_core::game::Setup as _;

/// Bytes of a cell.
pub(crate) const PLANES: usize = 8;
/// Actions of a cell: four directions, each with all but one or half of the units.
pub(crate) const MOVES: usize = 8;
/// Draws before the whole mask is looked at.
const DRAWS: u32 = 16;

impl Encoding for Generals {
    type Told = Knowledge;

    fn extent(map: &Map) -> Extent {
        let board = map.board();
        Extent { rows: board.rows().into(), columns: board.columns().into(), players: map.seats() }
    }

    fn space(settings: &Settings, extent: Extent) -> Space {
        let others = u32::from(extent.players).saturating_sub(1).max(1);
        Space::of_cells(extent)
            .planes(&[
                ("board", 1),
                ("in_sight", 1),
                ("city", 1),
                ("capital", 1),
                ("mountain", 1),
                ("hidden_obstacle", 1),
                ("own", 1),
                ("other", others),
            ])
            .counts(&[("units", 50)])
            .globals(&[
                ("round", settings.max_turns),
                ("max_rounds", settings.max_turns),
                ("tie_captures", 1),
            ])
            .globals(&[("players", others + 1), ("seat", others)])
            .globals_by_player(&[("army", 500), ("land", 100)])
            .kind("move", &[("cell", extent.places() as u32), ("direction", 4), ("amount", 2)])
            .rest("pass")
    }

    fn observe(space: &Space, view: View<'_>, _pending: &Action, out: &mut Observation<'_>) {
        out.clear();
        let cells = Cells::new(space, view);
        let planes = out.planes.chunks_exact_mut(PLANES * cells.room);
        let counts = out.counts.chunks_exact_mut(cells.room);
        for ((row, planes), counts) in view.rows().zip(planes).zip(counts) {
            for ((seen, planes), units) in row.zip(planes.chunks_exact_mut(PLANES)).zip(counts) {
                let (shown, count) = cells.shown(seen);
                planes.copy_from_slice(&shown);
                *units = count;
            }
        }
        for at in view.own_cells().iter().map(|at| usize::from(*at)) {
            cells.write_moves(cells.place(at), at, view.cell(at), out);
        }
        write_globals(view, out);
        out.mask[space.actions as usize - 1] = 1;
    }

    fn update(space: &Space, view: View<'_>, pending: &Action, out: &mut Observation<'_>) {
        let cells = Cells::new(space, view);
        match view.touched() {
            Touched::Everything => return Self::observe(space, view, pending, out),
            Touched::Cells { left, entered, around, cities } => {
                for at in left.into_iter().chain(entered) {
                    cells.write(at, out);
                }
                if let Some(Around { spans, seen_from }) = around {
                    // The ring is not on the board.
                    for at in spans.into_iter().flatten() {
                        if view.seen_from(at) == seen_from && cells.contains(at) {
                            cells.write(at, out);
                        }
                    }
                }
                for at in cities.iter().map(|at| usize::from(*at)).filter(|at| view.sees(*at)) {
                    cells.write(at, out);
                }
            }
        }
        write_globals(view, out);
    }

    fn decode(space: &Space, _view: View<'_>, action: u32, pending: &mut Action) -> Decoded {
        decoded(space, action, pending);
        Decoded::Turn
    }

    fn encode(space: &Space, view: View<'_>, answer: &Action, out: &mut Vec<u32>) -> bool {
        let Action::Move(order) = answer else {
            out.push(space.actions - 1);
            return true;
        };
        let board = view.board();
        let (Some(from), Some(to)) = (board.index(order.from), board.index(order.to)) else { return false };
        let Some(way) = board.neighbours(from).iter().position(|next| *next == to) else { return false };
        let cell = Cells::new(space, view).place(from);
        let half = u32::from(order.amount == Amount::Half);
        out.push((cell * MOVES + way * 2) as u32 + half);
        true
    }

    /// Draws an own cell and a direction, again and again: most boards have few own cells among many.
    fn sample(space: &Space, view: View<'_>, mask: &[u8], rng: &mut Rng) -> u32 {
        let own = view.own_cells();
        let cells = Cells::new(space, view);
        for _ in 0..DRAWS {
            // Passing is one more action beside the eight of each cell.
            let drawn = rng.below((own.len() * MOVES + 1) as u32) as usize;
            let Some(at) = own.get(drawn / MOVES) else { return space.actions - 1 };
            let action = cells.place(usize::from(*at)) * MOVES + drawn % MOVES;
            if mask[action] != 0 {
                return action as u32;
            }
        }
        pick(mask, rng).unwrap_or(space.actions - 1)
    }
}

/// What an action means.
pub(crate) fn decoded(space: &Space, action: u32, pending: &mut Action) {
    *pending = Action::Pass;
    if action + 1 < space.actions {
        let (cell, way, half) = (action as usize / MOVES, action / 2 % 4, action % 2 == 1);
        let [row, column] = [cell / space.extent.columns, cell % space.extent.columns];
        let from = [row as i64 + 1, column as i64 + 1];
        // As the board has its neighbours: up, left, right, down.
        let [rows, columns] = match way {
            0 => [-1, 0],
            1 => [0, -1],
            2 => [0, 1],
            _ => [1, 0],
        };
        let to = [from[0] + rows, from[1] + columns];
        let amount = if half { Amount::Half } else { Amount::AllButOne };
        *pending = Action::Move(Move { amount, from, to });
    }
}

/// Writes cells.
struct Cells<'a> {
    view: View<'a>,
    own: u8,
    players: u8,
    stride: usize,
    columns: usize,
    /// Of the largest board.
    room: usize,
}

impl<'a> Cells<'a> {
    #[inline]
    fn new(space: &Space, view: View<'a>) -> Cells<'a> {
        let board = view.board();
        Cells {
            view,
            own: view.seat().map_or(0, |seat| seat.number()),
            players: view.players(),
            stride: board.stride(),
            columns: board.columns().into(),
            room: space.extent.columns,
        }
    }

    /// The place of a cell in an observation.
    #[inline]
    fn place(&self, at: usize) -> usize {
        let (at, stride) = (at as u32, self.stride as u32);
        (at / stride - 1) as usize * self.room + (at % stride) as usize - 1
    }

    /// Whether a cell next to one of the board is on it.
    #[inline]
    fn contains(&self, at: usize) -> bool {
        let (row, column) = (at as u32 / self.stride as u32, at as u32 % self.stride as u32);
        (1..=u32::from(self.view.board().rows())).contains(&row)
            && (1..=self.columns as u32).contains(&column)
    }

    /// Writes one cell: what is seen, and where units can go.
    #[inline]
    fn write(&self, at: usize, out: &mut Observation<'_>) {
        let place = self.place(at);
        let seen = self.view.cell(at);
        let (planes, units) = self.shown(seen);
        out.planes[place * PLANES..][..PLANES].copy_from_slice(&planes);
        out.counts[place] = units;
        self.write_moves(place, at, seen, out);
    }

    /// The planes and the units of a cell.
    #[inline]
    fn shown(&self, seen: Seen) -> ([u8; PLANES], i32) {
        shown(seen, self.own, self.players)
    }

    #[inline]
    fn owns(&self, owner: u8) -> bool {
        owner == self.own && owner != 0
    }

    /// Writes where the units of a cell can go.
    #[inline]
    fn write_moves(&self, place: usize, at: usize, seen: Seen, out: &mut Observation<'_>) {
        let moves = match seen {
            Seen::Plain { owner, units: 2.., .. } if self.owns(owner) => self.moves(at),
            _ => [0; MOVES],
        };
        out.mask[place * MOVES..][..MOVES].copy_from_slice(&moves);
    }

    /// The moves of more than one unit: wherever no mountain is. What is next to an own cell is in sight.
    #[inline]
    fn moves(&self, at: usize) -> [u8; MOVES] {
        let mut moves = [0; MOVES];
        for (way, next) in self.view.board().neighbours(at).into_iter().enumerate() {
            let open = u8::from(!matches!(self.view.cell(next), Seen::Plain { kind: Kind::Mountain, .. }));
            moves[way * 2] = open;
            moves[way * 2 + 1] = open;
        }
        moves
    }
}

/// The planes of a cell in sight that is nobody's, by its kind.
const PLAIN: [[u8; PLANES]; 5] = {
    let mut planes = [[1, 1, 0, 0, 0, 0, 0, 0]; 5];
    planes[Kind::City as usize][2] = 1;
    planes[Kind::Capital as usize][3] = 1;
    planes[Kind::Mountain as usize][4] = 1;
    planes
};

/// The planes and the units of a cell that somebody sees, whose number is `own`.
#[inline]
pub(crate) fn shown(seen: Seen, own: u8, players: u8) -> ([u8; PLANES], i32) {
    match seen {
        Seen::Hidden { obstacle } => ([1, 0, 0, 0, 0, obstacle.into(), 0, 0], 0),
        Seen::Plain { kind, owner, units } => {
            let mut planes = PLAIN[kind as usize];
            if owner == own {
                planes[6] = u8::from(owner != 0);
            } else if owner != 0 {
                planes[7] = behind(own, owner, players);
            }
            (planes, narrow(units.into()))
        }
    }
}

fn write_globals(view: View<'_>, out: &mut Observation<'_>) {
    let (players, own) = (view.players(), view.seat().map_or(0, |seat| seat.index()));
    let head = [
        narrow(view.round().into()),
        narrow(view.max_rounds().into()),
        view.tie_captures().into(),
        players.into(),
        own as i32,
    ];
    out.globals[..head.len()].copy_from_slice(&head);
    for (seat, totals) in view.totals().enumerate() {
        let player = usize::from(behind(own as u8, seat as u8, players));
        let place = head.len() + 2 * player;
        out.globals[place] = narrow(totals.army);
        out.globals[place + 1] = narrow(totals.land.into());
    }
}
