//! Locks: who holds what, misuse, and threads that wait for each other.
//!
//! Models of pthread say what happens to a lock (`boolero_takes(lock)`, …); here it is noted. Each thread has a bit for each
//! lock: whether it holds it. That needs no numbers of threads, and so is known of any number of them. Locks whose
//! addresses are constants have a bit each; if there are others, a thread has an array of bits by address.
//!
//! For deadlocks a thread that is about to wait for a lock may, instead of waiting, do so for ever: it notes that whoever
//! waits for what it holds waits for that lock, too, and goes no further. To wait closes a circle if such notes lead from
//! the lock to one that the thread itself holds. A thread that ends while it holds a lock notes that, too: who waits for
//! such a lock waits for ever. Both are looked for among few locks with constant addresses; a thread that waits for its
//! own lock is found in any case.
//!
//! To join a thread is to wait as well. A circle of waiting threads with joins and locks in it has a thread that joins another
//! while it holds a lock: that is an edge "unsupported". A circle of joins alone needs a thread besides the first that
//! joins. So if only the first thread joins, and holds nothing then, joins are no part of deadlocks. All other ways to
//! wait are places where deadlocks are not looked for ([`Gap`](crate::program::Gap)).

use super::body::{Body, Cut};
use super::environment::{Known, LockStep};
use super::validity::called;
use super::{Claim, Lowering, sites};
use crate::ir::analysis::points_to::{Origin, Site};
use crate::ir::undefined::Fault;
use crate::ir::{Callee, Constant, Operand, Operation, Type};
use crate::program::{Action, Block, Edge, PropertyKind, Role, Scope, Variable};
use crate::term::{Node, Sort, Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};

/// Circles are looked for among so many locks.
const MOST: usize = 5;

/// What is said of ways to wait that are not looked at.
const BLOCKS: [(&str, &str); 5] = [
    ("condition variable", "a wait for a condition variable"),
    ("read-write lock", "a wait for a read-write lock"),
    ("semaphore", "a wait for a semaphore"),
    ("barrier", "a wait at a barrier"),
    ("once", "a wait for the routine of pthread_once"),
];

/// What is noted of locks.
#[derive(Default)]
pub(super) struct Locks {
    /// Whether the thread holds a lock, by its address.
    held: BTreeMap<u128, Symbol>,
    /// The same for all, if some addresses are not constant.
    held_by_address: Option<Symbol>,
    /// Whether anybody holds a lock, if locks are made at run time.
    taken: BTreeMap<u128, Symbol>,
    taken_by_address: Option<Symbol>,
    /// Whether somebody who goes no further holds the first and waits for the second lock.
    waits: BTreeMap<(u128, u128), Symbol>,
    /// Whether a thread held a lock when it ended.
    left: BTreeMap<u128, Symbol>,
}

