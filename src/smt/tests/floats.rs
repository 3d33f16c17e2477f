//! Z3's floating-point numbers are those of evaluation: on corner values, operator by operator, and on random terms.

use crate::ground::limits::Limits;
use crate::smt::{Answer, Budget, Kind, Solver};
use crate::term::float::{self, FloatFunction};
use crate::term::smtlib::script;
use crate::term::tests::floats::{
    OPERATORS, RELATIONS, corners, functions, random_truth, some_number, symbols, values,
};
use crate::term::tests::generate::Random;
use crate::term::{Signedness, Sort, Store, Symbol, Term};
use z3::SatResult;

/// What a term over two symbols of one width must be for some values.
struct Claims {
    store: Store,
    symbols: [Symbol; 2],
    solver: Solver,
}

impl Claims {
    fn new(width: u32) -> Self {
        let mut store = Store::new();
        let symbols = ["x", "y"].map(|name| store.fresh(name, Sort::Bits(width)));
        Self { store, symbols, solver: Solver::new(Kind::Trial, &Limits::none()) }
    }

    fn operands(&mut self) -> [Term; 2] {
        self.symbols.map(|symbol| self.store.symbol(symbol))
    }

    /// Z3 finds no operands among these at which the term is not what is expected. The solver sees symbols only, so that no
    /// rule can fold what it computes.
    fn check(&mut self, term: Term, cases: &[(u128, u128, u128)], what: &str) {
        self.check_each(term, cases, what, 100);
    }

    /// The same, with so many cases in one query.
    fn check_each(&mut self, term: Term, cases: &[(u128, u128, u128)], what: &str, together: usize) {
        let [x, _] = self.operands();
        let width = self.store.width(x);
        for cases in cases.chunks(together) {
            let mut wrong = Vec::new();
            for &(a, b, expected) in cases {
                let [x, y] = self.operands();
                let (a, b) = (self.store.bits(width, a), self.store.bits(width, b));
                let expected = match self.store.sort(term) {
                    Sort::Boolean => self.store.boolean(expected == 1),
                    Sort::Bits(width) => self.store.bits(width, expected),
                    Sort::Array { .. } => unreachable!("no operator gives an array"),
                };
                let (left, right) = (self.store.equal(x, a), self.store.equal(y, b));
                let differs = self.store.not_equal(term, expected);
                wrong.push(self.store.and_all([left, right, differs]));
            }
            let any = self.store.or_all(wrong);
            let answer = self.solver.check_assuming(&self.store, &[any]).expect("there are no limits");
            if let Answer::Sat(model) = &answer {
                let [x, y] = self.symbols.map(|symbol| model.value(&self.store, symbol).as_bits());
                panic!("{what} of {x:#x} and {y:#x}");
            }
            assert!(answer.is_unsat(), "{what}: {answer:?}");
        }
    }
}

/// Pairs of corner values, and random ones.
fn pairs(random: &mut Random, width: u32, count: u32) -> Vec<(u128, u128)> {
    let all = corners(width);
    let mut pairs: Vec<(u128, u128)> = (0..count).map(|_| (random.pick(&all), random.pick(&all))).collect();
    pairs.extend((0..count).map(|_| (some_number(random, width), some_number(random, width))));
    pairs
}

#[test]
fn operations_and_relations() {
    let mut random = Random::new(80);
    for width in [32, 64] {
        let pairs = pairs(&mut random, width, 25);
        for operator in OPERATORS {
            let mut claims = Claims::new(width);
            let [x, y] = claims.operands();
            let term = claims.store.float_binary(operator, x, y);
            let case = |&(a, b): &(u128, u128)| (a, b, float::result_of(operator, width, a, b));
            claims.check(term, &pairs.iter().map(case).collect::<Vec<_>>(), &format!("{operator:?}"));
        }
        for relation in RELATIONS {
            let mut claims = Claims::new(width);
            let [x, y] = claims.operands();
            let term = claims.store.float_compare(relation, x, y);
            let case = |&(a, b): &(u128, u128)| (a, b, float::holds_of(relation, width, a, b).into());
            claims.check(term, &pairs.iter().map(case).collect::<Vec<_>>(), &format!("{relation:?}"));
        }
    }
}

#[test]
fn functions_of_numbers() {
    let mut random = Random::new(81);
    for width in [32, 64] {
        let mut all = corners(width);
        all.extend((0..40).map(|_| some_number(&mut random, width)));
        for function in functions(width) {
            // A root is hard for Z3, unless it can put in the operand.
            let (together, step) = if function == FloatFunction::SquareRoot { (1, 8) } else { (100, 1) };
            let case = |&a: &u128| (a, a, float::value_of(function, width, a));
            let mut claims = Claims::new(width);
            let [x, _] = claims.operands();
            let term = claims.store.float_unary(function, x);
            let cases: Vec<_> = all.iter().step_by(step).map(case).collect();
            claims.check_each(term, &cases, &format!("{function:?} of {width} bits"), together);
        }
    }
}

#[test]
fn integers_as_numbers() {
    let mut random = Random::new(82);
    for (width, to) in [8, 32, 64].into_iter().flat_map(|width| [(width, 32), (width, 64)]) {
        for signedness in [Signedness::Signed, Signedness::Unsigned] {
            let function = FloatFunction::FromInteger(signedness, to);
            let mut claims = Claims::new(width);
            let [x, _] = claims.operands();
            let term = claims.store.float_unary(function, x);
            let all = (0..60).map(|_| random.value(width));
            let cases: Vec<_> = all.map(|a| (a, a, float::value_of(function, width, a))).collect();
            claims.check(term, &cases, &format!("{function:?} from {width} bits"));
        }
    }
}

/// Models satisfy what they are models of, what has none is false wherever it is tried, and the script says the same.
#[test]
fn random_comparisons() {
    let mut random = Random::new(83);
    let (mut sat, mut unsat) = (0, 0);
    for number in 0..80 {
        let mut store = Store::new();
        let symbols = symbols(&mut store);
        let mut solver = Solver::new(if number % 2 == 0 { Kind::Trial } else { Kind::Path }, &Limits::none());
        solver.set_budget(Budget { resources: Some(30_000) });
        let term = random_truth(&mut store, &mut random, &symbols, 2);
        let answer = solver.check_assuming(&store, &[term]).expect("there are no limits");
        match &answer {
            Answer::Sat(model) => {
                assert!(model.evaluate(&store, term).as_bool());
                sat += 1;
            }
            Answer::Unsat { .. } => {
                for _ in 0..40 {
                    let values = values(&mut random, &symbols);
                    assert!(!store.evaluate(term, &values).unwrap().as_bool(), "{values:?}");
                }
                unsat += 1;
            }
            Answer::Unknown(reason) => assert!(reason.contains("resource"), "{reason}"),
        }
        if number % 4 == 0 && !matches!(answer, Answer::Unknown(_)) && store.truth(term).is_none() {
            let text = script(&store, &[term]);
            let reader = z3::Solver::new();
            reader.from_string(text.clone());
            assert_eq!(reader.get_assertions().len(), 1, "Z3 does not read\n{text}");
            let mut parameters = z3::Params::new();
            parameters.set_u32("rlimit", 1_000_000);
            reader.set_params(&parameters);
            let again = reader.check();
            assert!(again == SatResult::Unknown || (again == SatResult::Sat) == answer.is_sat(), "{text}");
        }
    }
    assert!(sat > 20 && unsat > 3, "{sat} {unsat}");
}
