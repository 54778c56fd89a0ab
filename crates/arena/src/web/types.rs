//! The types of the site, which are generated from those of the API.

use crate::{api, limits};
use serde_json::json;
use std::path::Path;

/// Everything that the site and the server tell each other.
#[derive(ts_rs::TS)]
#[expect(dead_code, reason = "only its type is of interest")]
struct Api(
    api::EventView,
    api::LiveView,
    api::StandingLine,
    api::MatchList,
    api::PlayerLine,
    api::PlayerView,
    api::BotView,
    api::RoundDetail,
    api::RoundList,
    api::DownloadList,
    api::MachineView,
    api::WorkersView,
    api::AccountView,
    api::NewPassword,
    api::ImportPreview,
    api::TokenView,
    api::NewToken,
    api::LogLine,
    api::SignIn,
    api::SignUp,
    api::ChangePassword,
    api::AskToken,
    api::AddPlayer,
    api::Announce,
    api::Reason,
    api::Ban,
    api::Control,
    api::Wrong,
    api::challenges::OpenChallenge,
    api::challenges::ChallengeDetail,
    api::play::PlayOffer,
    api::play::OpenTable,
    api::play::TableToken,
    api::play::TableView,
    api::OwnMatchList,
    api::Seen,
    api::VersionNote,
    api::SourceView,
    api::VersionComparison,
    api::EditorView,
    api::course::CourseView,
);

#[test]
fn golden_types_of_the_site() {
    palestra_testkit::check_types::<Api>("site/api.ts", &["api.ts", "report/api.ts"]);
}

#[test]
fn golden_constants_of_the_site() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/site/constants.ts");
    let password = limits::PASSWORD_BYTES;
    palestra_testkit::check_constants(
        &file,
        &[
            ("Bytes of a player's name.", "NAME_BYTES", json!(limits::NAME_BYTES)),
            ("Bytes of a password, at least", "SHORTEST_PASSWORD", json!(password.start())),
            ("and at most.", "LONGEST_PASSWORD", json!(password.end())),
            ("Bytes of what a key is for.", "LABEL_BYTES", json!(limits::LABEL_BYTES)),
            ("Bytes of an announcement, or of a reason.", "TEXT_BYTES", json!(limits::TEXT_BYTES)),
            ("Matches of one challenge.", "MOST_MATCHES", json!(limits::CHALLENGE_MATCHES)),
            ("Bytes of an author's note on a version.", "NOTE_BYTES", json!(limits::NOTE_BYTES)),
            ("Bytes of a source that is tried.", "TRIAL_BYTES", json!(limits::TRIAL_BYTES)),
            ("Players that somebody follows.", "FOLLOWS", json!(limits::FOLLOWS)),
        ],
    );
}
