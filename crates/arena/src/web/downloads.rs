//! What can be downloaded: starter kits, the program for those who have no internet, and whatever else the organisers put
//! beside it. Files are looked for by name among those that are there, never by a path that somebody sends.

use super::Site;
use crate::api::{Download, DownloadKind, DownloadList, System};
use crate::limits;
use crate::plan::{DownloadPlan, EventPlan};
use crate::store::hexadecimal;
use crate::system::{Identity, open_itself};
use crate::trouble::Trouble;
use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream;
use palestra_server::problem::{Path, Problem};
use sha2::{Digest as _, Sha256};
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The files of an event.
pub(super) struct Downloads {
    plan: DownloadPlan,
    known: Arc<Mutex<Known>>,
    at_once: Arc<Semaphore>,
}

/// What was found when it was last looked.
#[derive(Default)]
struct Known {
    files: Vec<Offered>,
    looked: Option<Instant>,
}

/// A file that can be downloaded.
#[derive(Clone)]
struct Offered {
    path: PathBuf,
    download: Download,
    /// Which file it was when it was read, and when it was last changed.
    stamp: Stamp,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Stamp {
    identity: Identity,
    bytes: u64,
}

impl Downloads {
    pub(super) fn new(plan: &EventPlan) -> Downloads {
        Downloads {
            plan: plan.downloads.clone(),
            known: Arc::default(),
            at_once: Arc::new(Semaphore::new(limits::DOWNLOADS_AT_ONCE)),
        }
    }

    /// What there is now. Files are read only when they are new, or have changed.
    async fn files(&self) -> Vec<Offered> {
        let (plan, known) = (self.plan.clone(), Arc::clone(&self.known));
        let looked = spawn_blocking(move || {
            // Whoever comes meanwhile waits here, and finds everything read.
            let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
            if known.looked.is_none_or(|looked| looked.elapsed() >= limits::DOWNLOADS_LOOK) {
                known.files = look(&plan, &known.files);
                known.looked = Some(Instant::now());
            }
            known.files.clone()
        });
        looked.await.unwrap_or_default()
    }
}

fn look(plan: &DownloadPlan, known: &[Offered]) -> Vec<Offered> {
    let mut files = match plan {
        DownloadPlan::Nothing => return Vec::new(),
        DownloadPlan::Program => Vec::new(),
        DownloadPlan::Folder(folder) => in_folder(folder, known).unwrap_or_else(|error| {
            tracing::warn!(folder = %folder.display(), %error, "the folder of downloads cannot be read");
            Vec::new()
        }),
    };
    let here = this_system();
    let is_for_here = |offered: &Offered| matches!(&offered.download.kind, DownloadKind::Program { system, .. } if *system == here);
    if !files.iter().any(is_for_here) {
        files.extend(own_program(known));
    }
    files.sort_by_key(|offered| (order(&offered.download.kind), offered.download.file.clone()));
    files
}

fn order(kind: &DownloadKind) -> (u8, Option<System>) {
    match kind {
        DownloadKind::Program { system, .. } => (0, *system),
        DownloadKind::Kit { .. } => (1, None),
        DownloadKind::Other { system } => (2, *system),
    }
}

/// Plain files with plain names; links, folders and what is hidden are nobody's business.
fn in_folder(folder: &std::path::Path, known: &[Offered]) -> io::Result<Vec<Offered>> {
    let mut names: Vec<String> = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().into_string().unwrap_or_default();
        if is_plain(&name) && entry.file_type()?.is_file() {
            names.push(name);
        }
    }
    names.sort();
    names.truncate(limits::DOWNLOADS);
    Ok(names.into_iter().filter_map(|name| offer(folder.join(&name), name, None, known)).collect())
}

fn is_plain(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-+ ()".contains(c);
    name.len() <= limits::DOWNLOAD_NAME_BYTES
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.chars().all(plain)
}

/// The program that runs this arena.
fn own_program(known: &[Offered]) -> Option<Offered> {
    let system = this_system();
    let word = match system? {
        System::Linux => "linux",
        System::Macos => "macos",
        System::Windows => "windows",
    };
    // A program that was replaced since it was started is still to be had there.
    let path = if cfg!(target_os = "linux") {
        PathBuf::from("/proc/self/exe")
    } else {
        std::env::current_exe().ok()?
    };
    let name = format!("palestra-{word}-{}", std::env::consts::ARCH);
    let kind = DownloadKind::Program { system, processor: processor(&name), archive: false };
    offer(path, name, Some(kind), known)
}

