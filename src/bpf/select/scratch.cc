// See scratch.h.

#include "bpf/select/scratch.h"

#include <linux/bpf.h>

#include <string>

#include "bpf/layout/frame.h"
#include "bpf/select/bytes.h"
#include "bpf/select/context.h"
#include "bpf/select/failures.h"
#include "bpf/select/loads.h"
#include "bpf/select/storage.h"
#include "bpf/select/values.h"
#include "record/wire.h"

namespace dt::bpf {

Scratch::Scratch(const Core& core, Loads& loads) : SelectionPart(core), loads_(loads) {}

// A held copy of a size; leaves where it is more than the whole region.
Reg Scratch::scratch_size(ir::ValueId id, Label too_large) {
  const Reg size = e_.held_copy(values_.reg(id));
  e_.jump_if_imm(Cond::kGt, size, static_cast<std::int32_t>(unit_.program.scratch_size), too_large);
  return size;
}

// The pointer to the region's byte `offset`, which is at most scratch_size.
Reg Scratch::scratch_pointer(Reg region, Reg offset) {
  const Reg pointer = e_.reg();
  e_.mov(pointer, region);
  e_.alu_imm(Alu::kAdd, pointer, kRegionHeader);
  e_.alu(Alu::kAdd, pointer, offset);
  return pointer;
}

void Scratch::alloca_scratch(const ir::Inst& inst) {
  const auto limit = static_cast<std::int32_t>(unit_.program.scratch_size);
  storage_.need_frame();
  const Label none = failures_.fault(inst, record::Fault::kNoScratch, e_.imm(0));
  const Reg size = scratch_size(inst.args[0], none);
  const Reg region = storage_.region(none), used = e_.held();
  e_.load_to(used, 8, region, 0);
  e_.jump_if_imm(Cond::kGt, used, limit, none);
  // Rounded up here and not at the end, so that a store behind the last byte is a fault.
  e_.alu_imm(Alu::kAdd, used, 7);
  e_.alu_imm(Alu::kAnd, used, -8);
  const Reg end = e_.reg();
  e_.mov(end, size);
  e_.alu(Alu::kAdd, end, used);
  e_.jump_if_imm(Cond::kGt, end, limit, none);
  e_.store(8, region, 0, end);
  const Reg result = e_.load(8, region, 8);
  e_.alu(Alu::kAdd, result, used);
  values_.define(inst, result);
}

// The pointer to `size` bytes at the address `to`: all of them given out, or of global variables.
Reg Scratch::scratch_place(ir::ValueId to, Reg size, Label bad) {
  const bool has_globals = unit_.memory.addressed_begin != unit_.memory.addressed_end;
  const Label elsewhere = has_globals ? e_.label() : bad, have = e_.label();
  const Reg region = storage_.region(bad), offset = e_.held_copy(values_.reg(to));
  e_.alu(Alu::kSub, offset, e_.load(8, region, 8));
  e_.jump_if_imm(Cond::kGt, offset, static_cast<std::int32_t>(unit_.program.scratch_size),
                 elsewhere);
  const Reg end = e_.reg();
  e_.mov(end, offset);
  e_.alu(Alu::kAdd, end, size);
  e_.jump_if(Cond::kGt, end, e_.load(8, region, 0), bad);
  const Reg place = scratch_pointer(region, offset);
  if (!has_globals) return place;
  e_.jump(have);
  e_.bind(elsewhere);
  e_.mov(place, global_place(to, size, bad));
  e_.bind(have);
  return place;
}

Reg Scratch::global_place(ir::ValueId to, Reg size, Label bad) {
  const std::uint32_t begin = unit_.memory.addressed_begin;
  const auto most = static_cast<std::int32_t>(unit_.memory.addressed_end - begin);
  const Place word = storage_.frame_word(f_.position);
  const Reg globals = e_.map_value({MapKind::kGlobals, 0}, begin);
  e_.store(8, word.base, word.offset, globals);
  const Reg offset = e_.held_copy(values_.reg(to)), end = e_.reg();
  e_.alu(Alu::kSub, offset, e_.load(8, word.base, word.offset));
  e_.jump_if_imm(Cond::kGt, offset, most, bad);
  e_.mov(end, offset);
  e_.alu(Alu::kAdd, end, size);
  e_.jump_if_imm(Cond::kGt, end, most, bad);
  e_.alu(Alu::kAdd, globals, offset);
  return globals;
}

void Scratch::copy_to_scratch(const ir::Inst& inst) {
  storage_.need_frame();
  const Label bad_place =
      failures_.fault(inst, record::Fault::kBadAddress, values_.reg(inst.args[0]));
  const Reg size = scratch_size(inst.args[2], bad_place);
  const Reg place = scratch_place(inst.args[0], size, bad_place);
  const Reg from = values_.reg(inst.args[1]);
  const Label bad = failures_.fault(inst, record::Fault::kBadAddress, from), done = e_.label();
  // Nothing is read from anywhere; the helper would look at the address all the same.
  if (!values_.constant(inst.args[2])) e_.jump_if_imm(Cond::kEq, size, 0, done);
  if (values_.constant(inst.args[2]) == 0) return;
  const Reg status = loads_.read_foreign(
      {place, size, from, unit_.program.scratch_size, inst.op == ir::Op::kCopyUser});
  e_.jump_if_imm(Cond::kSlt, status, 0, bad);
  e_.bind(done);
}

// What is to be written goes by the region's free end, which is zero again afterwards: the
// helper takes memory whose bounds the verifier knows, and no other.
void Scratch::copy_out(const ir::Inst& inst) {
  const bool is_string = inst.op == ir::Op::kCopyoutString;
  const std::string& missing = unit_.memory.machine.no_write_user;
  if (!missing.empty()) {
    return f_.refuse(ir::Refusal::Code::kCannotWriteUser, inst, missing);
  }
  const auto limit = static_cast<std::int32_t>(unit_.program.scratch_size);
  storage_.need_frame();
  const Label none = failures_.fault(inst, record::Fault::kNoScratch, e_.imm(0));
  const Label done = e_.label();
  Place from;
  if (is_string)
    from = bytes_.in_memory(values_.value(inst.args[0]), values_.value(inst.args[0]).avail,
                            f_.position);
  const Reg region = storage_.region(none), used = e_.held(), size = e_.held();
  e_.load_to(used, 8, region, 0);
  e_.jump_if_imm(Cond::kGt, used, limit, none);
  e_.mov(size, values_.reg(inst.args[2]));
  if (is_string) {
    const Label whole = e_.label();
    const auto capacity = static_cast<std::int32_t>(f_.type_of(inst.args[0]).size);
    e_.jump_if_imm(Cond::kLe, size, capacity, whole);
    e_.mov_imm(size, capacity);
    e_.bind(whole);
  }
  e_.jump_if_imm(Cond::kGt, size, limit, none);
  const Reg end = e_.reg();
  e_.mov(end, used);
  e_.alu(Alu::kAdd, end, size);
  e_.jump_if_imm(Cond::kGt, end, limit, none);
  e_.jump_if_imm(Cond::kEq, size, 0, done);
  const Reg buffer = scratch_pointer(region, used);
  Reg length = e_.reg();
  e_.mov(length, size);
  const Reg to = values_.reg(inst.args[1]);
  if (is_string) {
    length =
        e_.held_copy(e_.call(BPF_FUNC_probe_read_kernel_str, {buffer, size, f_.address(from)}));
    e_.jump_if_imm(Cond::kSle, length, 0, done);
    e_.jump_if_imm(Cond::kGt, length, limit, done);
  } else {
    const Reg source = values_.reg(inst.args[0]);
    const Label bad = failures_.fault(inst, record::Fault::kBadAddress, source);
    const Reg status = e_.call(BPF_FUNC_probe_read, {buffer, size, source});
    e_.jump_if_imm(Cond::kSlt, status, 0, bad);
  }
  const Label bad_place = failures_.fault(inst, record::Fault::kBadAddress, to);
  const Reg status = e_.call(BPF_FUNC_probe_write_user, {to, buffer, length});
  const std::uint32_t zeros = unit_.zeros(unit_.program.scratch_size);
  e_.call_void(BPF_FUNC_probe_read_kernel, {buffer, size, f_.address(f_.rodata(zeros))});
  e_.jump_if_imm(Cond::kSlt, status, 0, bad_place);
  e_.bind(done);
}

void Scratch::store_scratch(const ir::Inst& inst) {
  storage_.need_frame();
  const auto size = static_cast<std::uint32_t>(inst.imm);
  const Label bad = failures_.fault(inst, record::Fault::kBadAddress, values_.reg(inst.args[0]));
  if (f_.type_of(inst.args[1]).kind == ir::TypeKind::kInt) {
    const Reg place = scratch_place(inst.args[0], e_.imm(size), bad);
    return e_.store(size, place, 0, values_.reg(inst.args[1]));
  }
  const Place from = bytes_.in_memory(values_.value(inst.args[1]), words_up(size), f_.position);
  const Reg place = scratch_place(inst.args[0], e_.imm(size), bad);
  e_.call_void(BPF_FUNC_probe_read_kernel, {place, e_.imm(size), f_.address(from)});
}

}  // namespace dt::bpf
