//! Division, overflow, shift.

use super::plant::{Plant, Wish};
use crate::ir::undefined::Fault;

const INTEGERS: [&str; 10] = [
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
];

/// A variable that results go to.
const SINK: &str = "long long sink;";

pub(super) fn division(wish: &mut Wish) -> Plant {
    let plant = |ty: &str| Plant::of(Fault::Division, format!("typedef {ty} T;")).top(SINK);
    let (good, value) = (wish.number(1, 9), wish.number(1, 100));
    if wish.library {
        let zero = wish.one(&[
            "strlen(@W ? \"\" : \"ab\")",
            "abs(@W ? 0 : -3)",
            "memcmp(\"ab\", @W ? \"ab\" : \"ac\", 2) != 0",
            "strcmp(\"ab\", @W ? \"ab\" : \"b\") != 0",
            "atoi(@W ? \"0\" : \"12\")",
            "isdigit(@W ? 'x' : '4') != 0",
        ]);
        return plant(wish.one(&["int", "long", "signed char"]))
            .prepare(format!("@L = {zero};"))
            .operate(format!("sink = {value} / @L;"));
    }
    match wish.random.below(5) {
        0 => {
            let (ty, least) = [("int", "-2147483647 - 1"), ("long long", "-9223372036854775807LL - 1")]
                [wish.random.below(2)];
            let sign = wish.one(&["/", "%"]);
            plant(ty)
                .prepare("@L = @W ? -1 : 2;")
                .operate(format!("{ty} least = {least}; sink = least {sign} @L;"))
        }
        1 => plant("unsigned char")
            .prepare(format!("@L = @W ? 4 : {good}; @L = @L * 64 + (@W ? 0 : 1);"))
            .operate(format!("sink = {value} % @L;")),
        2 => plant("int")
            .prepare(format!("@L = {good}; if (@W) @L -= {good};"))
            .operate("int left = 20; left /= @L; sink = left;"),
        _ => {
            let sign = wish.one(&["/", "%"]);
            plant(wish.one(&INTEGERS))
                .prepare(format!("@L = @W ? 0 : {good};"))
                .operate(format!("sink = {value} {sign} @L;"))
        }
    }
}

pub(super) fn overflow(wish: &mut Wish) -> Plant {
    let plant = |ty: &str| Plant::of(Fault::Overflow, format!("typedef {ty} T;")).top(SINK);
    let good = wish.number(1, 90);
    if wish.library {
        return match wish.random.below(3) {
            0 => plant("int")
                .prepare(format!("@L = @W ? -2147483647 - 1 : -{good};"))
                .operate("sink = abs(@L);"),
            1 => {
                plant("int").prepare("@L = strlen(@W ? \"abc\" : \"ab\");").operate("sink = 2147483645 + @L;")
            }
            _ => plant("int")
                .prepare("memset(&@L, @W ? 0x7f : 0x3f, sizeof @L);")
                .operate("sink = @L + 0x10101010;"),
        };
    }
    let (ty, most, least) = [
        ("int", "2147483647", "(-2147483647 - 1)"),
        ("long long", "9223372036854775807LL", "(-9223372036854775807LL - 1)"),
    ][wish.random.below(2)];
    match wish.random.below(10) {
        0 => plant(ty).prepare(format!("@L = @W ? {most} : {good};")).operate("sink = @L + 1;"),
        1 => plant(ty).prepare(format!("@L = @W ? {least} : {good};")).operate("@L--; sink = @L;"),
        2 => plant(ty).prepare(format!("@L = @W ? {least} : {good};")).operate("sink = -@L;"),
        3 => plant(ty).prepare(format!("@L = @W ? {most} / 2 + 1 : {good};")).operate("@L = @L * 2;"),
        4 => plant(ty).prepare(format!("@L = @W ? {most} / 2 + 1 : {good};")).operate("sink = @L << 1;"),
        5 => plant(ty).prepare(format!("@L = @W ? -1 : {good};")).operate("sink = @L << 2;"),
        6 => plant(ty).prepare(format!("@L = @W ? -1 : {good};")).operate(format!("sink = {least} / @L;")),
        7 => plant(ty)
            .prepare(format!("@L = {most} - {good} + @W;"))
            .operate(format!("@L += {good}; sink = @L;")),
        // Promoted to `int`: the product fits unless both are large.
        8 => plant("unsigned short").prepare(format!("@L = @W ? 65535 : {good};")).operate("sink = @L * @L;"),
        _ => {
            plant(ty).prepare(format!("@L = -{good} - @W;")).operate(format!("sink = {least} + {good} + @L;"))
        }
    }
}

pub(super) fn shift(wish: &mut Wish) -> Plant {
    let plant = |ty: &str| Plant::of(Fault::Shift, format!("typedef {ty} T;")).top(SINK);
    let good = wish.number(0, 20);
    let by = wish.one(&INTEGERS);
    if wish.library {
        return plant("int")
            .prepare("@L = strlen(@W ? \"abcd\" : \"abc\") + 28;")
            .operate("sink = 1u << @L;");
    }
    match wish.random.below(5) {
        0 => plant(by).prepare(format!("@L = @W ? 64 : {good};")).operate("sink = 1ull << @L;"),
        1 => plant("int").prepare(format!("@L = @W ? -1 : {good};")).operate("sink = 64u >> @L;"),
        2 => plant(by).prepare(format!("@L = @W ? 32 : {good};")).operate("sink = 5 >> @L;"),
        3 => plant("unsigned char")
            .prepare("@L = @W ? 200 : 250; @L = @L + 10;")
            // 210 & 127 is 82; 260 − 256 is 4.
            .operate("unsigned short one = 1; one <<= @L & 127; sink = one;"),
        _ => plant("int")
            .prepare(format!("@L = {good};"))
            .operate(format!("unsigned bits = 1; bits <<= @L + (@W ? {} : 0); sink = bits;", 32 - good)),
    }
}
