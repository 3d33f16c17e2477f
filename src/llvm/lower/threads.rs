//! Threads: they are started, joined, and end.
//!
//! A thread has a number, which is what `pthread_t` holds. A place that is passed at most once starts a thread whose
//! number is known; the others count on. A thread runs a procedure of ours that calls the routine and then notes that
//! the thread has ended, and what it returned: for a known number in a variable of its own, otherwise in an array by
//! number. All this is there only if some thread is joined.
//!
//! A thread can always be started. To join a thread twice is undefined; here it succeeds.

use super::super::points_to::Site;
use super::aggregate::Value;
use super::body::{Body, Cut, Dead, Step};
use super::environment::Known;
use super::validity::called;
use super::{Lowering, new_location, once, sites};
use crate::ir::undefined::Fault;
use crate::ir::{Callee, Constant, FunctionId, Operand, Operation, Type, ValueId};
use crate::program::{Action, Assumption, Block, Edge, LocationId, ProcedureId, Role, Scope, Variable};
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
            let cyclic = once::in_loops(&self.module.functions[function]);
            for site in sites(self.module, function) {
                self.threads.called.extend(self.callees(site));
                match called(self.module, self.settings, site) {
                    Some(Known::StartThread) if self.once.contains(&function) && !cyclic[site.block] => {
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
        if self.threads.joined {
            self.note_threads(several, asked);
        }
    }

    fn callees(&self, site: Site) -> Vec<FunctionId> {
        let block = &self.module.functions[site.function].blocks[site.block];
        match &block.instructions[site.number].operation {
            Operation::Call { callee: Callee::Function(callee), .. } => vec![*callee],
            Operation::Call { callee: Callee::Address(_), .. } => self.points.callees(site).functions,
            _ => Vec::new(),
        }
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
        let arguments = if takes { vec![self.store.symbol(argument)] } else { Vec::new() };
        let place = self.module.functions[routine].place;
        let places: Vec<_> = place.into_iter().collect();
        let (updates, inputs) = self.note_end(ended, number, result);
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
            let fits = |&symbol: &Symbol| self.store.sort_of_symbol(symbol) == Sort::Bits(bits);
            let value = result.filter(fits).unwrap_or_else(|| {
                let role = Role::Input("result of a thread".into());
                let variable = Variable { scope: Scope::Input, ty: None, role };
                let input = self.variable("result of a thread", Sort::Bits(bits), variable);
                inputs.push(input);
                input
            });
            let value = self.store.symbol(value);
            note(self, returned, value);
        }
        (updates, inputs)
    }
}

