//! The drivers in `drivers/cases`: each says in its header which rules it keeps, and which ones it breaks with `-D BROKEN=1`,
//! `2` and so on.
//!
//! `// correct: RULE holds` is the driver as it is, `// broken 2: RULE violated  why` with `BROKEN` 2. `unviolated` is
//! either `holds` or `unknown`: a proof that takes too long for a test.

use super::command::run;
use super::{files, root};
use libtest_mimic::{Failed, Trial};
use std::path::PathBuf;

/// What a line of a header expects.
struct Expectation {
    file: PathBuf,
    broken: usize,
    rule: String,
    verdict: String,
}

pub fn trials() -> Vec<Trial> {
    let expected = files("drivers/cases", "c").into_iter().flat_map(expectations);
    expected
        .map(|it| {
            let name = format!("{} broken {} {}", it.file.display(), it.broken, it.rule);
            Trial::test(name, move || judged(&it))
        })
        .collect()
}

fn expectations(file: PathBuf) -> Vec<Expectation> {
    let text = std::fs::read_to_string(root().join(&file)).expect("the case can be read");
    let header = text.lines().take_while(|line| line.starts_with("//")).map(|line| line[2..].trim());
    header.filter_map(|line| expectation(file.clone(), line)).collect()
}

fn expectation(file: PathBuf, line: &str) -> Option<Expectation> {
    let (head, rest) = line.split_once(": ")?;
    let broken = match head.split_once(' ') {
        None if head == "correct" => 0,
        Some(("broken", number)) => number.parse().ok()?,
        _ => return None,
    };
    let mut words = rest.split_whitespace();
    let (rule, verdict) = (words.next()?.to_owned(), words.next()?.to_owned());
    Some(Expectation { file, broken, rule, verdict })
}

fn judged(it: &Expectation) -> Result<(), Failed> {
    let Expectation { file, broken, rule, verdict } = it;
    let finished =
        run(&format!("driver {} -q --rule {rule} -D BROKEN={broken} --timeout 20s", file.display()))?;
    let line =
        finished.all().lines().find(|line| line.starts_with(rule.as_str())).unwrap_or_default().to_owned();
    let found = line.split_whitespace().nth(1);
    let fits = match verdict.as_str() {
        "unviolated" => matches!(found, Some("holds" | "unknown")),
        verdict => found == Some(verdict),
    };
    if fits {
        return Ok(());
    }
    Err(format!("expected `{rule} {verdict}`, and there is:\n{}", finished.all()).into())
}
