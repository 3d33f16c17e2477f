//! `boolero check --proof`: the files of the built binary, checked by a checker that is not the solver's ([`drat`]).

use super::command::{Finished, run};
use super::drat::{self, Step};
use super::programs::program;
use libtest_mimic::{Failed, Trial};
use std::path::{Path, PathBuf};

type Test = fn() -> Result<(), Failed>;

pub fn trials() -> Vec<Trial> {
    let tests: [(&str, Test); 12] = [
        ("the checker accepts and rejects", checker),
        ("straight-line programs", straight),
        ("loops by a fixed point", loops),
        ("loops by their recurrence diameter", diameter),
        ("recursion", recursion),
        ("changed formulas and proofs are rejected", mutations),
        ("only what holds is proved", mixed),
        ("the same proof every time", same_bytes),
        ("where nothing holds, there is no folder", violated),
        ("other engines have none", engines),
        ("a folder that is not empty is left alone", not_empty),
        ("a limit leaves no folder", limit),
    ];
    tests.into_iter().map(|(name, test)| Trial::test(format!("proof: {name}"), test)).collect()
}

fn expect(condition: bool, what: &str, finished: &Finished) -> Result<(), Failed> {
    if condition { Ok(()) } else { Err(format!("expected {what}, got\n{}", finished.all()).into()) }
}

/// A folder that does not exist yet.
fn folder(name: &str) -> Result<PathBuf, Failed> {
    let path = std::env::temp_dir().join(format!("boolero-proof-{}-{name}", std::process::id()));
    if path.exists() {
        std::fs::remove_dir_all(&path)?;
    }
    Ok(path)
}

/// Runs `check --engine bounded --proof`.
fn prove(file: &str, extra: &str, to: &Path) -> Result<Finished, String> {
    let file = program(file);
    run(&format!("check {} --engine bounded --proof {} {extra}", file.display(), to.display()))
}

/// The formulas and proofs of a folder, by name.
fn lemmas(folder: &Path) -> Result<Vec<(String, String, String)>, Failed> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "cnf") {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let proof = std::fs::read_to_string(path.with_extension("drat"))?;
            found.push((name, std::fs::read_to_string(&path)?, proof));
        }
    }
    found.sort();
    Ok(found)
}

/// The program holds, and all its proofs are accepted; returns the names of the formulas and the steps of all proofs.
fn accepted(file: &str, extra: &str) -> Result<(Vec<String>, usize), Failed> {
    let to = folder(&file.replace('/', "-"))?;
    let finished = prove(file, extra, &to)?;
    expect(finished.code == Some(0), "exit code 0", &finished)?;
    expect(finished.stdout.contains("\nproof: "), "a line on the proof", &finished)?;
    let readme = std::fs::read_to_string(to.join("README.txt"))?;
    let (mut names, mut steps) = (Vec::new(), 0);
    for (name, formula, proof) in lemmas(&to)? {
        let (formula, proof) = (drat::formula(&formula)?, drat::proof(&proof)?);
        drat::check(&formula, &proof).map_err(|problem| format!("{file}, {name}: {problem}"))?;
        is_mapped(&to.join(format!("{name}.map")), &formula)?;
        expect(readme.contains(&format!("  {name} ")), "the formula in README.txt", &finished)?;
        names.push(name);
        steps += proof.len();
    }
    std::fs::remove_dir_all(&to)?;
    Ok((names, steps))
}

/// Every line of a map names a variable of the formula and says something.
fn is_mapped(path: &Path, formula: &[Vec<i64>]) -> Result<(), Failed> {
    let largest = formula.iter().flatten().map(|literal| literal.abs()).max().unwrap_or(0);
    for line in std::fs::read_to_string(path)?.lines() {
        let (literal, text) = line.split_once(' ').ok_or("a line has two parts")?;
        let literal: i64 = literal.parse()?;
        if literal == 0 || literal.abs() > largest || text.is_empty() {
            return Err(format!("{}: {line}", path.display()).into());
        }
    }
    Ok(())
}

fn has(names: &[String], stem: &str) -> Result<(), Failed> {
    let found = names.iter().any(|name| name.starts_with(stem));
    if found { Ok(()) } else { Err(format!("no {stem} among {names:?}").into()) }
}

fn checker() -> Result<(), Failed> {
    let formula = drat::formula("p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n")?;
    let accepts = |proof: &str| drat::proof(proof).and_then(|proof| drat::check(&formula, &proof));
    for proof in ["1 0\n0\n", "1 0\nd 1 2 0\n2 0\n0\n", "-2 0\nd 1 -2 0\n0\n"] {
        accepts(proof).map_err(|problem| format!("{proof}: {problem}"))?;
    }
    for proof in ["", "0\n", "1 0\n", "d 1 2 0\n1 0\n0\n", "d 1 0\n1 0\n0\n", "1\n", "1 0 2 0\n"] {
        if accepts(proof).is_ok() {
            return Err(format!("accepted: {proof:?}").into());
        }
    }
    let satisfiable = drat::formula("p cnf 3 3\n1 2 0\n1 -2 0\n-1 3 0\n")?;
    let steps = drat::proof("1 0\n3 0\n0\n")?;
    if drat::check(&satisfiable, &steps).is_ok() {
        return Err("a formula with a solution has no proof".into());
    }
    Ok(())
}

fn straight() -> Result<(), Failed> {
    let (names, steps) = accepted("proof/parity.bp", "")?;
    has(&names, "violation")?;
    has(&names, "complete")?;
    // It is no proof that simplification found: the solver has learned something.
    if steps < 20 { Err(format!("only {steps} steps").into()) } else { Ok(()) }
}

