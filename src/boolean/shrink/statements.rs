//! Smaller blocks.

use super::expressions;
use crate::boolean::ast::{Block, Expression, Name, Statement, StatementKind};

/// Blocks that are one step smaller.
pub(super) fn reductions(block: &Block) -> Vec<Block> {
    let mut found = Vec::new();
    for half in halves(block.statements.len()) {
        found.push(replaced(block, half, Vec::new()));
    }
    for (place, statement) in block.statements.iter().enumerate() {
        let smaller = replacements(statement);
        found.extend(smaller.into_iter().map(|by| replaced(block, place..place + 1, by)));
    }
    found
}

/// Longer stretches first, so that large programs shrink quickly.
fn halves(length: usize) -> Vec<std::ops::Range<usize>> {
    let sizes = std::iter::successors(Some(length), |size| (*size > 1).then(|| size / 2));
    sizes
        .filter(|&size| size > 0)
        .flat_map(|size| (0..length).step_by(size).map(move |start| start..(start + size).min(length)))
        .collect()
}

fn replaced(block: &Block, range: std::ops::Range<usize>, by: Vec<Statement>) -> Block {
    let mut changed = block.clone();
    changed.statements.splice(range, by);
    changed
}

/// What may stand for a statement: the inside of a block, a skip that keeps its labels, the same with less.
fn replacements(statement: &Statement) -> Vec<Vec<Statement>> {
    let mut found: Vec<Vec<Statement>> =
        blocks(&statement.kind).into_iter().map(|b| b.statements.clone()).collect();
    if statement.kind != StatementKind::Skip {
        found.push(vec![Statement { kind: StatementKind::Skip, ..statement.clone() }]);
    }
    for place in 0..statement.labels.len() {
        let mut changed = statement.clone();
        changed.labels.remove(place);
        found.push(vec![changed]);
    }
    let kinds = kinds(&statement.kind);
    found.extend(kinds.into_iter().map(|kind| vec![Statement { kind, ..statement.clone() }]));
    found
}

fn blocks(kind: &StatementKind) -> Vec<&Block> {
    match kind {
        StatementKind::If { branches, otherwise } => {
            branches.iter().map(|(_, block)| block).chain(otherwise).collect()
        }
        StatementKind::While { body, .. } => vec![body],
        _ => Vec::new(),
    }
}

fn blocks_mut(kind: &mut StatementKind) -> Vec<&mut Block> {
    match kind {
        StatementKind::If { branches, otherwise } => {
            branches.iter_mut().map(|(_, block)| block).chain(otherwise).collect()
        }
        StatementKind::While { body, .. } => vec![body],
        _ => Vec::new(),
    }
}

fn expressions_mut(kind: &mut StatementKind) -> Vec<&mut Expression> {
    match kind {
        StatementKind::Assume(e) | StatementKind::Assert(e) | StatementKind::AbortIf(e) => vec![e],
        StatementKind::While { condition, .. } => vec![condition],
        StatementKind::If { branches, .. } => branches.iter_mut().map(|(condition, _)| condition).collect(),
        StatementKind::Assign { values, constrain, .. } => values.iter_mut().chain(constrain).collect(),
        StatementKind::Return(values) | StatementKind::Print(values) => values.iter_mut().collect(),
        StatementKind::Call { arguments, .. } | StatementKind::StartThread { arguments, .. } => {
            arguments.iter_mut().collect()
        }
        _ => Vec::new(),
    }
}

/// The same kind of statement, one step smaller.
fn kinds(kind: &StatementKind) -> Vec<StatementKind> {
    let mut found = parts(kind);
    for (place, block) in blocks(kind).into_iter().enumerate() {
        found.extend(reductions(block).into_iter().map(|smaller| {
            let mut changed = kind.clone();
            *blocks_mut(&mut changed)[place] = smaller;
            changed
        }));
    }
    let count = expressions_mut(&mut kind.clone()).len();
    for place in 0..count {
        let expression = expressions_mut(&mut kind.clone())[place].clone();
        found.extend(expressions::reductions(&expression).into_iter().map(|smaller| {
            let mut changed = kind.clone();
            *expressions_mut(&mut changed)[place] = smaller;
            changed
        }));
    }
    found
}

/// With a branch, a target, a constraint, a result or a label less.
fn parts(kind: &StatementKind) -> Vec<StatementKind> {
    match kind {
        StatementKind::If { branches, otherwise } => {
            let fewer = (0..branches.len()).filter(|_| branches.len() > 1).map(|place| StatementKind::If {
                branches: without(branches, place),
                otherwise: otherwise.clone(),
            });
            let no_else =
                otherwise.iter().map(|_| StatementKind::If { branches: branches.clone(), otherwise: None });
            fewer.chain(no_else).collect()
        }
        StatementKind::Assign { targets, values, constrain } => {
            let fewer = (0..targets.len()).filter(|_| targets.len() > 1).map(|place| StatementKind::Assign {
                targets: without(targets, place),
                values: without(values, place),
                constrain: constrain.clone(),
            });
            let free = constrain.iter().map(|_| StatementKind::Assign {
                targets: targets.clone(),
                values: values.clone(),
                constrain: None,
            });
            fewer.chain(free).collect()
        }
        StatementKind::Call { results, procedure, arguments } if !results.is_empty() => {
            let (procedure, arguments) = (procedure.clone(), arguments.clone());
            vec![StatementKind::Call { results: Vec::new(), procedure, arguments }]
        }
        StatementKind::Goto(labels) if labels.len() > 1 => {
            (0..labels.len()).map(|place| StatementKind::Goto(without(labels, place))).collect()
        }
        _ => Vec::new(),
    }
}

fn without<T: Clone>(items: &[T], place: usize) -> Vec<T> {
    let mut fewer = items.to_vec();
    fewer.remove(place);
    fewer
}

/// Replaces calls and starts of a procedure by skips.
pub(super) fn without_calls_of(block: &mut Block, name: &Name) {
    for statement in &mut block.statements {
        match &statement.kind {
            StatementKind::Call { procedure, .. } | StatementKind::StartThread { procedure, .. }
                if procedure == name =>
            {
                statement.kind = StatementKind::Skip;
            }
            _ => blocks_mut(&mut statement.kind).into_iter().for_each(|block| without_calls_of(block, name)),
        }
    }
}

/// Drops one argument of all calls and starts of a procedure.
pub(super) fn drop_argument(block: &mut Block, name: &Name, place: usize) {
    for statement in &mut block.statements {
        match &mut statement.kind {
            StatementKind::Call { procedure, arguments, .. }
            | StatementKind::StartThread { procedure, arguments }
                if procedure == name && place < arguments.len() =>
            {
                arguments.remove(place);
            }
            kind => blocks_mut(kind).into_iter().for_each(|block| drop_argument(block, name, place)),
        }
    }
}
