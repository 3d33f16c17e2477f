//! Nodes of debug metadata, as LLVM holds them.
//!
//! A node is turned into a value where the C interface wants one; its operands come back as values, too.

use super::{Door, Val, borrowed};
use llvm_sys::LLVMValueKind as ValueKind;
use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMMetadataKind as NodeKind;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::*;
use std::marker::PhantomData;

/// A node of metadata.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Node<'d>(LLVMMetadataRef, LLVMContextRef, PhantomData<&'d Door>);

impl<'d> Val<'d> {
    /// Of metadata dressed as a value: the value that it wraps, or the node that it is.
    #[must_use]
    pub fn unwrapped(self) -> Wrapped<'d> {
        unsafe {
            let node = LLVMValueAsMetadata(self.0);
            match LLVMGetMetadataKind(node) {
                NodeKind::LLVMConstantAsMetadataMetadataKind | NodeKind::LLVMLocalAsMetadataMetadataKind => {
                    let mut value = std::ptr::null_mut();
                    LLVMGetMDNodeOperands(self.0, &mut value);
                    Wrapped::Value(Val(value, PhantomData))
                }
                _ => Wrapped::Node(Node(node, LLVMGetTypeContext(LLVMTypeOf(self.0)), PhantomData)),
            }
        }
    }

    /// Of a global variable: the DIGlobalVariable that is attached to it.
    #[must_use]
    pub fn global_variable(self) -> Option<Node<'d>> {
        unsafe {
            let mut count = 0;
            let entries = LLVMGlobalCopyAllMetadata(self.0, &mut count);
            let context = LLVMGetTypeContext(LLVMTypeOf(self.0));
            let mut found = None;
            for number in 0..u32::try_from(count).unwrap_or(0) {
                let node = LLVMValueMetadataEntriesGetMetadata(entries, number);
                let kind = LLVMGetMetadataKind(node);
                if matches!(kind, NodeKind::LLVMDIGlobalVariableExpressionMetadataKind) {
                    let variable = LLVMDIGlobalVariableExpressionGetVariable(node);
                    found = (!variable.is_null()).then_some(Node(variable, context, PhantomData));
                }
            }
            LLVMDisposeValueMetadataEntries(entries);
            found
        }
    }

    /// Of an instruction: its DILocation.
    #[must_use]
    pub fn location(self) -> Option<Node<'d>> {
        unsafe {
            let context = LLVMGetTypeContext(LLVMTypeOf(self.0));
            Node::new(LLVMInstructionGetDebugLoc(self.0), context)
        }
    }

    /// Of a function: its DISubprogram.
    #[must_use]
    pub fn subprogram(self) -> Option<Node<'d>> {
        unsafe {
            let node = LLVMGetSubprogram(self.0);
            let context = LLVMGetTypeContext(LLVMTypeOf(self.0));
            (!node.is_null()).then_some(Node(node, context, PhantomData))
        }
    }
}

