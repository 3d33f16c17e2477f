//! Threads: they are started, joined, and end.
//!
//! A thread has a number, which is what `pthread_t` holds. A place that is passed at most once starts a thread whose
//! number is known; the others count on. A thread runs a procedure of ours that calls the routine and then notes that
//! the thread has ended, and what it returned: for a known number in a variable of its own, otherwise in an array by
//! number. All this is there only if some thread is joined.
//!
//! A thread can always be started. To join a thread twice is undefined; here it succeeds.
//!
//! `identity` finds where numbers are looked at, `start` has `pthread_create`, `join` has `pthread_join` and `pthread_exit`, `own` tells functions which thread runs
//! them, `local` has the variables that each thread has for itself.

mod identity;
mod join;
mod local;
mod locks;
mod own;
pub(in crate::lower) mod sections;
mod start;

use super::memory::tracking::called;
use super::{Lowering, new_location, sites};
use crate::ir::analysis::callees;
use crate::ir::analysis::points_to::{Site, in_loops};
use crate::ir::{Constant, FunctionId, Operand, Operation};
use crate::library::functions::Known;
use crate::program::{Action, Block, Edge, LocationId, ProcedureId, Role, Scope, Variable};
use crate::term::{Sort, Symbol, Term};
use indexmap::IndexMap;
use std::collections::BTreeSet;

/// How threads are numbered, and who has ended.
#[derive(Default)]
pub(super) struct Threads {
    /// Whether any thread is joined.
    joined: bool,
    /// Places that start one thread, in order.
    single: IndexMap<Site, Option<Ended>>,
    /// Threads that other places start.
    counted: Option<Counted>,
    /// Functions that are called, not only started.
    called: BTreeSet<FunctionId>,
    main: Option<FunctionId>,
    /// Functions that must know the number of the thread that runs them.
    knowing: BTreeSet<FunctionId>,
    /// Where their numbers are looked at.
    identity: identity::Identity,
}

/// Whether threads have ended, and what they returned if anybody asks.
#[derive(Clone, Copy)]
struct Ended {
    finished: Symbol,
    returned: Option<Symbol>,
}

/// Threads that are counted.
#[derive(Clone, Copy)]
struct Counted {
    /// The number of the next one.
    next: Symbol,
    ended: Ended,
}

/// The number of the first thread that is started: that of `main` is 1, and 0 is none.
const FIRST: u128 = 2;

/// What `pthread_join` returns for no thread.
const NO_SUCH_THREAD: u128 = 3;