fn loops() -> Result<(), Failed> {
    has(&accepted("proof/ring.bp", "")?.0, "loop-1")?;
    has(&accepted("proof/ring.bp", "--reduce off")?.0, "loop-1")
}

fn diameter() -> Result<(), Failed> {
    has(&accepted("proof/phases.bp", "")?.0, "diameter-1")
}

fn recursion() -> Result<(), Failed> {
    has(&accepted("proof/parity_recursive.bp", "")?.0, "recursion-1")
}

/// What was changed is rejected, where it must be: what is left may still be a proof of a formula that has no solution.
fn mutations() -> Result<(), Failed> {
    let to = folder("mutations")?;
    prove("proof/parity.bp", "", &to)?;
    let found = lemmas(&to)?;
    std::fs::remove_dir_all(&to)?;
    let (_, formula, proof) = found.iter().find(|lemma| lemma.0 == "violation").ok_or("no violation")?;
    let (formula, proof) = (drat::formula(formula)?, drat::proof(proof)?);
    // The last clause says that a property is violated. Without it the formula has solutions.
    if drat::check(&formula[..formula.len() - 1], &proof).is_ok() {
        return Err("accepted without the last clause".into());
    }
    if drat::check(&formula, &proof[..proof.len() - 1]).is_ok() {
        return Err("accepted without the empty clause".into());
    }
    let rejected = flips(&proof).filter(|changed| drat::check(&formula, changed).is_err()).count();
    let without = |number| [&formula[..number], &formula[number + 1..]].concat();
    let needed = (0..formula.len()).filter(|&number| drat::check(&without(number), &proof).is_err()).count();
    if rejected < 10 || needed < formula.len() / 2 {
        return Err(format!(
            "{rejected} flipped steps rejected, {needed} of {} clauses needed",
            formula.len()
        )
        .into());
    }
    Ok(())
}

/// The proof with the first literal of an added clause negated, for each clause.
fn flips(proof: &[Step]) -> impl Iterator<Item = Vec<Step>> + '_ {
    (0..proof.len()).filter_map(|number| {
        let mut changed = proof.to_vec();
        let Step::Add(clause) = &mut changed[number] else { return None };
        *clause.first_mut()? *= -1;
        Some(changed)
    })
}

fn mixed() -> Result<(), Failed> {
    let to = folder("mixed")?;
    let finished = prove("several.bp", "", &to)?;
    expect(finished.code == Some(10), "exit code 10", &finished)?;
    let readme = std::fs::read_to_string(to.join("README.txt"))?;
    for line in finished.stdout.lines().filter(|line| line.starts_with("main.")) {
        let id = line.split_whitespace().next().unwrap_or_default();
        let is_proved = readme.contains(&format!("  {id} (line"));
        expect(is_proved == line.contains(" holds "), "README.txt to name what holds", &finished)?;
    }
    for (_, formula, proof) in lemmas(&to)? {
        drat::check(&drat::formula(&formula)?, &drat::proof(&proof)?)?;
    }
    Ok(std::fs::remove_dir_all(&to)?)
}

fn same_bytes() -> Result<(), Failed> {
    let (first, second) = (folder("first")?, folder("second")?);
    for to in [&first, &second] {
        prove("proof/ring.bp", "", to)?;
    }
    let same = lemmas(&first)? == lemmas(&second)?;
    std::fs::remove_dir_all(&first)?;
    std::fs::remove_dir_all(&second)?;
    if same { Ok(()) } else { Err("two proofs of one program".into()) }
}

fn violated() -> Result<(), Failed> {
    let to = folder("violated")?;
    let finished = prove("violated.bp", "", &to)?;
    expect(finished.code == Some(10), "exit code 10", &finished)?;
    expect(
        finished.stdout.contains("\nproof: none (there is no property that holds)\n"),
        "the reason",
        &finished,
    )?;
    expect(!to.exists(), "no folder", &finished)
}

fn engines() -> Result<(), Failed> {
    let to = folder("engines")?;
    let file = program("holds.bp");
    let summary = run(&format!("check {} --engine summary --proof {}", file.display(), to.display()))?;
    expect(summary.code == Some(1), "exit code 1", &summary)?;
    expect(summary.stderr.contains("`--proof` needs `--engine bounded`"), "the way out", &summary)?;
    let auto = run(&format!("check {} --proof {}", file.display(), to.display()))?;
    expect(auto.code == Some(0), "exit code 0", &auto)?;
    let reason = "\nproof: none (the engine summary decided, which writes none; `--engine bounded` does)\n";
    expect(auto.stdout.contains(reason), "the reason", &auto)?;
    let net = run(&format!("check tests/nets/flush.spec --proof {}", to.display()))?;
    expect(net.code == Some(1) && net.stderr.contains("`--proof` applies to Boolean programs"), "no", &net)?;
    expect(!to.exists(), "no folder", &auto)
}

fn not_empty() -> Result<(), Failed> {
    let to = folder("full")?;
    std::fs::create_dir_all(&to)?;
    std::fs::write(to.join("mine.cnf"), "")?;
    let finished = prove("holds.bp", "", &to)?;
    let left = std::fs::read_dir(&to)?.count();
    std::fs::remove_dir_all(&to)?;
    expect(finished.code == Some(1) && finished.stderr.contains("is not empty"), "a refusal", &finished)?;
    expect(left == 1, "nothing new in the folder", &finished)
}

fn limit() -> Result<(), Failed> {
    let to = folder("limit")?;
    let finished = prove("proof/hard.bp", "--timeout 500ms", &to)?;
    expect(finished.code == Some(5), "exit code 5", &finished)?;
    expect(finished.last_line() == "result: unknown (timeout)", "the result", &finished)?;
    expect(!to.exists(), "no folder", &finished)
}
