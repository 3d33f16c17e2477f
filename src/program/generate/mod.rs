//! Random well-formed programs, and how to make a failing one small: what the passes and the semantics are tested on.
//!
//! A program has a few variables of eight bits, an array, and procedures of nested statements: assignments, inputs,
//! branches, loops, calls, assertions, assumptions. Loops need not end; runs are bounded. Branches have complementary
//! guards, so that runs differ in their inputs only, but for a few choices between parallel edges.

mod builder;
mod shrink;
mod terms;
#[cfg(test)]
mod tests;

pub(crate) use builder::Builder;
pub(crate) use shrink::shrink;

use super::{Action, LocationId, ProcedureId, Program, Role};
use crate::term::{Sort, Symbol, Term};
use terms::Scope;

pub(crate) const BYTE: Sort = Sort::Bits(8);
pub(crate) const BYTES: Sort = Sort::Array { index: 8, element: 8 };

/// A stream of random numbers (SplitMix64).
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below a bound.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

/// What programs may contain besides what all may.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// A run depends on inputs only.
    Deterministic,
    /// Parallel edges whose guards may hold together.
    Choices,
    /// Choices, and threads.
    Threads,
}

/// The program of a seed.
pub(crate) fn program(seed: u64, shape: Shape) -> Program {
    let mut generator = Generator {
        random: Random::new(seed),
        builder: Builder::new(),
        shape,
        procedures: Vec::new(),
        scope: Scope::default(),
        at: crate::ground::index::Index::new(0),
        results: Vec::new(),
    };
    generator.globals();
    generator.headers();
    for id in generator.procedures.clone() {
        generator.body(id);
    }
    generator.builder.program
}

struct Generator {
    random: Random,
    builder: Builder,
    shape: Shape,
    procedures: Vec<ProcedureId>,
    scope: Scope,
    /// The procedure whose body is generated.
    at: ProcedureId,
    results: Vec<Symbol>,
}

impl Generator {
    fn globals(&mut self) {
        for name in ["g", "h"] {
            let symbol = self.builder.global(name, BYTE);
            self.scope.globals.push(symbol);
        }
        let memory = self.builder.global("M", BYTES);
        self.scope.memories.push(memory);
        let flag = self.builder.global("flag", Sort::Boolean);
        self.scope.flags.push(flag);
    }

    fn headers(&mut self) {
        for number in 0..1 + self.random.below(3) {
            let id = self.builder.procedure(["main", "first", "second"][number]);
            self.procedures.push(id);
            if number > 0 {
                self.builder.parameter(id, "p", BYTE);
            }
            let result = self.builder.result(id, BYTE);
            self.results.push(result);
            self.builder.local(id, "x", BYTE, Role::Plain);
            self.builder.local(id, "t", BYTE, Role::Temporary);
            self.builder.local(id, "u", BYTE, Role::Temporary);
        }
    }

    fn body(&mut self, id: ProcedureId) {
        self.at = id;
        let (entry, exit) = self.builder.ends(id);
        self.scope.locals = self.builder.program.procedures[id].locals.clone();
        let count = 2 + self.random.below(5);
        let last = self.statements(entry, count, 2);
        self.jump(last, exit);
    }

    fn jump(&mut self, from: LocationId, to: LocationId) {
        let always = self.builder.program.store.boolean(true);
        self.builder.block(self.at, (from, to), always, Vec::new(), Vec::new());
    }

    fn next(&mut self) -> LocationId {
        self.builder.location(self.at)
    }

    fn statements(&mut self, mut from: LocationId, count: usize, depth: usize) -> LocationId {
        for _ in 0..count {
            from = self.statement(from, depth);
        }
        from
    }

    fn statement(&mut self, from: LocationId, depth: usize) -> LocationId {
        match self.random.below(24) {
            0..4 if depth > 0 => self.branch(from, depth - 1),
            4..6 if depth > 0 => self.repeat(from, depth - 1),
            6..9 => self.input(from),
            9 | 10 => self.call(from),
            11 | 12 => self.assertion(from),
            13 => self.assumption(from),
            14 if self.shape != Shape::Deterministic => self.either(from),
            15 | 16 => self.end(from),
            19 => self.atomic(from),
            17 | 18 => self.store(from),
            _ => self.assignment(from),
        }
    }

    fn assignment(&mut self, from: LocationId) -> LocationId {
        let to = self.next();
        let mut updates = vec![self.update()];
        let second = self.update();
        if second.0 != updates[0].0 && self.random.below(3) == 0 {
            updates.push(second);
        }
        let always = self.builder.program.store.boolean(true);
        self.builder.block(self.at, (from, to), always, updates, Vec::new());
        to
    }

    fn update(&mut self) -> (Symbol, Term) {
        if self.random.below(8) == 0 {
            let flag = self.scope.flags[0];
            return (flag, self.condition());
        }
        let target = self.scope.byte_variable(&mut self.random);
        (target, self.byte(2))
    }