impl Lowering<'_> {
    /// Makes the notes, if they are asked for.
    pub fn note_locks(&mut self) {
        if !self.checks(Fault::Lock) && !self.checks(Fault::Deadlock) {
            return;
        }
        let steps: Vec<(LockStep, Option<(u128, String)>)> = self.lock_steps();
        let constant = steps.iter().all(|(_, lock)| lock.is_some());
        let of = |wanted: &[LockStep]| -> BTreeMap<u128, String> {
            let some = steps.iter().filter(|(step, _)| wanted.contains(step));
            some.filter_map(|(_, lock)| lock.clone()).collect()
        };
        let is_made = steps.iter().any(|(step, _)| *step == LockStep::Anew);
        if constant {
            for (address, name) in of(&[LockStep::Takes]) {
                let held = self.own_bit(&format!("<{name} is held>"), Sort::Bits(1), Role::Own);
                self.locks.held.insert(address, held);
                if is_made {
                    let taken = self.own_bit(&format!("<{name} is taken>"), Sort::Bits(1), Role::Ghost);
                    self.locks.taken.insert(address, taken);
                }
            }
        } else {
            let bits = Sort::Array { index: self.pointer_bits(), element: 1 };
            self.locks.held_by_address = Some(self.own_bit("<held>", bits, Role::Own));
            self.locks.taken_by_address = is_made.then(|| self.own_bit("<taken>", bits, Role::Ghost));
        }
        if self.checks(Fault::Deadlock) {
            self.note_waits(of(&[LockStep::Wants]), constant);
        }
    }

    fn own_bit(&mut self, name: &str, sort: Sort, role: Role) -> Symbol {
        self.variable(name, sort, Variable { scope: Scope::Global, ty: None, role })
    }

    fn note_waits(&mut self, wanted: BTreeMap<u128, String>, constant: bool) {
        if !constant || wanted.len() > MOST {
            return;
        }
        for (&address, name) in &wanted {
            let symbol =
                self.own_bit(&format!("<{name} is held by a thread that ended>"), Sort::Bits(1), Role::Ghost);
            self.locks.left.insert(address, symbol);
        }
        for (&first, from) in &wanted {
            for (&second, to) in wanted.iter().filter(|&(&second, _)| second != first) {
                let name = format!("<{from} is held for {to}>");
                let symbol = self.own_bit(&name, Sort::Bits(1), Role::Watch);
                self.locks.waits.insert((first, second), symbol);
            }
        }
    }

    /// What happens to locks anywhere, and to which one if its address is constant.
    fn lock_steps(&self) -> Vec<(LockStep, Option<(u128, String)>)> {
        let mut out = Vec::new();
        for &function in self.points.reachable() {
            for site in sites(self.module, function) {
                if let Some(Known::Lock(step)) = called(self.module, self.settings, site)
                    && self.matters(step)
                {
                    out.push((step, self.constant_lock(site)));
                }
            }
        }
        out
    }

    /// Whether a step is about what is noted of locks. Without `--checks lock` it is only about who holds them.
    fn matters(&self, step: LockStep) -> bool {
        match step {
            LockStep::Wants | LockStep::Takes | LockStep::Leaves => true,
            LockStep::Needs | LockStep::Again | LockStep::Anew | LockStep::Misuse => self.checks(Fault::Lock),
            LockStep::Blocks | LockStep::Reads => false,
        }
    }

    /// The address and name of the lock that one of our models tells of, if it is always the same one: a constant, or all that
    /// the address can point to. That it points there at all is a matter of the accesses to the lock, which are checked.
    fn constant_lock(&self, site: Site) -> Option<(u128, String)> {
        let (origin, offset) = self.named_lock(site).or_else(|| self.points.lock(site))?;
        let single = match origin {
            Origin::Global(id) => !self.module.globals[id].thread_local,
            Origin::Local(function, _) => self.points.once().contains(&function) && !self.is_dynamic(origin),
            Origin::Heap(_) => !self.is_dynamic(origin),
            _ => false,
        };
        let object = self.layout.object(origin).filter(|_| single)?;
        let name = if offset == 0 { object.name.clone() } else { format!("{} + {offset}", object.name) };
        Some((object.base.wrapping_add_signed(offset).into(), name))
    }

    /// The place of a lock that the program calls by its name.
    fn named_lock(&self, site: Site) -> Option<(Origin, i64)> {
        let block = &self.module.functions[site.function].blocks[site.block];
        let Operation::Call { callee: Callee::Function(_), arguments, .. } =
            &block.instructions[site.number].operation
        else {
            return None;
        };
        let Operand::Constant(Constant::Global(id, offset)) = &arguments.first()?.0 else { return None };
        Some((Origin::Global(*id), *offset))
    }

    /// Nobody holds anything when the program starts.
    pub fn locks_at_first(&mut self) -> Vec<(Symbol, Term)> {
        let no = self.store.bits(1, 0);
        let none = self.store.constant_array(self.pointer_bits(), no);
        let locks = &self.locks;
        let bits = locks.held.values().chain(locks.taken.values()).chain(locks.waits.values());
        let bits = bits.chain(locks.left.values());
        let arrays = locks.held_by_address.iter().chain(&locks.taken_by_address);
        bits.map(|&bit| (bit, no)).chain(arrays.map(|&array| (array, none))).collect()
    }

    /// What a thread notes when it ends: the locks that it holds then.
    pub fn left_at_end(&mut self) -> Vec<(Symbol, Term)> {
        let of = |(address, &left): (&u128, &Symbol)| Some((*self.locks.held.get(address)?, left));
        let pairs: Vec<(Symbol, Symbol)> = self.locks.left.iter().filter_map(of).collect();
        let mut updates = Vec::new();
        for (held, left) in pairs {
            let (held, before, yes) =
                (self.store.symbol(held), self.store.symbol(left), self.store.bits(1, 1));
            let held = self.store.equal(held, yes);
            updates.push((left, self.store.choose(held, yes, before)));
        }
        updates
    }
}

