//! The text side of drivers: rules, maps, and that what is built in is what stands in the folders.

use super::kernel::{HEADERS, MODELS, RULES};
use super::rule::{Rule, When};
use super::scan::scan;
use super::text::functions;
use std::path::Path;

fn files(folder: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("drivers").join(folder);
    let mut open = vec![root.clone()];
    let mut found = Vec::new();
    while let Some(path) = open.pop() {
        for entry in std::fs::read_dir(path).expect("the folder is there").flatten() {
            let path = entry.path();
            match path.is_dir() {
                true => open.push(path),
                false => found.push(path.strip_prefix(&root).expect("below").display().to_string()),
            }
        }
    }
    found.sort();
    found
}

#[test]
fn what_is_built_in_stands_in_the_folders() {
    let names = |list: &[(&str, &str)], ending: &str| -> Vec<String> {
        list.iter().map(|(name, _)| format!("{name}{ending}")).collect()
    };
    assert_eq!(names(HEADERS, ""), files("kernel/include"));
    assert_eq!(names(MODELS, ""), files("kernel/model"));
    assert_eq!(names(RULES, ".rule"), files("rules"));
}

#[test]
fn every_rule_is_one() {
    for (name, text) in RULES {
        let rule = Rule::parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(&rule.name, name);
        assert!(!rule.title.is_empty());
    }
}

#[test]
fn every_event_of_a_rule_is_a_function_of_the_kernel() {
    let kernel = super::closure::Kernel::built_in();
    for (name, text) in RULES {
        let rule = Rule::parse(text).expect("a rule");
        for event in rule.events() {
            assert!(kernel.function(event).is_some(), "{name}: there is no function {event}");
        }
    }
}

#[test]
fn a_rule_has_state_and_handlers() {
    let text = "# prose\nrule r: a title\nstate int n = 0;\non [f, g].exit watch $1 {\n\tif (n) { n = 0; }\n}\non h.entry { n++; }\n";
    let rule = Rule::parse(text).expect("a rule");
    assert_eq!((rule.handlers.len(), rule.state.as_str()), (2, "static int n = 0;\n"));
    assert_eq!(rule.handlers[0].when, When::Exit);
    assert_eq!(rule.handlers[0].functions, ["f", "g"]);
}

#[test]
fn what_is_no_rule_is_refused_with_its_line() {
    let line = |text: &str| Rule::parse(text).map_err(|error| error.line);
    assert_eq!(line("rule r: t\nstate int n"), Err(2));
    assert_eq!(line("rule r: t\non f { }"), Err(2));
    assert_eq!(line("rule r: t\non f.entry {"), Err(2));
    assert_eq!(line("rule r: t\nwhen f"), Err(2));
    assert_eq!(line(""), Err(1));
}

#[test]
fn entry_points_follow_registration() {
    let source = "static int a(void) { return b(); }\nstatic int b(void) { return 0; }\n\
        static void c(int x) { }\nstatic struct o t = { .open = a, .close = __exit_p(c) };\n\
        int i(void) { request_irq(1, b, 0, 0, 0); p->handler = c; return 0; }\nmodule_init(i);\n";
    let map = scan(source);
    let found: Vec<String> =
        map.entries.iter().map(|entry| format!("{} {}", entry.function, entry.by)).collect();
    assert_eq!(found, ["a .open", "c .close", "b request_irq", "c .handler", "i module_init"]);
}

#[test]
fn definitions_are_cut_out_whole() {
    let (found, others) = functions(
        "int x;\nint f(int a, void (*g)(int)) { return a; }\nvoid h(void) {\n\tx = 1;\n}\nint y;\n",
    );
    assert_eq!(found.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(), ["f", "h"]);
    assert_eq!(found[0].parameters().into_iter().map(|(_, name)| name).collect::<Vec<_>>(), ["a", "g"]);
    assert_eq!(others, "int x;\nint y;\n");
}
