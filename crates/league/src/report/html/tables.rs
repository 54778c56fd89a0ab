//! The plain tables of the page: standings, stages, faults, failures, bots.

use super::words::{many, points};
use super::{Field, Section, bracket, course};
use crate::overview::{StageState, StageView, Standing};
use crate::report::limits;
use maud::{Markup, html};

/// How it stands now.
pub(super) fn standings(field: &Field) -> Option<Section> {
    let table = &field.overview.standings;
    let body = html! {
        @if field.overview.over && table.len() > 3 { (podium(field, &table[..3])) }
        (table_of(field, table))
    };
    (!table.is_empty()).then_some(Section { id: "standings", title: "Standings", body })
}

fn podium(field: &Field, best: &[Standing]) -> Markup {
    html! {
        ol.podium {
            @for line in best {
                li data-bot=(line.bot) style={ "--c:" (field.colour(line.bot)) } {
                    b.place { (line.place) }
                    bdi title=(field.name(line.bot)) { (field.name(line.bot)) }
                    span.faint { (points(line.points)) @if line.points == 1.0 { " point" } @else { " points" } }
                }
            }
        }
    }
}

/// A table, with a bar for the points: the eye compares lengths faster than numbers.
fn table_of(field: &Field, table: &[Standing]) -> Markup {
    let most = table.iter().map(|line| line.points).fold(0.0, f64::max);
    let share = |line: &Standing| if most > 0.0 { (line.points / most).clamp(0.0, 1.0) * 100.0 } else { 0.0 };
    let tie_breaks: &[(String, f64)] = table.first().map_or(&[], |line| &line.tie_breaks);
    let faults = table.iter().any(|line| line.faults > 0);
    html! {
        div.scroll {
            table.standings .many[table.len() > limits::ROOMY_ROWS] {
                thead {
                    tr {
                        th.number { "#" }
                        th { "Bot" }
                        th.number { "Points" }
                        th.number { abbr title="won – drawn – lost" { "W–D–L" } }
                        th.number.played { "Played" }
                        @for (name, _) in tie_breaks { th.number.more { (name) } }
                        @if faults { th.number { "Faults" } }
                    }
                }
                tbody {
                    @for line in table {
                        tr data-bot=(line.bot) {
                            td.number.place { (line.place) }
                            td.name {
                                (field.bot(line.bot))
                                i.points style=(format!("width:{:.1}%;--c:{}", share(line), field.colour(line.bot))) {}
                            }
                            td.number { b { (points(line.points)) } }
                            td.number { (line.won) "–" (line.drawn) "–" (line.lost) }
                            td.number.played { (line.played) }
                            @for (name, _) in tie_breaks {
                                td.number.more { @if let Some(value) = tie_break(line, name) { (points(value)) } }
                            }
                            @if faults {
                                td.number { @if line.faults > 0 { span.danger { (line.faults) } } @else { "–" } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// What happened stage by stage: tables, brackets, and how points came together.
pub(super) fn stages(field: &Field) -> Option<Section> {
    let stages = &field.overview.stages;
    let only = stages.len() == 1;
    let body = html! {
        @for stage in stages {
            article.stage {
                h3 { (stage.name) " " span.faint { (stage.format) " · " (state(stage)) } }
                @if !stage.bracket.is_empty() { (bracket::drawing(field, stage)) }
                // The only table of the only stage is at the top of the page already.
                @let groups = if only && stage.groups.len() == 1 { &[] } else { &stage.groups[..] };
                div.columns {
                    @for (index, group) in groups.iter().enumerate() {
                        div {
                            @if groups.len() > 1 { h4 { "Group " (index + 1) } }
                            (table_of(field, group))
                        }
                    }
                    (course::chart(field, stage, groups.len() != 1))
                }
            }
        }
    };
    let title = if only { "Course" } else { "Stages" };
    (!stages.is_empty()).then_some(Section { id: "stages", title, body })
}

fn state(stage: &StageView) -> String {
    match (stage.state, stage.rounds) {
        (StageState::Waiting, _) => "not begun".to_owned(),
        (StageState::Over, _) => many(u64::from(stage.round), "round, over", "rounds, over"),
        (StageState::Running, Some(rounds)) => format!("round {} of {rounds}", stage.round),
        (StageState::Running, None) => format!("round {}", stage.round),
    }
}

/// Who failed, how, and where to look.
pub(super) fn faults(field: &Field) -> Option<Section> {
    let faults = &field.overview.faults;
    let body = html! {
        div.scroll {
            table {
                thead { tr { th { "Bot" } th { "Fault" } th.number { "Times" } th { "For example" } } }
                tbody {
                    @for line in faults {
                        tr data-bot=(line.bot) {
                            td.name { (field.bot(line.bot)) }
                            td { (line.kind) }
                            td.number { b { (line.count) } }
                            td.text { a href={ "#only-" (line.example) } { "match " (line.example) } ": " (line.text) }
                        }
                    }
                }
            }
        }
    };
    (!faults.is_empty()).then_some(Section { id: "faults", title: "Faults", body })
}

/// What could not be played.
pub(super) fn failures(field: &Field) -> Option<Section> {
    let failures = &field.overview.failures;
    let body = html! {
        ul.failures {
            @for line in failures {
                li {
                    b { "Match " (line.number) } " "
                    @for bot in &line.bots { (field.bot(*bot)) " " }
                    p { (line.why) }
                }
            }
        }
    };
    (!failures.is_empty()).then_some(Section { id: "failures", title: "Not played", body })
}

/// Who takes part, and from where.
pub(super) fn bots(field: &Field) -> Option<Section> {
    let body = html! {
        details {
            summary { (many(field.overview.bots.len() as u64, "bot", "bots")) " and where they come from" }
            div.scroll {
                table {
                    thead { tr { th.number { "No." } th { "Bot" } th { "Version" } th { "Source" } } }
                    tbody {
                        @for (index, line) in field.overview.bots.iter().enumerate() {
                            tr {
                                td.number { (line.number) }
                                td.name { (field.bot(index)) @if line.dropped { " " span.badge { "dropped" } } }
                                td { (line.version) }
                                td.text { code { (line.source) } }
                            }
                        }
                    }
                }
            }
        }
    };
    (!field.overview.bots.is_empty()).then_some(Section { id: "bots", title: "Bots", body })
}

/// Those who did not reach the last stage were told apart by other things.
fn tie_break(line: &Standing, name: &str) -> Option<f64> {
    line.tie_breaks.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
}
