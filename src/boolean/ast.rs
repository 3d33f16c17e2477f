//! The abstract syntax of Boolean programs: one for every dialect.
//!
//! Two programs are equal when they would be printed alike: places in the source ([`At`]) do not count,
//! comments do. Dialects differ only in the parser: `constrain(e);` is an [`Assume`](StatementKind::Assume),
//! `ASYNC_1: f();` a [`StartThread`](StatementKind::StartThread), `choose` is `schoose`.

use super::expression;
use crate::ground::source::Span;
use std::sync::Arc;

/// Where a piece of syntax came from. All places are equal: syntax is the same wherever it stands.
#[derive(Clone, Copy, Debug, Default)]
pub struct At(pub Span);

impl PartialEq for At {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for At {}

impl std::hash::Hash for At {
    fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
}

/// A name as written: identifiers, numbers used as labels, SLAM's `{x==0}`. A trailing `$` is part of it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Name {
    /// The text, without the quote of `'v`.
    pub text: Arc<str>,
    /// Where it stands.
    pub at: At,
}

impl Name {
    /// A name that stands nowhere.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self { text: text.into(), at: At::default() }
    }
}

/// A reference to a variable in an expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Reference {
    /// The variable.
    pub name: Name,
    /// `'v` or `v'`: the value in the next state.
    pub next: bool,
}

/// An expression over names.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Expression {
    /// The postfix form.
    pub body: expression::Expression<Reference>,
    /// Where it stands.
    pub at: At,
}

/// Comments and blank lines around a declaration, a procedure or a statement. Comments are whole
/// (`// …` or `/* … */`), without trailing white space. In a list of comments an empty text is a blank line;
/// there are never two in a row, none at the beginning of [`before`](Self::before), and none at the end of
/// the lists that close a block or a program.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Trivia {
    /// A blank line stands before.
    pub blank_before: bool,
    /// Comments before, one per line.
    pub before: Vec<Arc<str>>,
    /// A comment behind, on the same line.
    pub after: Option<Arc<str>>,
}

/// A program: declarations of global variables, and procedures.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Program {
    /// The global variables in order.
    pub globals: Vec<Declaration>,
    /// The procedures in order.
    pub procedures: Vec<Procedure>,
    /// Comments behind everything.
    pub end: Vec<Arc<str>>,
}

/// A `decl` with one or more variables.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Declaration {
    /// The variables, each with its initial value if one is given.
    pub variables: Vec<(Name, Option<Expression>)>,
    /// Comments.
    pub trivia: Trivia,
}

/// A procedure.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Procedure {
    /// Its name.
    pub name: Name,
    /// How many values it returns: `void` 0, `bool` 1, `bool<n>` n.
    pub returns: usize,
    /// The formal parameters.
    pub parameters: Vec<Name>,
    /// Local variables.
    pub locals: Vec<Declaration>,
    /// `enforce e;`: each holds in every state of the procedure.
    pub enforce: Vec<Expression>,
    /// The body.
    pub body: Block,
    /// Comments around the header.
    pub trivia: Trivia,
    /// Where the closing `end` stands: the place of the return that ends every body.
    pub end: At,
}

/// A sequence of statements.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Block {
    /// The statements.
    pub statements: Vec<Statement>,
    /// Comments behind the last statement.
    pub end: Vec<Arc<str>>,
}

/// A statement with its labels.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Statement {
    /// Its labels.
    pub labels: Vec<Name>,
    /// What it does.
    pub kind: StatementKind,
    /// Where it stands, labels not included (for `if` and `while`: up to `then` or `do`).
    pub at: At,
    /// Comments.
    pub trivia: Trivia,
}

/// What a statement does.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum StatementKind {
    /// `skip;`
    Skip,
    /// `goto l1, l2;`
    Goto(Vec<Name>),
    /// `return e, …;`
    Return(Vec<Expression>),
    /// `a, b := e1, e2 constrain e;`
    Assign {
        /// The variables; a trailing `$` names the passive threads' copies.
        targets: Vec<Name>,
        /// As many values.
        values: Vec<Expression>,
        /// What old and new state must satisfy.
        constrain: Option<Expression>,
    },
    /// `x, _ := f(e, …);` and `f(e, …);`
    Call {
        /// Where the returned values go; `None` is `_`. Empty: all are dropped.
        results: Vec<Option<Name>>,
        /// The procedure.
        procedure: Name,
        /// The actual parameters.
        arguments: Vec<Expression>,
    },
    /// `assume(e);`, also `constrain(e);`
    Assume(Expression),
    /// `assert(e);`
    Assert(Expression),
    /// `abortif(e);`: the run ends, without an error, if e holds.
    AbortIf(Expression),
    /// `if (e) then … elsif (e) then … else … fi`
    If {
        /// Conditions and their blocks, at least one.
        branches: Vec<(Expression, Block)>,
        /// The `else` block.
        otherwise: Option<Block>,
    },
    /// `while (e) do … od`
    While {
        /// The condition.
        condition: Expression,
        /// The body.
        body: Block,
    },
    /// `dead v, …;`
    Dead(Vec<Name>),
    /// `print e, …;`: does nothing.
    Print(Vec<Expression>),
    /// `start_thread goto l;`, `start_thread l;`: a thread at a label of this procedure, with a copy of the locals
    StartLabel(Name),
    /// `start_thread f(e, …);`, `ASYNC_n: f(e, …);`: a thread that runs f
    StartThread {
        /// The procedure.
        procedure: Name,
        /// The actual parameters.
        arguments: Vec<Expression>,
    },
    /// `end_thread;`, `thread_end;`
    EndThread,
    /// `atomic_begin;`
    AtomicBegin,
    /// `atomic_end;`
    AtomicEnd,
}
