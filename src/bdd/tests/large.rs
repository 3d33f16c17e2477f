//! Many variables, tall diagrams, full tables.

use super::super::ops;
use super::*;

#[test]
fn tall_diagrams_do_not_exhaust_the_stack() {
    let count = 6000;
    let limits = Limits::none();
    for kind in BackEnd::ALL {
        let mut manager = create(kind, count, &limits).expect("enough variables");
        let (even, odd): (Vec<_>, Vec<_>) =
            (0..count).map(|k| (level(k), k % 3 == 0)).partition(|(level, _)| level.index() % 2 == 0);
        let even_cube = ops::cube(&mut *manager, &even).expect("no limit");
        let odd_cube = ops::cube(&mut *manager, &odd).expect("no limit");
        let all = manager.and(even_cube, odd_cube).expect("no limit");
        assert_eq!(manager.size(all), count + 2);
        let negation = manager.not(all).expect("no limit");
        assert_eq!(manager.or(negation, all), Ok(manager.constant(true)));
        let set = manager.level_set(&odd.iter().map(|&(level, _)| level).collect::<Vec<_>>());
        assert_eq!(manager.exists(all, set), Ok(even_cube));
        assert_eq!(manager.and_exists(even_cube, odd_cube, set), Ok(even_cube));
        let shift: Vec<_> = even.iter().map(|&(even, _)| (even, level(even.index() + 1))).collect();
        let shift = manager.renaming(&shift);
        let shifted = manager.rename(even_cube, shift).expect("no limit");
        let expected: Vec<_> = even.iter().map(|&(even, value)| (level(even.index() + 1), value)).collect();
        assert_eq!(manager.pick(shifted), Some(expected));
        // Back to front: the order of the diagram is reversed.
        let reverse: Vec<_> = (0..60).map(|k| (level(k), level(59 - k))).collect();
        let (reverse, few) = (manager.renaming(&reverse), ops::cube(&mut *manager, &odd[..30]));
        let reversed = manager.rename(few.expect("no limit"), reverse).expect("no limit");
        let mut expected: Vec<_> = odd[..30].iter().map(|&(odd, v)| (level(59 - odd.index()), v)).collect();
        expected.reverse();
        assert_eq!(manager.pick(reversed), Some(expected));
    }
}

#[test]
fn swaps_and_shifts() {
    for mut manager in managers(6, &Limits::none()) {
        let literal = |manager: &mut dyn Manager, k| manager.literal(level(k), true).expect("no limit");
        let [a, b, c] = [0, 2, 4].map(|k| literal(&mut *manager, k));
        let f = manager.minus(a, b).expect("no limit");
        let swap = manager.renaming(&[(level(0), level(2)), (level(2), level(0))]);
        assert_eq!(manager.rename(f, swap), manager.minus(b, a));
        let shift = manager.renaming(&[(level(0), level(2)), (level(2), level(4))]);
        assert_eq!(manager.rename(f, shift), manager.minus(b, c));
        let cycle = manager.renaming(&[(level(0), level(2)), (level(2), level(4)), (level(4), level(0))]);
        let g = manager.and(f, c).expect("no limit");
        let moved = manager.minus(b, c).expect("no limit");
        assert_eq!(manager.rename(g, cycle), manager.and(moved, a));
        let same = manager.renaming(&[(level(1), level(1))]);
        assert_eq!(manager.rename(g, same), Ok(g));
    }
}

#[test]
#[should_panic(expected = "two names")]
fn a_variable_cannot_get_two_names() {
    let mut manager = create(BackEnd::Biodivine, 3, &Limits::none()).expect("few variables");
    manager.renaming(&[(level(0), level(1)), (level(0), level(2))]);
}

#[test]
fn a_full_table_ends_with_the_memory_limit() {
    // A function of 2^20 nodes, and memory for 2^18.
    let count = 40;
    let limits = Limits::new(None, Some(10 << 20));
    let library = Oxidd::with_capacity(1 << 10, count, &limits).expect("few variables");
    let mut manager = Interned::new(library, &limits);
    let mut all = manager.constant(true);
    let mut outcome = Ok(());
    for k in 0..count / 2 {
        let next = ops::equal(&mut manager, level(k), level(k + count / 2)).and_then(|f| manager.and(all, f));
        match next {
            Ok(next) => all = next,
            Err(stop) => {
                outcome = Err(stop);
                break;
            }
        }
    }
    assert_eq!(outcome, Err(Stop::Memory));
    assert!(manager.evaluate(all, &|_| true), "what was there is still there");
    manager.retain(&[]);
    // The library's own collection may have to add up its part of the count.
    let settled = (0..500).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(10));
        manager.stored_nodes() < 1000
    });
    assert!(settled, "{} nodes are left", manager.stored_nodes());
    assert!(manager.literal(level(0), true).is_ok());
}
