//! Reports of made-up tournaments: whole, escaped, and with the numbers they should have.

use super::samples::{self, Sample};
use super::{csv as tables, html, limits};
use crate::overview::MatchLine;
use serde_json::Value;
use std::collections::BTreeSet;

fn all() -> Vec<Sample> {
    vec![
        samples::round_robin(8),
        samples::free_for_all(40),
        samples::double_knockout(),
        samples::knockout(),
        samples::groups_and_final(),
        samples::hostile(),
        samples::unplayed(),
    ]
}

fn page(sample: &Sample) -> String {
    let mut page = Vec::new();
    html::write(&sample.overview, sample.matches.iter().cloned(), &mut page).unwrap();
    String::from_utf8(page).unwrap()
}

/// What the page's script is given.
fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("<script id=\"data\" type=\"application/json\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

/// A start tag: its name and its attributes.
type Tag = (String, Vec<(String, String)>);

/// Every start tag of a page. Fails if elements are not closed in order or an attribute stands twice.
fn tags(page: &str) -> Vec<Tag> {
    const VOID: [&str; 2] = ["meta", "input"];
    let (mut tags, mut open): (Vec<Tag>, Vec<String>) = (Vec::new(), Vec::new());
    let mut rest = page.strip_prefix("<!DOCTYPE html>").unwrap();
    while let Some(start) = rest.find('<') {
        rest = &rest[start + 1..];
        if let Some(closing) = rest.strip_prefix('/') {
            let (name, after) = closing.split_once('>').unwrap();
            assert_eq!(open.pop().as_deref(), Some(name), "before {after:.80}");
            rest = after;
            continue;
        }
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap();
        assert!(end > 0, "a bare < before {rest:.80}");
        let name = rest[..end].to_owned();
        rest = &rest[end..];
        let mut attributes: Vec<(String, String)> = Vec::new();
        let empty = loop {
            rest = rest.trim_start();
            if let Some(after) = rest.strip_prefix("/>") {
                rest = after;
                break true;
            }
            if let Some(after) = rest.strip_prefix('>') {
                rest = after;
                break false;
            }
            let end = rest.find(['=', ' ', '>']).unwrap();
            let key = rest[..end].to_owned();
            assert!(attributes.iter().all(|(known, _)| *known != key), "{key} stands twice in {name}");
            rest = &rest[end..];
            let mut value = String::new();
            if let Some(after) = rest.strip_prefix('=') {
                let quote = after.chars().next().unwrap();
                let (inside, after) = after[1..].split_once(quote).unwrap();
                value = inside.to_owned();
                rest = after;
            }
            attributes.push((key, value));
        };
        if ["script", "style"].contains(&name.as_str()) {
            let end = rest.find(&format!("</{name}")).unwrap();
            rest = &rest[end..];
        }
        if !empty && !VOID.contains(&name.as_str()) {
            open.push(name.clone());
        }
        tags.push((name, attributes));
    }
    assert!(open.is_empty(), "{open:?}");
    tags
}

#[test]
fn pages_are_well_formed_and_their_links_lead_somewhere() {
    for sample in all() {
        let tags = tags(&page(&sample));
        let values = |wanted: &'static str| {
            tags.iter()
                .flat_map(|(_, attributes)| attributes)
                .filter(move |(key, _)| key == wanted)
                .map(|(_, value)| value)
        };
        let ids: Vec<&String> = values("id").collect();
        assert_eq!(ids.len(), ids.iter().collect::<BTreeSet<_>>().len(), "ids are unique");
        for link in values("href") {
            let target = link.strip_prefix('#').expect("the page needs nothing from elsewhere");
            let known = |number: &str| sample.matches.iter().any(|line| line.number.to_string() == number);
            let found = match target.strip_prefix("only-") {
                Some(numbers) => numbers.split('-').all(known),
                None => target.starts_with("pair-") || ids.iter().any(|id| *id == target),
            };
            assert!(found, "{target}");
        }
        assert_eq!(values("src").count(), 0);
    }
}

#[test]
fn hostile_names_stay_names() {
    let sample = samples::hostile();
    let page = page(&sample);
    let tags = tags(&page);
    let count = |name: &str| tags.iter().filter(|(tag, _)| tag == name).count();
    assert_eq!((count("script"), count("img"), count("b") > 0), (2, 0, true));
    assert!(tags.iter().flat_map(|(_, attributes)| attributes).all(|(key, _)| !key.starts_with("on")));
    let data = data(&page);
    for (bot, told) in sample.overview.bots.iter().zip(data["bots"].as_array().unwrap()) {
        assert_eq!(told, &bot.name);
    }
    assert_eq!(data["maps"][0], sample.matches[0].map.as_str());
}

#[test]
fn a_page_tells_the_numbers() {
    let sample = samples::round_robin(8);
    let page = page(&sample);
    let first = &sample.overview.standings[0];
    assert!(page.contains(&format!("<b>{}</b>", first.points)));
    assert!(page.contains(&format!("{}–{}–{}", first.won, first.drawn, first.lost)));
    let cell = sample.overview.cross[0][1].as_ref().unwrap();
    assert!(page.contains(&format!("{} won, {} drawn, {} lost", cell.wins, cell.draws, cell.losses)));
    assert!(page.contains("worth <b>+21</b> Elo points (+3 … +40): whoever moves first has an advantage"));
    let rows = data(&page)["rows"].as_array().unwrap().clone();
    assert_eq!(rows.len(), sample.matches.len());
    let newest = sample.matches.last().unwrap();
    assert_eq!((&rows[0][0], &rows[0][6]), (&newest.number.into(), &"replays~0~224".into()));
    assert_eq!(rows[0][8][0][0], newest.seats[0].bot);
}

#[test]
fn a_page_lists_the_newest_matches_and_says_that_there_are_more() {
    let sample = samples::round_robin(4);
    let line = &sample.matches[0];
    let many = (1..=limits::PAGE_MATCHES as u32 + 7).map(|number| MatchLine { number, ..line.clone() });
    let mut page = Vec::new();
    html::write(&sample.overview, many, &mut page).unwrap();
    let page = String::from_utf8(page).unwrap();
    let rows = data(&page)["rows"].as_array().unwrap().clone();
    assert_eq!((rows.len(), &rows[0][0]), (limits::PAGE_MATCHES, &(limits::PAGE_MATCHES + 7).into()));
    assert!(page.contains("These are the newest 5000 of 5007 matches"));
    assert!(!self::page(&sample).contains("These are the newest"));
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

/// Writes the pages into a folder, to be looked at: `REPORT_SAMPLES=folder cargo test -p palestra-league samples`.
#[test]
fn samples_can_be_looked_at() {
    let Some(folder) = std::env::var_os("REPORT_SAMPLES") else { return };
    let names = ["rr8", "ffa40", "double8", "single16", "groups", "hostile", "unplayed"];
    for (name, sample) in names.iter().zip(all()) {
        let file = std::path::Path::new(&folder).join(format!("{name}.html"));
        std::fs::write(file, page(&sample)).unwrap();
    }
}
