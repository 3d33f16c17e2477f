//! Small programs with verdicts found by thinking, not by an engine: corners of the language, each in a line.
//!
//! Every engine must give these verdicts, so a mistake that all of them share shows here.

use super::backward::Backward;
use super::bounded::Bounded;
use super::explicit::{Bounds, Explicit};
use super::reducing::Reducing;
use super::summary::Summary;
use super::{Engine, Query, Run, Threads};
use crate::bdd::BackEnd;
use crate::boolean::check::{CheckOptions, check};
use crate::boolean::parse::parse;
use crate::certify::replay;
use crate::engine::Answer;
use crate::ground::event::Silent;
use crate::ground::limits::Limits;
use crate::ground::source::SourceFile;
use crate::system::template::Template;

/// Programs, and the properties that they violate.
const PROGRAMS: &[(&str, &str)] = &[
    (
        "void main() begin decl a,b,c; assert((a ^ b & c) = (a ^ (b & c)));
        assert((a | b ^ c) = (a | (b ^ c))); assert((a => b => c) = (a => (b => c)));
        assert((a => b <=> c) = ((a=>b) <=> c)); assert((a = b = c) = ((a=b)=c));
        assert((a != b = c) = ((a!=b)=c)); assert((a | b & c) = ((a|b)&c)); end",
        "main.assert.7",
    ),
    (
        "void main() begin decl a,b; assert((!a & b) = ((!a)&b)); assert((!a = b) = ((!a) = b));
        assert(~a | a); end",
        "",
    ),
    (
        "decl g;
      bool f() begin g := T; return F; end
      void main() begin g := T; g := f(); assert(!g); assert(g); end",
        "main.assert.2",
    ),
    (
        "decl g;
      bool f(x) begin g := !g; return x; end
      void main() begin decl o; o := g; g := f(g); assert(g = o); end",
        "",
    ),
    (
        "decl g;
      bool f(x) begin g := !x; return g; end
      void main() begin decl o; o := g; g := f(g); assert(g != o); end",
        "",
    ),
    (
        "decl g,h;
      bool<2> f() begin return h,g; end
      void main() begin decl a,b; a,b := g,h; g,h := f(); assert(g=b & h=a); end",
        "",
    ),
    (
        "bool f(x,y) begin if (x) then x := f(F,y); fi return x | y; end
      void main() begin decl r; r := f(T,F); assert(!r); r := f(T,T); assert(r); assert(!r);
        end",
        "main.assert.3",
    ),
    ("void f(x) begin x := !x; assert(x); end void main() begin decl a; a := F; f(a); assert(!a); end", ""),
    (
        "decl g := F;
      void main() begin if (!g) then g := T; main(); assert(g); else assert(!g); fi end",
        "main.assert.2",
    ),
    (
        "decl g;
      void main() begin decl l; l := g; if (*) then g := !g; main(); fi assert(l = g);
        end",
        "main.assert.1",
    ),
    ("void f() begin L: goto L; end void main() begin f(); assert(F); end", ""),
    (
        "void f() begin L: SLIC_ERROR: goto L; end
      void main() begin f(); assert(F); end",
        "f.label.SLIC_ERROR",
    ),
    (
        "decl g;
      void a() begin b(); end
      void b() begin if (*) then a(); else g := T; fi end
      void main() begin g := F; a(); assert(g); assert(!g); end",
        "main.assert.2",
    ),
    ("void a() begin b(); end void b() begin a(); end void main() begin a(); assert(F); end", ""),
    ("decl g; void f() begin g := F; end void main() begin enforce g; f(); assert(F); end", ""),
    (
        "decl g;
      void f() begin g := F; g := T; end
      void main() begin enforce g; f(); assert(F); end",
        "main.assert.1",
    ),
    ("decl g; void f() begin enforce g; skip; end void main() begin g := F; f(); assert(F); end", ""),
    ("decl g; void f() begin enforce g; g := F; end void main() begin g := T; f(); assert(F); end", ""),
    (
        "decl g;
      void f() begin enforce g; g := F; return; end
      void main() begin g := T; f(); assert(F); end",
        "",
    ),
    ("void main() begin decl x; enforce x; assert(x); x := F; SLIC_ERROR: assert(F); end", ""),
    ("void main() begin enforce *; assert(F); end", "main.assert.1"),
    ("decl a,b; void main() begin enforce a; enforce b; assert(a & b); assert(F); end", "main.assert.2"),
    ("void main() begin decl x := F; enforce x; assert(F); end", ""),
    ("void f() begin skip; end void main() begin SLIC_ERROR: f(); end", "main.label.SLIC_ERROR"),
    ("bool f() begin SLIC_ERROR: return T; end void main() begin f(); end", "f.label.SLIC_ERROR"),
    ("void main() begin SLIC_ERROR: while (F) do skip; od end", "main.label.SLIC_ERROR"),
    ("void main() begin while (F) do SLIC_ERROR: skip; od end", ""),
    ("void main() begin assume(F); SLIC_ERROR: end", ""),
    ("void main() begin skip; SLIC_ERROR: end", "main.label.SLIC_ERROR"),
    ("decl g; void main() begin if (g) then skip; SLIC_ERROR: fi end", "main.label.SLIC_ERROR"),
    ("decl g; void main() begin g := F; if (g) then skip; SLIC_ERROR: else skip; fi end", ""),
    (
        "decl g;
      void main() begin g := F; goto L; while (F) do skip; L: g := T; assert(F); od assert(g);
        end",
        "main.assert.1",
    ),
    ("decl g; void main() begin goto L; if (F) then L: assert(F); fi end", "main.assert.1"),
    ("void main() begin goto 17; 16: assert(F); 17: skip; end", ""),
    ("void f() begin SLIC_ERROR: skip; end void main() begin skip; end", ""),
    ("decl g; void f(g) begin g := F; end void main() begin decl l; g := T; f(g); assert(g); end", ""),
    (
        "decl g;
      void main() begin decl g; g := T; f(); assert(g); end
      void f() begin g := F; assert(!g); end",
        "",
    ),
    ("decl a := *, b := a, c := a ^ b; void main() begin assert(!c); assert(a); end", "main.assert.2"),
    (
        "void f(d) begin decl x := d; if (d) then f(F); fi assert(x = d); x := !x; end
      void main() begin f(T); end",
        "",
    ),
    ("void main() begin decl x := *, y := x; assert(x=y); assert(x); end", "main.assert.2"),
    ("decl a,b; void main() begin a := * constrain 'b & 'a; assert(b); assert(a); end", ""),
    ("decl a; void main() begin a := !a constrain 'a = a; assert(F); end", ""),
    ("decl a; void main() begin a := * constrain a'; assert(a); end", ""),
    (
        "void main() begin decl l; assume(l$); assert(l); l := F; assert(l$); assert(l$ & l);
        assert(!l$ | l$); end",
        "main.assert.1 main.assert.3",
    ),
    ("void main() begin decl l; l := l$ & F; assert(!l); l := l$; assert(l); end", "main.assert.2"),
    ("void main() begin decl l; l := T; l$ := F; assert(l); end", ""),
    ("void main() begin decl x,y; x,y := y$, !y$; assert(x != y); end", ""),
    ("void main() begin decl x; x$ := F constrain 'x$; assert(F); end", ""),
    ("void main() begin decl x; x := T constrain 'x$ & !x$; assert(F); end", ""),
    ("decl x$; void main() begin decl x; x$ := T; x := F; assert(x$); end", ""),
    ("decl g; void main() begin abortif(g | *); assert(!g); assert(F); end", "main.assert.2"),
    ("decl g; void main() begin abortif g; assert(!g); end", ""),
    ("decl g; void main() begin g := T; dead g; assert(g); end", "main.assert.1"),
    (
        "bool<2> f() begin end
      void main() begin decl a,b; a,b := f(); assert(a); assert(a=b); end",
        "main.assert.1 main.assert.2",
    ),
    (
        "decl g;
      bool f() begin if (g) then return T; fi end
      void main() begin decl a; g := T; a := f(); assert(a); g := F; a := f(); assert(a);
        end",
        "main.assert.2",
    ),
    ("void f() begin end_thread; end void main() begin f(); assert(F); end", ""),
    (
        "decl g;
      void f() begin if (g) then end_thread; fi end
      void main() begin f(); assert(!g); assert(g); end",
        "main.assert.2",
    ),
    ("void f() begin end void main() begin f(); assert(F); end", "main.assert.1"),
    ("void f() begin assert(*); end void main() begin f(); assert(F); end", "f.assert.1 main.assert.1"),
    ("decl g; void main() begin assert(g); assert(g); end", "main.assert.1"),
    (
        "decl p,n;
      void main() begin decl x; p,n := F,T; x := schoose[schoose[p,n], !n]; assert(!x);
        assert(x);end",
        "main.assert.1 main.assert.2",
    ),
    (
        "void main() begin decl x; x := schoose[*, T]; assert(x); assert(!x);
        end",
        "main.assert.1 main.assert.2",
    ),
    ("decl p; void main() begin decl x; x := choose[p, !p]; assert(x = p); end", ""),
    (
        "decl g;
      void main() begin if (*) then g := T; elsif (*) then g := F; assert(F); else assert(F);
        fi end",
        "main.assert.1 main.assert.2",
    ),
    ("decl g; void main() begin g := F; while (*) do g := !g; od assert(!g); end", "main.assert.1"),
    ("void main() begin goto a, a; a: assert(F); end", "main.assert.1"),
    (
        "bool<2> f() begin return T,F; end
      void main() begin decl x; x := F; _, _ := f(); x, _ := f(); assert(x); end",
        "",
    ),
    ("decl a,b; void main() begin assume (a) | b; assert(a|b); assert(a); end", "main.assert.2"),
    ("decl a,b; void main() begin assume(a); assert (a) & b; end", "main.assert.1"),
    (
        "decl a,b;
      void main() begin a,b := T,F; if (a) & b then assert(F); fi if (a) = (b) then assert(F); fi end",
        "",
    ),
    ("decl a,b; void main() begin a,b := T,F; while (a) & (b) do assert(F); od end", ""),
    (
        "decl {x==0}, {x == 0};
      void main() begin {x==0} := T; {x == 0} := F; assert({x==0}); assert({x == 0});
        end",
        "main.assert.2",
    ),
    ("void main() begin decl {x==0}; {x==0} := T; {x==0}$ := F; assert({x==0}); end", ""),
    (
        "decl g,h;
      void main() begin g,h := h,g constrain ('g = h) & ('h = g); assert(F); end",
        "main.assert.1",
    ),
    ("decl g; void main() begin g := T; g := * constrain g' = !g; assert(!g); end", ""),
    (
        "decl g;
      void f(x) begin if (x) then dead g; f(F); fi end
      void main() begin g := T; f(T); assert(g); end",
        "main.assert.1",
    ),
    (
        "decl g;
      bool f() begin g := F; return T; end
      void main() begin g := T; _ := f(); assert(g); end",
        "main.assert.1",
    ),
    (
        "decl g,h;
      void set() begin g := h; end
      void main() begin h := T; set(); assert(g); h := F; set(); h := T; set(); assert(g); assert(!g);
        end",
        "main.assert.3",
    ),
    (
        "decl g;
      void t() begin g := !g; end
      void main() begin g := F; while(*) do t(); t(); od assert(!g); end",
        "",
    ),
    (
        "bool f(x) begin return x; end
      void main() begin decl a,b; a := f(*); b := f(*); assert(a=b); end",
        "main.assert.1",
    ),
    ("bool<2> f(x) begin return x,x; end void main() begin decl a,b; a,b := f(*); assert(a=b); end", ""),
];

