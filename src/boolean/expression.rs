//! Expressions in postfix form.
//!
//! An expression is a flat sequence of items, operands before their operator, so that every pass over
//! it is a loop with a stack of its own: a chain of a million operators is no deeper than one. The
//! type of variable references is a parameter: names in the syntax ([`super::ast`]), ids in the
//! control-flow form ([`super::cfg`]).

/// A binary operator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Binary {
    /// `&`, `&&`
    And,
    /// `|`, `||`
    Or,
    /// `^`
    Xor,
    /// `=`, `==`
    Equal,
    /// `!=`: the same function as `^`, with the precedence of `=`
    NotEqual,
    /// `=>`
    Implies,
    /// `<=>`: the same function as `=`, with the lowest precedence
    Iff,
}

impl Binary {
    /// All operators.
    pub const ALL: [Self; 7] =
        [Self::And, Self::Or, Self::Xor, Self::Equal, Self::NotEqual, Self::Implies, Self::Iff];

    /// How tightly the operator binds; a larger number binds more tightly.
    #[must_use]
    pub fn precedence(self) -> u8 {
        match self {
            Self::Iff => 1,
            Self::Implies => 2,
            Self::Or => 3,
            Self::Xor => 4,
            Self::And => 5,
            Self::Equal | Self::NotEqual => 6,
        }
    }

    /// Whether `a op b op c` is `a op (b op c)`.
    #[must_use]
    pub fn is_right_associative(self) -> bool {
        self == Self::Implies
    }

    /// The canonical spelling.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            Self::And => "&",
            Self::Or => "|",
            Self::Xor => "^",
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::Implies => "=>",
            Self::Iff => "<=>",
        }
    }

    /// The function of the operator.
    #[must_use]
    pub fn apply(self, left: bool, right: bool) -> bool {
        match self {
            Self::And => left && right,
            Self::Or => left || right,
            Self::Xor | Self::NotEqual => left != right,
            Self::Equal | Self::Iff => left == right,
            Self::Implies => !left || right,
        }
    }
}

/// One item of the postfix form.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Item<V> {
    /// `T`, `F`
    Constant(bool),
    /// `*`: a fresh choice at every occurrence and every evaluation
    Choice,
    /// A variable.
    Variable(V),
    /// `!`, takes one operand
    Not,
    /// A binary operator, takes two operands.
    Binary(Binary),
    /// `schoose[p, n]`, takes two operands: T if p, else F if n, else a choice
    Schoose,
}

impl<V> Item<V> {
    /// How many operands the item takes.
    #[must_use]
    pub fn arity(&self) -> usize {
        match self {
            Self::Constant(_) | Self::Choice | Self::Variable(_) => 0,
            Self::Not => 1,
            Self::Binary(_) | Self::Schoose => 2,
        }
    }
}

/// An expression: a well-formed, non-empty postfix sequence.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Expression<V> {
    items: Vec<Item<V>>,
}

impl<V> Expression<V> {
    /// The expression with these postfix items; `None` if they are not well-formed.
    #[must_use]
    pub fn from_postfix(items: Vec<Item<V>>) -> Option<Self> {
        let mut depth = 0usize;
        for item in &items {
            depth = depth.checked_sub(item.arity())? + 1;
        }
        (depth == 1).then_some(Self { items })
    }

    /// A constant.
    #[must_use]
    pub fn constant(value: bool) -> Self {
        Self { items: vec![Item::Constant(value)] }
    }

    /// A choice.
    #[must_use]
    pub fn choice() -> Self {
        Self { items: vec![Item::Choice] }
    }

    /// A variable.
    #[must_use]
    pub fn variable(variable: V) -> Self {
        Self { items: vec![Item::Variable(variable)] }
    }

    /// The negation.
    #[must_use]
    pub fn negate(mut self) -> Self {
        self.items.push(Item::Not);
        self
    }

    /// Two expressions combined by an operator.
    #[must_use]
    pub fn binary(mut self, operator: Binary, right: Self) -> Self {
        self.items.extend(right.items);
        self.items.push(Item::Binary(operator));
        self
    }

    /// `schoose[positive, negative]`.
    #[must_use]
    pub fn schoose(mut positive: Self, negative: Self) -> Self {
        positive.items.extend(negative.items);
        positive.items.push(Item::Schoose);
        positive
    }

    /// The conjunction of some expressions; `T` if there is none.
    pub fn conjunction(parts: impl IntoIterator<Item = Self>) -> Self {
        parts
            .into_iter()
            .reduce(|left, right| left.binary(Binary::And, right))
            .unwrap_or_else(|| Self::constant(true))
    }

    /// The postfix items.
    #[must_use]
    pub fn items(&self) -> &[Item<V>] {
        &self.items
    }

    /// The variables in order of occurrence, repetitions included.
    pub fn variables(&self) -> impl Iterator<Item = &V> {
        self.items.iter().filter_map(|item| match item {
            Item::Variable(variable) => Some(variable),
            _ => None,
        })
    }

