//! Solvers against truth tables, and how questions end that are too hard.

use super::{Answer, Cnf, Effort, Failure, Literal, Refutation, Solver, Variable, create, refute};
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

/// A checker that shares nothing with the solver.
#[path = "../../tests/suite/drat.rs"]
mod drat;

/// The proof that clauses contradict each other, accepted by the checker; none if they have a solution.
fn proof(cnf: &Cnf) -> Option<String> {
    let mut text = Vec::new();
    let Refutation::Proved { bytes } = refute(cnf, &mut text, &Limits::none()).expect("there is no limit")
    else {
        return None;
    };
    assert_eq!(bytes, text.len() as u64);
    let text = String::from_utf8(text).expect("it is text");
    let mut formula = Vec::new();
    cnf.write(&mut formula).expect("memory can be written");
    let formula = drat::formula(&String::from_utf8(formula).expect("it is text")).expect("it is DIMACS");
    let steps = drat::proof(&text).expect("it is DRAT");
    drat::check(&formula, &steps).unwrap_or_else(|problem| panic!("{problem}\n{formula:?}\n{text}"));
    Some(text)
}

#[test]
fn random_formulas_without_a_solution_have_a_proof() {
    let mut proved = 0;
    for number in 0..1_000 {
        let seed = &mut Seed::new(number);
        let mut solver = create();
        let variables: Vec<Variable> = (0..3 + seed.below(7)).map(|_| solver.new_variable()).collect();
        let mut clauses: Vec<Vec<Literal>> = Vec::new();
        for _ in 0..seed.below(6 * variables.len()) {
            let length = seed.below(12).clamp(1, 3);
            clauses.push((0..length).map(|_| random_literal(seed, &variables)).collect());
            solver.add_clause(&clauses[clauses.len() - 1]);
        }
        let found = proof(solver.clauses());
        assert_eq!(found.is_none(), by_table(variables.len(), &clauses, &[]), "{clauses:?}");
        proved += usize::from(found.is_some());
    }
    assert!(proved > 200, "only {proved} formulas have no solution");
}

#[test]
fn a_proof_that_takes_work_is_accepted() {
    let text = proof(pigeons(6).clauses()).expect("there are too many pigeons");
    assert!(text.lines().count() > 50, "{text}");
}

#[test]
fn a_proof_ends_at_a_limit_and_where_it_cannot_be_written() {
    let hard = pigeons(14);
    for check in [1, 2, 5, 20] {
        let found = refute(hard.clauses(), &mut std::io::sink(), &Limits::firing_at(check));
        assert!(matches!(found, Err(Failure::Stop(Stop::Timeout))), "{found:?}");
    }
    let mut small = [0; 1_000];
    let found = refute(hard.clauses(), &mut &mut small[..], &Limits::none());
    assert!(matches!(found, Err(Failure::Write(_))), "{found:?}");
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
