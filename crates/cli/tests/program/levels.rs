//! What the levels of the sandbox mean to somebody who has written a bot.

use crate::support::{fails, json, palestra};
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::tempdir;

const PASS: &str = "import os\nwhile os.read(0, 65536):\n    os.write(1, b'0\\n')\n";

/// A short match of a bot at a level, with further words.
fn play(dir: &Path, bot: &str, words: &str) -> Value {
    let fixed = format!("play auralux {bot} afk --no-replay --json --time 20s --set max_steps=5 {words}");
    json(dir, &fixed.split_ascii_whitespace().collect::<Vec<_>>())
}

fn fault(report: &Value) -> Option<&str> {
    report["faults"][0]["kind"].as_str()
}

/// Whether bots can be kept strictly apart here, and whether their memory can be limited together.
fn given(dir: &Path, what: &str) -> bool {
    let here = json(dir, &["doctor", "--json"]);
    let findings = here["findings"].as_array().unwrap();
    findings.iter().any(|finding| finding["what"] == format!("sandbox, {what}") && finding["ok"] == true)
}

#[test]
fn auto_limits_memory_and_says_so() {
    let dir = tempdir().unwrap();
    let hog = format!("import os\nos.read(0, 65536)\nheld = b'x' * (400 << 20)\n{PASS}");
    fs::write(dir.path().join("hog.py"), hog).unwrap();
    if !given(dir.path(), "memory") {
        let words = ["play", "auralux", "hog.py", "afk", "--no-replay", "--memory", "100M"];
        let said = fails(dir.path(), &words, 2);
        assert!(said.contains("--sandbox strict only"), "{said}");
        return;
    }
    let report = play(dir.path(), "hog.py", "--memory 100M");
    assert_eq!(fault(&report), Some("over_memory"), "{report}");
    let report = play(dir.path(), "hog.py", "--memory 600M");
    assert_eq!(fault(&report), None, "{report}");
    assert!(report["players"][0]["memory_bytes"].as_u64().unwrap() > 400 << 20, "{report}");
    assert!(report["players"][0]["processes"].as_u64().unwrap() > 0, "{report}");
    assert!(play(dir.path(), "hog.py", "--sandbox off")["players"][0]["memory_bytes"].is_null());
}

#[test]
fn limits_need_a_sandbox() {
    let dir = tempdir().unwrap();
    let words = ["play", "auralux", "afk", "afk", "--sandbox", "off", "--processes", "3"];
    assert!(fails(dir.path(), &words, 2).contains("without a sandbox nothing is limited"));
    let words = ["play", "auralux", "afk", "afk", "--memory", "lots"];
    assert!(fails(dir.path(), &words, 2).contains("as in 512M"));
}

#[test]
fn auto_hides_nothing() {
    let dir = tempdir().unwrap();
    let bot =
        format!("import os, helper\nassert os.environ['MINE'] == '1' and os.path.exists('bot.py')\n{PASS}");
    fs::write(dir.path().join("bot.py"), bot).unwrap();
    fs::write(dir.path().join("helper.py"), "").unwrap();
    let words = "play auralux bot.py afk --no-replay --json --set max_steps=5";
    let output = palestra(dir.path()).args(words.split(' ')).env("MINE", "1").output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(fault(&report), None, "{report}");
}

#[test]
fn only_a_bot_called_main_shows_its_folder() {
    let dir = tempdir().unwrap();
    if !given(dir.path(), "namespaces") {
        return;
    }
    let folder = dir.path().join("mine");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("helper.py"), "word = open('word.txt').read()\n").unwrap();
    fs::write(folder.join("word.txt"), "word").unwrap();
    let bot = format!("import helper\n{PASS}");
    fs::write(folder.join("main.py"), &bot).unwrap();
    fs::write(folder.join("bot.py"), &bot).unwrap();
    fs::write(folder.join("helper.h"), "#define PASS \"0\\n\"\n").unwrap();
    let compiled = "#include <stdio.h>\n#include \"helper.h\"\n\
                    int main(void) { char line[4096]; if (!fopen(\"word.txt\", \"r\")) return 3;\n\
                    while (fgets(line, sizeof line, stdin)) { fputs(PASS, stdout); fflush(stdout); } }\n";
    fs::write(folder.join("main.c"), compiled).unwrap();
    for main in ["mine/main.py", "mine/main.c"] {
        let report = play(dir.path(), main, "--sandbox strict");
        assert_eq!(fault(&report), None, "{report}");
    }
    let report = play(dir.path(), "mine/bot.py", "--sandbox strict");
    assert!(report["faults"][0]["stderr"].to_string().contains("No module named"), "{report}");
}
