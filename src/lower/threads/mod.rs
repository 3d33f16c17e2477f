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

pub(in crate::lower) mod identity;
pub(in crate::lower) mod join;
pub(in crate::lower) mod local;
pub(in crate::lower) mod locks;
pub(in crate::lower) mod own;
pub(in crate::lower) mod sections;
pub(in crate::lower) mod start;

use crate::ir::analysis::atomicity::Atomicity;
use crate::ir::analysis::callees;
use crate::ir::analysis::points_to::{Site, in_loops};
use crate::ir::{BlockId, Constant, FunctionId, Operand, Operation};
use crate::library::functions::Known;
use crate::lower::memory::tracking::called;
use crate::lower::{Lowering, new_location, sites, whole};
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
    /// What is executed within atomic sections.
    pub atomicity: Atomicity,
    /// Blocks that came from models of pthread.
    pub of_models: BTreeSet<(FunctionId, BlockId)>,
}

impl Threads {
    /// How the end of each thread is noted whose number is known, in the order of their numbers.
    fn ends(&self) -> Vec<Ended> {
        self.single.values().flatten().copied().collect()
    }

    /// How the end of a thread is noted that a place starts, if anybody asks.
    fn end_of(&self, site: Site) -> Option<Ended> {
        match self.single.get(&site) {
            Some(ended) => *ended,
            None => self.counted.map(|counted| counted.ended),
        }
    }
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

/// Finds out which places start threads, and what must be kept of them.
pub(in crate::lower) fn number(lowering: &mut Lowering<'_>, main: FunctionId) {
    lowering.threads.main = Some(main);
    let (mut several, mut asked) = (false, false);
    for &function in lowering.points.reachable() {
        let cyclic = in_loops(&lowering.module.functions[function]);
        for site in sites(lowering.module, function) {
            lowering.threads.called.extend(callees(lowering.module, lowering.points, site));
            match called(lowering.module, lowering.settings, site) {
                Some(Known::StartThread)
                    if lowering.points.once().contains(&function) && !cyclic[site.block] =>
                {
                    lowering.threads.single.insert(site, None);
                }
                Some(Known::StartThread) => several = true,
                Some(Known::JoinThread) => {
                    lowering.threads.joined = true;
                    asked |= asks_for_result(lowering, site);
                }
                _ => {}
            }
        }
    }
    lowering.threads.knowing = own::who_must_know(lowering, main);
    if lowering.threaded() {
        identity::find(lowering);
    }
    // A thread that ends while it holds a lock notes that, too.
    if lowering.threads.joined
        || !lowering.threads.knowing.is_empty()
        || lowering.checks.needs.ends_of_threads
    {
        make_variables(lowering, several, asked);
    }
}

/// Whether threads besides the first may run a function.
pub(in crate::lower) fn may_run_in_thread(lowering: &Lowering<'_>, function: FunctionId) -> bool {
    let mut open: Vec<FunctionId> = lowering.points.routines().iter().copied().collect();
    let mut seen = BTreeSet::new();
    while let Some(next) = open.pop() {
        if seen.insert(next) {
            let calls = sites(lowering.module, next);
            open.extend(calls.flat_map(|site| callees(lowering.module, lowering.points, site)));
        }
    }
    seen.contains(&function)
}

fn asks_for_result(lowering: &Lowering<'_>, site: Site) -> bool {
    let block = &lowering.module.functions[site.function].blocks[site.block];
    let Operation::Call { arguments, .. } = &block.instructions[site.number].operation else {
        return false;
    };
    arguments.get(1).is_some_and(|(operand, _)| *operand != Operand::Constant(Constant::Null))
}

/// Makes the variables.
fn make_variables(lowering: &mut Lowering<'_>, several: bool, asked: bool) {
    let bits = lowering.pointer_bits();
    for number in 0..lowering.threads.single.len() {
        let name = |what: &str| format!("<{what} {}>", FIRST + number as u128);
        let finished = lowering.ghost(&name("finished"), Sort::Bits(1));
        let returned = asked.then(|| lowering.ghost(&name("returned"), Sort::Bits(bits)));
        lowering.threads.single[number] = Some(Ended { finished, returned });
    }
    if several {
        let next = lowering.ghost("<threads>", Sort::Bits(bits));
        let finished = lowering.ghost("<finished>", Sort::Array { index: bits, element: 1 });
        let returned =
            asked.then(|| lowering.ghost("<returned>", Sort::Array { index: bits, element: bits }));
        lowering.threads.counted = Some(Counted { next, ended: Ended { finished, returned } });
    }
}

/// What is noted of threads when the program starts.
pub(in crate::lower) fn at_first(lowering: &mut Lowering<'_>) -> Vec<(Symbol, Term)> {
    let bits = lowering.pointer_bits();
    let no = lowering.store.bits(1, 0);
    let ends = lowering.threads.ends().into_iter();
    let mut out: Vec<(Symbol, Term)> = ends.map(|ended| (ended.finished, no)).collect();
    if let Some(counted) = lowering.threads.counted {
        let first = lowering.store.bits(bits, FIRST + lowering.threads.single.len() as u128);
        out.push((counted.next, first));
        out.push((counted.ended.finished, lowering.store.constant_array(bits, no)));
    }
    out.extend(identity::at_first(lowering));
    out
}

/// The procedure of a thread: calls the routine, and notes the end.
fn procedure(lowering: &mut Lowering<'_>, routine: FunctionId, site: Site, ended: Ended) -> ProcedureId {
    let single = lowering.threads.single.get_index_of(&site);
    let name = &lowering.module.functions[routine].name;
    let name = match single {
        Some(number) => format!("<thread {} {name}>", FIRST + number as u128),
        None => format!("<thread {name} {}>", lowering.procedures.len()),
    };
    let callee = lowering.of_function[&routine];
    let id = lowering.empty_procedure(&name);
    lowering.procedures[id].place = lowering.module.functions[routine].place;
    let bits = lowering.pointer_bits();
    let mut local = |name: &str, width| {
        let variable = Variable { scope: Scope::Local(id), ty: None, role: Role::Temporary };
        lowering.variable(name, Sort::Bits(width), variable)
    };
    let argument = local("argument", bits);
    let number = single.is_none().then(|| local("number", bits));
    let result = lowering.procedures[callee].result;
    let width = result.map(|result| lowering.store.sort_of_symbol(result));
    let result = width.map(|sort| {
        let variable = Variable { scope: Scope::Local(id), ty: None, role: Role::Temporary };
        lowering.variable("result", sort, variable)
    });
    lowering.procedures[id].parameters = std::iter::once(argument).chain(number).collect();
    let takes = !lowering.module.functions[routine].parameters.is_empty();
    let mut arguments = if takes { vec![lowering.store.symbol(argument)] } else { Vec::new() };
    if lowering.threads.knowing.contains(&routine) {
        arguments.push(match (number, single) {
            (Some(number), _) => lowering.store.symbol(number),
            (None, single) => lowering.store.bits(bits, FIRST + single.unwrap_or(0) as u128),
        });
    }
    let place = lowering.module.functions[routine].place;
    let places: Vec<_> = place.into_iter().collect();
    let (mut updates, inputs) = note_end(lowering, ended, number, result);
    updates.extend(whole::notes_at_end(lowering));
    let guard = lowering.store.boolean(true);
    let procedure = &mut lowering.procedures[id];
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
    lowering: &mut Lowering<'_>,
    ended: Ended,
    number: Option<Symbol>,
    result: Option<Symbol>,
) -> (Vec<(Symbol, Term)>, Vec<Symbol>) {
    let (mut updates, mut inputs) = (Vec::new(), Vec::new());
    let mut note = |lowering: &mut Lowering<'_>, symbol: Symbol, value: Term| {
        let new = match number {
            Some(number) => {
                let (old, number) = (lowering.store.symbol(symbol), lowering.store.symbol(number));
                lowering.store.store(old, number, value)
            }
            None => value,
        };
        updates.push((symbol, new));
    };
    let yes = lowering.store.bits(1, 1);
    note(lowering, ended.finished, yes);
    if let Some(returned) = ended.returned {
        let bits = lowering.pointer_bits();
        let value = returned_value(lowering, result).unwrap_or_else(|| {
            let role = Role::Input("result of a thread".into());
            let variable = Variable { scope: Scope::Input, ty: None, role };
            let input = lowering.variable("result of a thread", Sort::Bits(bits), variable);
            inputs.push(input);
            lowering.store.symbol(input)
        });
        note(lowering, returned, value);
    }
    (updates, inputs)
}

/// The result of a routine as wide as a pointer; routines of C11 return an `int`.
fn returned_value(lowering: &mut Lowering<'_>, result: Option<Symbol>) -> Option<Term> {
    let result = result?;
    let Sort::Bits(width) = lowering.store.sort_of_symbol(result) else { return None };
    let (bits, value) = (lowering.pointer_bits(), lowering.store.symbol(result));
    (width <= bits).then(|| lowering.store.zero_extend(bits, value))
}
