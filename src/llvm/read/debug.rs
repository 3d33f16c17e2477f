//! The door to LLVM itself: what the crate `llvm-ir` does not tell.
//!
//! `llvm-ir` drops the debug metadata, and its constants are lossy: a constant `getelementptr` loses the type that its
//! indices step through, integers wider than 64 bits lose their upper part, inline assembly loses its text, and a global
//! variable its type. All of these are asked here, from a second copy of the module that LLVM parsed, by position:
//! the n-th function with a body, its n-th block, the n-th instruction of that. [`names`] makes variables and types of C
//! out of the metadata; constants are taken apart by [`constant`](super::constant).
//!
//! This, [`types`] and [`metadata`] are the only files with `unsafe`: every function of LLVM's C interface is a foreign one. The handles are raw
//! pointers that live as long as the module; their lifetime says so. Each call keeps to what the C interface asks for:
//! the kind of a value is looked at before it is asked for what only that kind has.
#![allow(unsafe_code)]

pub mod metadata;
pub mod names;
pub mod types;

pub use metadata::{Node, Wrapped};
pub use types::{Parts, Ty};

use super::ReadError;
use llvm_sys::LLVMOpcode;
use llvm_sys::LLVMValueKind as ValueKind;
use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use llvm_sys::prelude::*;
use rustc_hash::FxHashMap;
use std::ffi::{CStr, CString, c_char};
use std::marker::PhantomData;
use std::path::Path;

/// A module as LLVM holds it.
pub struct Door {
    context: LLVMContextRef,
    module: LLVMModuleRef,
    /// For each function: what it declares, in order.
    declares: FxHashMap<LLVMValueRef, Vec<Declare>>,
    /// For each function: where its labels are.
    labels: FxHashMap<LLVMValueRef, Vec<LLVMMetadataRef>>,
}

/// What a call of `llvm.dbg.declare` says, and where it stood.
struct Declare {
    /// An object, the variable that it is, and the expression between the two.
    items: [LLVMValueRef; 3],
    /// The number of its block, and how many other instructions of that block came before.
    at: (usize, usize),
    location: LLVMMetadataRef,
}

/// Where a variable is declared.
#[derive(Clone, Copy)]
pub struct Declared<'d> {
    /// What is declared: the object, and the variable that it is.
    pub object: Val<'d>,
    /// The node of the variable.
    pub variable: Node<'d>,
    /// The number of the block, and of the instruction that comes next in it.
    pub at: (usize, usize),
    /// Where in the text.
    pub location: Option<Node<'d>>,
}

/// A value of LLVM: a constant, a global, an instruction, or metadata dressed as a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Val<'d>(LLVMValueRef, PhantomData<&'d Door>);

/// A text that LLVM allocated for us.
fn owned(text: *mut c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    unsafe {
        let copy = CStr::from_ptr(text).to_string_lossy().into_owned();
        LLVMDisposeMessage(text);
        copy
    }
}

/// A text inside LLVM, by start and length.
fn borrowed(start: *const c_char, length: usize) -> String {
    if start.is_null() {
        return String::new();
    }
    let bytes = unsafe { std::slice::from_raw_parts(start.cast::<u8>(), length) };
    String::from_utf8_lossy(bytes).into_owned()
}

/// The version of LLVM that is linked.
#[must_use]
pub fn llvm_version() -> (u32, u32, u32) {
    let (mut major, mut minor, mut patch) = (0, 0, 0);
    unsafe { LLVMGetVersion(&mut major, &mut minor, &mut patch) };
    (major, minor, patch)
}

