//! Diagnostics with the source lines they are about.

use super::text::Colors;
use crate::ground::diagnostic::{Diagnostic, Severity};
use crate::ground::source::{SourceFile, Span};
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Level, Renderer, Snippet};
use std::ops::Range;

/// How many diagnostics of a file are shown.
const SHOWN: usize = 50;
/// How long a source line may be to be shown whole.
const LINE_WIDTH: usize = 400;

/// The diagnostics as text, each with its place; many errors are cut short.
#[must_use]
pub fn render(source: &SourceFile, diagnostics: &[Diagnostic], colors: Colors) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics.iter().take(SHOWN) {
        out.push_str(&one(source, diagnostic, colors));
        out.push_str("\n\n");
    }
    out.push_str(&summary(source, diagnostics));
    out
}

/// The last line: how many errors there were.
fn summary(source: &SourceFile, diagnostics: &[Diagnostic]) -> String {
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    let errors: usize = errors.map(|diagnostic| diagnostic.count).sum();
    let hidden: usize = diagnostics.iter().skip(SHOWN).map(|diagnostic| diagnostic.count).sum();
    let more = if hidden > 0 { format!(" ({hidden} messages not shown)") } else { String::new() };
    match errors {
        0 if hidden == 0 => String::new(),
        0 => format!("{}: {} warnings{more}\n", source.name(), diagnostics.len()),
        1 => format!("{}: 1 error{more}\n", source.name()),
        _ => format!("{}: {errors} errors{more}\n", source.name()),
    }
}

fn one(source: &SourceFile, diagnostic: &Diagnostic, colors: Colors) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(&*diagnostic.message);
    let mut group = if has_place(source, diagnostic) {
        title.element(snippet(source, diagnostic))
    } else {
        annotate_snippets::Group::with_title(title)
    };
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(&**help));
    }
    let renderer = match colors {
        Colors::Ansi => Renderer::styled(),
        Colors::Plain => Renderer::plain(),
    };
    let text = renderer.decor_style(DecorStyle::Ascii).render(&[group]);
    // The renderer makes the carriage return of a line's end visible.
    with_true_column(source, diagnostic, text).replace("␍\n", "\n")
}

/// The renderer sees only a part of a long line and counts columns from there.
fn with_true_column(source: &SourceFile, diagnostic: &Diagnostic, text: String) -> String {
    let primary = diagnostic.primary.span;
    let cut = window(source, spans(diagnostic)).start;
    let begins_line = cut == 0 || source.text()[..cut].ends_with('\n');
    if begins_line || !has_place(source, diagnostic) {
        return text;
    }
    let at = source.position(primary.start.min(Span::new(0, source.text().len()).end));
    let place = format!("{}:{}:", source.name(), at.line);
    let Some(column) = text.find(&place).map(|start| start + place.len()) else { return text };
    let rest = text[column..].trim_start_matches(|character: char| character.is_ascii_digit());
    format!("{}{}{rest}", &text[..column], at.column)
}

fn spans(diagnostic: &Diagnostic) -> impl Iterator<Item = Span> {
    std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary).map(|label| label.span)
}

/// What is wrong with the command line has no place in the source, and an empty span.
fn has_place(source: &SourceFile, diagnostic: &Diagnostic) -> bool {
    diagnostic.primary.span != Span::default() || !diagnostic.secondary.is_empty() || source.text().is_empty()
}

fn snippet<'a>(source: &'a SourceFile, diagnostic: &'a Diagnostic) -> Snippet<'a, Annotation<'a>> {
    let window = window(source, spans(diagnostic));
    let first_line = source.line(u32::try_from(window.start).expect("below 4 GiB"));
    let inside = |span: Span| clamp(source, span, &window);
    let mut snippet = Snippet::source(&source.text()[window.clone()])
        .line_start(first_line)
        .path(source.name())
        .annotation(
            AnnotationKind::Primary.span(inside(diagnostic.primary.span)).label(&*diagnostic.primary.text),
        );
    for label in &diagnostic.secondary {
        snippet = snippet.annotation(AnnotationKind::Context.span(inside(label.span)).label(&*label.text));
    }
    snippet
}

/// The part of the source to show: the lines of the spans, as the renderer copies what it is given. A line
/// of megabytes is cut around the place.
fn window(source: &SourceFile, spans: impl Iterator<Item = Span>) -> Range<usize> {
    let text = source.text();
    let (mut start, mut end) = (usize::MAX, 0);
    for span in spans {
        let range = span.range();
        let last = range.end.min(range.start + LINE_WIDTH).min(text.len());
        let before = boundary(text, range.start.saturating_sub(LINE_WIDTH));
        let after = boundary(text, (last + LINE_WIDTH).min(text.len()));
        let (first, last) = (boundary(text, range.start.min(text.len())), boundary(text, last));
        start = start.min(text[before..first].rfind('\n').map_or(before, |offset| before + offset + 1));
        end = end.max(text[last..after].find('\n').map_or(after, |offset| last + offset));
    }
    start.min(end)..end
}

