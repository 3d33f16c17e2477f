//! Generated programs with variables that are left uninitialised: machine and model find the same first use of what is
//! not defined, in the same line, or none.

use super::runs::{Inputs, Verdict, machine, model, models, read};
use super::{model_of, programs};
use crate::ir::undefined::Fault;
use crate::llvm::generate::Generated;
use crate::llvm::read::clang::DataModel;
use crate::llvm::read::program::Library;
use crate::lower;
use crate::program::generate::Random;
use crate::vm;
use std::collections::BTreeSet;

/// What is taken away from a program, and what is put in its place.
const LEFT_OUT: [(&str, &str); 4] = [
    ("struct S ls = s1;", "struct S ls; ls.m0 = 1; ls.b0 = 1;"),
    ("la[3] = {1, 2, 3};", "la[3]; la[1] = 2;"),
    ("int d = 1;", "int d;"),
    ("struct S v = *w;", "struct S v; v.a[1] = 2;"),
];

/// A line without some of its initial values.
fn loosened(line: &str, random: &mut Random) -> String {
    let mut line = line.to_owned();
    for (old, new) in LEFT_OUT {
        if line.contains(old) && random.below(4) == 0 {
            line = line.replace(old, new);
        }
    }
    if let (Some(start), true) = (line.find(" h[1] = "), random.below(2) == 0) {
        let end = line[start..].find(';').map_or(line.len(), |end| start + end);
        line.replace_range(start..end, "");
    }
    if let Some((head, _)) = line.split_once(" = ").filter(|(head, _)| declares(head))
        && random.below(8) == 0
    {
        line = format!("{head};");
    }
    line
}

/// Whether the start of a line is a type and the name of a local variable.
fn declares(head: &str) -> bool {
    let words: Vec<&str> = head.split_whitespace().collect();
    let (Some(name), plain) =
        (words.last(), words.iter().all(|word| word.chars().all(char::is_alphanumeric)))
    else {
        return false;
    };
    let local = name.strip_prefix('l').is_some_and(|number| number.parse::<u32>().is_ok());
    words.len() > 1 && plain && local
}

fn source_of(program: &Generated, seed: u64) -> String {
    let mut random = Random::new(seed ^ 0x0bad_5eed);
    let lines = program.text();
    lines.lines().map(|line| loosened(line, &mut random) + "\n").collect()
}

/// What machine and model do; an error tells how they differ.
fn compared(source: &str, inputs: &Inputs, data_model: DataModel) -> Result<Verdict, String> {
    let module = read(source, data_model, Library::Models, &[]);
    let checks: BTreeSet<Fault> = [Fault::Uninitialised].into();
    let forms = models(&module, &lower::Settings { checks: checks.clone(), ..lower::Settings::default() });
    let expected = machine(&module, vm::Settings { checks, ..vm::Settings::default() }, inputs);
    for (form, who) in [(0, "basic blocks"), (1, "large blocks")] {
        let found = model(&forms[form], inputs);
        if found != expected {
            return Err(format!("{who}: {found:?}, the machine: {expected:?}"));
        }
    }
    Ok(expected)
}

#[test]
fn machine_and_model_find_the_same_uninitialised_values() {
    let (mut faults, mut count, mut complaints) = (0, 0, Vec::new());
    for seed in programs(40) {
        let program = Generated::new(seed);
        let (source, inputs) = (source_of(&program, seed), Inputs::new(program.inputs.clone()));
        match compared(&source, &inputs, model_of(seed)) {
            Ok(verdict) => faults += u32::from(matches!(verdict, Verdict::Fault(Fault::Uninitialised, _))),
            Err(text) if complaints.is_empty() => complaints.push(format!("seed {seed}: {text}\n{source}")),
            Err(text) => complaints.push(format!("seed {seed}: {text}")),
        }
        count += 1;
    }
    assert!(complaints.is_empty(), "{} of {count} differ\n{}", complaints.len(), complaints.join("\n"));
    assert!(
        count < 30 || (faults > 5 && faults < count - 5),
        "{faults} of {count} use what is uninitialised"
    );
}
