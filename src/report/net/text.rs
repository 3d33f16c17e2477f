//! The report about a net as text.

use super::{COVER, NetReport, Rules, changes, question, state_text, target_text, tokens_text, unbounded};
use crate::ground::verdict::Verdict;
use crate::report::story::Length;
use crate::report::text::{Colors, assumptions_line, columns, figures, result_line, statistics_line};
use crate::report::{Usage, grouped};
use crate::system::net::{Configuration, Net, NetTrace};

/// How wide a rule may get.
const RULE_WIDTH: usize = 56;
/// How many steps a short report tells.
const TOLD_IN_SHORT: usize = 60;

/// The whole report.
#[must_use]
pub fn report(report: &NetReport<'_>, colors: Colors) -> String {
    let mut out = verdict(report, colors);
    if let (Some(length), Verdict::Violated(trace), Some(net)) =
        (report.trace, &report.outcome.verdict, report.net)
    {
        out.push('\n');
        out.push_str(&counterexample(report, net, trace, length, colors));
    }
    out.push('\n');
    out.push_str(&format!("engine: {}\n", report.outcome.engine));
    out.push_str(&statistics_line(&report.outcome.statistics));
    if let Some(usage) = report.usage {
        out.push_str(&columns(rows_of_figures(report, usage)));
    }
    out.push_str(&assumptions_line(&report.outcome.assurance));
    out.push_str(&result_line(&report.outcome.overall(), colors));
    out
}

fn verdict(report: &NetReport<'_>, colors: Colors) -> String {
    let (word, text) = match (&report.outcome.verdict, report.net) {
        (Verdict::Unknown(reason), None) => ("unknown", format!("({reason})")),
        (Verdict::Unknown(reason), Some(net)) => ("unknown", format!("{}   ({reason})", question(net))),
        (Verdict::Holds, net) => ("holds", net.map_or_else(String::new, question)),
        (Verdict::Violated(trace), net) => {
            let target = net.and_then(|net| Some(target_text(net, net.targets.get(trace.target)?)));
            ("violated", target.unwrap_or_default())
        }
    };
    let word = format!("{word:8}");
    format!("{COVER}  {}  {text}\n", colors.verdict(&word, word.trim_end()))
}

fn counterexample(
    report: &NetReport<'_>,
    net: &Net,
    trace: &NetTrace,
    length: Length,
    colors: Colors,
) -> String {
    let steps = match trace.steps.len() {
        1 => "1 step".to_owned(),
        count => format!("{} steps", grouped(count as u64)),
    };
    let head = colors.paint(&format!("counterexample to {COVER}, {steps}:"), "1");
    let mut rows = vec![vec![String::new(), "(initially)".to_owned(), initially(net, &trace.initial)]];
    let rules = Rules::new(report.source, report.format);
    let before = std::iter::once(&trace.initial).chain(trace.steps.iter().map(|(_, after)| after));
    for (number, ((transition, after), before)) in trace.steps.iter().zip(before).enumerate() {
        let gap = length == Length::Short && trace.steps.len() > TOLD_IN_SHORT;
        if gap && (TOLD_IN_SHORT / 2..trace.steps.len() - TOLD_IN_SHORT / 2).contains(&number) {
            if number == TOLD_IN_SHORT / 2 {
                let left = grouped((trace.steps.len() - TOLD_IN_SHORT) as u64);
                rows.push(vec![String::new(), format!("… {left} steps not shown; see --trace full")]);
            }
            continue;
        }
        let transition = &net.transitions[*transition];
        let width = if length == Length::Full { usize::MAX / 8 } else { RULE_WIDTH };
        let mut news = news(net, before, after);
        if length == Length::Full {
            news = format!("{}   ({news})", state_text(net, after.control, &after.tokens));
        }
        rows.push(vec![format!("{:>6}", transition.line), rules.text(transition, width), news]);
    }
    format!("{head}\n{}", columns(rows))
}

/// The start of a run; where any number of tokens may be, that is said.
fn initially(net: &Net, start: &Configuration) -> String {
    let unbounded = unbounded(net, start);
    let tokens = start.tokens.iter().map(|&(place, count)| {
        let text = tokens_text(net, place, count);
        if unbounded.contains(&place) { format!("{text} of any number") } else { text }
    });
    let tokens = tokens.collect::<Vec<_>>().join(", ");
    let tokens = if tokens.is_empty() { "nothing".to_owned() } else { tokens };
    if net.controls.len() == 1 { tokens } else { format!("{} | {tokens}", net.controls.name(start.control)) }
}

/// What a step changes.
fn news(net: &Net, before: &Configuration, after: &Configuration) -> String {
    let mut parts = Vec::new();
    if before.control != after.control {
        let (before, after) = (net.controls.name(before.control), net.controls.name(after.control));
        parts.push(format!("{before} -> {after} |"));
    }
    let tokens = changes(before, after);
    parts.extend(
        tokens
            .iter()
            .map(|(place, before, after)| format!("{}: {before} -> {after}", net.places.name(*place))),
    );
    parts.join("  ")
}

fn rows_of_figures(report: &NetReport<'_>, usage: Usage) -> Vec<Vec<String>> {
    let sizes = report.net.map(|net| {
        [
            ("control states", net.controls.len()),
            ("places", net.places.len()),
            ("transitions", net.transitions.len()),
        ]
    });
    let sizes: Vec<(&'static str, u64)> =
        sizes.into_iter().flatten().map(|(name, size)| (name, size as u64)).collect();
    figures(usage, &sizes, &report.outcome.statistics)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_step_changes_is_told() {
        let source = crate::ground::source::SourceFile::new("x.tts", "2 3\n0 0 -> 1 2");
        let net = crate::system::tts::parse(&source).expect("it is well-formed");
        let state = |text| {
            let state = crate::system::tts::parse_initial(&net, text).expect("it is well-formed");
            Configuration { control: state.control, tokens: state.tokens }
        };
        assert_eq!(news(&net, &state("0|0,0"), &state("1|0,2")), "0 -> 1 |  0: 2 -> 1  2: 0 -> 1");
        assert_eq!(initially(&net, &state("1|0,0,2")), "1 | 0×2, 2");
    }
}
