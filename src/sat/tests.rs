//! Solvers against truth tables, and how questions end that are too hard.

use super::{Answer, Effort, Literal, Solver, Variable, create};
use crate::boolean::generate::Seed;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;

fn random_literal(seed: &mut Seed, variables: &[Variable]) -> Literal {
    variables[seed.below(variables.len())].literal(seed.below(2) == 0)
}

fn holds(clause: &[Literal], values: u32) -> bool {
    clause.iter().any(|literal| (values >> literal.variable().number() & 1 == 1) == literal.value())
}

/// Whether some values satisfy all clauses and all assumptions.
fn by_table(variables: usize, clauses: &[Vec<Literal>], assumptions: &[Literal]) -> bool {
    let units = || assumptions.iter().map(std::slice::from_ref);
    (0..1u32 << variables).any(|values| {
        clauses.iter().all(|clause| holds(clause, values)) && units().all(|unit| holds(unit, values))
    })
}

/// Asks a question and holds the answer against the table.
fn compare(solver: &mut dyn Solver, variables: usize, clauses: &[Vec<Literal>], assumptions: &[Literal]) {
    let answer = solver.solve(assumptions, Effort::Unbounded, &Limits::none()).expect("there is no limit");
    let expected = by_table(variables, clauses, assumptions);
    assert_eq!(answer == Answer::Satisfiable, expected, "{clauses:?} {assumptions:?}");
    if expected {
        let met = |clause: &[Literal]| clause.iter().any(|&literal| solver.value(literal));
        assert!(clauses.iter().all(|clause| met(clause)));
        assert!(assumptions.iter().all(|&literal| solver.value(literal)));
    } else {
        let core = solver.failed();
        assert!(core.iter().all(|literal| assumptions.contains(literal)), "{core:?} of {assumptions:?}");
        assert!(!by_table(variables, clauses, core));
    }
}

#[test]
fn growing_random_formulas_agree_with_truth_tables() {
    for number in 0..400 {
        let seed = &mut Seed::new(number);
        let mut solver = create();
        let count = 3 + seed.below(6);
        let mut variables: Vec<Variable> = vec![solver.new_variable()];
        let mut clauses: Vec<Vec<Literal>> = Vec::new();
        for _ in 0..8 {
            if variables.len() < count {
                variables.extend((0..=seed.below(2)).map(|_| solver.new_variable()));
            }
            for _ in 0..seed.below(2 * count) {
                let length = 1 + seed.below(4);
                let clause: Vec<Literal> = (0..length).map(|_| random_literal(seed, &variables)).collect();
                solver.add_clause(&clause);
                clauses.push(clause);
            }
            let assumed = seed.below(4);
            let assumptions: Vec<Literal> = (0..assumed).map(|_| random_literal(seed, &variables)).collect();
            compare(&mut *solver, variables.len(), &clauses, &assumptions);
        }
    }
}

/// More pigeons than holes: hard for every solver of this kind.
fn pigeons(holes: usize) -> Box<dyn Solver> {
    let mut solver = create();
    let rows: Vec<Vec<Variable>> =
        (0..=holes).map(|_| (0..holes).map(|_| solver.new_variable()).collect()).collect();
    for row in &rows {
        let somewhere: Vec<Literal> = row.iter().map(|variable| variable.literal(true)).collect();
        solver.add_clause(&somewhere);
    }
    for hole in 0..holes {
        for (number, row) in rows.iter().enumerate() {
            for other in &rows[..number] {
                solver.add_clause(&[row[hole].literal(false), other[hole].literal(false)]);
            }
        }
    }
    solver
}

#[test]
fn a_hard_question_ends_when_its_effort_is_spent() {
    let mut solver = pigeons(14);
    for _ in 0..2 {
        let answer = solver.solve(&[], Effort::Learned(100_000), &Limits::none());
        assert_eq!(answer, Ok(Answer::OutOfEffort));
    }
    let mut easy = pigeons(4);
    assert_eq!(easy.solve(&[], Effort::Learned(1_000_000), &Limits::none()), Ok(Answer::Unsatisfiable));
}

#[test]
fn a_hard_question_ends_at_a_limit() {
    let mut solver = pigeons(14);
    for check in [1, 2, 5, 20] {
        let answer = solver.solve(&[], Effort::Unbounded, &Limits::firing_at(check));
        assert_eq!(answer, Err(Stop::Timeout));
    }
}

#[test]
fn a_hard_question_ends_when_the_user_interrupts() {
    let limits = Limits::none();
    let other = limits.clone();
    let interrupter = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(100));
        other.interrupt();
    });
    assert_eq!(pigeons(14).solve(&[], Effort::Unbounded, &limits), Err(Stop::Interrupted));
    interrupter.join().expect("the thread ends");
}

#[test]
fn the_same_questions_have_the_same_answers() {
    let ask = || {
        let mut solver = pigeons(9);
        let answers: Vec<_> = [20_000, 40_000, 80_000]
            .map(|bytes| solver.solve(&[], Effort::Learned(bytes), &Limits::none()))
            .into();
        answers
    };
    assert_eq!(ask(), ask());
}