    fn store(&mut self, from: LocationId) -> LocationId {
        let to = self.next();
        let memory = self.scope.memories[0];
        let mut value = self.builder.read(memory);
        for _ in 0..1 + self.random.below(2) {
            let (index, element) = (self.byte(1), self.byte(1));
            value = self.builder.program.store.store(value, index, element);
        }
        if self.random.below(4) == 0 {
            let (condition, old) = (self.condition(), self.builder.read(memory));
            value = self.builder.program.store.choose(condition, value, old);
        }
        let always = self.builder.program.store.boolean(true);
        self.builder.block(self.at, (from, to), always, vec![(memory, value)], Vec::new());
        to
    }

    fn input(&mut self, from: LocationId) -> LocationId {
        let to = self.next();
        let input = self.builder.input("nondet", BYTE);
        let drawn = self.builder.read(input);
        let value = match self.random.below(3) {
            0 => self.byte(1),
            _ => drawn,
        };
        let store = &mut self.builder.program.store;
        let value = store.binary(crate::term::Operator::Add, value, drawn);
        let target = self.scope.byte_variable(&mut self.random);
        let always = self.builder.program.store.boolean(true);
        self.builder.block(self.at, (from, to), always, vec![(target, value)], vec![input]);
        to
    }

    fn branch(&mut self, from: LocationId, depth: usize) -> LocationId {
        let (yes, no, join) = (self.next(), self.next(), self.next());
        self.split(from, yes, no);
        let counts = (1 + self.random.below(3), self.random.below(3));
        let yes = self.statements(yes, counts.0, depth);
        let no = self.statements(no, counts.1, depth);
        self.jump(yes, join);
        self.jump(no, join);
        join
    }

    /// Two edges with complementary guards.
    fn split(&mut self, from: LocationId, yes: LocationId, no: LocationId) {
        let condition = self.condition();
        let negation = self.builder.program.store.not(condition);
        self.builder.block(self.at, (from, yes), condition, Vec::new(), Vec::new());
        self.builder.block(self.at, (from, no), negation, Vec::new(), Vec::new());
    }

    fn repeat(&mut self, from: LocationId, depth: usize) -> LocationId {
        let (head, body, after) = (self.next(), self.next(), self.next());
        self.jump(from, head);
        self.split(head, body, after);
        let count = 1 + self.random.below(3);
        let last = self.statements(body, count, depth);
        self.jump(last, head);
        after
    }

    fn call(&mut self, from: LocationId) -> LocationId {
        let to = self.next();
        let later = self.procedures.iter().copied().filter(|&id| id > self.at).collect::<Vec<_>>();
        let recursive = self.random.below(8) == 0 && self.at != self.procedures[0];
        let procedure = match later.len() {
            _ if recursive => self.at,
            0 => {
                self.jump(from, to);
                return to;
            }
            count => later[self.random.below(count)],
        };
        let arguments = vec![self.byte(1)];
        let action = match self.shape == Shape::Threads && self.random.below(3) == 0 {
            true => Action::Start { procedure, arguments },
            false => {
                let result =
                    Some(self.scope.byte_variable(&mut self.random)).filter(|_| self.random.below(4) > 0);
                Action::Call { procedure, arguments, result }
            }
        };
        self.builder.edge(self.at, from, to, action);
        to
    }

    fn assertion(&mut self, from: LocationId) -> LocationId {
        let to = self.next();
        let holds = self.condition();
        let weak = self.condition();
        let holds = self.builder.program.store.or(holds, weak);
        let fails = self.builder.program.store.not(holds);
        self.builder.violation(self.at, from, fails);
        self.builder.block(self.at, (from, to), holds, Vec::new(), Vec::new());
        to
    }

    fn assumption(&mut self, from: LocationId) -> LocationId {
        let to = self.next();
        let condition = self.condition();
        let weak = self.condition();
        let condition = self.builder.program.store.or(condition, weak);
        self.builder.block(self.at, (from, to), condition, Vec::new(), Vec::new());
        to
    }

    /// Parallel edges whose guards need not exclude each other.
    fn either(&mut self, from: LocationId) -> LocationId {
        let to = self.next();
        for _ in 0..2 {
            let (condition, update) = (self.condition(), self.update());
            self.builder.block(self.at, (from, to), condition, vec![update], Vec::new());
        }
        to
    }

    fn end(&mut self, from: LocationId) -> LocationId {
        let (to, last) = (self.next(), self.next());
        let rare = if self.random.below(2) == 0 { self.condition() } else { self.rare_condition() };
        let usual = self.builder.program.store.not(rare);
        let before = self.next();
        self.builder.block(self.at, (from, before), rare, Vec::new(), Vec::new());
        let action = match self.random.below(2) {
            0 => Action::End,
            _ => Action::Unsupported("inline assembly".into()),
        };
        self.builder.edge(self.at, before, last, action);
        self.builder.block(self.at, (from, to), usual, Vec::new(), Vec::new());
        to
    }

    fn atomic(&mut self, from: LocationId) -> LocationId {
        let (inside, to) = (self.next(), self.next());
        self.builder.edge(self.at, from, inside, Action::AtomicBegin);
        let count = 1 + self.random.below(2);
        let last = self.statements(inside, count, 0);
        self.builder.edge(self.at, last, to, Action::AtomicEnd);
        to
    }
}
