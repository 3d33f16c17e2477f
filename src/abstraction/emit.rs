//! The Boolean program as syntax: control flow, declarations, comments.
//!
//! A location is a label; where several edges leave it, a `goto` to one label each. Places in the syntax are not
//! places of a text: the start of a span is the number of an [`Origin`], from 1. With threads there is one procedure
//! for all that threads run, which `main` calls, and which new threads start with.

use super::edges::end_of_all;
use super::exclusions::{Exclusion, clause};
use super::signature::Signature;
use super::threads::Threads;
use super::tracking::Tracking;
use super::variables::{Expression, Variable, syntax};
use super::{Goal, Origin, Part, Pieces};
use crate::boolean::ast::{
    At, Block, Declaration, Name, Procedure, Program as Syntax, Statement, StatementKind, Trivia,
};
use crate::boolean::parse::is_keyword;
use crate::ground::index::{Index, IndexVec};
use crate::ground::source::Span;
use crate::predicate::{Precision, PredicateId};
use crate::program::names::ProgramNames;
use crate::program::{EdgeId, LocationId, ProcedureId, Program};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// Names of procedures: those of C as far as they can be. Where execution starts is `main`.
pub(super) fn procedure_names(program: &Program) -> IndexVec<ProcedureId, Name> {
    if program.starts_threads() {
        return IndexVec::filled(Name::new("thread"), program.procedures.len());
    }
    let mut taken: BTreeSet<String> = BTreeSet::from(["main".into()]);
    let mut names = IndexVec::new();
    for (id, procedure) in program.procedures.enumerate() {
        if id == program.entry {
            names.push(Name::new("main"));
            continue;
        }
        let allowed = |character: char| match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => character,
            _ => '_',
        };
        let mut name: String = procedure.name.chars().map(allowed).collect();
        if name == "main" {
            name = "main_of_c".into();
        } else if is_keyword(&name)
            || name.ends_with("choose")
            || !name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        {
            name.insert_str(0, "c_");
        }
        let mut distinct = name.clone();
        let mut number = 2;
        while !taken.insert(distinct.clone()) {
            distinct = format!("{name}_{number}");
            number += 1;
        }
        names.push(Name::new(&distinct));
    }
    names
}

/// What the syntax is made of.
pub(super) struct Emitter<'a> {
    pub program: &'a Program,
    pub precision: &'a Precision,
    pub tracking: &'a Tracking,
    pub signatures: &'a IndexVec<ProcedureId, Signature>,
    pub names: &'a IndexVec<ProcedureId, Name>,
    pub pieces: &'a IndexVec<ProcedureId, Pieces>,
    /// What excludes each other at the entries.
    pub entries: &'a IndexVec<ProcedureId, Rc<Vec<Exclusion>>>,
    pub threads: Option<&'a Threads>,
    pub texts: ProgramNames<'a>,
    pub origins: Vec<Origin>,
    pub goals: Vec<Goal>,
}

