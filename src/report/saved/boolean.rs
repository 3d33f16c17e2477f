//! The saved run of a check of a Boolean program.

use super::c::{rounded, tool, without_middle};
use super::tables::file;
use super::{
    Asked, Change, Counterexample, KIND, Procedure, Property, SCHEMA, SavedRun, Spot, Statement, Step,
    answer, budget,
};
use crate::boolean::cfg::{NodeId, Op, Program, PropertyKind, Scope, VariableId};
use crate::boolean::trace::Trace;
use crate::ground::index::{Index as _, IndexVec};
use crate::ground::source::Span;
use crate::ground::verdict::Verdict;
use crate::report::story::{self, Length, Line, Story, What};
use crate::report::{Report, condition_text, excerpt, property_text};
use indexmap::{IndexMap, IndexSet};
use std::collections::BTreeMap;

/// The saved run of a check.
#[must_use]
pub fn saved_check(report: &Report<'_>, Asked { command, settings, elapsed }: Asked) -> SavedRun {
    let Report { source, outcome, .. } = *report;
    let mut left = budget::FILES;
    let mut saved = SavedRun {
        kind: KIND.to_owned(),
        schema: SCHEMA,
        tool: tool(),
        command,
        settings,
        language: "boolean".to_owned(),
        files: vec![file(source.name(), Some(source.text().as_bytes().to_vec()), &mut left)],
        result: answer(&outcome.overall()),
        assumptions: outcome.assurance.assumptions.iter().map(ToString::to_string).collect(),
        properties: outcome.verdicts.iter().map(|(id, verdict)| property(report, *id, verdict)).collect(),
        figures: outcome.statistics.iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        seconds: IndexMap::from([("everything".to_owned(), rounded(elapsed))]),
        ..SavedRun::default()
    };
    add_automata(&mut saved, report);
    let runs = outcome.verdicts.iter().filter_map(|(_, verdict)| verdict.run());
    saved.counterexamples = runs.take(budget::RUNS).map(|trace| counterexample(report, trace)).collect();
    saved
}

fn property(report: &Report<'_>, id: crate::boolean::cfg::PropertyId, verdict: &Verdict<Trace>) -> Property {
    let property = &report.program.properties[id];
    let kind = match &property.kind {
        PropertyKind::Assertion => "assertion",
        PropertyKind::ErrorLabel(_) => "label",
    };
    let node = &report.program.nodes[property.node];
    Property {
        id: property.name.clone(),
        kind: kind.to_owned(),
        text: property_text(report.source, report.program, property, budget::STATEMENT),
        procedure: report.program.procedures[node.procedure].name.to_string(),
        place: Some(spot(report, property.span)),
        verdict: verdict.word().to_owned(),
        reason: verdict.reason().map(ToString::to_string),
    }
}

fn spot(report: &Report<'_>, span: Span) -> Spot {
    let position = report.source.position(span.start);
    let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    Spot(0, number(position.line), number(position.column))
}

/// The control-flow graphs, as automata: a node is a location, and the step from it a statement.
fn add_automata(saved: &mut SavedRun, report: &Report<'_>) {
    let program = report.program;
    if program.nodes.len() > budget::STATEMENTS {
        saved.left_out.push(format!("the control-flow graphs, which have {} nodes", program.nodes.len()));
        return;
    }
    let mut statements: IndexSet<Statement> = IndexSet::new();
    let mut procedures: IndexVec<_, Procedure> = IndexVec::new();
    for procedure in program.procedures.iter() {
        procedures.push(Procedure { name: procedure.name.to_string(), ..Procedure::default() });
    }
    for (id, node) in program.nodes.enumerate() {
        let procedure: &mut Procedure = &mut procedures[node.procedure];
        let place = spot(report, node.span);
        procedure.locations.insert(name(program, id), place.1);
        for &next in &node.successors {
            let (number, _) = statements.insert_full(statement(report, id, next));
            procedure.statements.push(number);
        }
    }
    saved.procedures = procedures.into_vec();
    saved.statements = statements.into_iter().collect();
}

/// The name of a node: that of its procedure's entry is `entry`.
fn name(program: &Program, id: NodeId) -> String {
    let node = &program.nodes[id];
    match () {
        () if program.procedures[node.procedure].entry == id => "entry".to_owned(),
        () if matches!(node.op, Op::Return(_)) => format!("exit {}", id.index()),
        () => format!("N{}", id.index()),
    }
}