/// The nearest character boundary at or before an offset.
fn boundary(text: &str, mut offset: usize) -> usize {
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

fn clamp(source: &SourceFile, span: Span, window: &Range<usize>) -> Range<usize> {
    let range = span.range();
    let start = boundary(source.text(), range.start.clamp(window.start, window.end));
    let end = boundary(source.text(), range.end.min(range.start + LINE_WIDTH).clamp(start, window.end));
    start - window.start..end - window.start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_shown_with_its_line() {
        let source = SourceFile::new("a.bp", "decl x;\nvoid main() begin\n  y := 1;\nend\n");
        let start = source.text().find('y').expect("there is a y");
        let diagnostic = Diagnostic::error(Span::new(start, start + 1), "unknown variable `y`")
            .label("not declared")
            .help("there is a variable `x`");
        let text = render(&source, &[diagnostic], Colors::Plain);
        for part in
            ["error: unknown variable `y`", "a.bp:3:3", "3 |   y := 1;", "^ not declared", "help: there is a"]
        {
            assert!(text.contains(part), "{part} in\n{text}");
        }
        assert!(text.ends_with("a.bp: 1 error\n"), "{text}");
    }

    #[test]
    fn far_apart_places_and_line_numbers_agree() {
        let mut program = "decl x;\n".to_owned();
        program.push_str(&"\n".repeat(30));
        program.push_str("decl x;\n");
        let source = SourceFile::new("a.bp", program);
        let second = source.text().rfind('x').expect("there are two");
        let diagnostic =
            Diagnostic::error(Span::new(second, second + 1), "twice").also(Span::new(5, 6), "first here");
        let text = render(&source, &[diagnostic], Colors::Plain);
        assert!(text.contains("a.bp:32:6") && text.contains("first here"), "{text}");
    }

    #[test]
    fn long_lines_and_many_errors_are_cut() {
        let source = SourceFile::new("a.bp", "ä".repeat(1_000_000));
        let diagnostic = |at: usize| Diagnostic::error(Span::new(at, source.text().len()), "far too long");
        let many: Vec<Diagnostic> = (0..200).map(|n| diagnostic(2 * n)).collect();
        let text = render(&source, &many, Colors::Plain);
        assert!(text.len() < 400_000, "{}", text.len());
        assert!(text.ends_with("a.bp: 200 errors (150 messages not shown)\n"));
    }

    #[test]
    fn places_on_long_lines_have_their_true_column() {
        let source = SourceFile::new("a.bp", format!("decl x;\n{}y := 1;", " ".repeat(100_000)));
        let start = source.text().find('y').expect("there is a y");
        let diagnostic = Diagnostic::error(Span::new(start, start + 1), "undeclared");
        let text = render(&source, std::slice::from_ref(&diagnostic), Colors::Plain);
        assert!(text.contains("--> a.bp:2:100001\n"), "{text}");
        let both = diagnostic.also(Span::new(5, 6), "declared here");
        let text = render(&source, &[both], Colors::Plain);
        assert!(text.contains("--> a.bp:2:100001\n"), "{text}");
    }

    #[test]
    fn carriage_returns_at_line_ends_are_not_shown() {
        let source = SourceFile::new("a.bp", "decl x;\r\ny := 1;\r\n");
        let text = render(&source, &[Diagnostic::error(Span::new(9, 10), "undeclared")], Colors::Plain);
        assert!(text.contains("a.bp:2:1\n") && text.contains("2 | y := 1;\n"), "{text}");
    }

    #[test]
    fn errors_that_are_only_counted_count() {
        let source = SourceFile::new("a.bp", "decl x;");
        let place = Span::new(5, 6);
        let list = [Diagnostic::error(place, "wrong"), Diagnostic::more_errors(place, 41)];
        let text = render(&source, &list, Colors::Plain);
        assert!(text.contains("… and 41 more errors") && text.ends_with("a.bp: 42 errors\n"), "{text}");
    }

    #[test]
    fn an_error_at_the_end_of_the_file_has_a_place() {
        for program in ["", "decl x", "decl x\n"] {
            let source = SourceFile::new("a.bp", program);
            let end = Span::new(program.len(), program.len());
            let text = render(&source, &[Diagnostic::error(end, "expected `;`")], Colors::Plain);
            assert!(text.contains("expected `;`") && text.contains("a.bp:"), "{text}");
        }
    }
}
