//! Transcripts of command lines: what is typed and what is printed.
//!
//! ```text
//! # a comment
//! $ boolero list tests/programs/two.bp        a command, run at the top of the package
//! < a line of standard input
//! > a line of standard output
//! ! a line of standard error
//! ? 2                                         the exit code, unless it is 0
//! ```
//! `[..]` in an expected line stands for any text, a line `> [...]` for any number of lines.
//! With `BLESS=1`, blocks that do not match are rewritten with what was printed.

use super::command::{self, Finished};
use libtest_mimic::{Failed, Trial};
use std::fmt::Write as _;
use std::path::Path;

/// A command and what is expected of it; comments and blank lines stand before it.
#[derive(Default)]
struct Block {
    before: String,
    command: String,
    input: String,
    stdout: Vec<String>,
    stderr: Vec<String>,
    code: i32,
}

pub fn trials() -> Vec<Trial> {
    let files = super::files("tests/cli", "txt").into_iter();
    let of_files = files.map(|path| Trial::test(path.display().to_string(), move || transcript(&path)));
    of_files
        .chain(pages().into_iter().map(|page| Trial::test(page.clone(), move || shows_runs(&page))))
        .collect()
}

/// The pages that show runs.
fn pages() -> Vec<String> {
    let below = ["docs", "examples"].into_iter().flat_map(|folder| super::files(folder, "md"));
    let below = below.map(|path| path.display().to_string());
    below.filter(|page| read(page).contains(RUN)).chain(["README.md".to_owned()]).collect()
}

/// How a run begins in a page.
const RUN: &str = "```\n$ ";

fn read(page: &str) -> String {
    std::fs::read_to_string(super::root().join(page)).expect("the page can be read")
}

/// The runs that a page shows are what is printed, but for the figures.
fn shows_runs(page: &str) -> Result<(), Failed> {
    let text = read(page);
    let shown: Vec<&str> = text.split(RUN).skip(1).collect();
    if shown.is_empty() {
        return Err(format!("{page} shows no run").into());
    }
    shown.into_iter().try_for_each(|shown| shown_run(page, shown))
}

fn shown_run(page: &str, shown: &str) -> Result<(), Failed> {
    let (shown, _) = shown.split_once("```").ok_or("a run has no end")?;
    let (command, output) = shown.split_once('\n').ok_or("a run has no output")?;
    let block = Block { command: command.to_owned(), ..Block::default() };
    let finished = execute(&block)?;
    clear_up(command, &finished);
    let plain = |text: &str| text.lines().map(without_figures).collect::<Vec<_>>();
    if plain(output) == plain(&finished.stdout) {
        return Ok(());
    }
    Err(format!("{page} shows something else than\n{}", finished.all()).into())
}

/// A run that wrote a proof leaves a folder behind, which was not there before.
fn clear_up(command: &str, finished: &Finished) {
    let mut words = command.split_whitespace().skip_while(|word| *word != "--proof");
    if let (Some(folder), Some(0)) = (words.nth(1), finished.code) {
        // If it stays, the next run says so.
        let _ = std::fs::remove_dir_all(super::root().join(folder));
    }
}

fn transcript(path: &Path) -> Result<(), Failed> {
    let path = super::root().join(path);
    let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
    let (blocks, end) = parse(&text)?;
    let (mut blessed, mut problems) = (String::new(), String::new());
    for block in &blocks {
        let finished = execute(block)?;
        let good = matches(block, &finished);
        if !good {
            let _ = writeln!(problems, "$ {}\n{}\n", block.command, finished.all());
        }
        blessed.push_str(&written(block, if good { None } else { Some(&finished) }));
    }
    if problems.is_empty() {
        return Ok(());
    }
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        return std::fs::write(&path, blessed + &end).map_err(|error| error.to_string().into());
    }
    Err(format!("{problems}(BLESS=1 accepts this output)").into())
}