fn statement(report: &Report<'_>, from: NodeId, to: NodeId) -> Statement {
    let program = report.program;
    let node = &program.nodes[from];
    let calls = match &node.op {
        Op::Call { procedure, .. } | Op::StartThread { procedure, .. } => {
            Some(program.procedures[*procedure].name.to_string())
        }
        _ => None,
    };
    let place = spot(report, node.span);
    let violates = program.properties.iter().find(|property| property.node == from);
    Statement {
        procedure: program.procedures[node.procedure].name.to_string(),
        from: name(program, from),
        to: name(program, to),
        text: excerpt(report.source, node.span, budget::STATEMENT),
        place: Some(place),
        last_line: place.1,
        calls,
        violates: violates.map(|property| property.name.clone()),
    }
}

fn counterexample(report: &Report<'_>, trace: &Trace) -> Counterexample {
    let Story { threads, switches, initial, lines, .. } = story::tell(report.program, trace, Length::Full);
    let mut steps = steps(report, &lines);
    if let Some(first) = steps.first_mut() {
        let known =
            initial.iter().map(|value| change(report.program, value.variable, value.value, first.thread));
        first.changes.splice(0..0, known);
    }
    let property = report.program.properties[trace.property].name.clone();
    let ending = steps.last().map_or_else(String::new, |step| format!("violated: {}", step.text));
    let (seed, statements) = (None, Vec::new());
    Counterexample {
        property,
        seed,
        threads,
        switches,
        steps: without_middle(&steps, Step::clone),
        ending,
        statements,
    }
}

/// The lines as steps. What a call gives its parameters, and what a return changes for the caller, is told with the next step of
/// the thread, which is in the procedure whose variables these are.
fn steps(report: &Report<'_>, lines: &[Line]) -> Vec<Step> {
    let mut waiting: BTreeMap<usize, Vec<Change>> = BTreeMap::new();
    let mut steps = Vec::new();
    for line in lines {
        let mut step = step(report, line);
        let node = &report.program.nodes[line.node];
        let changed = line.given.iter().map(|value| value.variable);
        let variables: Vec<VariableId> = changed.chain(line.changes.iter().map(|it| it.variable)).collect();
        let mut changes = waiting.remove(&line.thread).unwrap_or_default();
        for (variable, change) in variables.into_iter().zip(std::mem::take(&mut step.changes)) {
            let elsewhere = match report.program.variables[variable].scope {
                Scope::Global(_) => false,
                Scope::Local(procedure, _) => {
                    procedure != node.procedure && change.thread == Some(line.thread)
                }
            };
            if elsewhere {
                waiting.entry(line.thread).or_default().push(change)
            } else {
                changes.push(change)
            }
        }
        steps.push(Step { changes, ..step });
    }
    steps
}

fn step(report: &Report<'_>, line: &Line) -> Step {
    let program = report.program;
    let node = &program.nodes[line.node];
    let text = match line.what {
        What::Taken | What::NotTaken => condition_text(report.source, line.span, budget::STATEMENT),
        _ => excerpt(report.source, line.span, budget::STATEMENT),
    };
    let (kind, text) = match line.what {
        What::Statement => (if matches!(node.op, Op::Call { .. }) { "call" } else { "statement" }, text),
        What::Taken => ("branch", format!("{text} holds")),
        What::NotTaken => ("branch", format!("{text} does not hold")),
        What::End => ("return", "end".to_owned()),
        What::Started(thread) => ("start", format!("{text} starts thread {thread}")),
        What::Folded(steps) => ("call", format!("{text} … returns after {steps} steps")),
        What::Gap(lines) => ("gap", format!("{lines} lines are left out here")),
        What::Violation => ("violation", text),
    };
    let given = line.given.iter().map(|value| change(program, value.variable, value.value, line.thread));
    let changes = line
        .changes
        .iter()
        .map(|it| change(program, it.variable, it.after, it.thread.unwrap_or(line.thread)));
    Step {
        thread: line.thread,
        procedure: program.procedures[node.procedure].name.to_string(),
        place: Some(spot(report, line.span)),
        depth: line.depth,
        kind: kind.to_owned(),
        text,
        changes: given.chain(changes).collect(),
        predicates: Vec::new(),
    }
}

fn change(program: &Program, variable: VariableId, value: bool, thread: usize) -> Change {
    let thread = (!program.is_global(variable)).then_some(thread);
    let name = program.variables[variable].name.to_string();
    Change { name, value: u8::from(value).to_string(), thread }
}
