//! Scripts in SMT-LIB mean what the terms mean: Z3 reads them back.

use crate::ground::limits::Limits;
use crate::smt::Kind;
use crate::smt::{Answer, Budget, Solver};
use crate::term::smtlib::script;
use crate::term::tests::generate::{Random, Vocabulary};
use crate::term::{Sort, Store};
use z3::SatResult;

#[test]
fn scripts_have_the_answers_of_their_terms() {
    let mut random = Random::new(40);
    let vocabulary = Vocabulary::new(&[1, 3]);
    let mut decided = 0;
    for _ in 0..120 {
        let mut store = Store::new();
        let symbols = vocabulary.symbols(&mut store);
        let term = vocabulary.tree(&mut random, Sort::Boolean, 3).build(&mut store, &symbols);
        let mut solver = Solver::new(Kind::Trial, &Limits::none());
        solver.set_budget(Budget { resources: Some(2_000_000) });
        let answer = solver.check_assuming(&store, &[term]).expect("there are no limits");
        if matches!(answer, Answer::Unknown(_)) {
            continue;
        }
        let text = script(&store, &[term]);
        let reader = z3::Solver::new();
        reader.from_string(text.clone());
        assert_eq!(reader.get_assertions().len(), 1, "Z3 does not read\n{text}");
        assert_eq!(reader.check() == SatResult::Sat, answer.is_sat(), "{text}");
        decided += 1;
    }
    assert!(decided > 80, "{decided}");
}
