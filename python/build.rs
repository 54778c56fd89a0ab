//! Tells the linkers that want to know that Python's symbols come with the program that loads this library, and puts the pages
//! that need no other file where they are included from; without them everything works but what a notebook shows.

use std::path::Path;
use std::{env, fs};

const PAGES: [&str; 2] = ["report.html", "replay.html"];

fn main() {
    pyo3_build_config::add_extension_module_link_args();
    let out = env::var("OUT_DIR").expect("cargo says where to");
    for page in PAGES {
        let built = Path::new("../web/dist").join(page);
        println!("cargo:rerun-if-changed={}", built.display());
        let text = fs::read(&built).unwrap_or_default();
        fs::write(Path::new(&out).join(page), text).expect("there is room");
    }
}
