//! Made-up tournaments to try reports on. Their numbers are plausible, and the same in every run.

use crate::overview::{
    BotLine, Cell, Estimate, FailureLine, FaultLine, MatchLine, Overview, Progress, RatingLine, SeatLine,
    StageState, StageView, Standing,
};
use crate::plan::Format;
use palestra_core::{Fault, Message};

/// A tournament and its matches.
pub(super) struct Sample {
    pub(super) overview: Overview,
    pub(super) matches: Vec<MatchLine>,
}

const NAMES: [&str; 12] = [
    "greedy",
    "hunter",
    "turtle",
    "Nightfall",
    "kraken-v3",
    "spiral",
    "team Zürich",
    "bfs_plus",
    "monte carla",
    "the quick brown fox jumps",
    "zerg",
    "ленивый кот",
];

const EVERYBODY: Format = Format::RoundRobin { cycles: 1 };

/// Everybody against everybody on four maps, both seatings.
pub(super) fn round_robin(bots: usize) -> Sample {
    let mut tournament = SampleTournament::new("Winter cup", bots, &["Round robin"], EVERYBODY);
    for round in 1..=bots as u32 - 1 {
        for (a, b) in circle(bots, round as usize) {
            for game in 0..8 {
                tournament.play(0, round, if game % 2 == 0 { vec![a, b] } else { vec![b, a] });
            }
        }
        tournament.close_round(0);
    }
    tournament.overview.stages[0].state = StageState::Over;
    tournament.finish()
}

/// Tables of four over thirty rounds, still going on.
pub(super) fn free_for_all(bots: usize) -> Sample {
    let mut tournament =
        SampleTournament::new("Free for all", bots, &["Tables of four"], Format::Tables { rounds: 36 });
    for round in 1..=30 {
        let mut order: Vec<usize> = (0..bots).collect();
        for index in (1..bots).rev() {
            order.swap(index, tournament.chance.below(index as u64 + 1) as usize);
        }
        for table in order.chunks(4) {
            tournament.play(0, round, table.to_vec());
        }
        tournament.close_round(0);
    }
    tournament.overview.stages[0].rounds = Some(36);
    let mut sample = tournament.finish();
    sample.overview.over = false;
    sample.overview.progress.planned = 36 * bots as u64 / 4;
    sample
}

/// Two groups of six; the best four play a final, which goes on.
pub(super) fn groups_and_final() -> Sample {
    let mut tournament =
        SampleTournament::new("School championship 2026", 12, &["Groups", "Final"], EVERYBODY);
    for round in 1..=5 {
        for group in [0, 6] {
            for (a, b) in circle(6, round as usize) {
                tournament.play(0, round, vec![group + a, group + b]);
                tournament.play(0, round, vec![group + b, group + a]);
            }
        }
        tournament.close_round(0);
    }
    let table = tournament.table(0, &(0..12).collect::<Vec<_>>());
    tournament.overview.stages[0].groups =
        vec![tournament.table(0, &[0, 1, 2, 3, 4, 5]), tournament.table(0, &[6, 7, 8, 9, 10, 11])];
    tournament.overview.stages[0].state = StageState::Over;
    let best: Vec<usize> =
        tournament.overview.stages[0].groups.iter().flat_map(|group| [group[0].bot, group[1].bot]).collect();
    for round in 1..=2 {
        tournament.play(1, round, best.clone());
        tournament.close_round(1);
    }
    tournament.overview.stages[1].format = Format::Tables { rounds: 6 };
    tournament.overview.stages[1].rounds = Some(6);
    tournament.overview.stages[1].groups = vec![tournament.table(1, &best)];
    let mut standings = tournament.table(1, &best);
    standings.extend(table.into_iter().filter(|line| !best.contains(&line.bot)));
    for (index, line) in standings.iter_mut().enumerate() {
        line.place = index as u32 + 1;
    }
    tournament.overview.failures.push(FailureLine {
        number: 9,
        bots: vec![2, 5],
        why: "the map maps/large-7.txt could not be read: permission denied; make it readable and run `rerun 9`"
            .to_owned(),
    });
    let mut sample = tournament.finish();
    sample.overview.over = false;
    sample.overview.progress.planned += 4;
    sample.overview.progress.failed = 1;
    sample.overview.standings = standings;
    sample
}

/// Names and words that try to break out.
pub(super) fn hostile() -> Sample {
    let mut sample = round_robin(6);
    let overview = &mut sample.overview;
    let names = [
        "<script>document.title='broken'</script>",
        "\"><img src=x onerror=document.title='broken'>",
        "=HYPERLINK(\"http://x\",\"y\"), \"quoted\"\nsecond line",
        "</script><!--",
        "a very long name without any space in it: ÄÖÜ_0123456789_0123456789_0123456789_0123456789",
        "\u{202e}drawkcab \u{1F600}&amp;",
    ];
    for (bot, name) in overview.bots.iter_mut().zip(names) {
        bot.name = name.to_owned();
        bot.source = format!("./{name}");
    }
    overview.name = "SampleTournament </title><script>document.title='broken'</script>".to_owned();
    overview.stages[0].name = "<b>stage</b>".to_owned();
    let broken = "</script><script>document.title='broken'</script> & more".to_owned();
    overview.faults[0].what = Message::Sentence(broken.clone());
    overview.faults[0].text = broken;
    overview.ratings[0].strength.high = f64::INFINITY;
    overview.ratings[5].strength.low = f64::NEG_INFINITY;
    for line in &mut sample.matches {
        line.map = "</script><script>document.title='broken'</script>".to_owned();
        line.replay = Some(format!("replays/0/{}'\"<i>.replay", line.number));
    }
    sample
}

