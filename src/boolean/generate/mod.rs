//! Random Boolean programs, small enough for the explicit engine: what every engine is tested on.
//!
//! A seed and a [`Shape`] determine a program. The profiles ([`Shape::sequential`], …) are tuned so that
//! about half of the programs violate something, that most statements are reached, and that recursion
//! ends often enough; tests of the mix hold them to it. Programs are well-formed by construction.
//! [`super::shrink`] makes a failing one small.

mod expressions;
#[cfg(test)]
pub(crate) mod lower;
mod oddities;
mod seed;
mod statements;
#[cfg(test)]
mod tests;

pub use seed::Seed;

use super::ast::{
    At, Block, Declaration, Expression, Name, Procedure, Program, Statement, StatementKind, Trivia,
};
use std::sync::Arc;

/// A least and a largest number.
pub type Range = (usize, usize);

/// What generated programs look like. Shares are in percent of the places where the thing could be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Global variables.
    pub globals: Range,
    /// Local variables of a procedure.
    pub locals: Range,
    /// Parameters of a procedure.
    pub parameters: Range,
    /// Returned values of a procedure.
    pub returns: Range,
    /// Procedures, `main` included.
    pub procedures: Range,
    /// Statements of a body, not counting those inside `if` and `while`.
    pub statements: Range,
    /// How deep `if` and `while` are nested.
    pub nesting: usize,
    /// How deep expressions are nested.
    pub expressions: usize,
    /// Leaves of expressions that are `*`; half as many are `schoose`.
    pub choices: usize,
    /// Variables with an initial value.
    pub initial_values: usize,
    /// Assignments with a `constrain`.
    pub constrain: usize,
    /// Procedures with an `enforce`.
    pub enforce: usize,
    /// Procedures with a label `SLIC_ERROR`.
    pub error_labels: usize,
    /// Statements that are jumps.
    pub gotos: usize,
    /// Statements that are calls.
    pub calls: usize,
    /// Calls that may go to any procedure, not only to a later one.
    pub recursion: usize,
    /// Statements that start or end threads or atomic sections.
    pub threads: usize,
    /// Assignments and conditions that use `$`.
    pub broadcasts: usize,
    /// Places where something is written that is allowed but that hardly anybody writes.
    pub oddities: usize,
}

impl Shape {
    /// All profiles with their names.
    #[must_use]
    pub fn profiles() -> [(&'static str, Self); 6] {
        [
            ("sequential", Self::sequential()),
            ("recursive", Self::recursive()),
            ("layered", Self::layered()),
            ("threaded", Self::threaded()),
            ("broadcast", Self::broadcast()),
            ("odd", Self::odd()),
        ]
    }

    /// One thread, no recursion.
    #[must_use]
    pub fn sequential() -> Self {
        Self {
            globals: (2, 4),
            locals: (0, 3),
            parameters: (0, 2),
            returns: (0, 2),
            procedures: (1, 4),
            statements: (3, 8),
            nesting: 2,
            expressions: 2,
            choices: 12,
            initial_values: 50,
            constrain: 15,
            enforce: 8,
            error_labels: 15,
            gotos: 6,
            calls: 16,
            recursion: 0,
            threads: 0,
            broadcasts: 0,
            oddities: 0,
        }
    }

    /// One thread; procedures call themselves and each other.
    #[must_use]
    pub fn recursive() -> Self {
        Self {
            globals: (2, 3),
            locals: (0, 2),
            parameters: (1, 2),
            procedures: (2, 3),
            statements: (3, 6),
            calls: 24,
            recursion: 60,
            ..Self::sequential()
        }
    }

    /// Threads, atomic sections, calls and recursion in threads.
    #[must_use]
    pub fn threaded() -> Self {
        Self {
            globals: (1, 3),
            locals: (0, 1),
            parameters: (0, 1),
            returns: (0, 1),
            procedures: (2, 3),
            statements: (3, 5),
            nesting: 1,
            calls: 8,
            recursion: 20,
            threads: 25,
            ..Self::sequential()
        }
    }

    /// Threads that run the same procedures and use `$`.
    #[must_use]
    pub fn broadcast() -> Self {
        Self {
            globals: (1, 2),
            locals: (1, 2),
            procedures: (1, 2),
            initial_values: 80,
            choices: 6,
            broadcasts: 50,
            ..Self::threaded()
        }
    }

    /// One thread; many small procedures, each of which leaves most globals alone.
    #[must_use]
    pub fn layered() -> Self {
        Self {
            globals: (3, 5),
            locals: (0, 1),
            parameters: (0, 1),
            procedures: (3, 5),
            statements: (1, 3),
            initial_values: 75,
            choices: 8,
            calls: 30,
            recursion: 15,
            ..Self::sequential()
        }
    }

    /// One thread, and what the other profiles leave out: calls of `main`, hidden globals, labels anywhere, jumps
    /// into blocks, `$` and the ends of threads where there is only one, much that is enforced.
    #[must_use]
    pub fn odd() -> Self {
        Self {
            parameters: (0, 2),
            enforce: 25,
            recursion: 40,
            broadcasts: 10,
            oddities: 30,
            ..Self::recursive()
        }
    }
}

/// What is known of a procedure before its body is written.
#[derive(Clone, Debug)]
struct Signature {
    name: Arc<str>,
    parameters: Vec<Arc<str>>,
    returns: usize,
}

/// The program of a seed.
#[must_use]
pub fn generate(seed: u64, shape: &Shape) -> Program {
    let mut generator =
        Generator { seed: Seed::new(seed), shape: *shape, globals: Vec::new(), signatures: Vec::new() };
    let globals = generator.global_variables();
    generator.sign_procedures();
    let procedures = (0..generator.signatures.len()).map(|number| generator.procedure(number)).collect();
    Program { globals, procedures, end: Vec::new() }
}

struct Generator {
    seed: Seed,
    shape: Shape,
    globals: Vec<Arc<str>>,
    signatures: Vec<Signature>,
}

/// What a procedure's statements may refer to.
struct Scope {
    /// The number of the procedure.
    procedure: usize,
    /// Parameters and locals.
    locals: Vec<Arc<str>>,
    /// Globals that a parameter or local hides, or is going to.
    hidden: Vec<Arc<str>>,
    /// Labels, each on one of the outermost statements.
    labels: Vec<Arc<str>>,
}

impl Generator {
    fn global_variables(&mut self) -> Vec<Declaration> {
        let count = self.seed.between(self.shape.globals);
        let mut declarations = Vec::new();
        for number in 0..count {
            let scope = Scope { procedure: 0, locals: Vec::new(), hidden: Vec::new(), labels: Vec::new() };
            declarations.push(self.declaration(&format!("g{number}"), &scope));
            self.globals.push(format!("g{number}").into());
        }
        declarations
    }

