//! Types, as LLVM holds them.

use super::super::layout::{Form, Packing};
use super::{Door, owned};
use llvm_sys::LLVMTypeKind as TypeKind;
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use std::marker::PhantomData;

/// A type of LLVM.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ty<'d>(pub(super) LLVMTypeRef, pub(super) PhantomData<&'d Door>);

/// A type, one level deep.
pub enum Parts<'d> {
    /// Without members.
    Scalar(Form),
    /// A struct.
    Record(Vec<Ty<'d>>, Packing),
    /// An array.
    Array(Ty<'d>, u64),
    /// A vector.
    Vector(Ty<'d>, u64),
}

impl<'d> Ty<'d> {
    fn kind(self) -> TypeKind {
        unsafe { LLVMGetTypeKind(self.0) }
    }

    /// As LLVM writes it.
    #[must_use]
    pub fn text(self) -> String {
        owned(unsafe { LLVMPrintTypeToString(self.0) })
    }

    /// What it is, one level deep.
    #[must_use]
    pub fn parts(self) -> Parts<'d> {
        match self.kind() {
            TypeKind::LLVMVoidTypeKind => Parts::Scalar(Form::Void),
            TypeKind::LLVMIntegerTypeKind => {
                Parts::Scalar(Form::Integer(unsafe { LLVMGetIntTypeWidth(self.0) }))
            }
            TypeKind::LLVMPointerTypeKind if unsafe { LLVMGetPointerAddressSpace(self.0) } == 0 => {
                Parts::Scalar(Form::Pointer)
            }
            TypeKind::LLVMFloatTypeKind => Parts::Scalar(Form::Float(32)),
            TypeKind::LLVMDoubleTypeKind => Parts::Scalar(Form::Float(64)),
            TypeKind::LLVMX86_FP80TypeKind => Parts::Scalar(Form::Float(80)),
            TypeKind::LLVMFP128TypeKind => Parts::Scalar(Form::Float(128)),
            TypeKind::LLVMHalfTypeKind | TypeKind::LLVMBFloatTypeKind => Parts::Scalar(Form::Float(16)),
            TypeKind::LLVMStructTypeKind if unsafe { LLVMIsOpaqueStruct(self.0) } == 0 => self.record(),
            TypeKind::LLVMArrayTypeKind => {
                Parts::Array(self.element(), unsafe { LLVMGetArrayLength2(self.0) })
            }
            TypeKind::LLVMVectorTypeKind => {
                Parts::Vector(self.element(), unsafe { LLVMGetVectorSize(self.0) }.into())
            }
            _ => Parts::Scalar(Form::Other(self.text())),
        }
    }

    fn record(self) -> Parts<'d> {
        let count = unsafe { LLVMCountStructElementTypes(self.0) };
        let member = |number| Ty(unsafe { LLVMStructGetTypeAtIndex(self.0, number) }, PhantomData);
        let packed = unsafe { LLVMIsPackedStruct(self.0) } != 0;
        Parts::Record(
            (0..count).map(member).collect(),
            if packed { Packing::Packed } else { Packing::Padded },
        )
    }

    /// Of a function type: what it returns, its parameters, and whether further arguments may follow.
    #[must_use]
    pub fn signature(self) -> (Self, Vec<Self>, bool) {
        unsafe {
            let mut all = vec![std::ptr::null_mut(); LLVMCountParamTypes(self.0) as usize];
            LLVMGetParamTypes(self.0, all.as_mut_ptr());
            let parameters = all.into_iter().map(|ty| Ty(ty, PhantomData)).collect();
            (Ty(LLVMGetReturnType(self.0), PhantomData), parameters, LLVMIsFunctionVarArg(self.0) != 0)
        }
    }

    fn element(self) -> Self {
        Ty(unsafe { LLVMGetElementType(self.0) }, PhantomData)
    }
}