impl Door {
    /// Parses a file, bitcode or text, and lets LLVM verify it.
    ///
    /// # Errors
    /// What LLVM says about the file.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        let name = CString::new(path.to_string_lossy().as_bytes())
            .map_err(|_| ReadError::Input(format!("{}: no file name", path.display())))?;
        let context = unsafe { LLVMContextCreate() };
        let mut door = Self {
            context,
            module: std::ptr::null_mut(),
            declares: FxHashMap::default(),
            labels: FxHashMap::default(),
        };
        let mut buffer = std::ptr::null_mut();
        let mut message = std::ptr::null_mut();
        let failed =
            unsafe { LLVMCreateMemoryBufferWithContentsOfFile(name.as_ptr(), &mut buffer, &mut message) };
        if failed != 0 {
            return Err(ReadError::input(path, &owned(message)));
        }
        // The buffer belongs to the parser from here on.
        let failed = unsafe {
            llvm_sys::ir_reader::LLVMParseIRInContext(context, buffer, &mut door.module, &mut message)
        };
        if failed != 0 {
            door.module = std::ptr::null_mut();
            return Err(ReadError::input(path, &owned(message)));
        }
        door.verify(path)?;
        // Debug records become calls of `llvm.dbg.declare` again: only those can be read through the C interface.
        unsafe { LLVMSetIsNewDbgInfoFormat(door.module, 0) };
        door.take_debug_calls();
        Ok(door)
    }

    /// Notes what calls of `llvm.dbg.declare` and `llvm.dbg.label` say, and takes all calls of their kind out. As long as
    /// an instruction used a node, LLVM would number the whole module whenever that node is printed.
    fn take_debug_calls(&mut self) {
        let mut declares: FxHashMap<LLVMValueRef, Vec<Declare>> = FxHashMap::default();
        let mut labels: FxHashMap<LLVMValueRef, Vec<LLVMMetadataRef>> = FxHashMap::default();
        let mut calls = Vec::new();
        for function in self.functions().0 {
            for (block, items) in function.blocks().into_iter().enumerate() {
                let mut number = 0;
                for item in items {
                    if !is_debug_call(item) {
                        number += 1;
                        continue;
                    }
                    let location = unsafe { LLVMInstructionGetDebugLoc(item.0) };
                    match item.callee().name().as_str() {
                        "llvm.dbg.declare" => {
                            let items = [0, 1, 2].map(|number| item.operand(number).0);
                            let declare = Declare { items, at: (block, number), location };
                            declares.entry(function.0).or_default().push(declare);
                        }
                        "llvm.dbg.label" => labels.entry(function.0).or_default().push(location),
                        _ => {}
                    }
                    calls.push(item.0);
                }
            }
        }
        calls.into_iter().for_each(|call| unsafe { LLVMInstructionEraseFromParent(call) });
        (self.declares, self.labels) = (declares, labels);
    }

    /// Where the labels of a function are.
    #[must_use]
    pub fn labels(&self, function: Val<'_>) -> Vec<Node<'_>> {
        let all = self.labels.get(&function.0).map(Vec::as_slice).unwrap_or_default();
        all.iter().filter_map(|&location| self.node(location)).collect()
    }

    /// What a function declares, in order, if the object is the variable.
    #[must_use]
    pub fn declared(&self, function: Val<'_>) -> Vec<Declared<'_>> {
        let all = self.declares.get(&function.0).map(Vec::as_slice).unwrap_or_default();
        let known = |declare: &Declare| {
            let [object, variable, expression] = declare.items.map(|item| Val(item, PhantomData).unwrapped());
            match (object, variable, expression) {
                (Wrapped::Value(object), Wrapped::Node(variable), Wrapped::Node(expression))
                    if expression.text() == "!DIExpression()" =>
                {
                    let location = self.node(declare.location);
                    Some(Declared { object, variable, at: declare.at, location })
                }
                _ => None,
            }
        };
        all.iter().filter_map(known).collect()
    }

    fn node(&self, node: LLVMMetadataRef) -> Option<Node<'_>> {
        Node::new(node, self.context)
    }

    /// The objects of a function that are variables of C, those variables, and the expressions between the two.
    #[must_use]
    pub fn variables(&self, function: Val<'_>) -> Vec<[Wrapped<'_>; 3]> {
        let all = self.declares.get(&function.0).map(Vec::as_slice).unwrap_or_default();
        all.iter().map(|declare| declare.items.map(|item| Val(item, PhantomData).unwrapped())).collect()
    }

    fn verify(&self, path: &Path) -> Result<(), ReadError> {
        let mut message = std::ptr::null_mut();
        let action = llvm_sys::analysis::LLVMVerifierFailureAction::LLVMReturnStatusAction;
        let failed = unsafe { llvm_sys::analysis::LLVMVerifyModule(self.module, action, &mut message) };
        let text = owned(message);
        if failed == 0 { Ok(()) } else { Err(ReadError::input(path, &text)) }
    }

    /// The functions in order: those that have a body, and those that are only declared.
    #[must_use]
    pub fn functions(&self) -> (Vec<Val<'_>>, Vec<Val<'_>>) {
        let all = chain(unsafe { LLVMGetFirstFunction(self.module) }, |f| unsafe { LLVMGetNextFunction(f) });
        let (declared, defined): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|&f| unsafe { LLVMIsDeclaration(f) } != 0);
        let wrap = |all: Vec<_>| all.into_iter().map(|f| Val(f, PhantomData)).collect();
        (wrap(defined), wrap(declared))
    }

    /// The global variables, in order.
    #[must_use]
    pub fn globals(&self) -> Vec<Val<'_>> {
        let all = chain(unsafe { LLVMGetFirstGlobal(self.module) }, |g| unsafe { LLVMGetNextGlobal(g) });
        all.into_iter().map(|g| Val(g, PhantomData)).collect()
    }

    /// The global aliases, in order.
    #[must_use]
    pub fn aliases(&self) -> Vec<Val<'_>> {
        let first = unsafe { LLVMGetFirstGlobalAlias(self.module) };
        let all = chain(first, |g| unsafe { LLVMGetNextGlobalAlias(g) });
        all.into_iter().map(|g| Val(g, PhantomData)).collect()
    }

    /// The rules by which the module is laid out.
    #[must_use]
    pub fn data_layout(&self) -> String {
        let text = unsafe { LLVMGetDataLayoutStr(self.module) };
        if text.is_null() {
            String::new()
        } else {
            unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
        }
    }

    /// The size of a type as LLVM computes it: an oracle for [`layout`](super::layout).
    #[cfg(test)]
    pub(super) fn size_and_alignment(&self, ty: Ty<'_>) -> (u64, u64) {
        use llvm_sys::target::{LLVMABIAlignmentOfType, LLVMABISizeOfType, LLVMGetModuleDataLayout};
        let data = unsafe { LLVMGetModuleDataLayout(self.module) };
        unsafe { (LLVMABISizeOfType(data, ty.0), LLVMABIAlignmentOfType(data, ty.0).into()) }
    }
}

