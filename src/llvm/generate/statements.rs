//! Statements.

use super::{ARRAYS, Place, SCALARS, Statement, Writer, number};

fn simple(head: String) -> Statement {
    Statement { head, ..Statement::default() }
}

impl Writer {
    /// So many statements, nested at most so deep.
    pub fn block(&mut self, depth: usize, most: usize) -> Vec<Statement> {
        (0..1 + self.random.below(most)).map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: usize) -> Statement {
        if self.idiomatic && self.random.below(2) == 0 {
            return self.idiom();
        }
        match self.random.below(24) {
            0..=4 => self.assignment(),
            5 | 6 => self.update(),
            7 | 8 if depth > 0 => self.branch(depth),
            9 | 10 if depth > 0 && self.loops < 3 => self.repetition(depth),
            11 if depth > 0 => self.selection(depth),
            12 | 13 => self.claim(),
            14 => self.aim(),
            15 => self.block_of_memory(),
            16 => self.division(),
            17 => self.short_circuit(),
            18 => self.leave(),
            19 => self.through_choice(),
            20 => self.heap(),
            _ => simple(format!("sum = sum * 31 + (unsigned long long)({});", self.any(2))),
        }
    }

    fn target(&mut self) -> Place {
        self.one(&self.places.clone())
    }

    fn assignment(&mut self) -> Statement {
        let place = self.target();
        if self.random.below(4) == 0 {
            let (ty, length) = self.one(&ARRAYS);
            let (index, value) = (self.any(1), self.expression(ty, 2));
            return simple(format!("a{ty}[(unsigned)({index}) % {length}] = {value};"));
        }
        simple(format!("{} = {};", place.text, self.expression(place.ty, 3)))
    }

    fn update(&mut self) -> Statement {
        let place = self.target();
        let sums = SCALARS[place.ty].wraps;
        if sums && self.random.below(3) == 0 {
            let operator = self.one(&["++", "--"]);
            return simple(format!("({}){operator};", place.text));
        }
        let operators: &[&str] = if sums { &["+", "-", "^", "|", "&"] } else { &["^", "|", "&"] };
        let operator = self.one(operators);
        simple(format!("{} {operator}= {};", place.text, self.expression(place.ty, 2)))
    }

    fn branch(&mut self, depth: usize) -> Statement {
        let head = format!("if ({}) {{", self.condition(2));
        let mut body = self.block(depth - 1, 3);
        if self.random.below(2) == 0 {
            // The other branch is a statement of its own, so that it can be dropped.
            let other = self.block(depth - 1, 3);
            let head = format!("if ({}) {{", self.condition(1));
            body.push(Statement { head, body: other, tail: "} else sum++;" });
        }
        Statement { head, body, tail: "}" }
    }

    fn repetition(&mut self, depth: usize) -> Statement {
        let (counter, bound) = (self.loops, 1 + self.random.below(5));
        self.loops += 1;
        let body = self.block(depth - 1, 4);
        self.loops -= 1;
        let i = format!("i{counter}");
        match self.random.below(3) {
            0 => Statement {
                head: format!("for ({i} = 0; {i} < {bound} && fuel-- > 0; {i}++) {{"),
                body,
                tail: "}",
            },
            1 => Statement {
                head: format!("{i} = {bound}; while ({i}-- > 0 && fuel-- > 0) {{"),
                body,
                tail: "}",
            },
            _ => {
                let tail = [
                    "} while (i0++ < 3 && fuel-- > 0);",
                    "} while (i1++ < 3 && fuel-- > 0);",
                    "} while (i2++ < 3 && fuel-- > 0);",
                ];
                Statement { head: format!("{i} = {}; do {{", bound % 4), body, tail: tail[counter] }
            }
        }
    }

    fn selection(&mut self, depth: usize) -> Statement {
        let head = format!("switch ((int)({}) & 7) {{", self.any(2));
        let mut body = Vec::new();
        for case in 0..1 + self.random.below(4) {
            let inner = self.block(depth - 1, 2);
            let tail = self.one(&["break; }", "}"]);
            body.push(Statement { head: format!("case {}: {{", case * 2), body: inner, tail });
        }
        Statement { head, body, tail: "default: sum ^= 5; }" }
    }