/// Nothing has been played.
pub(super) fn unplayed() -> Sample {
    let mut tournament = SampleTournament::new("Tomorrow", 4, &["Round robin"], EVERYBODY);
    tournament.overview.stages[0].state = StageState::Waiting;
    let mut sample = tournament.finish();
    sample.overview.over = false;
    sample.overview.progress.planned = 48;
    sample.overview.ratings.clear();
    sample.overview.first_mover = None;
    sample
}

/// A tournament as it comes about.
struct SampleTournament {
    overview: Overview,
    matches: Vec<MatchLine>,
    chance: Chance,
}

impl SampleTournament {
    fn new(name: &str, bots: usize, stages: &[&str], format: Format) -> SampleTournament {
        let called = |index: usize| match NAMES.get(index) {
            Some(name) => (*name).to_owned(),
            None => format!("student-{:02}", index + 1),
        };
        let stage = |name: &&str| StageView {
            state: StageState::Running,
            ..StageView::waiting((*name).to_owned(), format.clone())
        };
        let overview = Overview {
            name: name.to_owned(),
            game: "generals".to_owned(),
            game_title: "Generals".to_owned(),
            seed: 7,
            over: true,
            progress: Progress::default(),
            bots: (0..bots)
                .map(|index| BotLine {
                    number: index as u32 + 1,
                    name: called(index),
                    source: if index < 2 { called(index) } else { format!("bots/{}.py", called(index)) },
                    version: 1 + u32::from(index == 3),
                    dropped: index == 11,
                })
                .collect(),
            stages: stages.iter().map(stage).collect(),
            standings: Vec::new(),
            ratings: Vec::new(),
            first_mover: Some(Estimate { value: 21.4, low: 3.2, high: 39.6 }),
            cross: vec![vec![None; bots]; bots],
            faults: Vec::new(),
            failures: Vec::new(),
        };
        SampleTournament { overview, matches: Vec::new(), chance: Chance(1) }
    }

    /// How strong a bot is, in Elo points: the first are the best.
    fn strength(&self, bot: usize) -> f64 {
        320.0 - 640.0 * bot as f64 / self.overview.bots.len() as f64
    }

    fn play(&mut self, stage: usize, round: u32, seats: Vec<usize>) -> usize {
        let number = self.matches.len() as u32 + 1;
        let form: Vec<f64> = seats
            .iter()
            .map(|bot| self.strength(*bot) + 500.0 * (self.chance.unit() + self.chance.unit() - 1.0))
            .map(|form| (form / 60.0).round())
            .collect();
        let place = |own: f64| 1 + form.iter().filter(|other| **other > own).count() as u32;
        let best = form.iter().filter(|own| place(**own) == 1).count() as f64;
        let faulty = self.chance.below(23) == 0;
        let seat = |index: usize| SeatLine {
            bot: seats[index],
            place: place(form[index]),
            score: 40.0 + form[index],
            points: if place(form[index]) == 1 { 1.0 / best } else { 0.0 },
            fault: (faulty && place(form[index]) as usize == seats.len()).then(|| "out_of_time".to_owned()),
        };
        let line = MatchLine {
            number,
            stage,
            round,
            decider: 0,
            map: ["plain 20x20", "corridors", "islands", "large-7"][number as usize % 4].to_owned(),
            seed: self.chance.next(),
            seats: (0..seats.len()).map(seat).collect(),
            turns: 180 + self.chance.below(500) as u32,
            millis: 40 + self.chance.below(9000),
            replay: Some(format!("replays/{}/{number}.replay", number / 1000)),
            voided: number == 17,
            tainted: number == 21,
            worker: None,
        };
        self.matches.push(line);
        self.matches.len() - 1
    }

    fn close_round(&mut self, stage: usize) {
        let all: Vec<usize> = (0..self.overview.bots.len()).collect();
        let table = self.table(stage, &all);
        let view = &mut self.overview.stages[stage];
        view.round += 1;
        for line in table.iter().filter(|line| line.played > 0) {
            match view.course.iter_mut().find(|(bot, _)| *bot == line.bot) {
                Some((_, points)) => points.push(line.points),
                None => view.course.push((line.bot, vec![0.0, line.points])),
            }
        }
        view.groups = vec![table.into_iter().filter(|line| line.played > 0).collect()];
    }