fn this_system() -> Option<System> {
    match std::env::consts::OS {
        "linux" => Some(System::Linux),
        "macos" => Some(System::Macos),
        "windows" => Some(System::Windows),
        _ => None,
    }
}

/// A file with everything that is told of it; nothing if it cannot be read, or is too large.
fn offer(path: PathBuf, name: String, kind: Option<DownloadKind>, known: &[Offered]) -> Option<Offered> {
    let file = open(&path).ok()?;
    let stamp = stamp(&file).ok().filter(|stamp| stamp.bytes <= limits::DOWNLOAD_BYTES)?;
    if let Some(same) = known.iter().find(|offered| offered.download.file == name && offered.stamp == stamp) {
        return Some(same.clone());
    }
    let sha256 = digest(file).ok()?;
    let href = format!("/downloads/{}", name.replace(' ', "%20"));
    let kind = kind.unwrap_or_else(|| kind_of(&name));
    Some(Offered { path, download: Download { file: name, href, bytes: stamp.bytes, sha256, kind }, stamp })
}

fn open(path: &std::path::Path) -> io::Result<File> {
    // The one link that is followed is that to this program.
    match path.starts_with("/proc/self") {
        true => File::open(path),
        false => open_itself(path),
    }
}

fn stamp(file: &File) -> io::Result<Stamp> {
    let known = file.metadata()?;
    Ok(Stamp { identity: Identity::of(&known)?, bytes: known.len() })
}

fn digest(mut file: File) -> io::Result<String> {
    let (mut digest, mut piece) = (Sha256::new(), vec![0; limits::DOWNLOAD_PIECE_BYTES]);
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(hexadecimal(&digest.finalize())),
            read => digest.update(&piece[..read]),
        }
    }
}

fn kind_of(name: &str) -> DownloadKind {
    let (system, processor) = (system_of(name), processor(name));
    match name.to_ascii_lowercase().starts_with("palestra") {
        true => DownloadKind::Program { system, processor, archive: is_archive(name) },
        false => DownloadKind::Other { system },
    }
}

/// The system in a file's name; macOS first, since "darwin" ends as Windows begins.
fn system_of(name: &str) -> Option<System> {
    const WORDS: [(System, &[&str]); 3] = [
        (System::Macos, &["macos", "darwin", "osx", ".dmg", ".pkg"]),
        (System::Windows, &["windows", "win64", "win32", ".exe", ".msi"]),
        (System::Linux, &["linux", ".deb", ".rpm", ".appimage"]),
    ];
    let name = name.to_ascii_lowercase();
    WORDS
        .into_iter()
        .find(|(_, words)| words.iter().any(|word| name.contains(word)))
        .map(|(system, _)| system)
}

fn processor(name: &str) -> Option<String> {
    const WORDS: [(&str, &[&str]); 2] =
        [("arm64", &["arm64", "aarch64"]), ("x86-64", &["x86_64", "x86-64", "amd64", "x64"])];
    let name = name.to_ascii_lowercase();
    let found = WORDS.into_iter().find(|(_, words)| words.iter().any(|word| name.contains(word)));
    found.map(|(processor, _)| processor.to_owned())
}

const ARCHIVES: [&str; 7] = [".zip", ".tar.gz", ".tgz", ".tar.xz", ".tar.zst", ".tar.bz2", ".tar"];

fn is_archive(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ARCHIVES.iter().any(|ending| name.ends_with(ending))
}