fn parse(text: &str) -> Result<(Vec<Block>, String), String> {
    let (mut blocks, mut before): (Vec<Block>, String) = (Vec::new(), String::new());
    for line in text.lines() {
        let (mark, rest) = line.split_at(line.len().min(1));
        let rest = rest.strip_prefix(' ').unwrap_or(rest).to_owned();
        if mark == "$" {
            blocks.push(Block { before: std::mem::take(&mut before), command: rest, ..Block::default() });
            continue;
        }
        match (mark, blocks.last_mut()) {
            ("" | "#", _) => before.push_str(&format!("{line}\n")),
            ("<", Some(block)) => block.input.push_str(&format!("{rest}\n")),
            (">", Some(block)) => block.stdout.push(rest),
            ("!", Some(block)) => block.stderr.push(rest),
            ("?", Some(block)) => {
                block.code = rest.trim().parse().map_err(|_| format!("exit code {rest}"))?
            }
            _ => return Err(format!("a line that belongs to nothing: {line}")),
        }
    }
    Ok((blocks, before))
}

fn execute(block: &Block) -> Result<Finished, String> {
    let words: Vec<&str> = block.command.split_whitespace().collect();
    match words.split_first() {
        Some((&"boolero", arguments)) => command::run_with_input(arguments, &block.input),
        _ => Err(format!("only `boolero` can be run: {}", block.command)),
    }
}

fn matches(block: &Block, finished: &Finished) -> bool {
    let same = |expected: &[String], text: &str| {
        // Blanks at the end of a line cannot be seen in a transcript.
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        lines_match(expected, &lines)
    };
    finished.code == Some(block.code)
        && same(&block.stdout, &finished.stdout)
        && same(&block.stderr, &finished.stderr)
}

fn lines_match(expected: &[String], lines: &[&str]) -> bool {
    match expected.split_first() {
        None => lines.is_empty(),
        Some((first, rest)) if first == "[...]" => {
            (0..=lines.len()).any(|skipped| lines_match(rest, &lines[skipped..]))
        }
        Some((first, rest)) => {
            lines.first().is_some_and(|line| line_matches(first, line)) && lines_match(rest, &lines[1..])
        }
    }
}

/// Each piece between wildcards occurs behind the one before it; the first at the start, the last at the end.
fn line_matches(expected: &str, line: &str) -> bool {
    let pieces: Vec<&str> = expected.split("[..]").collect();
    let [first, middle @ .., last] = pieces.as_slice() else { return expected == line };
    let Some(mut rest) = line.strip_prefix(first) else { return false };
    for piece in middle {
        let Some(place) = rest.find(piece) else { return false };
        rest = &rest[place + piece.len()..];
    }
    rest.ends_with(last)
}

/// The block as text, with new output if there is some.
fn written(block: &Block, new: Option<&Finished>) -> String {
    let mut text = format!("{}$ {}\n", block.before, block.command);
    let mut add = |mark: &str, lines: Vec<String>| {
        for line in lines {
            let _ = writeln!(text, "{}", format!("{mark} {line}").trim_end());
        }
    };
    let lines = |text: &str| text.lines().map(without_figures).collect::<Vec<_>>();
    add("<", lines(&block.input));
    add(">", new.map_or(block.stdout.clone(), |new| lines(&new.stdout)));
    add("!", new.map_or(block.stderr.clone(), |new| lines(&new.stderr)));
    let code = new.map_or(Some(block.code), |new| new.code);
    if code != Some(0) {
        let _ = writeln!(text, "? {}", code.map_or("signal".to_owned(), |code| code.to_string()));
    }
    text
}

/// Figures of engines change with every improvement; that they are told is enough.
fn without_figures(line: &str) -> String {
    match line.split_once(", ") {
        Some((start, _)) if start.starts_with("statistics: engine") => format!("{start}, [..]"),
        _ => line.to_owned(),
    }
}