/// The names of the properties that an engine finds violated.
fn violated(text: &str, engine: &mut dyn Engine) -> String {
    let syntax =
        parse(&SourceFile::new("test.bp", text)).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    let checked = check(&syntax, &CheckOptions::default());
    let (program, _) = checked.unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    let query = Query { properties: program.properties.ids().collect(), threads: Threads::Unbounded };
    let run = Run { limits: &Limits::none(), observer: &Silent };
    let answers = engine.check(&program, &query, run).expect("there is no limit").answers;
    let mut names = Vec::new();
    for (property, answer) in program.properties.iter().zip(&answers) {
        match answer {
            Answer::Unreachable => {}
            Answer::Reachable(trace) => {
                assert_eq!(replay(&program, trace, Threads::Unbounded), Ok(()), "{text}");
                names.push(property.name.as_str());
            }
            // Bounds stop the explicit engine in endless recursion, and nothing else does.
            Answer::Unknown(reason) => assert!(engine.name() == "explicit", "{text}: {reason}"),
        }
    }
    names.join(" ")
}

#[test]
fn every_engine_gives_the_known_verdicts() {
    let bounds = Bounds { depth: 12, ..Bounds::default() };
    let mut engines: [Box<dyn Engine>; 6] = [
        Box::new(Explicit::within(bounds)),
        Box::new(Summary::new(BackEnd::Biodivine)),
        Box::new(Summary::new(BackEnd::Oxidd)),
        Box::new(Reducing::new(Summary::new(BackEnd::Biodivine))),
        Box::new(Bounded::default()),
        Box::new(Reducing::new(Bounded::default())),
    ];
    for (text, expected) in PROGRAMS {
        for (number, engine) in engines.iter_mut().enumerate() {
            // It does not know local variables of other threads.
            if engine.name() == "bounded" && text.contains('$') {
                continue;
            }
            assert_eq!(violated(text, &mut **engine), *expected, "engine {number}: {text}");
        }
    }
}

#[test]
fn nets_of_programs_give_the_known_verdicts() {
    let mut decided = 0;
    for (text, expected) in PROGRAMS {
        let syntax = parse(&SourceFile::new("test.bp", *text)).expect("the program is well-formed");
        let (program, _) = check(&syntax, &CheckOptions::default()).expect("the program is well-formed");
        if Template::new(&program, &Limits::none()).is_ok() {
            assert_eq!(violated(text, &mut Backward::default()), *expected, "{text}");
            decided += 1;
        }
    }
    assert!(decided > 40, "only {decided} programs without recursion");
}
