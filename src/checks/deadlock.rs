//! Threads that wait for each other.
//!
//! A thread that is about to wait for a lock may, instead of waiting, do so for ever: it notes that whoever
//! waits for what it holds waits for that lock, too, and goes no further. To wait closes a circle if such notes lead from
//! the lock to one that the thread itself holds. A thread that ends while it holds a lock notes that, too: who waits for
//! such a lock waits for ever. Both are looked for among few locks with constant addresses; a thread that waits for its
//! own lock is found in any case.
//!
//! To join a thread is to wait as well. A circle of waiting threads with joins and locks in it has a thread that joins another
//! while it holds a lock: such a run has no verdict. A circle of joins alone needs a thread besides the first that
//! joins. So if only the first thread joins, and holds nothing then, joins are no part of deadlocks. All other ways to
//! wait are places where deadlocks are not looked for.

use super::held::{holds, holds_at, known_lock};
use super::{Answer, Check, Code, Cut, Event, LockStep, Needs, Topic, Whole};
use crate::ground::fault::Fault;
use crate::ir::Operand;
use crate::program::Role;
use crate::term::{Sort, Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};

/// Circles are looked for among at most so many locks.
const MOST: usize = 5;

/// What is said of ways to wait that are not looked at.
const WAITS: [(&str, &str); 5] = [
    ("condition variable", "a wait for a condition variable"),
    ("read-write lock", "a wait for a read-write lock"),
    ("semaphore", "a wait for a semaphore"),
    ("barrier", "a wait at a barrier"),
    ("once", "a wait for the routine of pthread_once"),
];

fn wait_for(what: &str) -> &'static str {
    WAITS.iter().find(|(name, _)| *name == what).map_or("a wait", |(_, text)| *text)
}

/// Looks for threads that wait for each other.
#[derive(Default)]
pub struct Deadlock {
    /// Whether somebody who goes no further holds the first and waits for the second lock.
    waits: BTreeMap<(u128, u128), Symbol>,
    /// Whether a thread held a lock when it ended.
    left: BTreeMap<u128, Symbol>,
}

impl Check for Deadlock {
    fn fault(&self) -> Fault {
        Fault::Deadlock
    }

    fn concerns(&self) -> &'static [Topic] {
        &[Topic::Wait]
    }

    fn needs(&self) -> Needs {
        // A thread that ends while it holds a lock notes that.
        Needs { ends_of_threads: true, ..Needs::default() }
    }

    fn prepare(&mut self, whole: &mut dyn Whole) {
        let Some(wanted) = whole.held().wanted.clone().filter(|wanted| wanted.len() <= MOST) else { return };
        for (&address, name) in &wanted {
            let name = format!("<{name} is held by a thread that ended>");
            self.left.insert(address, whole.ghost(&name, Sort::Bits(1), Role::Ghost));
        }
        for (&first, from) in &wanted {
            for (&second, to) in wanted.iter().filter(|&(&second, _)| second != first) {
                let name = format!("<{from} is held for {to}>");
                self.waits.insert((first, second), whole.ghost(&name, Sort::Bits(1), Role::Watch));
            }
        }
    }

    fn at_first(&self, whole: &mut dyn Whole) -> Vec<(Symbol, Term)> {
        let no = whole.store().bits(1, 0);
        self.waits.values().chain(self.left.values()).map(|&bit| (bit, no)).collect()
    }

    /// A thread notes which locks it holds when it ends.
    fn at_end_of_thread(&self, whole: &mut dyn Whole) -> Vec<(Symbol, Term)> {
        let mut updates = Vec::new();
        for (address, &left) in &self.left {
            let Some(held) = whole.held().held.get(address).copied() else { continue };
            let store = whole.store();
            let (held, before, yes) = (store.symbol(held), store.symbol(left), store.bits(1, 1));
            let held = store.equal(held, yes);
            updates.push((left, store.choose(held, yes, before)));
        }
        updates
    }

    fn offer<'m>(&mut self, event: &Event<'_, 'm>, code: &mut dyn Code<'m>) -> Answer {
        match *event {
            Event::Wait(what) => Answer::Unseen(wait_for(what)),
            Event::Join | Event::Lock { .. } if !code.asks(Fault::Deadlock) => Answer::Never,
            Event::Join => self.join(code),
            Event::Lock { step: LockStep::Wants, lock, .. } => self.wait(code, lock),
            // Nobody waits at these.
            Event::Lock { .. } => Answer::Never,
            _ => Answer::Unanswered,
        }
    }
}

