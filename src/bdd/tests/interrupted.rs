//! Limits that fire at the n-th check, for every n: an operation ends with an error or the right result,
//! and what was there before is still right.

use super::super::ops;
use super::random::{computation, variables};
use super::*;

/// Enough that operations take more steps than lie between two checks.
const VARIABLES: usize = 12;

#[test]
fn an_operation_that_is_stopped_leaves_no_trace() {
    let (steps, tables) = computation(3, VARIABLES, 40);
    for choice in 0..managers(1, &Limits::none()).len() {
        let mut stopped = 0;
        for check in 1.. {
            let limits = Limits::firing_at(check);
            let mut manager = managers(VARIABLES, &limits).swap_remove(choice);
            let Ok(mut functions) = variables(&mut *manager, VARIABLES) else { continue };
            let mut results = Vec::new();
            for step in &steps {
                match step.on_functions(&mut *manager, &functions) {
                    Ok(result) => results.push(result),
                    Err(stop) => {
                        assert_eq!(stop, Stop::Timeout);
                        assert_eq!(step.on_functions(&mut *manager, &functions), Err(stop), "not remembered");
                        break;
                    }
                }
                functions.push(results[results.len() - 1]);
            }
            let agree = |(table, &f): (&Table, &Bdd)| table.agrees(&*manager, f);
            assert!(tables.iter().zip(&functions).all(agree), "check {check}, {}", manager.name());
            let mut remembered = steps.iter().zip(&results);
            assert!(remembered.all(|(step, &f)| step.on_functions(&mut *manager, &functions) == Ok(f)));
            if results.len() == steps.len() {
                break;
            }
            stopped += 1;
        }
        assert!(stopped >= steps.len() / 2, "the limits fired {stopped} times only");
    }
}

/// x0 = x12 & x1 = x13 & ... in the worst order: 2^12 nodes.
fn equalities(limits: &Limits) -> Result<usize, Stop> {
    let pairs = VARIABLES;
    let mut manager = create(BackEnd::Biodivine, 2 * pairs, limits).expect("few variables");
    let equal = |k| ops::equal(&mut *manager, level(k), level(k + pairs));
    let equalities = (0..pairs).map(equal).collect::<Result<Vec<_>, _>>()?;
    ops::conjunction(&mut *manager, &equalities).map(|all| manager.size(all))
}

#[test]
fn biodivine_is_stopped_inside_an_operation() {
    assert!(equalities(&Limits::none()).expect("no limit") > 1 << 12);
    // Literals, exclusive ors, negations, conjunctions: there are more checks than operations.
    let operations = 24 + 12 + 12 + 11;
    assert_eq!(equalities(&Limits::firing_at(operations + 2)), Err(Stop::Timeout));
    assert!(equalities(&Limits::firing_at(operations + 1000)).is_ok());
}

#[test]
fn an_interruption_is_reported_as_such() {
    for choice in 0..managers(1, &Limits::none()).len() {
        let limits = Limits::none();
        let mut manager = managers(2, &limits).swap_remove(choice);
        let literals = variables(&mut *manager, 2).expect("no limit yet");
        let both = manager.and(literals[0], literals[1]);
        limits.interrupt();
        assert_eq!(manager.or(literals[0], literals[1]), Err(Stop::Interrupted));
        assert_eq!(manager.and(literals[0], literals[1]), both, "remembered");
    }
}
