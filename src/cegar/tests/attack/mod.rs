//! A generator that attacks the checks: small programs with one planted fault, or with the same statements and none.
//!
//! A program is one cell of a matrix: a check, a place where the object is stored, a path by which a run gets to the
//! fault, with the fault or without; and around it whatever might distract. It carries the truth: a planted fault
//! happens in some run, and the machine has to find it by random runs; a program without one is safe by construction.
//! The loop gets no random runs to start with, so that the program model is what is judged:
//! `holds` where a fault is planted and `violated` where none is are failures, and `unknown` is counted.
//!
//! | file | what it has |
//! |---|---|
//! | `recipe` | what a program consists of, and its text |
//! | `place` | where the object is stored |
//! | `plant` | what a check offers: pieces of C |
//! | `arithmetic`, `memory`, `values`, `threads` | the checks |
//! | `noise` | statements that distract |
//! | `judge` | verdict and truth |
//! | `summary` | the table |
//!
//! `make test` tries a few programs of a fixed seed, `make fuzz-checks` as many as `COUNT` says, from `SEED`.

mod arithmetic;
mod judge;
mod memory;
mod noise;
mod place;
mod plant;
mod recipe;
mod summary;
mod threads;
mod values;

use super::number;
use judge::{Judgement, judged};
use recipe::Recipe;
use summary::Summary;

/// The smallest program that can be found with the same disagreement.
fn shrunk(mut recipe: Recipe) -> Recipe {
    while let Some(smaller) = recipe.smaller().into_iter().find(|smaller| judged(smaller).is_failure()) {
        recipe = smaller;
    }
    recipe
}

/// Judges a program; says what is worth knowing. Gives the text of a disagreement.
fn tried(seed: u64, summary: &mut Summary) -> Option<String> {
    let recipe = Recipe::new(seed);
    let judgement = judged(&recipe);
    summary.add(&recipe, &judgement);
    if std::env::var("BOOLERO_VERBOSE").is_ok() && judgement != Judgement::Right {
        eprintln!("--- seed {seed}: {judgement}\n{}", recipe.text());
    }
    if !judgement.is_failure() {
        return None;
    }
    let small = shrunk(recipe);
    let text = format!("=== seed {seed}: {judgement}; smallest: {}\n{}", judged(&small), small.text());
    eprintln!("{text}");
    Some(text)
}

/// Tries one half of the programs that the environment asks for.
fn attack(half: u64) {
    let (seed, count) = (number("BOOLERO_SEED", 1), number("BOOLERO_COUNT", FEW));
    let middle = seed + count / 2;
    let seeds = if half == 0 { seed..middle } else { middle..seed + count };
    let mut summary = Summary::default();
    let failures: Vec<String> = seeds.filter_map(|seed| tried(seed, &mut summary)).collect();
    eprintln!("{summary}");
    assert!(failures.is_empty(), "{} disagreements:\n{}", failures.len(), failures.join("\n"));
    // A few programs on a busy machine say nothing about precision.
    assert!(count < 500 || summary.is_precise(), "too many safe programs are unknown");
}

/// How many programs `make test` tries.
const FEW: u64 = 60;

#[test]
fn planted_faults_are_never_missed() {
    attack(0);
}

#[test]
fn planted_faults_are_never_missed_in_the_other_half() {
    attack(1);
}
