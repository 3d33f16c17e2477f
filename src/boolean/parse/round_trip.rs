//! Printing any syntax and parsing it gives it back; any text is read or refused.

use super::super::ast::{
    At, Block, Declaration, Expression, Name, Procedure, Program, Reference, Statement, StatementKind, Trivia,
};
use super::super::expression::{Binary, Expression as Postfix, Item};
use super::super::print::print;
use super::grammar::{Grammar, Rule};
use super::parse;
use super::tests::render;
use crate::ground::source::SourceFile;
use pest::Parser;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use std::sync::Arc;

fn name() -> impl Strategy<Value = Name> {
    let names = ["x", "y", "T1", "a.b", "$c", "d#$", "{x==0}", "{p->q}$", "call", "choose", "endif", "int"];
    prop::sample::select(names.to_vec()).prop_map(Name::new)
}

fn label() -> impl Strategy<Value = Name> {
    prop::sample::select(vec!["l", "L2", "17", "0", "SLIC_ERROR", "call"]).prop_map(Name::new)
}

fn item() -> impl Strategy<Value = Item<Reference>> {
    prop_oneof![
        any::<bool>().prop_map(Item::Constant),
        Just(Item::Choice),
        (name(), any::<bool>()).prop_map(|(name, next)| Item::Variable(Reference { name, next })),
        Just(Item::Not),
        prop::sample::select(Binary::ALL.to_vec()).prop_map(Item::Binary),
        Just(Item::Schoose),
    ]
}

/// Any items make an expression: operators without operands are left out, and conjunctions join the rest.
fn expression() -> impl Strategy<Value = Expression> {
    vec(item(), 1..12).prop_map(|items| {
        let mut kept = Vec::new();
        let mut depth = 0;
        for item in items {
            if item.arity() <= depth {
                depth = depth - item.arity() + 1;
                kept.push(item);
            }
        }
        if depth == 0 {
            kept.push(Item::Choice);
        }
        kept.extend((1..depth).map(|_| Item::Binary(Binary::And)));
        let body = Postfix::from_postfix(kept).expect("depth is one in the end");
        Expression { body, at: At::default() }
    })
}

fn comment() -> impl Strategy<Value = Arc<str>> {
    prop::sample::select(vec!["// c", "//", "/* b */", "/* two\n   lines */", "// /* é", "/**/"])
        .prop_map(Arc::from)
}

/// Comments, with a blank line between some of them.
fn comments() -> impl Strategy<Value = Vec<Arc<str>>> {
    vec((comment(), any::<bool>()), 0..3).prop_map(|list| {
        let blank = |blank: bool| blank.then(|| Arc::from(""));
        list.into_iter().flat_map(|(comment, after)| [Some(comment), blank(after)]).flatten().collect()
    })
}

fn end_comments() -> impl Strategy<Value = Vec<Arc<str>>> {
    comments().prop_map(|mut list| {
        list.reverse();
        list
    })
}

fn trivia() -> impl Strategy<Value = Trivia> {
    let some = (any::<bool>(), comments(), option::of(comment()));
    prop_oneof![
        2 => Just(Trivia::default()),
        1 => some.prop_map(|(blank_before, before, after)| Trivia { blank_before, before, after }),
    ]
}

fn block(statement: impl Strategy<Value = Statement>) -> impl Strategy<Value = Block> {
    (vec(statement, 0..4), end_comments()).prop_map(|(statements, end)| Block { statements, end })
}

fn simple() -> impl Strategy<Value = StatementKind> {
    let values = || vec(expression(), 0..3);
    prop_oneof![
        Just(StatementKind::Skip),
        vec(label(), 1..3).prop_map(StatementKind::Goto),
        values().prop_map(StatementKind::Return),
        (vec(name(), 1..3), vec(expression(), 1..3), option::of(expression()))
            .prop_map(|(targets, values, constrain)| StatementKind::Assign { targets, values, constrain }),
        (vec(option::of(name()), 0..3), name(), values()).prop_map(|(results, procedure, arguments)| {
            StatementKind::Call { results, procedure, arguments }
        }),
        expression().prop_map(StatementKind::Assume),
        expression().prop_map(StatementKind::Assert),
        expression().prop_map(StatementKind::AbortIf),
        vec(name(), 1..3).prop_map(StatementKind::Dead),
        values().prop_map(StatementKind::Print),
        label().prop_map(StatementKind::StartLabel),
        (name(), values())
            .prop_map(|(procedure, arguments)| StatementKind::StartThread { procedure, arguments }),
        Just(StatementKind::EndThread),
        Just(StatementKind::AtomicBegin),
        Just(StatementKind::AtomicEnd),
    ]
}

fn labelled(kind: impl Strategy<Value = StatementKind>) -> impl Strategy<Value = Statement> {
    (vec(label(), 0..3), kind, trivia()).prop_map(|(labels, kind, trivia)| Statement {
        labels,
        kind,
        at: At::default(),
        trivia,
    })
}

fn statement() -> impl Strategy<Value = Statement> {
    labelled(simple()).prop_recursive(3, 24, 4, |inner| {
        let branches = vec((expression(), block(inner.clone())), 1..3);
        let branch = (branches, option::of(block(inner.clone())))
            .prop_map(|(branches, otherwise)| StatementKind::If { branches, otherwise });
        let repeat = (expression(), block(inner))
            .prop_map(|(condition, body)| StatementKind::While { condition, body });
        prop_oneof![labelled(branch), labelled(repeat)]
    })
}

fn declaration() -> impl Strategy<Value = Declaration> {
    (vec((name(), option::of(expression())), 1..3), trivia())
        .prop_map(|(variables, trivia)| Declaration { variables, trivia })
}

fn procedure() -> impl Strategy<Value = Procedure> {
    let head = (name(), 0..4usize, vec(name(), 0..3), trivia());
    (head, vec(declaration(), 0..3), vec(expression(), 0..2), block(statement())).prop_map(
        |((name, returns, parameters, trivia), locals, enforce, body)| {
            let end = At::default();
            Procedure { name, returns, parameters, locals, enforce, body, trivia, end }
        },
    )
}

fn whole() -> impl Strategy<Value = Program> {
    (vec(declaration(), 0..3), vec(procedure(), 0..3), end_comments())
        .prop_map(|(globals, procedures, end)| Program { globals, procedures, end })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn parsing_the_printed_program_gives_it_back(program in whole()) {
        let text = print(&program);
        let file = SourceFile::new("printed.bp", text.clone());
        match parse(&file) {
            Ok(again) => prop_assert_eq!(&again, &program, "{}", text),
            Err(errors) => prop_assert!(false, "{}\n{}", text, render(&file, &errors)),
        }
        prop_assert!(Grammar::parse(Rule::program, &text).is_ok());
    }

    #[test]
    fn any_text_ends_in_a_program_or_a_message(text in "[a-z:=;(){}'!*/ \n]{0,60}|((if|then|fi|else|end|begin|void f\\(\\)|decl|x|:=|;|T|while|do|od|l:|,|//|\n) ){0,30}") {
        let file = SourceFile::new("any.bp", text.clone());
        match parse(&file) {
            Ok(program) => {
                let printed = print(&program);
                prop_assert_eq!(parse(&SourceFile::new("again.bp", printed)), Ok(program));
            }
            Err(errors) => prop_assert!(!errors.is_empty()),
        }
    }
}