impl<'m> Body<'_, 'm> {
    /// `pthread_create(handle, attributes, routine, argument)`.
    pub fn start_thread(
        &mut self,
        result: Option<ValueId>,
        arguments: &'m [(Operand, Type)],
    ) -> Step<Option<Value>> {
        let [(handle, _), _, (routine, _), (argument, _)] = arguments else {
            return self.unsupported("pthread_create with other arguments");
        };
        self.lowering.assume(Assumption::AllocationSucceeds);
        let argument = self.term(argument);
        let argument = self.kept("argument", argument);
        let number = self.give_number(handle);
        let started = match routine {
            Operand::Constant(Constant::Function(function)) => vec![*function],
            _ => self.started(),
        };
        match started[..] {
            [] => return self.unsupported("a thread that runs an unknown function"),
            [only] if matches!(routine, Operand::Constant(_)) => self.start(only, argument, number)?,
            _ => self.start_one_of(&started, routine, argument, number)?,
        }
        let ty = self.result_type(result);
        Ok(result.map(|_| self.fresh_value(ty, &mut |body, width| body.lowering.store.bits(width, 0))))
    }

    /// The functions that a thread may run, if all are known.
    fn started(&self) -> Vec<FunctionId> {
        let started = self.lowering.points.started(self.site);
        if started.complete { started.functions } else { Vec::new() }
    }

    /// One edge for each function that the thread may run.
    fn start_one_of(
        &mut self,
        functions: &[FunctionId],
        routine: &'m Operand,
        argument: Symbol,
        number: Symbol,
    ) -> Step {
        let address = self.term(routine);
        let address = self.keep_terms(vec![address])[0];
        self.cut(Cut::Call);
        self.check_called(address);
        let (start, behind) = (self.pending().from, self.new_location());
        let values = self.snapshot();
        for &function in functions {
            self.restore(values.clone());
            self.restart(start);
            let target = self.lowering.layout.function(function);
            let target = self.lowering.store.bits(self.lowering.pointer_bits(), target.into());
            let same = self.lowering.store.equal(address, target);
            self.assume(same);
            if self.start(function, argument, number).is_ok() {
                self.leave(behind, None, &[]);
            }
        }
        self.restore(values);
        self.lowering.assume(Assumption::No(Fault::Pointer));
        self.restart(behind);
        Ok(())
    }

    /// The number of a new thread; it is written where the program wants it before the thread starts.
    fn give_number(&mut self, handle: &'m Operand) -> Symbol {
        let bits = self.lowering.pointer_bits();
        let single = self.lowering.threads.single.get_index_of(&self.site);
        let number = match (single, self.lowering.threads.counted) {
            (Some(number), _) => self.lowering.store.bits(bits, FIRST + number as u128),
            (None, Some(counted)) => {
                self.cut(Cut::Plain);
                let number = self.read(counted.next);
                let next = self.plus(number, 1);
                self.write(counted.next, next);
                number
            }
            (None, None) => self.input("number of a thread", bits),
        };
        let number = self.kept("number", number);
        let parts = self.lowering.points.accesses(self.site).to_vec();
        self.touch(parts.iter().map(|part| part.region));
        for part in parts {
            let (at, value) = (self.term(handle), self.read(number));
            self.write_piece(&part, at, value);
        }
        number
    }

    fn start(&mut self, function: FunctionId, argument: Symbol, number: Symbol) -> Step {
        let callee = &self.lowering.module.functions[function];
        let bits = self.lowering.pointer_bits();
        if !callee.is_defined() {
            return self.unsupported(format!("a thread that runs {}, which is not defined", callee.name));
        }
        let widths: Vec<u32> = callee
            .parameters
            .iter()
            .map(|parameter| self.width(&callee.values[parameter.value].ty))
            .collect();
        let takes = match widths[..] {
            [] => false,
            [width] if width == bits => true,
            _ => return self.unsupported("a thread that runs a function with other parameters"),
        };
        self.cut(Cut::Call);
        let (argument, number) = (self.read(argument), self.read(number));
        let threads = &self.lowering.threads;
        let ended = match (threads.single.get(&self.site), threads.counted) {
            (Some(ended), _) => *ended,
            (None, counted) => counted.map(|counted| counted.ended),
        };
        let action = match ended {
            Some(ended) => {
                let procedure = self.lowering.thread_procedure(function, self.site, ended);
                let single = self.lowering.threads.single.contains_key(&self.site);
                let arguments = if single { vec![argument] } else { vec![argument, number] };
                Action::Start { procedure, arguments }
            }
            None => {
                let procedure = self.lowering.of_function[&function];
                Action::Start { procedure, arguments: if takes { vec![argument] } else { Vec::new() } }
            }
        };
        self.act(action, Cut::Call);
        Ok(())
    }

    /// `pthread_join(number, result)`: waits for the end of the thread.
    pub fn join_thread(
        &mut self,
        result: Option<ValueId>,
        arguments: &'m [(Operand, Type)],
    ) -> Step<Option<Value>> {
        let [(number, _), (target, _)] = arguments else {
            return self.unsupported("pthread_join with other arguments");
        };
        let number = self.term(number);
        let number = self.at_pointer_width(number);
        let number = self.kept("number", number);
        self.cut(Cut::Call);
        self.pending().shared = true;
        let joined = self.joined(number);
        self.assume(joined.ended);
        let (width, fine) = (self.width(self.result_type(result)), joined.exists);
        let store = &mut self.lowering.store;
        let (zero, none) = (store.bits(width, 0), store.bits(width, NO_SUCH_THREAD));
        let code = store.choose(fine, zero, none);
        let code = self.kept("code", code);
        if let Some(returned) = joined.returned {
            self.write_result(target, returned, fine);
        }
        let code = self.read(code);
        Ok(result.map(|_| Value::Term(code)))
    }

    /// What is known of the thread with this number.
    fn joined(&mut self, number: Symbol) -> Joined {
        let bits = self.lowering.pointer_bits();
        let number = self.read(number);
        let single: Vec<Ended> = self.lowering.threads.single.values().flatten().copied().collect();
        let counted = self.lowering.threads.counted;
        let asked = single.iter().copied().chain(counted.map(|counted| counted.ended)).next();
        let asked = asked.is_some_and(|ended| ended.returned.is_some());
        let (mut joined, first) = match counted {
            Some(counted) => (self.joined_counted(counted, number, single.len()), single.len()),
            None => {
                let (yes, no) = (self.lowering.store.boolean(true), self.lowering.store.boolean(false));
                let nothing = self.lowering.store.bits(bits, 0);
                (Joined { exists: no, ended: yes, returned: asked.then_some(nothing) }, single.len())
            }
        };
        for (place, ended) in single.into_iter().enumerate().take(first) {
            let known = self.lowering.store.bits(bits, FIRST + place as u128);
            let same = self.lowering.store.equal(number, known);
            joined.exists = self.lowering.store.or(joined.exists, same);
            let flag = self.read(ended.finished);
            let finished = self.is_one(flag);
            let other = self.lowering.store.not(same);
            let fine = self.lowering.store.or(other, finished);
            joined.ended = self.lowering.store.and(joined.ended, fine);
            if let (Some(value), Some(returned)) = (joined.returned, ended.returned) {
                let own = self.read(returned);
                joined.returned = Some(self.lowering.store.choose(same, own, value));
            }
        }
        joined
    }

    fn joined_counted(&mut self, counted: Counted, number: Term, before: usize) -> Joined {
        let bits = self.lowering.pointer_bits();
        let next = self.read(counted.next);
        let first = self.lowering.store.bits(bits, FIRST + before as u128);
        let early = self.lowering.store.unsigned_less(number, first);
        let late = self.lowering.store.not(early);
        let known = self.lowering.store.unsigned_less(number, next);
        let exists = self.lowering.store.and(late, known);
        let flags = self.read(counted.ended.finished);
        let flag = self.lowering.store.select(flags, number);
        let finished = self.is_one(flag);
        let none = self.lowering.store.not(exists);
        let ended = self.lowering.store.or(none, finished);
        let returned = counted.ended.returned.map(|returned| {
            let all = self.read(returned);
            self.lowering.store.select(all, number)
        });
        Joined { exists, ended, returned }
    }

    /// `*target = value`, if there is such a thread and somebody wants to know.
    fn write_result(&mut self, target: &'m Operand, value: Term, exists: Term) {
        let value = self.kept("returned", value);
        let exists = self.bit(exists);
        let exists = self.kept("exists", exists);
        let parts = self.lowering.points.accesses(self.site).to_vec();
        self.touch(parts.iter().map(|part| part.region));
        let at = self.term(target);
        let null = self.lowering.store.bits(self.lowering.pointer_bits(), 0);
        let nowhere = self.lowering.store.equal(at, null);
        let somewhere = self.lowering.store.not(nowhere);
        for part in parts {
            let exists = self.read(exists);
            let exists = self.is_one(exists);
            let writes = self.lowering.store.and(exists, somewhere);
            let (new, old) = (self.read(value), self.read_piece(&part, at));
            let value = self.lowering.store.choose(writes, new, old);
            self.write_piece(&part, at, value);
        }
    }

    /// `pthread_exit(value)`: the routine of the thread returns; `main` waits for ever.
    pub fn end_thread<T>(&mut self, arguments: &'m [(Operand, Type)]) -> Step<T> {
        let threads = &self.lowering.threads;
        let main = threads.main == Some(self.id);
        let routine = self.lowering.points.routines().contains(&self.id);
        if threads.called.contains(&self.id) || main == routine {
            return self.unsupported("pthread_exit elsewhere than in the routine of a thread");
        }
        if main {
            if self.lowering.checks(Fault::Leak) {
                return self.unsupported("leaks after pthread_exit in the first thread");
            }
            self.cut(Cut::Plain);
            return Err(Dead);
        }
        let value = arguments.first().map(|(operand, _)| operand);
        let fits = self.lowering.procedures[self.procedure].result.is_some();
        self.returns(value.filter(|_| fits));
        Err(Dead)
    }
}

/// What is known of a thread that is joined.
struct Joined {
    exists: Term,
    /// It has ended, or does not exist.
    ended: Term,
    /// What it returned, if anybody asks.
    returned: Option<Term>,
}
