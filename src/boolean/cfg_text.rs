//! Control-flow graphs as text: one line per node.
//!
//! ```text
//! void f(a)  locals b
//!   3  b := !a           -> 4
//!   4  return b
//! ```

use super::cfg::{
    Copy, Expression, Node, NodeId, Op, Procedure, ProcedureId, Program, Read, Target, Time, VariableId,
};
use super::expression_text::expression_text;
use crate::ground::index::Index;
use std::fmt::Write;

/// A readable dump of a program.
#[must_use]
pub fn cfg_text(program: &Program) -> String {
    let mut text = String::new();
    let names: Vec<&str> = program.globals().map(|id| program.variables[id].name.as_ref()).collect();
    if !names.is_empty() {
        line(&mut text, format_args!("globals {}", names.join(", ")));
    }
    line(&mut text, format_args!("entry {}", program.procedures[program.entry].name));
    // The nodes of one procedure stand together.
    let mut current = None;
    for (id, node) in program.nodes.enumerate() {
        if current != Some(node.procedure) {
            current = Some(node.procedure);
            line(&mut text, format_args!("\n{}", head(program, node.procedure)));
        }
        line(&mut text, format_args!("{}", node_line(program, id, node)));
    }
    text
}

fn line(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    writeln!(text, "{arguments}").expect("writing to a string does not fail");
}

fn head(program: &Program, id: ProcedureId) -> String {
    let procedure: &Procedure = &program.procedures[id];
    let names = |ids: &[VariableId]| {
        ids.iter().map(|&id| program.variables[id].name.as_ref()).collect::<Vec<_>>().join(", ")
    };
    let returns = match procedure.returns {
        0 => "void".into(),
        1 => "bool".into(),
        count => format!("bool<{count}>"),
    };
    let mut text = format!("{returns} {}({})", procedure.name, names(procedure.parameters()));
    let locals = names(&procedure.locals[procedure.parameter_count..]);
    if !locals.is_empty() {
        text.push_str("  locals ");
        text.push_str(&locals);
    }
    if let Some(enforce) = &procedure.enforce {
        text.push_str("  enforce ");
        text.push_str(&print_expression(program, enforce));
    }
    text
}

fn node_line(program: &Program, id: NodeId, node: &Node) -> String {
    let labels: String = node.labels.iter().map(|label| format!("{label}: ")).collect();
    let mut text = format!("{:5}  {labels}{}", id.index(), print_op(program, &node.op));
    if !node.successors.is_empty() {
        let targets: Vec<String> = node.successors.iter().map(|target| target.index().to_string()).collect();
        text = format!("{text:<50} -> {}", targets.join(", "));
    }
    let mut checked: Vec<&str> =
        node.forbidden.iter().map(|&id| program.properties[id].name.as_str()).collect();
    if let Op::Assert(_, property) = node.op {
        checked.push(&program.properties[property].name);
    }
    if !checked.is_empty() {
        text.push_str("   [");
        text.push_str(&checked.join(", "));
        text.push(']');
    }
    text
}

/// The text of an expression over the program's variables.
#[must_use]
pub fn print_expression(program: &Program, expression: &Expression) -> String {
    expression_text(expression, |read, text| append_read(program, *read, text))
}

fn append_read(program: &Program, read: Read, text: &mut String) {
    text.push_str(if read.time == Time::Next { "'" } else { "" });
    append_target(program, Target { variable: read.variable, copy: read.copy }, text);
}

fn append_target(program: &Program, target: Target, text: &mut String) {
    text.push_str(&program.variables[target.variable].name);
    text.push_str(if target.copy == Copy::Passive { "$" } else { "" });
}

/// The text of an operation, without its successors. Jumps are `skip`.
#[must_use]
pub fn print_op(program: &Program, op: &Op) -> String {
    let expression = |expression: &Expression| print_expression(program, expression);
    let list = |values: &[Expression]| values.iter().map(expression).collect::<Vec<_>>().join(", ");
    let application = |procedure: &ProcedureId, arguments: &[Expression]| {
        format!("{}({})", program.procedures[*procedure].name, list(arguments))
    };
    match op {
        Op::Skip => "skip".into(),
        Op::Assume(condition) => format!("assume({})", expression(condition)),
        Op::Assert(condition, _) => format!("assert({})", expression(condition)),
        Op::Assign { targets, values, constrain } => {
            let constrain =
                constrain.as_ref().map(|constraint| format!(" constrain {}", expression(constraint)));
            format!("{} := {}{}", target_list(program, targets), list(values), constrain.unwrap_or_default())
        }
        Op::Call { procedure, arguments, results } => {
            let call = application(procedure, arguments);
            if results.iter().all(Option::is_none) {
                call
            } else {
                format!("{} := {call}", result_list(program, results))
            }
        }
        Op::Return(values) if values.is_empty() => "return".into(),
        Op::Return(values) => format!("return {}", list(values)),
        Op::StartLabel(target) => format!("start_thread goto {}", target.index()),
        Op::StartThread { procedure, arguments } => {
            format!("start_thread {}", application(procedure, arguments))
        }
        Op::EndThread => "end_thread".into(),
        Op::AtomicBegin => "atomic_begin".into(),
        Op::AtomicEnd => "atomic_end".into(),
    }
}

fn target_list(program: &Program, targets: &[Target]) -> String {
    let mut text = String::new();
    for (position, &target) in targets.iter().enumerate() {
        text.push_str(if position > 0 { ", " } else { "" });
        append_target(program, target, &mut text);
    }
    text
}

fn result_list(program: &Program, results: &[Option<VariableId>]) -> String {
    let names = results.iter().map(|result| result.map_or("_", |id| program.variables[id].name.as_ref()));
    names.collect::<Vec<_>>().join(", ")
}
