//! Programs in disguise: changes that mean nothing must not change a verdict.
//!
//! No oracle is needed, so the programs may be larger than those of [`agreement`](super::agreement), and a mistake that
//! the engines share with the interpreter can show. The disguises: values and conditions go through
//! temporaries, one assignment at a time; every statement is followed by a call that writes every global with its own
//! value, or writes what nobody reads; procedures change places.

use super::reducing::Reducing;
use super::summary::Summary;
use super::{Engine, Query, Run, Threads};
use crate::bdd::BackEnd;
use crate::boolean::ast::{
    At, Block, Declaration, Expression, Name, Procedure, Program, Reference, Statement, StatementKind, Trivia,
};
use crate::boolean::check::{CheckOptions, check};
use crate::boolean::expression;
use crate::boolean::generate::{Seed, Shape, generate};
use crate::boolean::print::print;
use crate::boolean::shrink::shrink;
use crate::certify::replay;
use crate::engine::Answer;
use crate::ground::event::Silent;
use crate::ground::limits::Limits;
use std::collections::BTreeMap;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn statement(kind: StatementKind) -> Statement {
    Statement { labels: Vec::new(), kind, at: At::default(), trivia: Trivia::default() }
}

fn variable(name: &str) -> Expression {
    let body = expression::Expression::variable(Reference { name: Name::new(name), next: false });
    Expression { body, at: At::default() }
}

fn assign(target: &str, value: Expression) -> Statement {
    statement(StatementKind::Assign {
        targets: vec![Name::new(target)],
        values: vec![value],
        constrain: None,
    })
}

fn call(name: &str) -> Statement {
    let (procedure, arguments) = (Name::new(name), Vec::new());
    statement(StatementKind::Call { results: Vec::new(), procedure, arguments })
}

fn declaration(name: &str) -> Declaration {
    Declaration { variables: vec![(Name::new(name), None)], trivia: Trivia::default() }
}

fn procedure(name: &str, statements: Vec<Statement>) -> Procedure {
    Procedure {
        name: Name::new(name),
        returns: 0,
        parameters: Vec::new(),
        locals: Vec::new(),
        enforce: Vec::new(),
        body: Block { statements, end: Vec::new() },
        trivia: Trivia::default(),
        end: At::default(),
    }
}

/// How many temporaries a procedure is given.
const TEMPORARIES: usize = 4;

/// Changes the statements of one procedure.
struct Disguise {
    seed: Seed,
    /// Between its parts a statement that was split is in states that the original is never in.
    may_split: bool,
}

impl Disguise {
    fn block(&mut self, block: &Block) -> Block {
        let statements = block.statements.iter().flat_map(|statement| self.statement(statement)).collect();
        Block { statements, end: Vec::new() }
    }

    fn statement(&mut self, original: &Statement) -> Vec<Statement> {
        let mut parts = match &original.kind {
            StatementKind::Assign { targets, values, constrain: None }
                if self.may_split && targets.len() <= TEMPORARIES && !targets.iter().any(is_passive) =>
            {
                split(targets, values)
            }
            StatementKind::If { branches, otherwise } => self.branches(branches, otherwise.as_ref()),
            StatementKind::While { condition, body } => {
                let (condition, body) = (condition.clone(), self.block(body));
                vec![statement(StatementKind::While { condition, body })]
            }
            kind => vec![statement(kind.clone())],
        };
        parts[0].labels = original.labels.clone();
        if self.seed.percent(40) {
            parts.push(call(self.seed.pick::<&str>(&["same", "unread", "nothing"])));
        }
        parts
    }

    /// The first condition goes through a temporary.
    fn branches(&mut self, branches: &[(Expression, Block)], otherwise: Option<&Block>) -> Vec<Statement> {
        let mut branches: Vec<_> =
            branches.iter().map(|(condition, block)| (condition.clone(), self.block(block))).collect();
        let otherwise = otherwise.map(|block| self.block(block));
        let mut parts = Vec::new();
        if self.seed.percent(50) {
            let condition = std::mem::replace(&mut branches[0].0, variable("t0"));
            parts.push(assign("t0", condition));
        }
        parts.push(statement(StatementKind::If { branches, otherwise }));
        parts
    }
}

