//! Everything that the fuzzer has kept or once broke something with, without the fuzzer.

use palestra_fuzz::TARGETS;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn everything_that_was_found_holds() {
    for target in TARGETS {
        let kept = files(&package().join("corpus").join(target.name));
        assert!(!kept.is_empty(), "{} begins with nothing", target.name);
        for file in kept.into_iter().chain(files(&package().join("crashes").join(target.name))) {
            let bytes = fs::read(&file).unwrap();
            let done = std::panic::catch_unwind(|| (target.run)(&bytes));
            assert!(done.is_ok(), "{} does not hold with {}", target.name, file.display());
        }
    }
}

#[test]
fn every_target_has_its_program() {
    let names: BTreeSet<String> = TARGETS.iter().map(|target| target.name.to_owned()).collect();
    let stem = |path: &PathBuf| path.file_stem().unwrap().to_string_lossy().into_owned();
    assert_eq!(files(&package().join("fuzz_targets")).iter().map(stem).collect::<BTreeSet<_>>(), names);
    let manifest = fs::read_to_string(package().join("Cargo.toml")).unwrap();
    for target in TARGETS {
        let program = format!("[[bin]]\nname = \"{0}\"\npath = \"fuzz_targets/{0}.rs\"", target.name);
        assert!(manifest.contains(&program), "{} is not in Cargo.toml", target.name);
        let source = fs::read_to_string(package().join(format!("fuzz_targets/{}.rs", target.name))).unwrap();
        assert!(source.contains(&format!("palestra_fuzz::{}(bytes)", target.name)), "{}", target.name);
    }
}
