//! What people see: help texts, tables and errors, word for word. `TRYCMD=overwrite cargo test` writes them anew.

#[test]
fn what_people_see() {
    trycmd::TestCases::new()
        .env("NO_COLOR", "1")
        .env("COLUMNS", "110")
        .default_bin_name("palestra")
        .case("tests/snapshots/*.md");
}