impl Emitter<'_> {
    /// The whole program.
    pub fn program(&mut self) -> Syntax {
        let globals = self.tracking.global().iter().map(|&id| self.declaration(id)).collect();
        let procedures = match self.threads {
            Some(threads) => vec![self.first_thread(threads), self.thread(threads)],
            None => self.program.procedures.ids().map(|id| self.procedure(id)).collect(),
        };
        Syntax { globals, procedures, end: Vec::new() }
    }

    /// `main`, which is the first thread.
    fn first_thread(&self, threads: &Threads) -> Procedure {
        let entry = self.program.entry;
        let at = self.program.procedures[entry].entry;
        let arguments = threads.arguments((entry, at), &[], Vec::new());
        let procedure = self.names[entry].clone();
        let call = StatementKind::Call { results: Vec::new(), procedure, arguments };
        let statements = vec![plain(Vec::new(), call)];
        bare_procedure(Name::new("main"), Vec::new(), statements)
    }

    /// What all threads run: first they go to the part that is theirs.
    fn thread(&mut self, threads: &Threads) -> Procedure {
        let start = |template: ProcedureId| Name::new(&format!("S{}", template.index()));
        let starts = threads.templates.iter().map(|&template| start(template)).collect();
        let mut statements = vec![plain(Vec::new(), StatementKind::Goto(starts))];
        for &template in &threads.templates {
            let name = Self::comment(&self.program.procedures[template].name);
            let flag = StatementKind::Assume(syntax(threads.flag(template).now()));
            let mut first = plain(vec![start(template)], flag);
            (first.trivia.blank_before, first.trivia.after) = (true, Some(name));
            statements.push(first);
            statements.extend(self.body(template));
        }
        let mut thread =
            bare_procedure(self.names[self.program.entry].clone(), threads.parameters(), statements);
        for &template in &threads.templates {
            for &id in self.tracking.local(template) {
                let name = Variable::Predicate(id).name().text;
                match threads.given.contains(&(template, id)) {
                    true => thread.trivia.before.push(Self::comment(&format!("{name}: {}", self.text(id)))),
                    false => thread.locals.push(self.declaration(id)),
                }
            }
        }
        thread
    }

    /// A comment of one line.
    fn comment(text: &str) -> Arc<str> {
        let line: String = text.chars().map(|it| if it.is_control() { ' ' } else { it }).take(300).collect();
        format!("// {}", line.trim()).trim_end().into()
    }

    fn text(&self, id: PredicateId) -> String {
        self.texts.term(self.precision.predicates[id].term)
    }

    fn declaration(&self, id: PredicateId) -> Declaration {
        let after = Some(Self::comment(&self.text(id)));
        let variables = vec![(Variable::Predicate(id).name(), None)];
        Declaration { variables, trivia: Trivia { after, ..Trivia::default() } }
    }

    fn procedure(&mut self, id: ProcedureId) -> Procedure {
        let Signature { formal, returned } = &self.signatures[id];
        let locals = self.tracking.local(id).iter().filter(|local| !formal.contains(local));
        let mut locals: Vec<Declaration> = locals.map(|&local| self.declaration(local)).collect();
        locals.extend(self.temporaries(id));
        let mut before = vec![Self::comment(&self.program.procedures[id].name)];
        for &formal in formal {
            let name = Variable::Predicate(formal).name().text;
            before.push(Self::comment(&format!("{name}: {}", self.text(formal))));
        }
        let blank_before = id.index() > 0 || !self.tracking.global().is_empty();
        Procedure {
            name: self.names[id].clone(),
            returns: returned.len(),
            parameters: formal.iter().map(|&id| Variable::Predicate(id).name()).collect(),
            locals,
            enforce: Vec::new(),
            trivia: Trivia { blank_before, before, after: None },
            end: At::default(),
            body: Block { statements: self.body(id), end: Vec::new() },
        }
    }

    /// Variables for what calls return and are given, and for what they may change.
    fn temporaries(&self, id: ProcedureId) -> Option<Declaration> {
        let mut used = BTreeSet::new();
        for piece in self.pieces[id].iter().flat_map(|pieces| pieces.iter()) {
            let names: Vec<&Name> = match (&piece.kind, piece.part) {
                (StatementKind::Call { results, .. }, _) => results.iter().flatten().collect(),
                (StatementKind::Assign { targets, .. }, Part::Prepare) => targets.iter().collect(),
                _ => Vec::new(),
            };
            used.extend(names.into_iter().map(|name| (name.text.len(), name.text.clone())));
        }
        let variables: Vec<_> = used.into_iter().map(|(_, text)| (Name::new(&text), None)).collect();
        (!variables.is_empty()).then(|| Declaration { variables, trivia: Trivia::default() })
    }

    fn body(&mut self, id: ProcedureId) -> Vec<Statement> {
        let procedure = &self.program.procedures[id];
        let mut outgoing: IndexVec<LocationId, Vec<EdgeId>> =
            IndexVec::filled(Vec::new(), procedure.locations.len());
        for (edge, contents) in procedure.edges.enumerate() {
            outgoing[contents.from].push(edge);
        }
        let mut statements = Vec::new();
        if !self.entries[id].is_empty() {
            let clauses = self.entries[id].iter().map(|it| clause(it, Variable::now));
            let kind = StatementKind::Assume(syntax(Expression::conjunction(clauses)));
            statements.push(plain(Vec::new(), kind));
        }
        let others = procedure.locations.ids().filter(|&location| location != procedure.entry);
        for location in std::iter::once(procedure.entry).chain(others) {
            self.location(id, location, &outgoing[location], &mut statements);
        }
        statements
    }

    fn location(
        &mut self,
        id: ProcedureId,
        location: LocationId,
        edges: &[EdgeId],
        statements: &mut Vec<Statement>,
    ) {
        let here = vec![self.label(id, location)];
        if location == self.program.procedures[id].exit {
            if self.threads.is_some() && id == self.program.entry {
                let mut labels = here;
                let end = end_of_all().map(|kind| plain(std::mem::take(&mut labels), kind));
                statements.extend(end);
                return;
            }
            if self.threads.is_some() {
                statements.push(plain(here, StatementKind::Return(Vec::new())));
                return;
            }
            let returned = &self.signatures[id].returned;
            let values = returned.iter().map(|&id| syntax(Variable::Predicate(id).now())).collect();
            statements.push(plain(here, StatementKind::Return(values)));
            return;
        }
        match edges {
            [] => statements.push(plain(here, StatementKind::Assume(syntax(Expression::constant(false))))),
            [only] => self.edge(id, *only, here, statements),
            several => {
                let labels: Vec<Name> = several.iter().map(|&edge| self.edge_label(id, edge)).collect();
                statements.push(plain(here, StatementKind::Goto(labels.clone())));
                for (&edge, label) in several.iter().zip(labels) {
                    self.edge(id, edge, vec![label], statements);
                }
            }
        }
    }

    fn label(&self, procedure: ProcedureId, location: LocationId) -> Name {
        Name::new(&format!("{}L{}", self.prefix(procedure), location.index()))
    }

    fn edge_label(&self, procedure: ProcedureId, edge: EdgeId) -> Name {
        Name::new(&format!("{}E{}", self.prefix(procedure), edge.index()))
    }

    /// Templates stand in one procedure.
    fn prefix(&self, procedure: ProcedureId) -> String {
        self.threads.map_or_else(String::new, |_| format!("T{}_", procedure.index()))
    }

    fn edge(
        &mut self,
        procedure: ProcedureId,
        edge: EdgeId,
        mut labels: Vec<Name>,
        statements: &mut Vec<Statement>,
    ) {
        let pieces = self.pieces[procedure][edge].clone();
        let mut after = self.lines(procedure, edge);
        for piece in pieces.iter() {
            self.origins.push(Origin { procedure, edge, part: piece.part });
            if piece.part == Part::Violated {
                self.goals.push(self.goal(procedure, edge));
            }
            let number = self.origins.len();
            statements.push(Statement {
                labels: std::mem::take(&mut labels),
                kind: piece.kind.clone(),
                at: At(Span::new(number, number)),
                trivia: Trivia { after: after.take(), ..Trivia::default() },
            });
        }
        let to = self.program.procedures[procedure].edges[edge].to;
        statements.push(plain(Vec::new(), StatementKind::Goto(vec![self.label(procedure, to)])));
    }

    fn goal(&self, procedure: ProcedureId, edge: EdgeId) -> Goal {
        match self.program.procedures[procedure].edges[edge].property {
            Some(property) => Goal::Property(property),
            None => Goal::Unsupported(procedure, edge),
        }
    }

    /// The lines of C of an edge.
    fn lines(&self, procedure: ProcedureId, edge: EdgeId) -> Option<Arc<str>> {
        let places = &self.program.procedures[procedure].edges[edge].places;
        let (first, last) = (places.first()?, places.last()?);
        let file = self.program.files.get(first.file)?;
        let file = file.rsplit('/').next().unwrap_or(file);
        let lines = match first.file == last.file && first.line < last.line {
            true => format!("{file}:{}-{}", first.line, last.line),
            false => format!("{file}:{}", first.line),
        };
        Some(Self::comment(&lines))
    }
}

fn plain(labels: Vec<Name>, kind: StatementKind) -> Statement {
    Statement { labels, kind, at: At::default(), trivia: Trivia::default() }
}

/// A procedure with nothing declared.
fn bare_procedure(name: Name, parameters: Vec<Name>, statements: Vec<Statement>) -> Procedure {
    Procedure {
        name,
        returns: 0,
        parameters,
        locals: Vec::new(),
        enforce: Vec::new(),
        trivia: Trivia { blank_before: true, before: Vec::new(), after: None },
        end: At::default(),
        body: Block { statements, end: Vec::new() },
    }
}
