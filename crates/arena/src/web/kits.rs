//! Starter kits: a first bot, the rule book, and what to do next, packed for each game and language from the
//! `kits` in its folder.

use super::Site;
use crate::api::{Download, DownloadKind, Kit};
use crate::plan::EventPlan;
use crate::store::fingerprint;
use crate::trouble::Trouble;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use palestra_core::{AnyGame, folder};
use palestra_server::problem::{Path, Problem};
use std::io::{Cursor, Write as _};
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// All kits of an event.
pub(super) struct Kits(Vec<Packed>);

struct Packed {
    game: &'static str,
    kit: Kit,
    /// The file to start.
    main: &'static str,
    /// How its first match is played, behind `palestra `.
    play: String,
    bytes: Bytes,
}

impl Kits {
    pub(super) fn pack(plan: &EventPlan) -> Kits {
        let games = plan.games.iter().map(|plan| plan.game);
        Kits(games.flat_map(|game| game.info().folder.kits.iter().map(move |kit| pack(game, kit))).collect())
    }

    /// All of them, as files.
    pub(super) fn downloads(&self) -> impl Iterator<Item = Download> {
        self.0.iter().map(|packed| Download {
            file: packed.kit.file.clone(),
            href: packed.kit.href.clone(),
            bytes: packed.bytes.len() as u64,
            sha256: fingerprint(&packed.bytes),
            kind: DownloadKind::Kit {
                game: packed.game.to_owned(),
                language: packed.kit.language.clone(),
                main: packed.main.to_owned(),
                play: packed.play.clone(),
            },
        })
    }

    /// The kits of a game.
    pub(super) fn of(&self, game: &str) -> Vec<Kit> {
        self.0.iter().filter(|packed| packed.game == game).map(|packed| packed.kit.clone()).collect()
    }
}

pub(super) fn routes() -> OpenApiRouter<Arc<Site>> {
    OpenApiRouter::new().routes(routes!(download))
}

/// A starter kit.
#[utoipa::path(
    get, path = "/kits/{game}/{file}", tag = "event", params(("game" = String, Path,), ("file" = String, Path,)),
    responses((status = 200, body = [u8], content_type = "application/zip"))
)]
async fn download(
    State(site): State<Arc<Site>>,
    Path((game, file)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let packed = site.kits.0.iter().find(|packed| packed.game == game && packed.kit.file == file);
    let packed = packed.ok_or(Trouble::NoKit {})?;
    let name = format!("attachment; filename=\"{file}\"");
    let headers = [(header::CONTENT_TYPE, "application/zip"), (header::CONTENT_DISPOSITION, name.as_str())];
    Ok((headers, packed.bytes.clone()).into_response())
}

fn pack(game: &'static dyn AnyGame, kit: &folder::Kit) -> Packed {
    let info = game.info();
    let (folder, language) = (kit.language, title(kit.language));
    let (main, _) = kit.files[0];
    let play = first_match(game, main);
    let readme = readme(game, language, main, &play);
    let texts = [("README.md", readme.as_str()), ("RULES.md", info.folder.rule_book)];
    let name = format!("{}-{folder}", info.id);
    let file = format!("{name}.zip");
    let href = format!("/kits/{}/{file}", info.id);
    let files = kit.files.iter().copied().chain(texts);
    let bytes = zipped(&name, files).expect("packing into memory does not fail").into();
    Packed { game: info.id, kit: Kit { language: language.to_owned(), file, href }, main, play, bytes }
}

/// What people call the language of a kit's folder.
fn title(language: &'static str) -> &'static str {
    match language {
        "python" => "Python",
        "cpp" => "C++",
        other => other,
    }
}

/// A match against the weakest built-in player, as many of them as it takes.
fn first_match(game: &dyn AnyGame, main: &str) -> String {
    let info = game.info();
    let opponent = game.built_ins().first().map_or("random", |player| player.name);
    let opponents = vec![opponent; usize::from(info.min_seats).saturating_sub(1).max(1)].join(" ");
    format!("play {} ./{main} {opponents} --watch", info.id)
}

fn readme(game: &dyn AnyGame, language: &str, main: &str, play: &str) -> String {
    let info = game.info();
    let (id, title) = (info.id, info.title);
    format!(
        "# A first bot for {title} in {language}\n\n\
         `{main}` plays, and is yours to make better; `RULES.md` is the rule book.\n\n\
         ```\n\
         palestra {play}     # a match in your browser\n\
         palestra check {id} ./{main}     # does it keep to the protocol, the time and the rules?\n\
         palestra submit HOST {id} ./{main} --token KEY     # hand it in; keys are made on your page of the site\n\
         ```\n"
    )
}

fn zipped<'a>(
    folder: &str,
    files: impl Iterator<Item = (&'a str, &'a str)>,
) -> zip::result::ZipResult<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default();
    for (name, content) in files {
        archive.start_file(format!("{folder}/{name}"), options)?;
        archive.write_all(content.as_bytes())?;
    }
    Ok(archive.finish()?.into_inner())
}
