//! Expressions as text, with as few parentheses as precedence allows.
//!
//! Works on the postfix form with a stack of its own and writes every item once: linear however deep.

use super::expression::{Binary, Expression, Item};

/// Binds more tightly than any operator.
const ATOM: u8 = 8;
/// The precedence of `!`.
const NOT: u8 = 7;

enum Task {
    /// Write the subexpression that ends at this item, in parentheses if it binds less tightly.
    Write(usize, u8),
    /// Write a text.
    Text(&'static str),
}

/// The text of an expression; `variable` appends the text of a variable.
pub fn expression_text<V>(expression: &Expression<V>, variable: impl FnMut(&V, &mut String)) -> String {
    let mut text = String::new();
    append_expression(&mut text, expression, variable);
    text
}

/// Appends the text of an expression; `variable` appends the text of a variable.
pub fn append_expression<V>(
    text: &mut String,
    expression: &Expression<V>,
    mut variable: impl FnMut(&V, &mut String),
) {
    let items = expression.items();
    let sizes = sizes(items);
    let mut tasks = vec![Task::Write(items.len() - 1, 0)];
    while let Some(task) = tasks.pop() {
        let (root, least) = match task {
            Task::Text(symbol) => {
                text.push_str(symbol);
                continue;
            }
            Task::Write(root, least) => (root, least),
        };
        let item = &items[root];
        if precedence(item) < least {
            text.push('(');
            tasks.push(Task::Text(")"));
        }
        match item {
            Item::Constant(value) => text.push(if *value { 'T' } else { 'F' }),
            Item::Choice => text.push('*'),
            Item::Variable(reference) => variable(reference, text),
            Item::Not => {
                text.push('!');
                tasks.push(Task::Write(root - 1, NOT));
            }
            Item::Binary(operator) => push_binary(&mut tasks, *operator, root, sizes[root - 1]),
            Item::Schoose => {
                text.push_str("schoose[");
                let left = root - 1 - sizes[root - 1];
                tasks.extend([
                    Task::Text("]"),
                    Task::Write(root - 1, 0),
                    Task::Text(", "),
                    Task::Write(left, 0),
                ]);
            }
        }
    }
}

fn push_binary(tasks: &mut Vec<Task>, operator: Binary, root: usize, right_size: usize) {
    let own = operator.precedence();
    let (left, right) = if operator.is_right_associative() { (own + 1, own) } else { (own, own + 1) };
    let left_root = root - 1 - right_size;
    tasks.extend([Task::Write(root - 1, right), Task::Text(" ")]);
    tasks.extend([Task::Text(operator.symbol()), Task::Text(" "), Task::Write(left_root, left)]);
}

fn precedence<V>(item: &Item<V>) -> u8 {
    match item {
        Item::Not => NOT,
        Item::Binary(operator) => operator.precedence(),
        _ => ATOM,
    }
}

/// How many items the subexpression has that ends at each item.
fn sizes<V>(items: &[Item<V>]) -> Vec<usize> {
    let mut sizes: Vec<usize> = Vec::with_capacity(items.len());
    for (position, item) in items.iter().enumerate() {
        let mut size = 1;
        for _ in 0..item.arity() {
            size += sizes[position - size];
        }
        sizes.push(size);
    }
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(name: char) -> Expression<char> {
        Expression::variable(name)
    }

    fn text(expression: &Expression<char>) -> String {
        expression_text(expression, |name, text| text.push(*name))
    }

    #[test]
    fn parentheses_only_where_needed() {
        use Binary::{And, Equal, Iff, Implies, Or, Xor};
        let (a, b, c) = (variable('a'), variable('b'), variable('c'));
        let and_or = a.clone().binary(And, b.clone()).binary(Or, c.clone());
        assert_eq!(text(&and_or), "a & b | c");
        assert_eq!(text(&a.clone().binary(And, b.clone().binary(Or, c.clone()))), "a & (b | c)");
        assert_eq!(text(&a.clone().binary(Xor, b.clone().binary(Xor, c.clone()))), "a ^ (b ^ c)");
        assert_eq!(text(&a.clone().binary(Implies, b.clone().binary(Implies, c.clone()))), "a => b => c");
        assert_eq!(text(&a.clone().binary(Implies, b.clone()).binary(Implies, c.clone())), "(a => b) => c");
        assert_eq!(text(&a.clone().binary(Iff, b.clone()).binary(Iff, c.clone())), "a <=> b <=> c");
        assert_eq!(text(&a.clone().negate().binary(Equal, b.clone()).negate()), "!(!a = b)");
        assert_eq!(text(&Expression::schoose(a.binary(Or, b), c.negate().negate())), "schoose[a | b, !!c]");
    }

    #[test]
    fn a_million_operators() {
        let mut items = vec![Item::Variable('a'); 500_000];
        items.extend(std::iter::repeat_n(Item::Binary(Binary::Implies), 499_999));
        items.extend(std::iter::repeat_n(Item::Not, 500_000));
        let text = text(&Expression::from_postfix(items).expect("well-formed"));
        assert!(text.starts_with("!!!") && text.ends_with("a => a => a)"));
    }
}
