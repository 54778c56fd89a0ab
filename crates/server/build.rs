//! The page is built by `make web`. Without it everything still builds, and what needs the page says so.

const PAGE: &str = "../../web/dist";

fn main() {
    println!("cargo::rerun-if-changed={PAGE}");
    if !std::path::Path::new(PAGE).join("index.html").exists() {
        println!("cargo::warning=the viewer's page is not built; run `make web` to have it in palestra");
    }
}
