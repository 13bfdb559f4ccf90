// See processes.h.
//
// What is shown of a task here is found by following pointers of its task_struct by helpers, each
// of which may fail when the task is ending: its memory (mm) is given back before the task is.

#include "bpf/select/processes.h"

#include <linux/bpf.h>

#include <algorithm>

#include "bpf/routine/routine.h"
#include "bpf/routine/string_code.h"
#include "bpf/select/bytes.h"
#include "bpf/select/context.h"
#include "bpf/select/facts.h"
#include "bpf/select/failures.h"
#include "bpf/select/loads.h"
#include "bpf/select/storage.h"
#include "bpf/select/values.h"
#include "record/wire.h"

namespace dt::bpf {

namespace {

// In one turn of blank_nuls(), of short and of long texts.
constexpr std::int32_t kBlankedBytes = 32, kBlankedBytesOfLong = 128;
// Up to here a verifier is sooner done with the turns, each of which it follows, than with
// the routine for longer texts, whose cost does not grow with them.
constexpr std::uint32_t kBlankedInPlace = 4096;

}  // namespace

Processes::Processes(const Core& core, Loads& loads) : SelectionPart(core), loads_(loads) {}

void Processes::random(const ir::Inst& inst) {
  const Reg number = e_.call(BPF_FUNC_get_prandom_u32, {});
  if (inst.type.is_signed) values_.extend(number, inst.type);
  values_.define(inst, number);
}

void Processes::seen_number(const ir::Inst& inst) {
  values_.define(inst, facts_.number_of(values_.reg(inst.args[0]), NumberOf::kPid));
}

void Processes::progeny_of(const ir::Inst& inst) {
  const Machine& machine = unit_.memory.machine;
  if (machine.task_real_parent < 0 || machine.task_tgid < 0) {
    f_.refuse(ir::Refusal::Code::kNeedsTypes, inst, "struct task_struct");
    return values_.define(inst, e_.imm(0));
  }
  const Label too_deep = failures_.fault(inst, record::Fault::kIllegalOperation, e_.imm(0));
  const Reg wanted = e_.reg();
  e_.mov32(wanted, values_.reg(inst.args[0]));
  const Reg result =
      e_.call_subprogram(unit_.routine(Routine::Kind::kProgeny), {facts_.task_address(), wanted});
  e_.jump_if_imm(Cond::kSgt, result, 1, too_deep);
  values_.define(inst, result);
}

// Every byte of `text` that is 0 becomes a blank, up to `length` and a little
// more: the top bit of ~(((x & 0x7f..) + 0x7f..) | x | 0x7f..)
// marks the zeros of x.
void Processes::blank_nuls(Reg text, Reg length, std::uint32_t bytes) {
  if (bytes > kBlankedInPlace) {
    unit_.frame_slack = std::max(unit_.frame_slack, kOperandSlack);
    e_.call_subprogram(unit_.routine(Routine::Kind::kFillNuls, bytes),
                       {text, e_.imm(' '), e_.imm(bytes)});
    return;
  }
  const Reg low = e_.imm(0x7f7f7f7f7f7f7f7f);
  const Reg at_word = e_.reg(), i = e_.imm(0);
  const Label loop = e_.label(), done = e_.label();
  e_.bind(loop);
  e_.mov(at_word, text);
  e_.alu(Alu::kAdd, at_word, i);
  const std::int32_t turn = is_wide(bytes) ? kBlankedBytesOfLong : kBlankedBytes;
  const std::int32_t step = bytes % static_cast<std::uint32_t>(turn) == 0 ? turn : 8;
  for (std::int32_t offset = 0; offset < step; offset += 8) {
    const Reg word = e_.load(8, at_word, offset), marks = e_.reg();
    e_.mov(marks, word);
    e_.alu(Alu::kAnd, marks, low);
    e_.alu(Alu::kAdd, marks, low);
    e_.alu(Alu::kOr, marks, word);
    e_.alu(Alu::kOr, marks, low);
    e_.alu_imm(Alu::kXor, marks, -1);
    e_.alu_imm(Alu::kRsh, marks, 2);
    e_.alu(Alu::kOr, word, marks);
    e_.store(8, at_word, offset, word);
  }
  e_.alu_imm(Alu::kAdd, i, step);
  e_.jump_if_imm(Cond::kGe, i, static_cast<std::int32_t>(bytes), done);
  e_.jump_if(Cond::kLt, i, length, loop);
  e_.bind(done);
}

void Processes::execargs(const ir::Inst& inst) {
  const Machine& machine = unit_.memory.machine;
  const std::uint32_t size = inst.type.size, room = words_up(size);
  const Place buffer = storage_.frame_place(room, f_.last_use(inst.result));
  values_.define_memory(inst, buffer, room);
  if (machine.task_mm < 0 || machine.mm_arg_start < 0 || machine.mm_arg_end < 0) {
    return f_.refuse(ir::Refusal::Code::kNeedsTypes, inst, "struct mm_struct");
  }
  const Label empty = e_.label(), done = e_.label(), cut = e_.label();
  const Reg length = e_.imm(0), start = e_.imm(0);
  const Reg space = facts_.mm();
  e_.jump_if_imm(Cond::kEq, space, 0, empty);
  e_.mov(start, e_.load(8, space, machine.mm_arg_start));
  e_.mov(length, e_.load(8, space, machine.mm_arg_end));
  e_.alu(Alu::kSub, length, start);
  // Without the last NUL.
  e_.alu_imm(Alu::kSub, length, 1);
  e_.jump_if_imm(Cond::kSge, length, 1, done);
  e_.bind(empty);
  e_.mov_imm(length, 0);
  e_.bind(done);
  const Reg to = f_.address(buffer), bytes = e_.held_copy(length);
  e_.jump_if_imm(Cond::kLe, bytes, static_cast<std::int32_t>(size - 1), cut);
  e_.mov_imm(bytes, size - 1);
  e_.bind(cut);
  e_.mov(length, bytes);
  const Label read = e_.label();
  const Reg status = loads_.read_foreign({to, bytes, start, size, true});
  e_.jump_if_imm(Cond::kEq, status, 0, read);
  e_.mov_imm(length, 0);
  e_.bind(read);
  // By way of memory, so that a verifier does not follow what comes once for each way
  // to a length.
  const Place note = storage_.frame_place(8, f_.position);
  e_.store(8, note.base, note.offset, length);
  const Reg known = e_.load(8, note.base, note.offset);
  blank_nuls(f_.address(buffer), known, room);
  bytes_.zero_tail(buffer, room, known);
}

}  // namespace dt::bpf
