//! Single instructions of the machine.

use super::machine::{Frame, Machine, Stop, Value, function_address, mask};
use crate::ir::analysis::points_to::{Origin, RegionId, Site, Transfer};
use crate::ir::{
    BinaryOperator, Callee, Cast, Comparison, FunctionId, Instruction, Intrinsic, Operand, Operation, Type,
};

type Step = Result<Option<Value>, Stop>;

impl Machine<'_> {
    pub fn step(&mut self, frame: &Frame, site: Site, instruction: &Instruction) -> Step {
        let result_type = instruction.result.map(|id| &self.module.functions[site.function].values[id].ty);
        let number = |machine: &Self, operand| machine.number(frame, operand);
        let some = |number: u128| Ok(Some(Value::Number(number)));
        match &instruction.operation {
            Operation::Phi(_) => Ok(instruction.result.and_then(|id| frame.values.get(&id).cloned())),
            Operation::Binary { operator, left, right, .. } => {
                let bits = self.bits(result_type.unwrap());
                some(binary(*operator, number(self, left)?, number(self, right)?, bits)?)
            }
            Operation::Compare { comparison, left, right } => {
                let bits = self.operand_bits(site.function, left, right);
                some(u128::from(compare(*comparison, number(self, left)?, number(self, right)?, bits)))
            }
            Operation::Cast { cast, value } => {
                let from = self.operand_bits(site.function, value, value);
                some(self.cast(*cast, number(self, value)?, from, result_type.unwrap())?)
            }
            Operation::Select { condition, yes, no } => {
                let chosen = if number(self, condition)? == 0 { no } else { yes };
                self.operand(frame, chosen).map(Some)
            }
            Operation::Freeze(value) => self.operand(frame, value).map(Some),
            Operation::Offset { base, constant, terms, .. } => {
                if let Some(&count) = self.points_to.indexed.get(&site) {
                    let (index, bits, _) = &terms[0];
                    let index = u64::try_from(signed(number(self, index)?, *bits));
                    if !index.is_ok_and(|index| index < count) {
                        return Err(Stop::Fault("an index outside of its array"));
                    }
                }
                let mut address = number(self, base)?.wrapping_add_signed(i128::from(*constant));
                for (operand, bits, scale) in terms {
                    let index = signed(number(self, operand)?, *bits);
                    address = address.wrapping_add_signed(index.wrapping_mul(i128::from(*scale)));
                }
                some(mask(address, self.module.pointer_bits()))
            }
            Operation::Load { address, .. } => {
                let address = self.address(frame, address)?;
                let bytes = self.load(site, address, result_type.unwrap())?;
                Ok(Some(Self::decode(&bytes, result_type.unwrap())))
            }
            Operation::Store { address, value, ty, .. } => {
                let (address, value) = (self.address(frame, address)?, self.operand(frame, value)?);
                let bytes = self.encode(&value, ty);
                self.store(site, address, &bytes)?;
                Ok(None)
            }
            Operation::Extract { aggregate, ty, path } => self.extract(frame, aggregate, ty, path),
            Operation::Insert { aggregate, value, path } => {
                self.insert(frame, aggregate, value, result_type.unwrap(), path)
            }
            Operation::Call { callee, arguments, .. } => self.make_call(frame, site, callee, arguments),
            Operation::Intrinsic { intrinsic, arguments } => {
                self.intrinsic(frame, site, *intrinsic, arguments)
            }
            Operation::Fence => Ok(None),
            other => Err(Stop::Unsupported(format!("{other:?}"))),
        }
    }

    fn bits(&self, ty: &Type) -> u32 {
        match ty {
            Type::Integer(bits) => *bits,
            _ => u32::try_from(self.size(ty)).unwrap() * 8,
        }
    }

    fn operand_bits(&self, function: FunctionId, left: &Operand, right: &Operand) -> u32 {
        for operand in [left, right] {
            match operand {
                Operand::Value(id) => return self.bits(&self.module.functions[function].values[*id].ty),
                Operand::Constant(crate::ir::Constant::Integer { bits, .. }) => return *bits,
                Operand::Constant(_) => {}
            }
        }
        self.module.pointer_bits()
    }

    fn cast(&self, cast: Cast, number: u128, from: u32, ty: &Type) -> Result<u128, Stop> {
        let to = self.bits(ty);
        match cast {
            Cast::SignExtend => Ok(mask(signed(number, from).cast_unsigned(), to)),
            Cast::Truncate
            | Cast::ZeroExtend
            | Cast::PointerToInteger
            | Cast::IntegerToPointer
            | Cast::Bits => Ok(mask(number, to)),
            _ => Err(Stop::Unsupported("floats".to_owned())),
        }
    }

    /// Both memories are read, and must agree.
    fn load(&mut self, site: Site, address: u64, ty: &Type) -> Result<Vec<u8>, Stop> {
        let bytes = self.bytes(address, self.module.size_of(ty))?;
        let accesses = self.points_to.accesses(site);
        assert!(!accesses.is_empty(), "{site:?} points somewhere");
        for access in accesses {
            let (at, width) = (address + access.offset, u64::from(access.bits / 8));
            let held = self.shadow.read(access.region, at, self.place_of(at), width);
            assert_eq!(held, Some(self.bytes(at, width)?), "what is read at {site:?} from {access:?}");
            self.compared += 1;
        }
        Ok(bytes)
    }

    fn store(&mut self, site: Site, address: u64, bytes: &[u8]) -> Result<(), Stop> {
        self.put(address, bytes)?;
        let accesses = self.points_to.accesses(site);
        assert!(!accesses.is_empty(), "{site:?} points somewhere");
        for access in accesses {
            let at = address + access.offset;
            let start = usize::try_from(access.offset).unwrap();
            let piece = &bytes[start..start + access.bits as usize / 8];
            let place = self.place_of(at);
            self.shadow.write(access.region, at, place, piece);
        }
        Ok(())
    }

    fn member<'t>(ty: &'t Type, path: &[u32]) -> (u64, &'t Type) {
        path.iter().fold((0, ty), |(start, ty), &number| match ty {
            Type::Aggregate { members, .. } => {
                let (offset, member) = &members[number as usize];
                (start + offset, member)
            }
            _ => panic!("a path leads into aggregates"),
        })
    }

    fn extract(&self, frame: &Frame, aggregate: &Operand, ty: &Type, path: &[u32]) -> Step {
        let Value::Bytes(bytes) = self.operand(frame, aggregate)? else {
            return Err(Stop::Unsupported("extract".to_owned()));
        };
        let (offset, member) = Self::member(ty, path);
        let start = usize::try_from(offset).unwrap();
        Ok(Some(Self::decode(&bytes[start..start + self.size(member)], member)))
    }

    fn insert(&self, frame: &Frame, aggregate: &Operand, value: &Operand, ty: &Type, path: &[u32]) -> Step {
        let Value::Bytes(mut bytes) = self.operand(frame, aggregate)? else {
            return Err(Stop::Unsupported("insert".to_owned()));
        };
        let (offset, member) = Self::member(ty, path);
        self.put_member(&mut bytes, offset, member, &self.operand(frame, value)?);
        Ok(Some(Value::Bytes(bytes)))
    }

    fn make_call(
        &mut self,
        frame: &Frame,
        site: Site,
        callee: &Callee,
        arguments: &[(Operand, Type)],
    ) -> Step {
        let target = match callee {
            Callee::Function(id) => *id,
            Callee::Address(address) => {
                let address = self.number(frame, address)?;
                let mut ids = self.module.functions.ids();
                ids.find(|&id| function_address(id) == address).ok_or(Stop::Fault("call"))?
            }
            Callee::Assembly { .. } => return Err(Stop::Unsupported("assembly".to_owned())),
        };
        assert!(self.points_to.callees(site).functions.contains(&target), "{site:?} calls {target:?}");
        let mut values = Vec::new();
        for (operand, _) in arguments {
            values.push(self.operand(frame, operand)?);
        }
        let function = &self.module.functions[target];
        if !function.is_defined() {
            return self.external(&function.name, site, &values);
        }
        // Copies are read in the caller and written in the callee.
        let mut copies = Vec::new();
        for (number, parameter) in function.parameters.iter().enumerate() {
            if let (Some(size), Value::Number(from)) = (parameter.copied, values[number].clone()) {
                let transfer = self.points_to.argument_copy(site, target, number);
                let from = u64::try_from(from).unwrap();
                let taken = (self.bytes(from, size)?, self.gather(&transfer, from, size)?);
                copies.push((number, size, taken));
            }
        }
        let saved = self.shadow.enter(target);
        for (number, size, (bytes, parts)) in copies {
            let to = self.create(Origin::Copy(target, number), size);
            self.scatter(to, &bytes, parts)?;
            values[number] = Value::Number(u128::from(to));
        }
        let result = self.call(target, values)?;
        self.shadow.leave(saved);
        Ok(result)
    }

    fn external(&mut self, name: &str, site: Site, values: &[Value]) -> Step {
        let argument = |number: usize| match values[number] {
            Value::Number(number) => u64::try_from(number).unwrap(),
            Value::Bytes(_) => 0,
        };
        match name {
            "malloc" => {
                let address = self.create(Origin::Heap(site), argument(0));
                Ok(Some(Value::Number(u128::from(address))))
            }
            "free" => Ok(None),
            "memcpy" | "memmove" => {
                self.transfer(&self.points_to.copy(site), argument(0), argument(1), argument(2))?;
                Ok(Some(Value::Number(u128::from(argument(0)))))
            }
            "printf" | "platform_main_begin" => Ok(Some(Value::Number(0))),
            "nd" => Ok(Some(Value::Number(u128::from(self.random() % 4)))),
            _ => Err(Stop::Unsupported(name.to_owned())),
        }
    }

    fn intrinsic(
        &mut self,
        frame: &Frame,
        site: Site,
        intrinsic: Intrinsic,
        arguments: &[(Operand, Type)],
    ) -> Step {
        let number = |machine: &Self, argument: usize| machine.address(frame, &arguments[argument].0);
        match intrinsic {
            Intrinsic::CopyMemory | Intrinsic::MoveMemory => {
                let (to, from, length) = (number(self, 0)?, number(self, 1)?, number(self, 2)?);
                self.transfer(&self.points_to.copy(site), to, from, length)?;
                Ok(None)
            }
            Intrinsic::SetMemory => {
                let (to, byte, length) = (number(self, 0)?, number(self, 1)?, number(self, 2)?);
                self.set(site, to, byte.to_le_bytes()[0], length)?;
                Ok(None)
            }
            Intrinsic::Nothing | Intrinsic::StartLife | Intrinsic::EndLife | Intrinsic::UnknownLife => {
                Ok(None)
            }
            other => Err(Stop::Unsupported(format!("{other:?}"))),
        }
    }

    fn set(&mut self, site: Site, to: u64, byte: u8, length: u64) -> Result<(), Stop> {
        self.put(to, &vec![byte; usize::try_from(length).unwrap()])?;
        for (offset, width, region, _) in parts(&self.points_to.set(site), length)? {
            let place = self.place_of(to + offset);
            let bytes = vec![byte; usize::try_from(width).unwrap()];
            self.shadow.write(region, to + offset, place, &bytes);
        }
        Ok(())
    }

    fn transfer(&mut self, transfer: &Transfer, to: u64, from: u64, length: u64) -> Result<(), Stop> {
        self.locate(to, length)?;
        let (bytes, parts) = (self.bytes(from, length)?, self.gather(transfer, from, length)?);
        self.scatter(to, &bytes, parts)
    }

    /// What is copied of each region: both memories must agree.
    fn gather(
        &self,
        transfer: &Transfer,
        from: u64,
        length: u64,
    ) -> Result<Vec<(RegionId, u64, Vec<u8>)>, Stop> {
        let mut read = Vec::new();
        for (offset, width, into, out) in parts(transfer, length)? {
            let at = from + offset;
            let held = self.shadow.read(out.expect("a copy reads"), at, self.place_of(at), width);
            let flat = self.bytes(at, width)?;
            assert_eq!(held.as_ref(), Some(&flat), "a piece of a copy is read");
            read.push((into, offset, flat));
        }
        Ok(read)
    }

    fn scatter(&mut self, to: u64, bytes: &[u8], parts: Vec<(RegionId, u64, Vec<u8>)>) -> Result<(), Stop> {
        self.put(to, bytes)?;
        for (region, offset, bytes) in parts {
            let place = self.place_of(to + offset);
            self.shadow.write(region, to + offset, place, &bytes);
        }
        Ok(())
    }
}