    fn declaration(&mut self, name: &str, scope: &Scope) -> Declaration {
        let initial = self.seed.percent(self.shape.initial_values).then(|| self.initial_value(scope));
        Declaration { variables: vec![(Name::new(name), initial)], trivia: Trivia::default() }
    }

    fn sign_procedures(&mut self) {
        let count = self.seed.between(self.shape.procedures);
        for number in 0..count {
            let (name, parameters, returns) = match number {
                0 => ("main".to_owned(), usize::from(self.odd()), usize::from(self.odd())),
                _ => {
                    let parameters = self.seed.between(self.shape.parameters);
                    (format!("f{number}"), parameters, self.seed.between(self.shape.returns))
                }
            };
            let parameters = (0..parameters).map(|number| format!("p{number}").into()).collect();
            let parameters = self.hiding_globals(parameters);
            self.signatures.push(Signature { name: name.into(), parameters, returns });
        }
    }

    fn procedure(&mut self, number: usize) -> Procedure {
        let signature = self.signatures[number].clone();
        let names = (0..self.seed.between(self.shape.locals)).map(|number| format!("l{number}").into());
        let names = self.hiding_globals(names.collect());
        let names: Vec<_> = names.into_iter().filter(|name| !signature.parameters.contains(name)).collect();
        let mut hidden = signature.parameters.clone();
        hidden.extend_from_slice(&names);
        let locals = signature.parameters.clone();
        let mut scope = Scope { procedure: number, locals, hidden, labels: Vec::new() };
        let mut locals = Vec::new();
        for name in names {
            locals.push(self.declaration(&name, &scope));
            scope.locals.push(name);
        }
        let enforce = self.seed.percent(self.shape.enforce).then(|| self.likely_condition(&scope));
        let also = self.odd_enforce(&scope);
        let body = self.body(&mut scope);
        Procedure {
            name: Name::new(&signature.name),
            returns: signature.returns,
            parameters: signature.parameters.iter().map(|name| Name::new(name)).collect(),
            locals,
            enforce: enforce.into_iter().chain(also).collect(),
            body,
            trivia: Trivia::default(),
            end: At::default(),
        }
    }
}

fn statement(kind: StatementKind) -> Statement {
    Statement { labels: Vec::new(), kind, at: At::default(), trivia: Trivia::default() }
}

fn block(statements: Vec<Statement>) -> Block {
    Block { statements, end: Vec::new() }
}

fn wrap(body: super::expression::Expression<super::ast::Reference>) -> Expression {
    Expression { body, at: At::default() }
}
