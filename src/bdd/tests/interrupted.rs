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

/// How many pairs of variables are equal below.
const PAIRS: usize = 9;

/// What can be seen of a function: its size, its first assignment, some values.
type View = (usize, Option<Vec<(Level, bool)>>, Vec<bool>);

fn view(manager: &dyn Manager, f: Bdd) -> View {
    let mut dice = Dice(11);
    let value = |_| {
        let assignment = dice.below(1 << PAIRS) << PAIRS | dice.below(1 << PAIRS);
        manager.evaluate(f, &|level| assignment >> level.index() & 1 == 1)
    };
    (manager.size(f), manager.pick(f), (0..100).map(value).collect())
}

type Operation<'a> = dyn Fn(&mut dyn Manager) -> Result<Bdd, Stop> + 'a;

/// Operations on functions of some hundred nodes, as far as the limits allow: x0 = x9 & x1 = x10 & ... is
/// large in this order of variables.
fn long_operations(manager: &mut dyn Manager, seen: &mut Vec<View>) -> Result<(), Stop> {
    let equal = |k| ops::equal(manager, level(k), level(k + PAIRS));
    let equalities = (0..PAIRS).map(equal).collect::<Result<Vec<_>, _>>()?;
    let all = ops::conjunction(manager, &equalities)?;
    let some = ops::disjunction(manager, &equalities)?;
    let set = manager.level_set(&[1, 4, 6, 10].map(level));
    let mix: Vec<_> = (0..PAIRS).map(|k| (level(k), level((k * 2) % PAIRS))).collect();
    let mix = manager.renaming(&mix);
    let operations: [&Operation<'_>; 7] = [
        &|manager| manager.minus(some, all),
        &|manager| manager.xor(some, all),
        &|manager| manager.and(some, all),
        &|manager| manager.or(some, all),
        &|manager| manager.exists(all, set),
        &|manager| manager.and_exists(some, all, set),
        &|manager| manager.rename(all, mix),
    ];
    for operation in operations {
        let result = operation(manager)?;
        seen.push(view(manager, result));
    }
    Ok(())
}

#[test]
fn long_operations_are_stopped_or_right() {
    for kind in BackEnd::ALL {
        let run = |limits: &Limits| {
            let mut manager = create(kind, 2 * PAIRS, limits).expect("few variables");
            let mut seen = Vec::new();
            (long_operations(&mut *manager, &mut seen), seen)
        };
        let (outcome, expected) = run(&Limits::none());
        assert_eq!(outcome, Ok(()));
        let mut stopped_after = vec![0; expected.len()];
        for check in 1.. {
            let (outcome, seen) = run(&Limits::firing_at(check));
            assert_eq!(seen, expected[..seen.len()], "check {check}, {kind}");
            if outcome.is_ok() {
                break;
            }
            stopped_after[seen.len()] += 1;
        }
        // Biodivine looks at the limits inside each of these, after the look before it.
        let least = if kind == BackEnd::Biodivine { 2 } else { 1 };
        assert!(stopped_after.iter().all(|&times| times >= least), "{kind}: {stopped_after:?}");
    }
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
