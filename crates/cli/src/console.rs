//! Standard output, in text or JSON. A closed pipe ends a command quietly.

use crate::failure::Failure;
use serde::Serialize;
use std::io::{BufWriter, Write as _};

/// Prints a text; it should end with a line break.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Prints exactly one JSON object, for people who read scripts' output too: indented.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let mut text = serde_json::to_string_pretty(value).map_err(Failure::input)?;
    text.push('\n');
    print(&text)
}

/// Standard output for much data.
pub(crate) fn stream() -> BufWriter<std::io::StdoutLock<'static>> {
    BufWriter::with_capacity(64 << 10, std::io::stdout().lock())
}

/// Says something besides the result; standard output stays clean.
pub(crate) fn remark(text: &str) {
    // Nobody is left to tell if this fails.
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}