    fn table(&self, stage: usize, bots: &[usize]) -> Vec<Standing> {
        let mut table: Vec<Standing> = bots
            .iter()
            .map(|bot| {
                let own = || {
                    self.matches.iter().filter(|line| line.stage == stage).filter_map(|line| {
                        let seat = line.seats.iter().find(|seat| seat.bot == *bot)?;
                        Some((seat, line.seats.iter().filter(|seat| seat.place == 1).count() > 1))
                    })
                };
                let count = |kept: &dyn Fn(u32, bool) -> bool| {
                    own().filter(|(seat, shared)| kept(seat.place, *shared)).count() as u32
                };
                Standing {
                    place: 0,
                    bot: *bot,
                    points: own().map(|(seat, _)| seat.points).sum(),
                    tie_breaks: vec![
                        ("Buchholz".to_owned(), 30.5 - *bot as f64),
                        ("score".to_owned(), own().map(|(seat, _)| seat.score).sum()),
                    ],
                    played: count(&|_, _| true),
                    won: count(&|place, shared| place == 1 && !shared),
                    drawn: count(&|place, shared| place == 1 && shared),
                    lost: count(&|place, _| place > 1),
                    faults: own().filter(|(seat, _)| seat.fault.is_some()).count() as u32,
                }
            })
            .collect();
        table.sort_by(|a, b| b.points.total_cmp(&a.points));
        for index in 0..table.len() {
            table[index].place = match index > 0 && table[index].points == table[index - 1].points {
                true => table[index - 1].place,
                false => index as u32 + 1,
            };
        }
        table
    }

    fn finish(mut self) -> Sample {
        let bots = self.overview.bots.len();
        let all: Vec<usize> = (0..bots).collect();
        self.overview.standings = self.table(0, &all);
        if self.overview.stages[0].groups.is_empty() {
            self.overview.stages[0].groups = vec![self.overview.standings.clone()];
        }
        for line in &self.matches {
            for a in &line.seats {
                for b in line.seats.iter().filter(|b| b.bot != a.bot) {
                    let cell = self.overview.cross[a.bot][b.bot].get_or_insert(Cell {
                        wins: 0,
                        draws: 0,
                        losses: 0,
                        score: Estimate { value: 0.0, low: 0.0, high: 0.0 },
                    });
                    match a.place.cmp(&b.place) {
                        std::cmp::Ordering::Less => cell.wins += 1,
                        std::cmp::Ordering::Equal => cell.draws += 1,
                        std::cmp::Ordering::Greater => cell.losses += 1,
                    }
                }
            }
        }
        for cell in self.overview.cross.iter_mut().flatten().flatten() {
            let games = f64::from(cell.wins + cell.draws + cell.losses);
            let value = (f64::from(cell.wins) + 0.5 * f64::from(cell.draws)) / games;
            let wide = 0.98 / games.sqrt();
            cell.score = Estimate { value, low: (value - wide).max(0.0), high: (value + wide).min(1.0) };
        }
        let mut ratings: Vec<RatingLine> = (0..bots)
            .map(|bot| {
                let value = self.strength(bot) + 60.0 * (self.chance.unit() - 0.5);
                let wide = 40.0 + 40.0 * self.chance.unit();
                RatingLine {
                    bot,
                    games: self
                        .matches
                        .iter()
                        .filter(|line| line.seats.iter().any(|seat| seat.bot == bot))
                        .count() as u64,
                    elo: 1500.0 + 0.8 * value,
                    openskill: (25.0 + value / 60.0, 1.4),
                    strength: Estimate { value, low: value - wide, high: value + 1.1 * wide },
                }
            })
            .collect();
        ratings.sort_by(|a, b| b.strength.value.total_cmp(&a.strength.value));
        self.overview.ratings = ratings;
        for bot in 0..bots {
            let faulty =
                |line: &&MatchLine| line.seats.iter().any(|seat| seat.bot == bot && seat.fault.is_some());
            let count = self.matches.iter().filter(faulty).count() as u32;
            if let Some(example) = self.matches.iter().find(faulty) {
                self.overview.faults.push(FaultLine {
                    bot,
                    kind: "out_of_time".to_owned(),
                    count,
                    example: example.number,
                    what: Fault::OutOfTime.message(),
                    text: "out of time".to_owned(),
                });
            }
        }
        self.overview.faults.sort_by_key(|line| std::cmp::Reverse(line.count));
        self.overview.progress = Progress {
            finished: self.matches.len() as u64,
            planned: self.matches.len() as u64,
            tainted: 1,
            failed: 0,
            voided: 1,
        };
        Sample { overview: self.overview, matches: self.matches }
    }
}

/// The pairs of one round by the circle method.
fn circle(bots: usize, round: usize) -> Vec<(usize, usize)> {
    let turning = bots - 1;
    let at = |place: usize| if place == 0 { turning } else { (round + place - 1) % turning };
    (0..bots / 2).map(|place| (at(place), at(bots - 1 - place))).collect()
}

/// Numbers that look like chance (splitmix64).
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn unit(&mut self) -> f64 {
        self.next() as f64 / u64::MAX as f64
    }
}
