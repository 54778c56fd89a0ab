//! The contest's own tournament config: matches side by side bring what they bring one after the other.

use super::{fresh_folder, good, told};
use crate::support::PALESTRA;
use std::fs;
use std::path::Path;
use std::process::Command;

const CONFIG: &str = "TOURNAMENT_TYPE, ONE_VS_ONE_ALL\nTOURNAMENT_RESULT_FILE_PATH, result.csv\n\nGAME_LOGS_DIR, logs\n\n\
MAP, map.txt\n\nPLAYER, one, DEFAULT afk\nPLAYER, two, DEFAULT aggressive_expansion_nearest\n\
PLAYER, three, DEFAULT upgrade_and_repair_main\nPLAYER, four, DEFAULT aggressive_expansion_nearest_with_sort\n";

fn prepare(dir: &Path) {
    fs::write(dir.join("map.txt"), "4 2\n1 2\n0 0\n10 0\n0 10\n10 10\n").unwrap();
    fs::write(dir.join("cup.txt"), CONFIG).unwrap();
}

#[test]
fn the_result_file_does_not_depend_on_the_number_of_cores() {
    let (wide, narrow) = (fresh_folder(), fresh_folder());
    prepare(wide.path());
    prepare(narrow.path());
    good(wide.path(), &["run", "cup.txt", "-q"]);
    let mut one_core = Command::new("taskset");
    one_core.args(["-c", "0", PALESTRA, "run", "cup.txt", "-q"]).current_dir(narrow.path());
    // Not every system has it.
    let Ok(output) = one_core.output() else { return };
    told(&output, 0);
    let table = |dir: &Path| fs::read_to_string(dir.join("result.csv")).unwrap();
    assert_eq!(table(wide.path()), table(narrow.path()));
    assert_eq!(table(wide.path()).lines().count(), 5);
}
