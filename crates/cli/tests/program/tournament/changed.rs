//! A plan that has changed since is refused by what has changed, or there is a command for it.

use super::{finished, fresh_folder, good, with_code};
use std::fs;
use std::path::Path;

const CUP: &str = "name = \"cup\"\ngame = \"rps\"\nseed = 5\ntime = \"1s/answer\"\n[settings]\nsize = 6\nmax_ticks = 20\n\
[bots]\none = \"random\"\ntwo = \"random\"\nthree = \"greedy\"\n[[stage]]\nname = \"final\"\n";

fn begin(dir: &Path) {
    fs::write(dir.join("cup.toml"), CUP).unwrap();
    good(dir, &["tournament", "cup.toml", "-q"]);
}

#[test]
fn every_change_that_cannot_be_taken_over_is_named() {
    let dir = fresh_folder();
    begin(dir.path());
    let changes = [
        ("name = \"cup\"", "name = \"pokal\"", "(name changed)"),
        ("seed = 5", "seed = 6", "(seed changed)"),
        ("1s/answer", "2s/answer", "(time changed)"),
        ("max_ticks = 20", "max_ticks = 21", "(settings changed)"),
        ("name = \"final\"", "name = \"final\"\nrepeats = 2", "(stage \"final\" changed)"),
        ("[[stage]]\n", "[[stage]]\nname = \"more\"\n[[stage]]\n", "the number of stages"),
        (
            "two = \"random\"\n",
            "",
            "two is not in it any more (palestra tournament drop-bot \"two\" --dir cup drops it)",
        ),
        (
            "three = \"greedy\"",
            "three = \"marshal\"",
            "three is another program (palestra tournament replace-bot \"three\" \"marshal\" --dir cup lets that play)",
        ),
    ];
    for (from, to, sentence) in changes {
        fs::write(dir.path().join("cup.toml"), CUP.replacen(from, to, 1)).unwrap();
        let (_, said) = with_code(dir.path(), &["tournament", "cup.toml", "-q"], 2);
        assert!(said.contains(sentence), "{to}: {said}");
    }
    // What the sentences name works, and then the plan does.
    good(dir.path(), &["tournament", "replace-bot", "three", "marshal", "--dir", "cup"]);
    good(dir.path(), &["tournament", "drop-bot", "two", "--dir", "cup"]);
    let changed = CUP.replacen("two = \"random\"\n", "", 1).replacen("greedy", "marshal", 1);
    for plan in [changed.as_str(), CUP] {
        fs::write(dir.path().join("cup.toml"), plan).unwrap();
        good(dir.path(), &["tournament", "cup.toml", "-q"]);
    }
}

#[test]
fn a_ladder_goes_on_as_it_was_begun() {
    let dir = fresh_folder();
    fs::write(dir.path().join("mine.py"), super::SLOW).unwrap();
    let bots = ["afk", "admiral", "mine.py", "--set", "max_steps=4", "--time", "2s", "--matches", "2", "-q"];
    good(dir.path(), &[&["ladder", "auralux"], &bots[..]].concat());
    let folder = dir.path().join("auralux-ladder");
    assert_eq!(finished(&folder).len(), 2);
    let cases: [(&[&str], &str); 6] = [
        (
            &["rps", "random", "--dir", "auralux-ladder"],
            "auralux-ladder holds a ladder of auralux, not of rps",
        ),
        (&["auralux", "afk", "--set", "max_steps=5"], "was begun with another --set"),
        (&["auralux", "afk", "--time", "3s", "--seats", "3"], "was begun with another --time, --seats"),
        (&["auralux-ladder", "--seed", "1"], "was begun with another --seed"),
        (
            &["auralux", "nearest"],
            "let it join with palestra ladder add \"nearest\" \"nearest\" --dir auralux-ladder",
        ),
        (&["auralux", "afk", "--map", "tiny"], "was begun with another --map"),
    ];
    for (arguments, sentence) in cases {
        let (_, said) =
            with_code(dir.path(), &[&["ladder"], arguments, &["--matches", "1", "-q"]].concat(), 2);
        assert!(said.contains(sentence), "{arguments:?}: {said}");
    }
    fs::write(dir.path().join("mine.py"), format!("{}\n", super::SLOW)).unwrap();
    let (_, said) = with_code(dir.path(), &["ladder", "auralux-ladder", "--matches", "1", "-q"], 2);
    assert!(
        said.contains("mine.py has changed since it last played") && said.contains("ladder add"),
        "{said}"
    );
    good(dir.path(), &["ladder", "add", "mine.py", "mine.py", "--dir", "auralux-ladder"]);
    good(dir.path(), &[&["ladder", "auralux"], &bots[..]].concat());
    assert_eq!(finished(&folder).len(), 4);
}