impl Deadlock {
    /// The thread waits for the end of another one.
    fn join(&self, code: &mut dyn Code<'_>) -> Answer {
        let mut held = code.store().boolean(false);
        for &address in self.left.keys() {
            let bit = holds_at(code, address);
            held = code.store().or(held, bit);
        }
        if code.store().truth(held) != Some(false) {
            code.no_verdict_if(held, "a join by a thread that holds a lock (--checks deadlock)");
        }
        let function = code.site().function;
        if code.may_run_in_thread(function) {
            return Answer::Unseen("a join by another thread than the first");
        }
        Answer::Never
    }

    /// The thread is about to wait for a lock.
    fn wait<'m>(&self, code: &mut dyn Code<'m>, lock: &'m Operand) -> Answer {
        // In the words of the program, which the cut may replace.
        let subject = code.term(lock);
        code.cut_here(Cut::Plain);
        let mut circles = vec![holds(code, lock)];
        let wanted = known_lock(code);
        let left = wanted.and_then(|wanted| self.left.get(&wanted).copied());
        if let Some(left) = left {
            let left = code.read(left);
            circles.push(code.is_one(left));
        }
        let others: BTreeSet<u128> = self.waits.keys().map(|(_, second)| *second).collect();
        if let Some(wanted) = wanted.filter(|wanted| others.contains(wanted)) {
            let always = code.store().boolean(true);
            self.circles(code, &mut vec![wanted], always, &others, &mut circles);
            self.wait_for_ever(code, wanted, &others);
        }
        circles.retain(|&circle| code.store().truth(circle) != Some(false));
        code.claim(Fault::Deadlock, &circles, subject, None);
        match left {
            Some(_) => Answer::Asserted,
            None => Answer::Unseen("a wait for one of many locks, or of locks with computed addresses"),
        }
    }

    /// All ways on which notes lead from the last of these locks, by way of others, to one that this thread holds.
    fn circles(
        &self,
        code: &mut dyn Code<'_>,
        passed: &mut Vec<u128>,
        so_far: Term,
        all: &BTreeSet<u128>,
        out: &mut Vec<Term>,
    ) {
        let Some(&from) = passed.last() else { return };
        for &next in all {
            if passed.contains(&next) {
                continue;
            }
            let waits = code.read(self.waits[&(from, next)]);
            let waits = code.is_one(waits);
            let here = code.store().and(so_far, waits);
            let held = holds_at(code, next);
            out.push(code.store().and(here, held));
            passed.push(next);
            self.circles(code, passed, here, all, out);
            passed.pop();
        }
    }

    /// Ways from here on which the thread waits for ever, and says which lock it holds meanwhile.
    fn wait_for_ever(&self, code: &mut dyn Code<'_>, wanted: u128, all: &BTreeSet<u128>) {
        for &other in all.iter().filter(|&&other| other != wanted) {
            let held = holds_at(code, other);
            if code.store().truth(held) == Some(false) {
                continue;
            }
            let symbol = self.waits[&(other, wanted)];
            let store = code.store();
            let (noted, yes, no) = (store.symbol(symbol), store.bits(1, 1), store.bits(1, 0));
            let unset = store.equal(noted, no);
            let guard = store.and(held, unset);
            code.stop_aside(guard, vec![(symbol, yes)]);
        }
    }
}
