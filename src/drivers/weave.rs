//! A rule as C. In place of each kernel function that the rule watches and the driver uses stands a function of the same name,
//! which runs the handlers around the model. The models call each other by other names, so a rule sees what the driver does.

use super::closure::Kernel;
use super::rule::{Handler, MOMENTS, Object, Rule, When};
use super::text::Function;
use std::collections::BTreeSet;

/// A rule that was woven in.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Woven {
    /// The functions that it replaces.
    pub replaced: BTreeSet<String>,
    /// The text.
    pub text: String,
    /// The texts of its violations: the function of number n is `boolero_violation_n`.
    pub violations: Vec<String>,
}

/// How the functions begin that are called when a rule is violated.
pub const VIOLATION: &str = "boolero_violation_";

/// Weaves a rule into what is reached.
pub fn weave(rule: &Rule, kernel: &Kernel, reached: &BTreeSet<String>) -> Woven {
    let mut woven = Woven::default();
    let mut functions = String::new();
    for moment in MOMENTS {
        let (entry, exit) = woven.handlers(rule, moment, None);
        functions.push_str(&format!("void {moment}(void) {{\n{}{entry}{exit}}}\n", outermost(moment)));
    }
    for event in rule.events() {
        let Some(function) = kernel.function(event).filter(|function| reached.contains(&function.name))
        else {
            continue;
        };
        let text = woven.function(rule, event, function);
        functions.push_str(&text);
        woven.replaced.insert(function.name.clone());
    }
    let declarations: String =
        (0..woven.violations.len()).map(|at| format!("extern void {VIOLATION}{at}(void);\n")).collect();
    let watched = if rule.watches() { "static const volatile void *boolero_watched;\n" } else { "" };
    woven.text = format!(
        "#include <linux/kernel.h>\n#include <boolero/all.h>\n#include <boolero/moments.h>\nstatic int boolero_depth;\n{declarations}{watched}{}{functions}",
        rule.state
    );
    woven
}

/// Where one callback interrupts another, only the outer one begins and returns: it may hold a lock while it waits.
fn outermost(moment: &str) -> &'static str {
    match moment {
        "callback_enter" => "\tif (boolero_depth++)\n\t\treturn;\n",
        "callback_return" => "\tif (--boolero_depth)\n\t\treturn;\n",
        _ => "",
    }
}

impl Woven {
    /// The handlers at the entry and at the exit of a function.
    fn handlers(&mut self, rule: &Rule, event: &str, function: Option<&Function>) -> (String, String) {
        let (mut entry, mut exit) = (String::new(), String::new());
        for handler in
            rule.handlers.iter().filter(|handler| handler.functions.iter().any(|name| name == event))
        {
            let text = self.handler(handler, function);
            match handler.when {
                When::Entry => entry.push_str(&text),
                When::Exit => exit.push_str(&text),
            }
        }
        (entry, exit)
    }

    fn handler(&mut self, handler: &Handler, function: Option<&Function>) -> String {
        let body = self.aborts(&arguments(&handler.body, function)).replace("halt;", "__VERIFIER_assume(0);");
        let guarded = |which: &str, choose: bool| {
            let object = arguments(which, function);
            let choice = if choose {
                format!(
                    "\tif (!boolero_watched && ({object}) && boolero_any())\n\t\tboolero_watched = (const void *)({object});\n"
                )
            } else {
                String::new()
            };
            format!(
                "{choice}\tif (boolero_watched && boolero_watched == (const void *)({object})) {{\n\t\t{body}\n\t}}\n"
            )
        };
        match &handler.object {
            Object::Any => format!("\t{{\n\t\t{body}\n\t}}\n"),
            Object::Watch(which) => guarded(which, true),
            Object::For(which) => guarded(which, false),
        }
    }

    /// `abort "text";` becomes a call of a function of its own.
    fn aborts(&mut self, body: &str) -> String {
        let mut out = String::new();
        let mut rest = body;
        while let Some(at) = rest.find("abort \"") {
            let text = &rest[at + 7..];
            let Some(end) = text.find('"') else { break };
            out.push_str(&rest[..at]);
            out.push_str(&format!("{VIOLATION}{}()", self.violations.len()));
            self.violations.push(text[..end].to_owned());
            rest = &text[end + 1..];
        }
        out + rest
    }

    fn function(&mut self, rule: &Rule, event: &str, function: &Function) -> String {
        let (entry, exit) = self.handlers(rule, event, Some(function));
        let (name, returns) = (&function.name, function.returns());
        let given: Vec<String> = function.parameters().into_iter().map(|(_, name)| name).collect();
        let call = format!("boolero_model_{name}({})", given.join(", "));
        let (before, after) = match returns {
            "void" => (String::new(), String::new()),
            _ => (format!("{returns} boolero_return = "), "\treturn boolero_return;\n".to_owned()),
        };
        format!(
            "extern __typeof__({name}) boolero_model_{name};\n{} {{\n{entry}\t{before}{call};\n{exit}{after}}}\n",
            function.head
        )
    }
}

/// `$1` and its like, and `$return`.
fn arguments(text: &str, function: Option<&Function>) -> String {
    let mut text = text.replace("$return", "boolero_return");
    let parameters = function.map(Function::parameters).unwrap_or_default();
    for (at, (_, name)) in parameters.iter().enumerate().rev() {
        text = text.replace(&format!("${}", at + 1), name);
    }
    text
}