    /// Whether a choice occurs (`*` or `schoose`).
    #[must_use]
    pub fn has_choice(&self) -> bool {
        self.items.iter().any(|item| matches!(item, Item::Choice | Item::Schoose))
    }

    /// Evaluates bottom-up. `step` gets an item and the results of its operands, leftmost first.
    ///
    /// # Errors
    /// The first error of `step`.
    pub fn try_fold<T, E>(&self, mut step: impl FnMut(&Item<V>, &[T]) -> Result<T, E>) -> Result<T, E> {
        let mut stack: Vec<T> = Vec::new();
        for item in &self.items {
            let operands = stack.len() - item.arity();
            let result = step(item, &stack[operands..])?;
            stack.truncate(operands);
            stack.push(result);
        }
        Ok(stack.pop().expect("a well-formed expression leaves one result"))
    }

    /// Evaluates bottom-up without failing; see [`try_fold`](Self::try_fold).
    pub fn fold<T>(&self, mut step: impl FnMut(&Item<V>, &[T]) -> T) -> T {
        let result: Result<T, std::convert::Infallible> =
            self.try_fold(|item, operands| Ok(step(item, operands)));
        match result {
            Ok(value) => value,
        }
    }

    /// The same expression with other variable references.
    ///
    /// # Errors
    /// The first error of `map`.
    pub fn try_map<W, E>(&self, mut map: impl FnMut(&V) -> Result<W, E>) -> Result<Expression<W>, E> {
        let items = self.items.iter().map(|item| {
            Ok(match item {
                Item::Constant(value) => Item::Constant(*value),
                Item::Choice => Item::Choice,
                Item::Variable(variable) => Item::Variable(map(variable)?),
                Item::Not => Item::Not,
                Item::Binary(operator) => Item::Binary(*operator),
                Item::Schoose => Item::Schoose,
            })
        });
        Ok(Expression { items: items.collect::<Result<_, E>>()? })
    }

    /// Replaces variables by expressions.
    #[must_use]
    pub fn substitute<W: Clone>(&self, mut replacement: impl FnMut(&V) -> Expression<W>) -> Expression<W> {
        let mut items = Vec::with_capacity(self.items.len());
        for item in &self.items {
            match item {
                Item::Constant(value) => items.push(Item::Constant(*value)),
                Item::Choice => items.push(Item::Choice),
                Item::Variable(variable) => items.extend(replacement(variable).items),
                Item::Not => items.push(Item::Not),
                Item::Binary(operator) => items.push(Item::Binary(*operator)),
                Item::Schoose => items.push(Item::Schoose),
            }
        }
        Expression { items }
    }
}

/// The set of values that an expression with choices can take in one state.
///
/// Every `*` is a fresh choice, so the choices of two operands are independent, and the set of an
/// operator is the image of its operands' sets: exact, without enumerating the choices.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Values {
    /// The expression can be false.
    pub can_be_false: bool,
    /// The expression can be true.
    pub can_be_true: bool,
}

impl Values {
    /// Both values.
    pub const BOTH: Self = Self { can_be_false: true, can_be_true: true };

    /// One value.
    #[must_use]
    pub fn only(value: bool) -> Self {
        Self { can_be_false: !value, can_be_true: value }
    }

    /// Whether a value is in the set.
    #[must_use]
    pub fn contains(self, value: bool) -> bool {
        if value { self.can_be_true } else { self.can_be_false }
    }

    /// The values in the set, false first.
    pub fn iter(self) -> impl Iterator<Item = bool> {
        [false, true].into_iter().filter(move |&value| self.contains(value))
    }

    /// The image of two sets under a function.
    #[must_use]
    pub fn map2(self, other: Self, function: impl Fn(bool, bool) -> bool) -> Self {
        let mut image = Self { can_be_false: false, can_be_true: false };
        for left in self.iter() {
            for right in other.iter() {
                if function(left, right) { image.can_be_true = true } else { image.can_be_false = true }
            }
        }
        image
    }
}

impl<V> Expression<V> {
    /// The values the expression can take when variables have the values that `read` tells.
    pub fn values(&self, mut read: impl FnMut(&V) -> bool) -> Values {
        self.fold(|item, operands: &[Values]| match item {
            Item::Constant(value) => Values::only(*value),
            Item::Choice => Values::BOTH,
            Item::Variable(variable) => Values::only(read(variable)),
            Item::Not => {
                Values { can_be_false: operands[0].can_be_true, can_be_true: operands[0].can_be_false }
            }
            Item::Binary(operator) => {
                operands[0].map2(operands[1], |left, right| operator.apply(left, right))
            }
            Item::Schoose => Values {
                can_be_true: operands[0].can_be_true
                    || (operands[0].can_be_false && operands[1].can_be_false),
                can_be_false: operands[0].can_be_false,
            },
        })
    }
}