/// What a file says it is; everything else is bytes.
fn content_type(name: &str) -> &'static str {
    let name = name.to_ascii_lowercase();
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    match ending {
        "zip" => "application/zip",
        "gz" | "tgz" => "application/gzip",
        "xz" => "application/x-xz",
        "zst" => "application/zstd",
        "bz2" => "application/x-bzip2",
        "tar" => "application/x-tar",
        "exe" => "application/vnd.microsoft.portable-executable",
        "deb" => "application/vnd.debian.binary-package",
        "pdf" => "application/pdf",
        "txt" | "md" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

pub(super) fn routes() -> OpenApiRouter<Arc<Site>> {
    OpenApiRouter::new().routes(routes!(downloads)).routes(routes!(downloaded_file))
}

/// Everything that can be downloaded: starter kits, the program, and what the organisers added.
#[utoipa::path(get, path = "/api/downloads", tag = "event", responses((status = 200, body = DownloadList)))]
async fn downloads(State(site): State<Arc<Site>>) -> Json<DownloadList> {
    let files = site.downloads.files().await.into_iter().map(|offered| offered.download);
    let mut files: Vec<Download> = files.chain(site.kits.downloads()).collect();
    files.sort_by_key(|file| order(&file.kind));
    Json(DownloadList { files })
}

/// A file that the organisers offer, or this program.
#[utoipa::path(
    get, path = "/downloads/{file}", tag = "event", params(("file" = String, Path,)),
    responses((status = 200, body = [u8], content_type = "application/octet-stream"))
)]
async fn downloaded_file(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
) -> Result<Response, Problem> {
    let files = site.downloads.files().await;
    let offered = files.into_iter().find(|offered| offered.download.file == name);
    let offered = offered.ok_or(Trouble::NoDownload {})?;
    let permit = Arc::clone(&site.downloads.at_once).try_acquire_owned();
    let permit = permit.map_err(|_| Trouble::ManyDownloads {})?;
    let opened = spawn_blocking(move || {
        let file = open(&offered.path)?;
        // What is sent is what was read: a file that was replaced since is looked at anew first.
        let same = stamp(&file)? == offered.stamp;
        Ok::<_, io::Error>(same.then_some((file, offered.download)))
    });
    let (file, download) = match opened.await {
        Ok(Ok(Some(found))) => found,
        _ => return Err(Trouble::NoDownload {}.into()),
    };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(content_type(&name))),
        (header::CONTENT_LENGTH, HeaderValue::from(download.bytes)),
        // It is packed already, and browsers show how much is to come.
        (header::CONTENT_ENCODING, HeaderValue::from_static("identity")),
        (header::CONTENT_DISPOSITION, attachment(&name)),
        (header::ETAG, quoted(&download.sha256)),
    ];
    Ok((headers, Body::from_stream(pieces(file, download.bytes, permit))).into_response())
}

fn attachment(name: &str) -> HeaderValue {
    HeaderValue::try_from(format!("attachment; filename=\"{name}\"")).expect("names are plain")
}

fn quoted(text: &str) -> HeaderValue {
    HeaderValue::try_from(format!("\"{text}\"")).expect("hexadecimal digits")
}

/// The file piece by piece, as fast as it is taken, and never more than was announced.
fn pieces(
    file: File,
    bytes: u64,
    permit: OwnedSemaphorePermit,
) -> impl futures_util::Stream<Item = io::Result<Vec<u8>>> {
    stream::try_unfold((file, bytes, permit), |(mut file, left, permit)| async move {
        if left == 0 {
            return Ok(None);
        }
        let read = spawn_blocking(move || {
            let mut piece =
                vec![0; limits::DOWNLOAD_PIECE_BYTES.min(usize::try_from(left).unwrap_or(usize::MAX))];
            let read = file.read(&mut piece)?;
            piece.truncate(read);
            Ok::<_, io::Error>((file, piece))
        });
        let (file, piece) = read.await.map_err(io::Error::other)??;
        match piece.is_empty() {
            // It was cut off since: the connection ends before what was announced.
            true => Err(io::ErrorKind::UnexpectedEof.into()),
            false => {
                let left = left - piece.len() as u64;
                Ok(Some((piece, (file, left, permit))))
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{content_type, is_plain, kind_of, system_of};
    use crate::api::{DownloadKind, System};

    #[test]
    fn names_say_for_whom_a_file_is() {
        for (name, system) in [
            ("palestra-0.1-x86_64-linux.tar.gz", Some(System::Linux)),
            ("palestra-aarch64-apple-darwin.tar.gz", Some(System::Macos)),
            ("Palestra-Windows-x64.zip", Some(System::Windows)),
            ("python-3.12.exe", Some(System::Windows)),
            ("rules.pdf", None),
        ] {
            assert_eq!(system_of(name), system, "{name}");
        }
        let DownloadKind::Program { processor, archive, .. } = kind_of("palestra-0.1-arm64-linux.tar.gz")
        else {
            panic!("a program")
        };
        assert_eq!((processor.as_deref(), archive), (Some("arm64"), true));
        assert_eq!(kind_of("python.msi"), DownloadKind::Other { system: Some(System::Windows) });
    }

    #[test]
    fn names_that_could_lead_elsewhere_are_no_names() {
        for name in ["", ".hidden", "..", "a/b", "a\\b", "a\nb", "a\"b", "кит.zip", &"a".repeat(121)] {
            assert!(!is_plain(name), "{name:?}");
        }
        assert!(is_plain("palestra (copy) 1.2+3_x.tar.gz"));
    }

    #[test]
    fn nothing_that_is_offered_is_shown_as_a_page() {
        for name in ["page.html", "image.svg", "script.js", "noending"] {
            assert_eq!(content_type(name), "application/octet-stream");
        }
        assert_eq!(content_type("PALESTRA.ZIP"), "application/zip");
    }
}