impl<'m> Body<'_, 'm> {
    /// Something happens to a lock.
    pub fn lock_step(&mut self, step: LockStep, arguments: &'m [(Operand, Type)]) {
        let Some((lock, _)) = arguments.first() else { return };
        match step {
            LockStep::Blocks => return self.blocks(lock),
            LockStep::Reads => return self.without(Fault::Lock, "what readers of a read-write lock do"),
            _ => {}
        }
        // In the words of the program, which a cut may replace.
        let subject = self.term(lock);
        if step != LockStep::Takes && self.lowering.checks(Fault::Lock) {
            // What is asked is asked here, not where the edge started.
            self.cut(Cut::Plain);
        }
        match step {
            LockStep::Wants => {
                let held = self.holds(lock);
                self.misused(held, subject);
                self.waits(lock, subject);
            }
            LockStep::Takes => self.note(lock, 1),
            LockStep::Leaves => {
                let held = self.holds(lock);
                let not = self.lowering.store.not(held);
                self.misused(not, subject);
                self.note(lock, 0);
            }
            LockStep::Needs => {
                let held = self.holds(lock);
                let not = self.lowering.store.not(held);
                self.misused(not, subject);
            }
            LockStep::Again => {
                let held = self.holds(lock);
                self.misused(held, subject);
            }
            LockStep::Anew => {
                let taken = self.is_taken(lock);
                self.misused(taken, subject);
            }
            LockStep::Misuse => {
                let happens = arguments.get(1).map(|(operand, _)| self.is_true(operand));
                let never = self.lowering.store.boolean(false);
                self.misused(happens.unwrap_or(never), subject);
            }
            LockStep::Blocks | LockStep::Reads => {}
        }
    }

    /// The thread is about to wait in a way that nobody looks at.
    fn blocks(&mut self, what: &'m Operand) {
        let what = self.string(what);
        let known = BLOCKS.iter().find(|(name, _)| what.as_deref() == Some(*name));
        self.without(Fault::Deadlock, known.map_or("a wait", |(_, text)| *text));
    }

    /// The thread is about to wait for the end of another one.
    pub fn waits_for_end(&mut self) {
        if !self.lowering.checks(Fault::Deadlock) {
            return;
        }
        if self.lowering.may_run_in_thread(self.id) {
            self.without(Fault::Deadlock, "a join by another thread than the first");
        }
        let wanted: Vec<u128> = self.lowering.locks.left.keys().copied().collect();
        let mut held = self.lowering.store.boolean(false);
        for address in wanted {
            let bit = self.held_bit(address);
            held = self.lowering.store.or(held, bit);
        }
        if self.lowering.store.node(held) != Node::Boolean(false) {
            self.unsupported_if(held, "a join by a thread that holds a lock (--checks deadlock)");
        }
    }

    /// The thread ends here, and goes no further: it notes which locks it holds.
    pub fn leaves_locks(&mut self) {
        let updates = self.lowering.left_at_end();
        if updates.is_empty() {
            return;
        }
        self.cut(Cut::Call);
        self.pending().shared = true;
        updates.into_iter().for_each(|(symbol, value)| self.write(symbol, value));
    }

    /// A lock is misused if the condition holds, which is known at the start of the edge.
    fn misused(&mut self, condition: Term, subject: Term) {
        let never = self.lowering.store.node(condition) == Node::Boolean(false);
        if never || !self.lowering.checks(Fault::Lock) {
            return;
        }
        self.claim_of_lock(Fault::Lock, &[condition], subject);
        let fine = self.lowering.store.not(condition);
        self.assume(fine);
    }

    /// A property that is violated if one of these conditions holds: an edge for each, because simple conditions are easier
    /// to follow.
    fn claim_of_lock(&mut self, fault: Fault, violated: &[Term], subject: Term) {
        let [first, others @ ..] = violated else { return };
        let id = self.property(PropertyKind::Fault(fault), fault.claim().into(), Some(*first));
        self.lowering.claims.insert(id, Claim { subject, accessed: None });
        for &guard in others {
            let (from, to) = (self.pending().from, self.new_location());
            let places = self.place.into_iter().collect();
            let action = Action::Block(Block { guard, updates: Vec::new(), inputs: Vec::new() });
            let edges = &mut self.lowering.procedures[self.procedure].edges;
            let edge = edges.push(Edge { from, to, action, property: Some(id), places });
            self.lowering.properties[id].edges.push((self.procedure, edge));
        }
    }

    /// The address of the lock at hand, if it is one of those that are known.
    fn known_lock(&self) -> Option<u128> {
        self.lowering.constant_lock(self.site).map(|(address, _)| address)
    }

    /// Whether this thread holds a lock.
    fn holds(&mut self, lock: &'m Operand) -> Term {
        let known = self.known_lock().and_then(|address| self.lowering.locks.held.get(&address).copied());
        let all = self.lowering.locks.held_by_address;
        self.noted(known, all, lock)
    }

    fn is_taken(&mut self, lock: &'m Operand) -> Term {
        let known = self.known_lock().and_then(|address| self.lowering.locks.taken.get(&address).copied());
        let all = self.lowering.locks.taken_by_address;
        self.noted(known, all, lock)
    }

    fn noted(&mut self, known: Option<Symbol>, all: Option<Symbol>, lock: &'m Operand) -> Term {
        let bit = match (known, all) {
            (Some(known), _) => self.read(known),
            (None, Some(all)) => {
                let (all, address) = (self.read(all), self.term(lock));
                self.lowering.store.select(all, address)
            }
            // Nobody ever takes it.
            (None, None) => return self.lowering.store.boolean(false),
        };
        self.is_one(bit)
    }

    /// This thread holds a lock now, or not any more.
    fn note(&mut self, lock: &'m Operand, value: u128) {
        let (address, value) = (self.known_lock(), self.lowering.store.bits(1, value));
        let locks = &self.lowering.locks;
        let of = |map: &BTreeMap<u128, Symbol>| address.and_then(|address| map.get(&address).copied());
        let known: Vec<Symbol> = [of(&locks.held), of(&locks.taken)].into_iter().flatten().collect();
        let arrays: Vec<Symbol> =
            [locks.held_by_address, locks.taken_by_address].into_iter().flatten().collect();
        for symbol in known {
            self.write(symbol, value);
        }
        for symbol in arrays {
            let (all, address) = (self.read(symbol), self.term(lock));
            let all = self.lowering.store.store(all, address, value);
            self.write(symbol, all);
        }
    }

    /// The thread is about to wait for a lock.
    fn waits(&mut self, lock: &'m Operand, subject: Term) {
        if !self.lowering.checks(Fault::Deadlock) {
            return;
        }
        self.cut(Cut::Plain);
        let mut circles = vec![self.holds(lock)];
        let wanted = self.known_lock();
        match wanted.and_then(|wanted| self.lowering.locks.left.get(&wanted).copied()) {
            Some(left) => {
                let left = self.read(left);
                circles.push(self.is_one(left));
            }
            None => self.without(
                Fault::Deadlock,
                "a wait for one of many locks, or of locks with computed addresses",
            ),
        }
        let others: BTreeSet<u128> = self.lowering.locks.waits.keys().map(|(_, second)| *second).collect();
        if let Some(wanted) = wanted.filter(|wanted| others.contains(wanted)) {
            let always = self.lowering.store.boolean(true);
            self.circles(&mut vec![wanted], always, &others, &mut circles);
            self.wait_for_ever(wanted, &others);
        }
        circles.retain(|&circle| self.lowering.store.node(circle) != Node::Boolean(false));
        self.claim_of_lock(Fault::Deadlock, &circles, subject);
    }

    /// All ways on which notes lead from the last of these locks, by way of others, to one that this thread holds.
    fn circles(&mut self, passed: &mut Vec<u128>, so_far: Term, all: &BTreeSet<u128>, out: &mut Vec<Term>) {
        let Some(&from) = passed.last() else { return };
        for &next in all {
            if passed.contains(&next) {
                continue;
            }
            let waits = self.read(self.lowering.locks.waits[&(from, next)]);
            let waits = self.is_one(waits);
            let here = self.lowering.store.and(so_far, waits);
            let held = self.held_bit(next);
            out.push(self.lowering.store.and(here, held));
            passed.push(next);
            self.circles(passed, here, all, out);
            passed.pop();
        }
    }

    fn held_bit(&mut self, address: u128) -> Term {
        match self.lowering.locks.held.get(&address).copied() {
            Some(held) => {
                let held = self.read(held);
                self.is_one(held)
            }
            None => self.lowering.store.boolean(false),
        }
    }

    /// Ways from here on which the thread waits for ever, and says which lock it holds meanwhile.
    fn wait_for_ever(&mut self, wanted: u128, all: &BTreeSet<u128>) {
        for &other in all.iter().filter(|&&other| other != wanted) {
            let held = self.held_bit(other);
            if self.lowering.store.node(held) == Node::Boolean(false) {
                continue;
            }
            let symbol = self.lowering.locks.waits[&(other, wanted)];
            let store = &mut self.lowering.store;
            let (noted, yes, no) = (store.symbol(symbol), store.bits(1, 1), store.bits(1, 0));
            let unset = store.equal(noted, no);
            let guard = store.and(held, unset);
            let (from, to) = (self.pending().from, self.new_location());
            let places = self.place.into_iter().collect();
            let action = Action::Block(Block { guard, updates: vec![(symbol, yes)], inputs: Vec::new() });
            self.edge(Edge { from, to, action, property: None, places });
        }
    }
}
