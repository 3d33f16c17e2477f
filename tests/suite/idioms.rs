//! The table of `docs/idioms.md` says what the programs in `tests/verify` say: every pair has a row, and "decided" means that
//! the safe program holds and the broken one is violated.

use super::root;
use libtest_mimic::Trial;
use std::collections::BTreeMap;
use std::path::PathBuf;

pub fn trials() -> Vec<Trial> {
    let table = || {
        agrees();
        Ok(())
    };
    vec![Trial::test("idioms::the_table_says_what_the_programs_say", table)]
}

fn file(name: &str, kind: &str) -> PathBuf {
    root().join(format!("tests/verify/driver-{name}-{kind}.c"))
}

/// Whether the programs of a pair have the verdicts that they should have.
fn is_decided(name: &str) -> bool {
    let says = |kind: &str, verdict: &str| {
        let text = std::fs::read_to_string(file(name, kind)).unwrap();
        text.lines().any(|line| line == format!("// verdict: {verdict}"))
    };
    assert!(says("broken", "violated"), "driver-{name}-broken.c is not found to be broken");
    says("safe", "holds")
}

/// The names of all pairs.
fn pairs() -> Vec<String> {
    let files = std::fs::read_dir(root().join("tests/verify")).unwrap();
    let names = files.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let name = |file: String| Some(file.strip_prefix("driver-")?.strip_suffix("-safe.c")?.to_owned());
    names.filter_map(name).filter(|name| file(name, "broken").exists()).collect()
}

fn agrees() {
    let text = std::fs::read_to_string(root().join("docs/idioms.md")).unwrap();
    let rows = text.lines().filter_map(|line| {
        let [_, _, name, decided, _] = line.split('|').map(str::trim).collect::<Vec<_>>()[..] else {
            return None;
        };
        let name = name.strip_prefix('`')?.strip_suffix('`')?.to_owned();
        (name != "driver-…").then_some((name, decided == "yes"))
    });
    let written: BTreeMap<String, bool> = rows.collect();
    let found: BTreeMap<String, bool> =
        pairs().into_iter().map(|name| (name.clone(), is_decided(&name))).collect();
    assert_eq!(written, found);
    let decided = found.values().filter(|decided| **decided).count();
    assert!(text.contains(&format!("{decided} of {} are decided", found.len())));
    assert!(found.len() >= 50 && decided * 10 >= found.len() * 9, "{decided} of {}", found.len());
}