impl Declared<'_> {
    /// Whether the variable has its value before it is declared: a parameter, or one of clang's own.
    #[must_use]
    pub fn is_given(&self) -> bool {
        let text = self.variable.text();
        text.contains("arg: ") || text.contains("DIFlagArtificial")
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        unsafe {
            if !self.module.is_null() {
                LLVMDisposeModule(self.module);
            }
            LLVMContextDispose(self.context);
        }
    }
}

/// Follows LLVM's linked lists.
fn chain(first: LLVMValueRef, next: impl Fn(LLVMValueRef) -> LLVMValueRef) -> Vec<LLVMValueRef> {
    let mut all = Vec::new();
    let mut item = first;
    while !item.is_null() {
        all.push(item);
        item = next(item);
    }
    all
}

/// What kind of constant a value is.
#[derive(Clone, Copy, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Kind {
    Integer,
    Float,
    Null,
    Zero,
    Undefined,
    Poison,
    Variable,
    Function,
    Label,
    Alias,
    /// A struct, an array or data.
    Members,
    Expression(LLVMOpcode),
    Other,
}

impl<'d> Val<'d> {
    /// What kind of constant it is.
    #[must_use]
    pub fn kind(self) -> Kind {
        match unsafe { LLVMGetValueKind(self.0) } {
            ValueKind::LLVMConstantIntValueKind => Kind::Integer,
            ValueKind::LLVMConstantFPValueKind => Kind::Float,
            ValueKind::LLVMConstantPointerNullValueKind => Kind::Null,
            ValueKind::LLVMConstantAggregateZeroValueKind => Kind::Zero,
            ValueKind::LLVMUndefValueValueKind => Kind::Undefined,
            ValueKind::LLVMPoisonValueKind => Kind::Poison,
            ValueKind::LLVMGlobalVariableValueKind => Kind::Variable,
            ValueKind::LLVMFunctionValueKind => Kind::Function,
            ValueKind::LLVMGlobalAliasValueKind => Kind::Alias,
            ValueKind::LLVMConstantStructValueKind
            | ValueKind::LLVMConstantArrayValueKind
            | ValueKind::LLVMConstantDataArrayValueKind => Kind::Members,
            ValueKind::LLVMBlockAddressValueKind => Kind::Label,
            ValueKind::LLVMConstantExprValueKind => Kind::Expression(unsafe { LLVMGetConstOpcode(self.0) }),
            _ => Kind::Other,
        }
    }