impl Lowering<'_> {
    /// Finds out which places start threads, and what must be kept of them.
    pub fn number_threads(&mut self, main: FunctionId) {
        self.threads.main = Some(main);
        let (mut several, mut asked) = (false, false);
        for &function in self.points.reachable() {
            let cyclic = in_loops(&self.module.functions[function]);
            for site in sites(self.module, function) {
                self.threads.called.extend(self.callees(site));
                match called(self.module, self.settings, site) {
                    Some(Known::StartThread)
                        if self.points.once().contains(&function) && !cyclic[site.block] =>
                    {
                        self.threads.single.insert(site, None);
                    }
                    Some(Known::StartThread) => several = true,
                    Some(Known::JoinThread) => {
                        self.threads.joined = true;
                        asked |= self.asks_for_result(site);
                    }
                    _ => {}
                }
            }
        }
        self.threads.knowing = self.who_must_know(main);
        if self.threaded {
            self.find_identities();
        }
        // A thread that ends while it holds a lock notes that, too.
        if self.threads.joined || !self.threads.knowing.is_empty() || self.needs.ends_of_threads {
            self.note_threads(several, asked);
        }
    }

    pub fn callees(&self, site: Site) -> Vec<FunctionId> {
        callees(self.module, self.points, site)
    }

    /// Whether threads besides the first may run a function.
    pub fn may_run_in_thread(&self, function: FunctionId) -> bool {
        let mut open: Vec<FunctionId> = self.points.routines().iter().copied().collect();
        let mut seen = BTreeSet::new();
        while let Some(next) = open.pop() {
            if seen.insert(next) {
                open.extend(sites(self.module, next).flat_map(|site| self.callees(site)));
            }
        }
        seen.contains(&function)
    }

    fn asks_for_result(&self, site: Site) -> bool {
        let block = &self.module.functions[site.function].blocks[site.block];
        let Operation::Call { arguments, .. } = &block.instructions[site.number].operation else {
            return false;
        };
        arguments.get(1).is_some_and(|(operand, _)| *operand != Operand::Constant(Constant::Null))
    }

    /// Makes the variables.
    fn note_threads(&mut self, several: bool, asked: bool) {
        let bits = self.pointer_bits();
        for number in 0..self.threads.single.len() {
            let name = |what: &str| format!("<{what} {}>", FIRST + number as u128);
            let finished = self.ghost(&name("finished"), Sort::Bits(1));
            let returned = asked.then(|| self.ghost(&name("returned"), Sort::Bits(bits)));
            self.threads.single[number] = Some(Ended { finished, returned });
        }
        if several {
            let next = self.ghost("<threads>", Sort::Bits(bits));
            let finished = self.ghost("<finished>", Sort::Array { index: bits, element: 1 });
            let returned =
                asked.then(|| self.ghost("<returned>", Sort::Array { index: bits, element: bits }));
            self.threads.counted = Some(Counted { next, ended: Ended { finished, returned } });
        }
    }

    fn ghost(&mut self, name: &str, sort: Sort) -> Symbol {
        self.variable(name, sort, Variable { scope: Scope::Global, ty: None, role: Role::Ghost })
    }

    /// What is noted of threads when the program starts.
    pub fn threads_at_first(&mut self) -> Vec<(Symbol, Term)> {
        let bits = self.pointer_bits();
        let no = self.store.bits(1, 0);
        let mut out: Vec<(Symbol, Term)> =
            self.threads.single.values().flatten().map(|ended| (ended.finished, no)).collect();
        if let Some(counted) = self.threads.counted {
            let first = self.store.bits(bits, FIRST + self.threads.single.len() as u128);
            out.push((counted.next, first));
            out.push((counted.ended.finished, self.store.constant_array(bits, no)));
        }
        out.extend(self.identities_at_first());
        out
    }

    /// The procedure of a thread: calls the routine, and notes the end.
    fn thread_procedure(&mut self, routine: FunctionId, site: Site, ended: Ended) -> ProcedureId {
        let single = self.threads.single.get_index_of(&site);
        let name = &self.module.functions[routine].name;
        let name = match single {
            Some(number) => format!("<thread {} {name}>", FIRST + number as u128),
            None => format!("<thread {name} {}>", self.procedures.len()),
        };
        let callee = self.of_function[&routine];
        let id = self.empty_procedure(&name);
        self.procedures[id].place = self.module.functions[routine].place;
        let bits = self.pointer_bits();
        let mut local = |name: &str, width| {
            let variable = Variable { scope: Scope::Local(id), ty: None, role: Role::Temporary };
            self.variable(name, Sort::Bits(width), variable)
        };
        let argument = local("argument", bits);
        let number = single.is_none().then(|| local("number", bits));
        let result = self.procedures[callee].result;
        let width = result.map(|result| self.store.sort_of_symbol(result));
        let result = width.map(|sort| {
            let variable = Variable { scope: Scope::Local(id), ty: None, role: Role::Temporary };
            self.variable("result", sort, variable)
        });
        self.procedures[id].parameters = std::iter::once(argument).chain(number).collect();
        let takes = !self.module.functions[routine].parameters.is_empty();
        let mut arguments = if takes { vec![self.store.symbol(argument)] } else { Vec::new() };
        if self.threads.knowing.contains(&routine) {
            arguments.push(match (number, single) {
                (Some(number), _) => self.store.symbol(number),
                (None, single) => self.store.bits(bits, FIRST + single.unwrap_or(0) as u128),
            });
        }
        let place = self.module.functions[routine].place;
        let places: Vec<_> = place.into_iter().collect();
        let (mut updates, inputs) = self.note_end(ended, number, result);
        updates.extend(self.notes_at_end());
        let guard = self.store.boolean(true);
        let procedure = &mut self.procedures[id];
        let middle: LocationId = new_location(procedure);
        let (from, to) = (procedure.entry, procedure.exit);
        let action = Action::Call { procedure: callee, arguments, result };
        procedure.edges.push(Edge { from, to: middle, action, property: None, places: places.clone() });
        let action = Action::Block(Block { guard, updates, inputs });
        procedure.edges.push(Edge { from: middle, to, action, property: None, places });
        id
    }

    /// A thread has ended, with this result.
    fn note_end(
        &mut self,
        ended: Ended,
        number: Option<Symbol>,
        result: Option<Symbol>,
    ) -> (Vec<(Symbol, Term)>, Vec<Symbol>) {
        let (mut updates, mut inputs) = (Vec::new(), Vec::new());
        let mut note = |lowering: &mut Self, symbol: Symbol, value: Term| {
            let new = match number {
                Some(number) => {
                    let (old, number) = (lowering.store.symbol(symbol), lowering.store.symbol(number));
                    lowering.store.store(old, number, value)
                }
                None => value,
            };
            updates.push((symbol, new));
        };
        let yes = self.store.bits(1, 1);
        note(self, ended.finished, yes);
        if let Some(returned) = ended.returned {
            let bits = self.pointer_bits();
            let value = self.returned_value(result).unwrap_or_else(|| {
                let role = Role::Input("result of a thread".into());
                let variable = Variable { scope: Scope::Input, ty: None, role };
                let input = self.variable("result of a thread", Sort::Bits(bits), variable);
                inputs.push(input);
                self.store.symbol(input)
            });
            note(self, returned, value);
        }
        (updates, inputs)
    }

    /// The result of a routine as wide as a pointer; routines of C11 return an `int`.
    fn returned_value(&mut self, result: Option<Symbol>) -> Option<Term> {
        let result = result?;
        let Sort::Bits(width) = self.store.sort_of_symbol(result) else { return None };
        let (bits, value) = (self.pointer_bits(), self.store.symbol(result));
        (width <= bits).then(|| self.store.zero_extend(bits, value))
    }
}
