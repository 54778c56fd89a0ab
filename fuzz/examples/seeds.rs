//! Writes what the program itself makes, and what ships with it, as beginnings for the fuzzer:
//! `cargo run -p palestra-fuzz --example seeds FOLDER`.

use flate2::{Compression, write::GzEncoder};
use palestra_core::{AnyGame, PlanRequest, Replay};
use palestra_games::GAMES;
use palestra_testkit::play_built_ins;
use std::fs;
use std::io::{self, Cursor, Write as _};
use std::path::{Path, PathBuf};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// How long the matches are: the fuzzer is faster with short ones. A game has one of these settings.
const SHORT: [&str; 4] = ["max_turns=30", "max_steps=40", "max_ticks=40", "max_game_duration=30"];
/// Bytes of a log: the beginning of one says it all.
const LOG_BYTES: usize = 20_000;

fn main() -> io::Result<()> {
    let folder = std::env::args_os().nth(1).expect("the folder to write to");
    let seeds = Seeds { folder: PathBuf::from(folder) };
    for (number, game) in (0..).zip(GAMES) {
        seeds.of_game(number, *game)?;
    }
    seeds.of_archives()?;
    for (name, text) in plans(Path::new(env!("CARGO_MANIFEST_DIR")))? {
        seeds.write("plans", &name, &text)?;
    }
    Ok(())
}

struct Seeds {
    folder: PathBuf,
}

impl Seeds {
    fn write(&self, target: &str, name: &str, bytes: &[u8]) -> io::Result<()> {
        let folder = self.folder.join(target);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(name), bytes)
    }

    fn of_game(&self, number: u8, game: &'static dyn AnyGame) -> io::Result<()> {
        let id = game.info().id;
        let changes: Vec<(String, String)> = SHORT
            .iter()
            .filter_map(|setting| setting.split_once('='))
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .filter(|change| game.check_settings(std::slice::from_ref(change)).is_ok())
            .collect();
        for map in game.maps() {
            self.write("maps", &format!("{id}-{}", map.name), &[&[number], map.text.as_bytes()].concat())?;
            let plain = PlanRequest { changes: &changes, map: Some(map.text), players: 2, seed: 1 };
            let seats = game.plan(&plain).expect("a map that ships").seats;
            let built_ins = game.built_ins();
            let bots: Vec<&str> =
                (0..usize::from(seats)).map(|seat| built_ins[seat % built_ins.len()].name).collect();
            let replay = play_built_ins(game, &plain, &bots);
            self.of_replay(number, game, &format!("{id}-{}", map.name), &replay)?;
        }
        for (key, value) in &changes {
            let first = game.maps()[0].text.as_bytes();
            let text = [&[number], format!("{key}={value}\n").as_bytes(), &[0xF8], first].concat();
            self.write("maps", &format!("{id}-{key}"), &text)?;
        }
        Ok(())
    }

    fn of_replay(&self, number: u8, game: &dyn AnyGame, name: &str, replay: &Replay) -> io::Result<()> {
        let file = replay.to_bytes().expect("a short match");
        self.write("replay", name, &file)?;
        let part = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().expect("four bytes")) as u16;
        let lengths = [part(10).to_le_bytes(), part(14).to_le_bytes()].concat();
        self.write("replay_unpacked", name, &[lengths, zstd::decode_all(&file[22..])?].concat())?;
        for export in game.exports() {
            let mut log = Vec::new();
            game.export(export.name, replay, &mut log).expect("a short match");
            if log.len() <= LOG_BYTES {
                self.write("legacy", &format!("{name}-{}", export.name), &log)?;
            }
        }
        let mut cursor = palestra_core::Cursor::start(game, replay).expect("a match of this game");
        let mut said = Vec::new();
        while let Some(turn) = cursor.peek(replay).expect("a sound replay") {
            if turn.seat.number() == 1 {
                cursor.state().write_answer(&mut said);
            }
            cursor.advance(replay).expect("a sound replay");
        }
        said.truncate(1500);
        self.write("answers", name, &[&[number, 0, 7][..], &said].concat())?;
        let first = said.split_inclusive(|byte| *byte == b'\n').next().unwrap_or_default();
        let text = serde_json::to_string(&String::from_utf8_lossy(first)).expect("plain text");
        let body = format!("{{\"seat\":1,\"key\":\"k\",\"turn\":1,\"text\":{text}}}");
        self.write("person", name, &[&[number], body.as_bytes()].concat())
    }

    fn of_archives(&self) -> io::Result<()> {
        let files = [("main.cpp", "int main() {}"), ("x/a.h", "#pragma once"), ("README", "hello")];
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        let mut tar = tar::Builder::new(Vec::new());
        for (name, content) in files {
            zip.start_file(name, SimpleFileOptions::default()).map_err(io::Error::other)?;
            zip.write_all(content.as_bytes())?;
            let mut header = tar::Header::new_gnu();
            header.set_size(content.len() as u64);
            header.set_mode(0o644);
            tar.append_data(&mut header, name, content.as_bytes())?;
        }
        let (zip, tar) = (zip.finish().map_err(io::Error::other)?.into_inner(), tar.into_inner()?);
        let mut gz = GzEncoder::new(Vec::new(), Compression::fast());
        gz.write_all(&tar)?;
        let gz = gz.finish()?;
        for (number, name, content) in [(0, "zip", &zip), (1, "tar", &tar), (2, "tar-gz", &gz)] {
            self.write("archive", name, &[&[number], content.as_slice()].concat())?;
        }
        self.write("archive", "program", b"\x05\x7fELF")
    }
}

/// The plans that ship.
fn plans(package: &Path) -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut plans = Vec::new();
    for folder in ["cups", "events"] {
        for file in fs::read_dir(package.join("..").join(folder))? {
            let file = file?;
            plans.push((file.file_name().to_string_lossy().into_owned(), fs::read(file.path())?));
        }
    }
    Ok(plans)
}