/// What metadata dressed as a value is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Wrapped<'d> {
    /// A value.
    Value(Val<'d>),
    /// A node.
    Node(Node<'d>),
}

impl<'d> Node<'d> {
    /// A node that LLVM gave, if it is one.
    pub(super) fn new(node: LLVMMetadataRef, context: LLVMContextRef) -> Option<Self> {
        (!node.is_null()).then_some(Self(node, context, PhantomData))
    }

    /// Of a DILocation: its scope.
    #[must_use]
    pub fn scope(self) -> Option<Self> {
        if !self.is_location() {
            return None;
        }
        Self::new(unsafe { LLVMDILocationGetScope(self.0) }, self.1)
    }

    /// Of a DILocation: the call that it was inlined at, as a DILocation.
    #[must_use]
    pub fn inlined_at(self) -> Option<Self> {
        if !self.is_location() {
            return None;
        }
        Self::new(unsafe { LLVMDILocationGetInlinedAt(self.0) }, self.1)
    }

    fn is_location(self) -> bool {
        matches!(self.kind(), NodeKind::LLVMDILocationMetadataKind)
    }

    fn as_value(self) -> Val<'d> {
        Val(unsafe { LLVMMetadataAsValue(self.1, self.0) }, PhantomData)
    }

    fn kind(self) -> NodeKind {
        unsafe { LLVMGetMetadataKind(self.0) }
    }

    fn is_string(self) -> bool {
        matches!(self.kind(), NodeKind::LLVMMDStringMetadataKind)
    }

    /// Whether it describes a function.
    #[must_use]
    pub fn is_subprogram(self) -> bool {
        matches!(self.kind(), NodeKind::LLVMDISubprogramMetadataKind)
    }

    /// The DWARF tag of a node that has one.
    #[must_use]
    pub fn tag(self) -> u16 {
        unsafe { LLVMGetDINodeTag(self.0) }
    }

    /// As LLVM writes it; for what has no getter. Nodes within appear as addresses: never show this to anybody.
    #[must_use]
    pub fn text(self) -> String {
        self.as_value().text()
    }

    /// The string, if it is one.
    #[must_use]
    pub fn string(self) -> Option<String> {
        if !self.is_string() {
            return None;
        }
        let mut length = 0;
        let start = unsafe { LLVMGetMDString(self.as_value().0, &mut length) };
        Some(borrowed(start, length as usize))
    }

    /// Its operands; nothing for those that are null.
    #[must_use]
    pub fn operands(self) -> Vec<Option<Wrapped<'d>>> {
        if self.is_string() {
            return Vec::new();
        }
        let value = self.as_value().0;
        let mut all = vec![std::ptr::null_mut(); unsafe { LLVMGetMDNodeNumOperands(value) } as usize];
        unsafe { LLVMGetMDNodeOperands(value, all.as_mut_ptr()) };
        all.into_iter().map(|operand| self.wrapped(operand)).collect()
    }

    fn wrapped(self, operand: LLVMValueRef) -> Option<Wrapped<'d>> {
        if operand.is_null() {
            return None;
        }
        // Constants among the operands come undressed.
        let dressed = unsafe { LLVMGetValueKind(operand) } == ValueKind::LLVMMetadataAsValueValueKind;
        let node = || Node(unsafe { LLVMValueAsMetadata(operand) }, self.1, PhantomData);
        Some(if dressed { Wrapped::Node(node()) } else { Wrapped::Value(Val(operand, PhantomData)) })
    }

    /// Of a type: its size in bits.
    #[must_use]
    pub fn size_in_bits(self) -> u64 {
        unsafe { LLVMDITypeGetSizeInBits(self.0) }
    }

    /// Of a member: its offset in bits.
    #[must_use]
    pub fn offset_in_bits(self) -> u64 {
        unsafe { LLVMDITypeGetOffsetInBits(self.0) }
    }

    /// Of a DIFile: its name.
    #[must_use]
    pub fn file_name(self) -> Option<String> {
        if !matches!(self.kind(), NodeKind::LLVMDIFileMetadataKind) {
            return None;
        }
        let mut length = 0;
        let start = unsafe { LLVMDIFileGetFilename(self.0, &mut length) };
        Some(borrowed(start, length as usize))
    }

    /// The line of a variable or a function.
    #[must_use]
    pub fn line(self) -> u32 {
        match self.kind() {
            NodeKind::LLVMDISubprogramMetadataKind => unsafe { LLVMDISubprogramGetLine(self.0) },
            NodeKind::LLVMDILocalVariableMetadataKind | NodeKind::LLVMDIGlobalVariableMetadataKind => unsafe {
                LLVMDIVariableGetLine(self.0)
            },
            _ => 0,
        }
    }

    /// Whether it describes a type.
    #[must_use]
    pub fn is_type(self) -> bool {
        matches!(
            self.kind(),
            NodeKind::LLVMDIBasicTypeMetadataKind
                | NodeKind::LLVMDIDerivedTypeMetadataKind
                | NodeKind::LLVMDICompositeTypeMetadataKind
                | NodeKind::LLVMDISubroutineTypeMetadataKind
        )
    }
}
