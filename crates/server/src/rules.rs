//! Rule books as pages: their headings can be linked to, as they can where the books are read as files.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, html};

/// A rule book as HTML.
pub(crate) fn page(book: &str) -> String {
    let mut events: Vec<Event<'_>> = Parser::new_ext(book, Options::ENABLE_TABLES).collect();
    for start in 0..events.len() {
        if !matches!(events[start], Event::Start(Tag::Heading { .. })) {
            continue;
        }
        let heading =
            events[start..].iter().take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))));
        let name = heading.filter_map(|event| match event {
            Event::Text(text) | Event::Code(text) => Some(anchor(text)),
            _ => None,
        });
        let name: String = name.collect();
        if let Event::Start(Tag::Heading { id, .. }) = &mut events[start] {
            *id = Some(name.into());
        }
    }
    let mut page = String::new();
    html::push_html(&mut page, events.into_iter());
    page
}

/// What a heading is called in a link to it.
fn anchor(text: &str) -> String {
    let kept = text.chars().filter(|c| c.is_alphanumeric() || *c == ' ' || *c == '-');
    kept.flat_map(|c| if c == ' ' { '-' } else { c }.to_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::page;

    #[test]
    fn headings_can_be_linked_to() {
        let page = page("# The `big` book!\n\nSee [there](#a-table).\n\n## A table\n\n|a|b|\n|-|-|\n|1|2|\n");
        assert!(page.contains("<h1 id=\"the-big-book\">"), "{page}");
        assert!(page.contains("<h2 id=\"a-table\">") && page.contains("<table>"), "{page}");
        assert!(super::page("## Настройки и Ключи\n").contains("id=\"настройки-и-ключи\""));
    }
}