fn is_passive(name: &Name) -> bool {
    name.text.ends_with('$')
}

/// First all values into temporaries, then the temporaries into the targets.
fn split(targets: &[Name], values: &[Expression]) -> Vec<Statement> {
    let passive = values.iter().any(|value| value.body.variables().any(|read| is_passive(&read.name)));
    if passive {
        // One choice of the passive copy serves all values.
        let (targets, values) = (targets.to_vec(), values.to_vec());
        return vec![statement(StatementKind::Assign { targets, values, constrain: None })];
    }
    let temporary = |number: usize| format!("t{number}");
    let first = values.iter().enumerate().map(|(number, value)| assign(&temporary(number), value.clone()));
    let then = targets.iter().enumerate();
    let then = then.map(|(number, target)| assign(&target.text, variable(&temporary(number))));
    first.chain(then).collect()
}

/// The program in disguise.
fn disguised(program: &Program, seed: u64) -> Program {
    let mut changed = program.clone();
    for procedure in &mut changed.procedures {
        let mut disguise = Disguise { seed: Seed::new(seed), may_split: procedure.enforce.is_empty() };
        procedure.body = disguise.block(&procedure.body);
        procedure.locals.extend((0..TEMPORARIES).map(|number| declaration(&format!("t{number}"))));
    }
    let globals = program.globals.iter().flat_map(|declaration| &declaration.variables);
    let globals: Vec<&Name> = globals.map(|(name, _)| name).collect();
    let same = globals.iter().map(|name| assign(&name.text, variable(&name.text))).collect();
    let unread =
        vec![assign("unread", Expression { body: expression::Expression::choice(), at: At::default() })];
    changed.globals.push(declaration("unread"));
    changed.procedures.push(procedure("same", same));
    changed.procedures.push(procedure("unread", unread));
    changed.procedures.push(procedure("nothing", Vec::new()));
    if seed.is_multiple_of(2) {
        changed.procedures.reverse();
    }
    changed
}

/// The names of the properties, and whether each is violated; `None` if the program is not well-formed.
fn verdicts(program: &Program) -> Option<BTreeMap<String, bool>> {
    let (program, _) = check(program, &CheckOptions::default()).ok()?;
    let query = Query { properties: program.properties.ids().collect(), threads: Threads::Unbounded };
    let limits = Limits::none();
    let run = Run { limits: &limits, observer: &Silent };
    let mut engine = Reducing::new(Summary::new(BackEnd::Biodivine));
    let answers = engine.check(&program, &query, run).expect("there is no limit").answers;
    let violated = |answer: &Answer| match answer {
        Answer::Unreachable => false,
        Answer::Reachable(trace) => {
            replay(&program, trace, Threads::Unbounded).unwrap_or_else(|mismatch| panic!("{mismatch}"));
            true
        }
        Answer::Unknown(reason) => panic!("{reason}"),
    };
    let names = program.properties.iter().map(|property| property.name.clone());
    Some(names.zip(answers.iter().map(violated)).collect())
}

fn differs(program: &Program, seed: u64) -> bool {
    let Some(before) = verdicts(program) else { return false };
    verdicts(&disguised(program, seed)).is_some_and(|after| after != before)
}

fn compare(shape: &Shape) {
    let (first, count) = (setting("BOOLERO_SEED", 1), setting("BOOLERO_COUNT", 300));
    for seed in first..first + count {
        let program = generate(seed, shape);
        assert!(verdicts(&disguised(&program, seed)).is_some(), "seed {seed}: disguises are well-formed");
        if differs(&program, seed) {
            let small = shrink(&program, |program| differs(program, seed));
            panic!("seed {seed}:\n{}\nis not\n{}", print(&small), print(&disguised(&small, seed)));
        }
    }
}

#[test]
fn disguises_of_sequential_programs_change_no_verdict() {
    compare(&Shape { statements: (4, 14), globals: (2, 6), ..Shape::sequential() });
}

#[test]
fn disguises_of_recursive_programs_change_no_verdict() {
    compare(&Shape { statements: (4, 10), procedures: (2, 5), ..Shape::recursive() });
}

#[test]
fn disguises_of_odd_programs_change_no_verdict() {
    compare(&Shape { statements: (4, 9), procedures: (2, 5), ..Shape::odd() });
}
