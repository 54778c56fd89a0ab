//! The contest's own run configuration.

use palestra_core::legacy::{
    ConfigFile, Legacy as _, LegacyBot, LegacyConfig, LegacyContent, LegacyOutput, LegacyRun,
};
use palestra_generals::Generals;

fn read(text: &str) -> Option<Result<LegacyRun, String>> {
    match Generals::read_config(&ConfigFile::alone(text))? {
        Ok(LegacyConfig::Run(run)) => Some(Ok(run)),
        Ok(LegacyConfig::Tournament(_)) => panic!("this contest has no tournament files"),
        Err(error) => Some(Err(error.to_string())),
    }
}

#[test]
fn a_run_config_is_read() {
    let run = LegacyRun {
        map: Some("examples/map one.txt".to_owned()),
        bots: vec![LegacyBot::Program("bin/greedy".to_owned()), LegacyBot::Program("./my bot.py".to_owned())],
        outputs: vec![LegacyOutput {
            path: "logs/log.txt".to_owned(),
            content: LegacyContent::Export("log"),
        }],
        ..LegacyRun::default()
    };
    for text in [
        "logs/log.txt\nexamples/map one.txt\n2\nbin/greedy\n./my bot.py\n",
        "logs/log.txt\r\nexamples/map one.txt\r\n2 \r\nbin/greedy\r\n./my bot.py",
        "logs/log.txt\nexamples/map one.txt\n2\nbin/greedy\n./my bot.py\n\n  \n",
        "\u{feff}logs/log.txt\nexamples/map one.txt\n02\nbin/greedy\n./my bot.py\n",
    ] {
        assert_eq!(read(text), Some(Ok(run.clone())), "{text:?}");
    }
}

#[test]
fn a_run_config_whose_numbers_do_not_fit_is_an_error() {
    let error = |text| read(text).unwrap().unwrap_err();
    assert_eq!(
        error("log.txt\nmap.txt\n3\na\nb\n"),
        "line 3 of the run config says 3 players, and 2 lines with programs follow; make them equal"
    );
    assert!(error("log.txt\nmap.txt\n2\na\nb\nc\n").contains("2 players, and 3 lines"));
    assert!(error("log.txt\nmap.txt\n2").contains("2 players, and 0 lines"));
    assert!(error("log.txt\nmap.txt\n1\na\n").contains("must say 2 to 64"));
    assert!(error("log.txt\nmap.txt\n99999999999999999999999\na\n").contains("must say 2 to 64"));
    assert!(error("log.txt\nmap.txt\n2\n\nb\n").starts_with("line 4 of the run config is empty"));
}

#[test]
fn other_texts_are_left_to_others() {
    for text in [
        "",
        "\n\n\n",
        "log.txt",
        "log.txt\nmap.txt\n",
        "MAP maps/a.txt\nPLAYER one ./a\nPLAYER two ./b\n",
        "maps/a.txt\nlog.txt\n./a\n./b\n",
        "{\n  \"map\": 3,\n4\n}\n",
        "[\n1,\n2\n]\n",
        "[match]\ngame = \"generals\"\n2\n",
        "game = \"generals\"\nmap = \"x\"\n3\n",
        "# comment\nfile\n2\na\nb\n",
        "5 9 3\n1\n4\n1\n",
        "log.txt\nmap.txt\n-2\na\nb\n",
        "log.txt\nmap.txt\n2 3\na\nb\n",
        "log.txt\nmap.txt\n\u{0662}\na\nb\n",
    ] {
        assert_eq!(read(text), None, "{text:?}");
    }
}
