//! The types of the site, which are generated from those of the API.

use crate::api;
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
);

#[test]
fn golden_types_of_the_site() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/site/api.ts");
    palestra_testkit::check_types::<Api>(&file);
}
