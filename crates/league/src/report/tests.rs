//! Reports of made-up tournaments: whole, escaped, and with the numbers they should have.

use super::samples::{self, Sample};
use super::{csv as tables, limits, page};
use crate::overview::{MatchLine, Overview};
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn all() -> Vec<Sample> {
    vec![
        samples::round_robin(8),
        samples::free_for_all(40),
        samples::groups_and_final(),
        samples::hostile(),
        samples::unplayed(),
    ]
}

/// A page as it is built, but for its script.
const PAGE: &str = "<!doctype html><script id=\"data\" type=\"application/json\"></script><script>0</script>";

fn written(overview: &Overview, matches: impl Iterator<Item = MatchLine>) -> String {
    let mut page = Vec::new();
    page::write(PAGE, overview, matches, &mut page).unwrap();
    String::from_utf8(page).unwrap()
}

/// What the page's script is given.
fn data(Sample { overview, matches }: &Sample) -> Value {
    let page = written(overview, matches.iter().cloned());
    let (_, rest) = page.split_once("json\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn golden_types_of_the_report() {
    /// Everything that the page of a report is given; `web/src/report/api.ts` is generated from it.
    #[derive(ts_rs::TS)]
    #[expect(dead_code, reason = "only its type is of interest")]
    struct Api(page::Report<'static>);
    palestra_testkit::check_types::<Api>("report/api.ts", &["api.ts"]);
}

#[test]
fn hostile_names_stay_names() {
    let sample = samples::hostile();
    let page = written(&sample.overview, sample.matches.iter().cloned());
    assert_eq!(page.matches('<').count(), PAGE.matches('<').count(), "no markup comes from names");
    let data = data(&sample);
    for (bot, told) in sample.overview.bots.iter().zip(data["bots"].as_array().unwrap()) {
        assert_eq!(told["name"], bot.name);
    }
    assert_eq!(data["maps"][0], sample.matches[0].map.as_str());
    assert_eq!(data["ratings"][0]["strength"]["high"], Value::Null, "without end");
}

#[test]
fn a_page_is_given_the_numbers() {
    for sample in all() {
        let (overview, data) = (&sample.overview, data(&sample));
        for (line, told) in overview.standings.iter().zip(data["standings"].as_array().unwrap()) {
            assert_eq!((&told["bot"], &told["points"]), (&json!(line.bot), &json!(line.points)));
        }
        let met = overview.cross.iter().flatten().flatten().count();
        assert_eq!(data["pairs"].as_array().unwrap().len() * 2, met, "every pair once");
        for pair in data["pairs"].as_array().unwrap() {
            let place = |at: usize| pair[at].as_u64().unwrap() as usize;
            let cell = overview.cross[place(0)][place(1)].as_ref().unwrap();
            assert_eq!([pair[2].clone(), pair[4].clone()], [json!(cell.wins), json!(cell.losses)]);
        }
        let rows = data["matches"].as_array().unwrap();
        assert_eq!(rows.len(), sample.matches.len());
        if let (Some(newest), Some(row)) = (sample.matches.last(), rows.first()) {
            assert_eq!((&row[0], &row[8][0][0]), (&json!(newest.number), &json!(newest.seats[0].bot)));
        }
    }
    assert_eq!(data(&samples::round_robin(8))["matches"][0][6], "replays~0~224");
}

#[test]
fn a_page_lists_the_newest_matches_and_is_told_of_the_others() {
    let mut sample = samples::round_robin(4);
    let line = sample.matches[0].clone();
    let all = limits::PAGE_MATCHES as u32 + 7;
    sample.matches = (1..=all).map(|number| MatchLine { number, ..line.clone() }).collect();
    let data = data(&sample);
    let rows = data["matches"].as_array().unwrap();
    assert_eq!((rows.len(), &rows[0][0], &data["total"]), (limits::PAGE_MATCHES, &json!(all), &json!(all)));
}

#[test]
fn a_chart_of_very_many_rounds_keeps_its_ends() {
    let mut sample = samples::round_robin(4);
    let rounds = 10 * limits::COURSE_POINTS + 3;
    sample.overview.stages[0].course = vec![(0, (0..=rounds).map(|round| round as f64).collect())];
    let data = data(&sample);
    let points = data["stages"][0]["course"][0][1].as_array().unwrap();
    assert!(points.len() <= limits::COURSE_POINTS + 1, "{}", points.len());
    assert_eq!((&points[0], points.last().unwrap()), (&json!(0.0), &json!(rounds as f64)));
    assert_eq!(points[1], json!(data["stages"][0]["every"].as_u64().unwrap() as f64));
}

/// A CSV file as its cells, its head first.
fn cells(write: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>) -> Vec<Vec<String>> {
    let mut file = Vec::new();
    write(&mut file).unwrap();
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(&file[..]);
    reader.records().map(|record| record.unwrap().iter().map(str::to_owned).collect()).collect()
}

#[test]
fn csv_files_hold_every_fact_once() {
    for Sample { overview, matches } in all() {
        let standings = cells(|out| tables::standings(&overview, out));
        assert_eq!(standings[0][..5], ["place", "bot", "points", "Buchholz", "score"]);
        assert_eq!(standings.len(), overview.standings.len() + 1);
        let ratings = cells(|out| tables::ratings(&overview, out));
        assert_eq!(ratings.len(), overview.ratings.len() + 1);
        let cross = cells(|out| tables::cross_table(&overview, out));
        assert_eq!(cross.len(), overview.cross.iter().flatten().flatten().count() + 1);
        let seats: usize = matches.iter().map(|line| line.seats.len()).sum();
        let lines = cells(|out| tables::matches(&overview, matches.iter().cloned(), out));
        assert_eq!(lines.len(), seats + 1);
        if let (Some(line), Some(told)) = (matches.first(), lines.get(2)) {
            assert_eq!(told[4..6], [line.seed.to_string(), "2".to_owned()]);
            assert_eq!(told[9], line.seats[1].points.to_string());
        }
    }
}

#[test]
fn no_csv_file_has_a_column_twice() {
    for mut sample in all() {
        for line in &mut sample.overview.standings {
            line.tie_breaks =
                vec![("faults".to_owned(), 1.0), ("elo".to_owned(), 1500.0), ("elo".to_owned(), 1.0)];
        }
        let overview = &sample.overview;
        for table in [
            cells(|out| tables::standings(overview, out)),
            cells(|out| tables::ratings(overview, out)),
            cells(|out| tables::cross_table(overview, out)),
            cells(|out| tables::matches(overview, sample.matches.iter().cloned(), out)),
        ] {
            let columns: BTreeSet<&String> = table[0].iter().collect();
            assert_eq!(columns.len(), table[0].len(), "{:?}", table[0]);
            assert!(table.iter().all(|line| line.len() == table[0].len()));
        }
    }
}

#[test]
fn csv_names_are_neither_formulas_nor_torn_apart() {
    let Sample { mut overview, matches } = samples::hostile();
    let formula = "=HYPERLINK(\"http://x\",\"y\"), \"quoted\"\nsecond line";
    assert_eq!(overview.bots[2].name, formula);
    overview.bots[1].name = "@SUM(A1)".to_owned();
    let files = [
        cells(|out| tables::standings(&overview, out)),
        cells(|out| tables::ratings(&overview, out)),
        cells(|out| tables::cross_table(&overview, out)),
        cells(|out| tables::matches(&overview, matches.iter().cloned(), out)),
    ];
    for file in files {
        let texts: Vec<&String> = file.iter().flatten().collect();
        assert!(texts.iter().any(|text| **text == format!("'{formula}")));
        assert!(texts.iter().any(|text| *text == "'@SUM(A1)"));
        assert!(texts.iter().all(|text| !text.starts_with(['=', '@', '+'])));
        assert!(texts.iter().all(|text| !text.starts_with('-') || text.parse::<f64>().is_ok()));
    }
}
