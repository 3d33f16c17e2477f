//! Slices of generated programs, against all states of both; and slices that were spoiled.

use super::*;
use crate::ground::index::IndexVec;
use crate::program::generate::{Random, Shape, program as generated};
use crate::program::run::explore::{Exploration, explore};
use crate::program::run::{Compiled, Outcome};
use crate::program::slice::slice;

/// What a program may come to, as far as a slice has to know; none if it has too many states.
fn ends(program: &Program, asked: &BTreeSet<PropertyId>) -> (BTreeSet<String>, bool) {
    let settings = Exploration { numbers: vec![0, 1, 255], states: 4_000 };
    let explored = explore(&Compiled::new(program), &settings);
    let told = explored.ends.iter().filter_map(|end| match *end {
        Outcome::Violated(property) => asked.contains(&property).then(|| format!("{property:?}")),
        Outcome::Unsupported(procedure, edge) => {
            Some(format!("{:?}", program.procedures[procedure].edges[edge].action))
        }
        _ => None,
    });
    (told.collect(), explored.complete)
}

/// All properties together, and each alone.
fn questions(program: &Program) -> Vec<BTreeSet<PropertyId>> {
    let alone = program.properties.ids().map(|property| BTreeSet::from([property]));
    std::iter::once(program.properties.ids().collect()).chain(alone).collect()
}

fn edges(program: &Program) -> usize {
    program.procedures.iter().map(|procedure| procedure.edges.len()).sum()
}

#[test]
fn slices_stand_and_lose_no_end() {
    let (mut compared, mut ends_seen, mut before, mut after) = (0, 0, 0, 0);
    for seed in 0..150 {
        for shape in [Shape::Deterministic, Shape::Choices, Shape::Threads] {
            let program = generated(seed, shape);
            for asked in questions(&program) {
                let small = slice(&program, &asked);
                assert_eq!(
                    check_slice(&program, &small, &asked),
                    Ok(()),
                    "seed {seed}, {shape:?}, {asked:?}"
                );
                (before, after) = (before + edges(&program), after + edges(&small.program));
                let (theirs, complete) = ends(&small.program, &asked);
                if complete {
                    let (ours, _) = ends(&program, &asked);
                    assert!(
                        ours.is_subset(&theirs),
                        "seed {seed}, {shape:?}, {asked:?}: {ours:?}, {theirs:?}"
                    );
                    (compared, ends_seen) = (compared + 1, ends_seen + ours.len());
                }
            }
        }
    }
    assert!(compared > 300 && ends_seen > 100, "{compared} {ends_seen}");
    assert!(after * 10 < before * 9, "{after} of {before} edges are left");
}

/// Spoils a slice in one place.
fn spoil(slice: &mut Slice, random: &mut Random) {
    let procedures: Vec<ProcedureId> =
        slice.program.procedures.ids().filter(|&id| !slice.program.procedures[id].edges.is_empty()).collect();
    let id = procedures[random.below(procedures.len())];
    let procedure = &mut slice.program.procedures[id];
    let number = EdgeId::new(random.below(procedure.edges.len()));
    let locations = procedure.locations.len();
    let edge = &mut procedure.edges[number];
    match (random.below(6), &mut edge.action) {
        (0, Action::Block(block)) => _ = block.updates.pop(),
        (1, Action::Block(block)) => block.guard = slice.program.store.boolean(false),
        (2, _) => edge.to = crate::program::LocationId::new(random.below(locations)),
        (3, _) => {
            let image = Some(number);
            slice.images[id].iter_mut().filter(|one| **one == image).for_each(|one| *one = None);
            edge.action = Action::End;
        }
        (4, _) => {
            let symbol = Symbol::new(random.below(slice.variables.len()));
            slice.variables[symbol] = !slice.variables[symbol];
        }
        _ => edge.action = Action::AtomicBegin,
    }
}

/// What the check lets pass loses nothing, whoever made it.
#[test]
fn spoiled_slices_are_rejected_or_lose_nothing() {
    let (mut rejected, mut passed) = (0, 0);
    for seed in 0..400 {
        let shape = if seed % 2 == 0 { Shape::Choices } else { Shape::Threads };
        let program = generated(seed, shape);
        let asked: BTreeSet<PropertyId> = program.properties.ids().collect();
        let mut small = slice(&program, &asked);
        let mut random = Random::new(seed);
        spoil(&mut small, &mut random);
        if check_slice(&program, &small, &asked).is_err() {
            rejected += 1;
            continue;
        }
        let (theirs, complete) = ends(&small.program, &asked);
        if complete {
            let (ours, _) = ends(&program, &asked);
            assert!(ours.is_subset(&theirs), "seed {seed}: {ours:?}, {theirs:?}");
            passed += 1;
        }
    }
    assert!(rejected > 200 && passed > 10, "{rejected} {passed}");
}

/// A condition that decides whether a violation is reached stays, and so does what it reads.
#[test]
fn whoever_forgets_a_dependence_is_found_out() {
    let program = generated(3, Shape::Choices);
    let asked: BTreeSet<PropertyId> = program.properties.ids().collect();
    let mut small = slice(&program, &asked);
    small.images =
        IndexVec::from_vec(small.images.iter().map(|images| IndexVec::filled(None, images.len())).collect());
    assert!(check_slice(&program, &small, &asked).is_err());
}
