//! The generator and the shrinker themselves.

use super::*;
use crate::program::run::{Compiled, Outcome, run};
use crate::program::tests::Seeded;
use crate::program::well_formed::check;

#[test]
fn a_seed_determines_its_program() {
    let shown = |seed| crate::program::text::text(&program(seed, Shape::Threads));
    assert_eq!(shown(7), shown(7));
    assert_ne!(shown(7), shown(8));
}

#[test]
fn shrinking_keeps_the_failure_and_drops_the_rest() {
    let violates = |program: &Program| {
        let code = Compiled::new(program);
        check(program).is_empty() && matches!(run(&code, &mut Seeded::new(1), 200).0, Outcome::Violated(_))
    };
    let large =
        (0..).map(|seed| program(seed, Shape::Deterministic)).find(violates).expect("one is violated");
    let small = shrink(&large, violates);
    let edges =
        |program: &Program| program.procedures.iter().map(|procedure| procedure.edges.len()).sum::<usize>();
    assert!(violates(&small) && edges(&small) < edges(&large));
    let one_less = |candidate: &Program| edges(candidate) < edges(&small) && violates(candidate);
    let ids =
        small.procedures.ids().flat_map(|id| small.procedures[id].edges.ids().map(move |edge| (id, edge)));
    let smaller = ids.map(|(id, edge)| shrink::without_edge(&small, id, edge)).find(|it| one_less(it));
    assert!(smaller.is_none(), "nothing more can be dropped");
}
