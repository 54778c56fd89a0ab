//! Starter kits: what `palestra new` makes, packed for each game and language; and the clients in a game's folder that
//! play through a server by themselves.

use super::Site;
use crate::api::{Download, DownloadKind, Kit};
use crate::plan::EventPlan;
use crate::store::fingerprint;
use crate::trouble::Trouble;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use palestra_core::AnyGame;
use palestra_core::folder::Client;
use palestra_kits::{KitFile, Language, first_match};
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
        let all = |game: &'static dyn AnyGame| {
            let kits = palestra_kits::languages(game).into_iter().map(move |language| pack(game, language));
            kits.chain(game.info().folder.clients.iter().map(move |client| pack_client(game, client)))
        };
        Kits(games.flat_map(all).collect())
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

fn pack(game: &'static dyn AnyGame, language: &'static Language) -> Packed {
    let files = palestra_kits::kit(game, language).expect("the game has a bot in it");
    let name = format!("{}-{}", game.info().id, language.id);
    let play = first_match(game, ".");
    packed(game, &name, language.title.to_owned(), language.main, play, &files)
}

/// A client is a bot as well, in one file or more.
fn pack_client(game: &'static dyn AnyGame, client: &'static Client) -> Packed {
    let info = game.info();
    let title = palestra_kits::language(client.language).map_or(client.language, |language| language.title);
    let (main, _) = client.files[0];
    let play = first_match(game, &format!("./{main}"));
    let readme = format!(
        "# A first client for {} in {title}\n\n\
         `{main}` plays, here and through the arena's server; it is yours to make better. `RULES.md` is the rule book.\n\n\
         ```\n\
         palestra {play}     # a match in your browser\n\
         palestra check {id} ./{main}     # does it keep to the protocol, the time and the rules?\n\
         palestra submit HOST {id} ./{main} --token KEY     # hand it in; keys are made on your page of the site\n\
         ```\n",
        info.title,
        id = info.id,
    );
    let texts = [("README.md", readme.as_str()), ("RULES.md", info.folder.rule_book)];
    let files = client.files.iter().copied().chain(texts);
    let files: Vec<KitFile> = files.map(|(name, text)| (name.to_owned(), text.to_owned())).collect();
    let name = format!("{}-{}-client", info.id, client.language);
    packed(game, &name, format!("{title} (TCP)"), main, play, &files)
}

fn packed(
    game: &'static dyn AnyGame,
    name: &str,
    language: String,
    main: &'static str,
    play: String,
    files: &[KitFile],
) -> Packed {
    let id = game.info().id;
    let file = format!("{name}.zip");
    let href = format!("/kits/{id}/{file}");
    let bytes = zipped(name, files).expect("packing into memory does not fail").into();
    Packed { game: id, kit: Kit { language, file, href }, main, play, bytes }
}

fn zipped(folder: &str, files: &[KitFile]) -> zip::result::ZipResult<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default();
    for (name, content) in files {
        archive.start_file(format!("{folder}/{name}"), options)?;
        archive.write_all(content.as_bytes())?;
    }
    Ok(archive.finish()?.into_inner())
}