type Part = (u64, u64, RegionId, Option<RegionId>);

/// Offset, width and regions of each part of a transfer.
fn parts(transfer: &Transfer, length: u64) -> Result<Vec<Part>, Stop> {
    match transfer {
        Transfer::Nowhere => panic!("the transfer is somewhere"),
        Transfer::Pieces(pieces) => {
            Ok(pieces.iter().map(|p| (p.offset, u64::from(p.bits / 8), p.to, p.from)).collect())
        }
        Transfer::Loop { bits, to, from } => {
            let width = u64::from(bits / 8);
            if !length.is_multiple_of(width) {
                return Err(Stop::Unsupported("part of a cell".to_owned()));
            }
            Ok((0..length / width).map(|number| (number * width, width, *to, *from)).collect())
        }
    }
}

fn signed(number: u128, bits: u32) -> i128 {
    let unused = 128 - bits;
    (number << unused).cast_signed() >> unused
}

fn binary(operator: BinaryOperator, left: u128, right: u128, bits: u32) -> Result<u128, Stop> {
    let by = u32::try_from(right).unwrap_or(u32::MAX);
    let shift = |value: Option<u128>| value.filter(|_| by < bits).ok_or(Stop::Fault("shift"));
    let (l, r) = (signed(left, bits), signed(right, bits));
    let division = Stop::Fault("division");
    let value = match operator {
        BinaryOperator::Add => left.wrapping_add(right),
        BinaryOperator::Subtract => left.wrapping_sub(right),
        BinaryOperator::Multiply => left.wrapping_mul(right),
        BinaryOperator::UnsignedDivide => left.checked_div(right).ok_or(division)?,
        BinaryOperator::UnsignedRemainder => left.checked_rem(right).ok_or(division)?,
        BinaryOperator::SignedDivide => l.checked_div(r).ok_or(division)?.cast_unsigned(),
        BinaryOperator::SignedRemainder => l.checked_rem(r).ok_or(division)?.cast_unsigned(),
        BinaryOperator::ShiftLeft => shift(left.checked_shl(by))?,
        BinaryOperator::ShiftRight => shift(left.checked_shr(by))?,
        BinaryOperator::ShiftRightSigned => shift(l.checked_shr(by).map(i128::cast_unsigned))?,
        BinaryOperator::And => left & right,
        BinaryOperator::Or => left | right,
        BinaryOperator::Xor => left ^ right,
    };
    Ok(mask(value, bits))
}

fn compare(comparison: Comparison, left: u128, right: u128, bits: u32) -> bool {
    let (l, r) = (signed(left, bits), signed(right, bits));
    match comparison {
        Comparison::Equal => left == right,
        Comparison::NotEqual => left != right,
        Comparison::UnsignedLess => left < right,
        Comparison::UnsignedLessEqual => left <= right,
        Comparison::UnsignedGreater => left > right,
        Comparison::UnsignedGreaterEqual => left >= right,
        Comparison::SignedLess => l < r,
        Comparison::SignedLessEqual => l <= r,
        Comparison::SignedGreater => l > r,
        Comparison::SignedGreaterEqual => l >= r,
    }
}
