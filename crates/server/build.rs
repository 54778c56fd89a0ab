//! The page is built by `make web`, and is packed here: it is sent as it lies in the program. Without it everything still builds,
//! and what needs the page says so.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

const PAGE: &str = "../../web/dist";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed={PAGE}");
    let mut files = BTreeMap::new();
    if Path::new(PAGE).join("index.html").exists() {
        collect(Path::new(PAGE), "", &mut files)?;
    } else {
        println!("cargo::warning=the viewer's page is not built; run `make web` to have it in palestra");
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo says where to"));
    let mut table = String::new();
    for (number, (name, file)) in files.iter().enumerate() {
        let packed = out.join(format!("{number}.gz"));
        let mut packer = GzEncoder::new(fs::File::create(&packed)?, Compression::best());
        io::copy(&mut fs::File::open(file)?, &mut packer)?;
        packer.finish()?;
        table += &format!("({name:?}, include_bytes!({packed:?})),\n");
    }
    fs::write(out.join("page.rs"), format!("&[\n{table}]\n"))
}

/// Every file of a folder, under its name in an address.
fn collect(folder: &Path, above: &str, files: &mut BTreeMap<String, PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{above}{}", entry.file_name().display());
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &format!("{name}/"), files)?;
        } else {
            files.insert(name, entry.path());
        }
    }
    Ok(())
}
