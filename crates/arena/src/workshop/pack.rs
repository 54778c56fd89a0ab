//! Packs a folder into an archive that can be handed in.

use super::archive::{Unfit, segments};
use crate::limits;
use flate2::{Compression, write::GzEncoder};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use tar::{Builder, Header};

/// Why a folder cannot be packed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct PackError(String);

impl From<Unfit> for PackError {
    fn from(unfit: Unfit) -> PackError {
        PackError(unfit.to_string())
    }
}

/// What programs leave beside sources, and nobody means to hand in.
const LEFT_OUT: [&str; 3] = ["__pycache__", "node_modules", "target"];

/// The name and the content of an archive with everything in a folder, but for hidden files and what tools leave there.
pub fn pack(folder: &Path) -> Result<(String, Vec<u8>), PackError> {
    let failed = |path: &Path, error: io::Error| PackError(format!("{}: {error}", path.display()));
    let folder = folder.canonicalize().map_err(|error| failed(folder, error))?;
    let mut files = Vec::new();
    collect(&folder, &mut files)?;
    files.sort();
    let mut archive = Builder::new(GzEncoder::new(Vec::new(), Compression::default()));
    let mut bytes = 0;
    for path in &files {
        let inside = path.strip_prefix(&folder).expect("it was found in there");
        let name = inside
            .to_str()
            .ok_or_else(|| PackError(format!("the name {} is not taken", inside.display())))?;
        segments(name)?;
        let content = fs::read(path).map_err(|error| failed(path, error))?;
        bytes += content.len() as u64;
        if bytes > limits::UNPACKED_BYTES {
            let most = limits::UNPACKED_BYTES >> 20;
            return Err(PackError(format!("{} holds more than {most} MB", folder.display())));
        }
        let mut header = Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, name, &content[..]).map_err(|error| failed(path, error))?;
    }
    let content = archive.into_inner().and_then(GzEncoder::finish).map_err(|error| failed(&folder, error))?;
    let name = folder.file_name().map_or_else(|| "bot".to_owned(), |name| name.display().to_string());
    Ok((format!("{name}.tar.gz"), content))
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), PackError> {
    let failed = |error: io::Error| PackError(format!("{}: {error}", folder.display()));
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with('.') || LEFT_OUT.contains(&&*name) {
            continue;
        }
        let kind = fs::symlink_metadata(&path).map_err(failed)?;
        if kind.is_dir() {
            collect(&path, files)?;
        } else if kind.is_file() {
            files.push(path.clone());
        } else {
            return Err(PackError(format!(
                "{} is neither a file nor a folder; leave it out",
                path.display()
            )));
        }
        if files.len() > limits::ARCHIVE_FILES {
            let most = limits::ARCHIVE_FILES;
            return Err(PackError(format!("{} holds more than {most} files", folder.display())));
        }
    }
    Ok(())
}
