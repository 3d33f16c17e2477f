//! Operations as text: the part of [`text`](super::text) that names them one by one.

use super::text::Writer;
use super::{FloatComparison, Operation, Type, Wrap};

impl Writer<'_> {
    pub(super) fn operation(&self, operation: &Operation) -> String {
        let o = |operand| self.operand(operand);
        match operation {
            Operation::Binary { operator, left, right, wrap } => {
                format!("{}{} {}, {}", words(operator), flags(*wrap), o(left), o(right))
            }
            Operation::Compare { comparison, left, right } => {
                format!("{} {}, {}", words(comparison), o(left), o(right))
            }
            Operation::FloatBinary { operator, left, right } => {
                format!("float {} {}, {}", words(operator), o(left), o(right))
            }
            Operation::FloatCompare { comparison, left, right } => {
                format!("float {} {}, {}", relation(*comparison), o(left), o(right))
            }
            Operation::FloatNegate(value) => format!("float negate {}", o(value)),
            Operation::Cast { cast, value } => format!("{} {}", words(cast), o(value)),
            Operation::Select { condition, yes, no } => {
                format!("select {} ? {} : {}", o(condition), o(yes), o(no))
            }
            Operation::Phi(incoming) => {
                let all: Vec<String> = incoming
                    .iter()
                    .map(|(from, value)| format!("{}: {}", self.label(*from), o(value)))
                    .collect();
                format!("phi {}", all.join(", "))
            }
            Operation::Freeze(value) => format!("freeze {}", o(value)),
            Operation::Unsupported(what) => format!("unsupported: {what}"),
            _ => self.memory(operation),
        }
    }

    fn memory(&self, operation: &Operation) -> String {
        let o = |operand| self.operand(operand);
        match operation {
            Operation::Allocate { size, count, align } => {
                format!("allocate {size} × {}, align {align}", o(count))
            }
            Operation::Load { address, align, volatile, atomic } => {
                format!("load{} {}, align {align}", access(*volatile, *atomic), o(address))
            }
            Operation::Store { address, value, ty, align, volatile, atomic } => {
                let how = access(*volatile, *atomic);
                format!("store{how} {} as {ty} → {}, align {align}", o(value), o(address))
            }
            Operation::Offset { base, constant, terms, in_bounds, .. } => {
                let mut text = format!("offset{} {}", if *in_bounds { " in bounds" } else { "" }, o(base));
                if *constant != 0 || terms.is_empty() {
                    text +=
                        &format!(" {} {}", if *constant < 0 { '-' } else { '+' }, constant.unsigned_abs());
                }
                for (value, bits, scale) in terms {
                    text += &format!(" + {} (i{bits}) × {scale}", o(value));
                }
                text
            }
            Operation::AtomicUpdate { exchange, address, value } => {
                format!("atomic {} {}, {}", words(exchange), o(address), o(value))
            }
            Operation::CompareExchange { address, expected, new, ty, weak } => {
                let weak = if *weak { " weak" } else { "" };
                format!("compare exchange{weak} {}: {} → {} as {ty}", o(address), o(expected), o(new))
            }
            Operation::Fence => "fence".to_owned(),
            Operation::Extract { aggregate, path, .. } => format!("extract {} {path:?}", o(aggregate)),
            Operation::Insert { aggregate, value, path } => {
                format!("insert {} {path:?} := {}", o(aggregate), o(value))
            }
            Operation::Call { callee, arguments, copied } => {
                format!("call {}({})", self.callee(callee), self.arguments(arguments, copied))
            }
            Operation::Intrinsic { intrinsic, arguments } => {
                format!("intrinsic {}({})", words(intrinsic), self.arguments(arguments, &[]))
            }
            other => format!("{other:?}"),
        }
    }

    fn arguments(&self, arguments: &[(super::Operand, Type)], copied: &[Option<u64>]) -> String {
        let mut all = Vec::new();
        for (number, (argument, ty)) in arguments.iter().enumerate() {
            let mut text = self.operand(argument);
            if matches!(argument, super::Operand::Value(_)) {
                text = format!("{ty} {text}");
            }
            if let Some(Some(bytes)) = copied.get(number) {
                text += &format!(" copied {bytes}");
            }
            all.push(text);
        }
        all.join(", ")
    }
}

/// `UnsignedLess` as `unsigned less`.
fn words(name: &impl std::fmt::Debug) -> String {
    let mut text = String::new();
    for c in format!("{name:?}").chars() {
        if c.is_uppercase() && !text.is_empty() {
            text.push(' ');
        }
        text.extend(c.to_lowercase());
    }
    text
}

fn flags(wrap: Wrap) -> String {
    let names =
        [(wrap.signed, " nsw"), (wrap.unsigned, " nuw"), (wrap.exact, " exact"), (wrap.base, " signed")];
    names.iter().filter(|(holds, _)| *holds).map(|(_, name)| *name).collect()
}

fn access(volatile: bool, atomic: bool) -> String {
    let names = [(volatile, " volatile"), (atomic, " atomic")];
    names.iter().filter(|(holds, _)| *holds).map(|(_, name)| *name).collect()
}

/// `<=`, or `<=?` if it also holds where one side is not a number.
fn relation(comparison: FloatComparison) -> String {
    let signs = [
        (comparison.less, '<'),
        (comparison.greater, '>'),
        (comparison.equal, '='),
        (comparison.unordered, '?'),
    ];
    let text: String = signs.iter().filter(|(holds, _)| *holds).map(|(_, sign)| *sign).collect();
    if text.is_empty() { "never".to_owned() } else { text }
}
