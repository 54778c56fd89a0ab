//! Who beats whom, as a heat map: blue is good for the row, orange is bad, and the paler the closer.

use super::words::percent;
use super::{Field, Section};
use crate::overview::Cell;
use crate::report::limits;
use maud::{Markup, html};

/// The cross table; columns are numbered like rows, so that forty bots have room.
pub(super) fn section(field: &Field) -> Option<Section> {
    let met = field.overview.cross.iter().flatten().any(Option::is_some);
    let numbered = field.order.len() <= limits::NUMBERED_CELLS;
    let body = html! {
        p.faint.legend {
            "Share of the score, row against column: "
            i.heat.lost.strong style="--k:100%" { "0" }
            i.heat.lost style="--k:50%" { "25" }
            i.heat { "50" }
            i.heat.won style="--k:50%" { "75" }
            i.heat.won.strong style="--k:100%" { "100" }
            " Each cell leads to its matches."
        }
        div.scroll {
            table class=(if numbered { "cross numbered" } else { "cross dense" }) {
                thead {
                    tr {
                        th.corner {}
                        @for (rank, bot) in field.order.iter().enumerate() {
                            th data-bot=(bot) title=(field.name(*bot)) { (rank + 1) }
                        }
                    }
                }
                tbody {
                    @for (rank, row) in field.order.iter().enumerate() {
                        tr {
                            th scope="row" { span.rank { (rank + 1) } (field.bot(*row)) }
                            @for column in &field.order { (cell(field, *row, *column, numbered)) }
                        }
                    }
                }
            }
        }
    };
    met.then_some(Section { id: "cross", title: "Cross table", body })
}

fn cell(field: &Field, row: usize, column: usize, numbered: bool) -> Markup {
    let found = field.overview.cross.get(row).and_then(|cells| cells.get(column)).and_then(Option::as_ref);
    let Some(cell) = found else {
        return html! { td class=(if row == column { "self" } else { "unmet" }) {} };
    };
    let share = cell.score.value;
    let side = if share > 0.5 { "won" } else { "lost" };
    let depth = ((share - 0.5).abs() * 200.0).clamp(0.0, 100.0);
    let strong = if depth > 75.0 { " strong" } else { "" };
    html! {
        td {
            a class={ "heat " (side) (strong) } style=(format!("--k:{depth:.0}%")) href={ "#pair-" (row) "-" (column) }
                data-tip=(told(field, row, column, cell)) {
                @if numbered { (percent(share)) } @else { span.hidden { (percent(share)) } }
            }
        }
    }
}

fn told(field: &Field, row: usize, column: usize, cell: &Cell) -> String {
    format!(
        "{} – {}\n{} won, {} drawn, {} lost\n{} % of the score ({} … {} %)",
        field.name(row),
        field.name(column),
        cell.wins,
        cell.draws,
        cell.losses,
        percent(cell.score.value),
        percent(cell.score.low),
        percent(cell.score.high)
    )
}