    fn claim(&mut self) -> Statement {
        let (place, other) = (self.target(), self.target());
        let text = match self.random.below(5) {
            0 => format!("(({0}) & 1) == (({0}) % 2 != 0)", place.text),
            1 => format!("(({0}) < ({1})) + (({0}) >= ({1})) == 1", place.text, other.text),
            2 => format!("({}) != {}", self.expression(place.ty, 2), number(&mut self.random) >> 2),
            // This one fails now and then.
            3 => format!("({}) <= {}ull", place.text, number(&mut self.random)),
            _ => format!("(unsigned char)({0}) == ((unsigned)({0}) & 255)", place.text),
        };
        simple(format!("CHECK({text});"))
    }

    /// A pointer gets another target.
    fn aim(&mut self) -> Statement {
        if self.random.below(3) == 0 {
            let target = self.one(&["s0", "s1"]);
            return simple(format!("ps = &{target};"));
        }
        let (ty, length) = self.one(&ARRAYS);
        // Local variables end before the pointer does.
        let fits = |place: &&Place| place.ty == ty && place.addressable;
        let targets: Vec<String> = self.globals.iter().filter(fits).map(|place| place.text.clone()).collect();
        match self.random.below(3) {
            0 => simple(format!("p{ty} = &a{ty}[(unsigned)({}) % {length}];", self.any(1))),
            _ => simple(format!("p{ty} = &{};", self.one(&targets))),
        }
    }

    fn block_of_memory(&mut self) -> Statement {
        let (index, value) = (self.any(1), self.any(1));
        simple(match self.random.below(7) {
            0 => "s0 = *ps;".to_owned(),
            1 => "*ps = ls;".to_owned(),
            2 => "memcpy(&ls, ps, sizeof ls);".to_owned(),
            3 => format!("memset(a4, (int)({value}), 4 * ((unsigned)({index}) % 5));"),
            4 => "memmove(a1 + 1, a1, 4);".to_owned(),
            5 => format!("memmove(a2, a2 + 1, 2 * ((unsigned)({index}) % 3));"),
            _ => "memcpy(a9, a9 + 1, sizeof a9[0]);".to_owned(),
        })
    }

    fn division(&mut self) -> Statement {
        let (place, divisor) = (self.target(), self.one(&["d", "e"]));
        let operator = self.one(&["/", "%"]);
        let (by, of, instead) = (self.any(2), self.any(1), self.expression(place.ty, 1));
        simple(format!(
            "{divisor} = {by}; {} = {divisor} == 0 || {divisor} == -1 ? {instead} : ({of}) {operator} {divisor};",
            place.text
        ))
    }

    fn short_circuit(&mut self) -> Statement {
        let (place, value) = (self.target(), self.any(1));
        let (condition, operator) = (self.condition(1), self.one(&["&&", "||"]));
        simple(format!("if ({condition} {operator} ({} ^= {value})) sum += 3;", place.text))
    }

    /// Leaves a loop, or the rest of its body; the counter of the loop goes on.
    fn leave(&mut self) -> Statement {
        let condition = self.condition(1);
        match (self.loops, self.random.below(2)) {
            (0, _) => simple(format!("if ({condition}) sum += 7;")),
            (_, 0) => simple(format!("if ({condition}) break;")),
            _ => simple(format!("if ({condition}) continue;")),
        }
    }

    fn through_choice(&mut self) -> Statement {
        let ty = self.target().ty;
        let fits = |place: &&Place| place.ty == ty && place.addressable;
        let all: Vec<String> = self.places.iter().filter(fits).map(|place| place.text.clone()).collect();
        if all.is_empty() {
            return self.assignment();
        }
        let (yes, no) = (self.one(&all), self.one(&all));
        simple(format!("*({} ? &{yes} : &{no}) = {};", self.condition(1), self.expression(ty, 1)))
    }

    fn heap(&mut self) -> Statement {
        let (ty, place) = (self.random.below(SCALARS.len()), self.target());
        let (first, second, index) = (self.expression(ty, 1), self.expression(ty, 1), self.any(1));
        simple(format!(
            "{{ {0} *h = malloc(2 * sizeof({0})); h[0] = {first}; h[1] = {second}; {1} = h[(unsigned)({index}) % 2]; free(h); }}",
            SCALARS[ty].name, place.text
        ))
    }
}