    /// Its type.
    #[must_use]
    pub fn ty(self) -> Ty<'d> {
        Ty(unsafe { LLVMTypeOf(self.0) }, PhantomData)
    }

    /// Of a global: the type of what it names.
    #[must_use]
    pub fn pointee(self) -> Ty<'d> {
        Ty(unsafe { LLVMGlobalGetValueType(self.0) }, PhantomData)
    }

    /// Its name; empty if it has none.
    #[must_use]
    pub fn name(self) -> String {
        let mut length = 0;
        let start = unsafe { LLVMGetValueName2(self.0, &mut length) };
        borrowed(start, length)
    }

    /// As LLVM writes it. For an instruction, LLVM numbers the whole module first: never ask each of many.
    #[must_use]
    pub fn text(self) -> String {
        owned(unsafe { LLVMPrintValueToString(self.0) })
    }

    /// Of an integer: its value if it has at most 64 bits.
    #[must_use]
    pub fn small_integer(self) -> u64 {
        unsafe { LLVMConstIntGetZExtValue(self.0) }
    }

    /// Of a `float` or `double`: its bits, as an integer constant.
    #[must_use]
    pub fn float_bits(self, width: u32) -> u64 {
        unsafe {
            let context = LLVMGetTypeContext(LLVMTypeOf(self.0));
            let bits = LLVMConstBitCast(self.0, LLVMIntTypeInContext(context, width));
            LLVMConstIntGetZExtValue(bits)
        }
    }

    /// How many operands it has.
    #[must_use]
    pub fn operand_count(self) -> u32 {
        u32::try_from(unsafe { LLVMGetNumOperands(self.0) }).unwrap_or(0)
    }

    /// One operand.
    #[must_use]
    pub fn operand(self, number: u32) -> Val<'d> {
        assert!(number < self.operand_count(), "operand {number} of {}", self.text());
        Val(unsafe { LLVMGetOperand(self.0, number) }, PhantomData)
    }

    /// Of a computed jump: the address of the label that an operand is.
    #[must_use]
    pub fn label(self, number: u32) -> Val<'d> {
        let target = self.operand(number).0;
        unsafe {
            let block = LLVMValueAsBasicBlock(target);
            Val(LLVMBlockAddress(LLVMGetBasicBlockParent(block), block), PhantomData)
        }
    }

    /// Of a struct, an array or data: how many members there are.
    #[must_use]
    pub fn member_count(self) -> u64 {
        match self.ty().parts() {
            Parts::Record(members, _) => members.len() as u64,
            Parts::Array(_, length) => length,
            Parts::Scalar(_) | Parts::Vector(..) => 0,
        }
    }

    /// Of a struct, an array or data: one member.
    #[must_use]
    pub fn member(self, number: u32) -> Option<Val<'d>> {
        let member = unsafe { LLVMGetAggregateElement(self.0, number) };
        (!member.is_null()).then_some(Val(member, PhantomData))
    }

    /// Of an array of bytes that is data: the bytes.
    #[must_use]
    pub fn bytes(self) -> Option<Vec<u8>> {
        unsafe {
            let data = LLVMGetValueKind(self.0) == ValueKind::LLVMConstantDataArrayValueKind;
            if !data || LLVMIsConstantString(self.0) == 0 {
                return None;
            }
            let mut length = 0;
            let start = LLVMGetAsString(self.0, &mut length);
            Some(std::slice::from_raw_parts(start.cast::<u8>(), length).to_vec())
        }
    }

    /// Of an `alloca`: the type of an element.
    #[must_use]
    pub fn allocated_type(self) -> Ty<'d> {
        Ty(unsafe { LLVMGetAllocatedType(self.0) }, PhantomData)
    }

    /// Of a function or a call: the type of what argument number `number` points to, if it is passed `byval`.
    #[must_use]
    pub fn by_value(self, number: u32) -> Option<Ty<'d>> {
        self.type_attribute(number, c"byval")
    }

    /// Of a call of assembly: the type of what argument number `number` points to, if it is an operand in memory.
    #[must_use]
    pub fn in_memory(self, number: u32) -> Option<Ty<'d>> {
        self.type_attribute(number, c"elementtype")
    }

    fn type_attribute(self, number: u32, name: &std::ffi::CStr) -> Option<Ty<'d>> {
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr(), name.to_bytes().len());
            let attribute = if LLVMIsAFunction(self.0).is_null() {
                LLVMGetCallSiteEnumAttribute(self.0, number + 1, kind)
            } else {
                LLVMGetEnumAttributeAtIndex(self.0, number + 1, kind)
            };
            (!attribute.is_null()).then(|| Ty(LLVMGetTypeAttributeValue(attribute), PhantomData))
        }
    }

    /// Of a function: whether it is said never to return.
    #[must_use]
    pub fn never_returns(self) -> bool {
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(c"noreturn".as_ptr(), 8);
            !LLVMGetEnumAttributeAtIndex(self.0, llvm_sys::LLVMAttributeFunctionIndex, kind).is_null()
        }
    }

    /// Of an instruction: whether it is an `or` of numbers that are said to have no bit in common.
    #[must_use]
    pub fn is_disjoint(self) -> bool {
        unsafe { self.opcode() == LLVMOpcode::LLVMOr && LLVMGetIsDisjoint(self.0) != 0 }
    }

    /// Of an instruction: whether it is an extension of a number that is said not to be negative.
    #[must_use]
    pub fn is_not_negative(self) -> bool {
        unsafe { self.opcode() == LLVMOpcode::LLVMZExt && LLVMGetNNeg(self.0) != 0 }
    }

    /// Of a `getelementptr`: the type that the first index counts.
    #[must_use]
    pub fn stepped_type(self) -> Ty<'d> {
        Ty(unsafe { LLVMGetGEPSourceElementType(self.0) }, PhantomData)
    }

    /// Of a `getelementptr`: whether it is `inbounds`.
    #[must_use]
    pub fn in_bounds(self) -> bool {
        unsafe { LLVMIsInBounds(self.0) != 0 }
    }

    /// Of an alias: what it stands for.
    #[must_use]
    pub fn aliasee(self) -> Val<'d> {
        Val(unsafe { LLVMAliasGetAliasee(self.0) }, PhantomData)
    }

    /// Of a global variable: what it starts with.
    #[must_use]
    pub fn initialiser(self) -> Option<Val<'d>> {
        let value = unsafe { LLVMGetInitializer(self.0) };
        (!value.is_null()).then_some(Val(value, PhantomData))
    }

    /// Of a function with a body: a parameter.
    #[must_use]
    pub fn parameter(self, number: u32) -> Val<'d> {
        assert!(number < unsafe { LLVMCountParams(self.0) }, "parameter {number} of {}", self.name());
        Val(unsafe { LLVMGetParam(self.0, number) }, PhantomData)
    }

    /// Of a function: the instructions of each block, without calls of `llvm.dbg.*`.
    #[must_use]
    pub fn blocks(self) -> Vec<Vec<Val<'d>>> {
        let mut all = Vec::new();
        let mut block = unsafe { LLVMGetFirstBasicBlock(self.0) };
        while !block.is_null() {
            let first = unsafe { LLVMGetFirstInstruction(block) };
            let items = chain(first, |i| unsafe { LLVMGetNextInstruction(i) });
            all.push(items.into_iter().map(|i| Val(i, PhantomData)).collect());
            block = unsafe { LLVMGetNextBasicBlock(block) };
        }
        all
    }

    /// Of an instruction: its opcode.
    #[must_use]
    pub fn opcode(self) -> LLVMOpcode {
        unsafe { LLVMGetInstructionOpcode(self.0) }
    }

    /// Of a call: what is called.
    #[must_use]
    pub fn callee(self) -> Val<'d> {
        Val(unsafe { LLVMGetCalledValue(self.0) }, PhantomData)
    }

    /// Of a function: whether it has no body.
    #[must_use]
    pub fn is_declaration(self) -> bool {
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }

    /// Of a call: the type of function that it takes the callee for.
    #[must_use]
    pub fn called_type(self) -> Ty<'d> {
        Ty(unsafe { LLVMGetCalledFunctionType(self.0) }, PhantomData)
    }

    /// Of inline assembly: its template, and its constraints.
    #[must_use]
    pub fn assembly(self) -> Option<(String, String)> {
        if unsafe { LLVMIsAInlineAsm(self.0) }.is_null() {
            return None;
        }
        let mut length = 0;
        let start = unsafe { LLVMGetInlineAsmAsmString(self.0, &mut length) };
        let template = borrowed(start, length);
        let start = unsafe { LLVMGetInlineAsmConstraintString(self.0, &mut length) };
        Some((template, borrowed(start, length)))
    }
}

/// Whether an instruction is a call that only tells debug information.
fn is_debug_call(item: Val<'_>) -> bool {
    item.opcode() == LLVMOpcode::LLVMCall && item.callee().name().starts_with("llvm.dbg.")
}
