//! Expressions without undefined behaviour. They may call functions and ask for inputs.

use super::{ARRAYS, Passing, SCALARS, Signature, Writer, number};

impl Writer {
    /// An expression of a type, so many operators deep.
    pub fn expression(&mut self, ty: usize, depth: usize) -> String {
        if depth == 0 {
            return self.leaf(ty);
        }
        let name = SCALARS[ty].name;
        match self.random.below(14) {
            0..=3 => self.unsigned_operation(ty, depth),
            4 => {
                let (left, right) = (self.any(depth - 1), self.any(depth - 1));
                let operator = self.one(&["+", "-", "*"]);
                format!("({name})((({left}) % 50) {operator} (({right}) % 30))")
            }
            5 => {
                let (left, by) = (self.any(depth - 1), self.any(depth - 1));
                format!("({name})(({left}) >> (({by}) & 7))")
            }
            6 | 7 => format!("({name})({})", self.condition(depth - 1)),
            8 => {
                let condition = self.condition(depth - 1);
                let (yes, no) = (self.expression(ty, depth - 1), self.expression(ty, depth - 1));
                format!("({condition} ? {yes} : {no})")
            }
            9 | 10 => self.call(ty, depth),
            11 => {
                let operator = self.one(&["~", "-", "!"]);
                format!("({name})({operator}(unsigned long)({}))", self.any(depth - 1))
            }
            12 => format!("({name})sizeof({})", self.leaf(ty)),
            _ => format!("({name})({})", self.any(depth - 1)),
        }
    }

    /// An expression of any type.
    pub fn any(&mut self, depth: usize) -> String {
        let ty = self.random.below(SCALARS.len());
        self.expression(ty, depth)
    }

    fn unsigned_operation(&mut self, ty: usize, depth: usize) -> String {
        let (left, right) = (self.any(depth - 1), self.any(depth - 1));
        let (name, wide) = (SCALARS[ty].name, self.one(&["unsigned", "unsigned long", "unsigned long long"]));
        match self.random.below(7) {
            0 => format!("({name})(({wide})({left}) << (({right}) & 31))"),
            1 => format!("({name})(({wide})({left}) >> (({right}) & 31))"),
            _ => {
                let operator = self.one(&["+", "-", "*", "^", "&", "|"]);
                format!("({name})(({wide})({left}) {operator} ({wide})({right}))")
            }
        }
    }

    /// A condition.
    pub fn condition(&mut self, depth: usize) -> String {
        let (left, right) = (self.any(depth.saturating_sub(1)), self.any(depth.saturating_sub(1)));
        if depth > 0 && self.random.below(3) == 0 {
            let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
            let operator = self.one(&["&&", "||"]);
            return format!("({a} {operator} {b})");
        }
        let operator = self.one(&["<", "<=", ">", ">=", "==", "!="]);
        format!("({left} {operator} {right})")
    }

    fn leaf(&mut self, ty: usize) -> String {
        let name = SCALARS[ty].name;
        match self.random.below(8) {
            0 => format!("({name}){}ull", number(&mut self.random)),
            1 => format!("({name}){}", self.random.below(10)),
            2 => {
                let inputs: Vec<&str> =
                    SCALARS.iter().map(|one| one.input).filter(|one| !one.is_empty()).collect();
                format!("({name})__VERIFIER_nondet_{}()", self.one(&inputs))
            }
            3 => {
                let (element, length) = self.one(&ARRAYS);
                let index = self.one(&self.places.clone()).text;
                format!("({name})a{element}[(unsigned)({index}) % {length}]")
            }
            _ => format!("({name})({})", self.one(&self.places.clone()).text),
        }
    }

    /// A call of one of the functions so far, of the function at hand only with less depth.
    fn call(&mut self, ty: usize, depth: usize) -> String {
        if self.functions.is_empty() || self.loops > 1 {
            return self.leaf(ty);
        }
        let number = self.random.below(self.functions.len());
        let Signature { parameters, structure } = self.functions[number];
        let arguments = parameters.map(|parameter| self.expression(parameter, depth - 1)).join(", ");
        let structure = match structure {
            Passing::ByValue => self.one(&["s0", "s1", "*ps", "ls", "v"]),
            Passing::ByAddress => self.one(&["&s0", "&s1", "ps", "&ls", "&v"]),
        };
        let pointer = self.one(&["&g4", "q", "&a4[1]", "p4"]);
        let rest = self.leaf(ty);
        let (name, deep) = (SCALARS[ty].name, self.random.below(3));
        let last = number + 1 == self.functions.len();
        if last && self.random.below(3) > 0 {
            return format!(
                "(depth > 0 ? ({name})f{number}(depth - 1, {arguments}, {pointer}, {structure}) : {rest})"
            );
        }
        // A function may be calling itself here: it ends for want of fuel.
        format!("({name})f{number}({deep}, {arguments}, {pointer}, {structure})")
    }
}
