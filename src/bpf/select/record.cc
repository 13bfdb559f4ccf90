// Selector: records, keys' fields, exit(), faults and drops.

#include <algorithm>
#include <cstddef>

#include "bpf/asm/lir.h"
#include "bpf/layout/drop.h"
#include "bpf/layout/firing_number.h"
#include "bpf/select/firing.h"
#include "bpf/select/selector.h"
#include "support/check.h"

namespace dt::bpf {

// ---- Fields --------------------------------------------------------------------

void Selector::put_field(const record::FieldType& type, Place dst, ir::ValueId id) {
  using record::FieldKind;
  switch (type.kind) {
    case FieldKind::kString:
      return put_string(dst, type.size, value(id));
    case FieldKind::kBytes:
    case FieldKind::kStack:
    case FieldKind::kUstack:
    case FieldKind::kUaddr:
    case FieldKind::kUsym:
    case FieldKind::kUmod:
      return put_bytes(dst, type.size, value(id));
    case FieldKind::kProbeProv:
      if (!unit_.schema.stems.empty()) {
        return e_.store(type.size, dst.base, dst.offset, provider_number());
      }
      [[fallthrough]];
    case FieldKind::kInt:
    case FieldKind::kSym:
    case FieldKind::kMod:
    case FieldKind::kProbeMod:
    case FieldKind::kProbeFunc:
    case FieldKind::kProbeName:
      return store_to(dst, ir::Type::integer(type.size, type.is_signed), id);
  }
}

// Zeroes what lies between two fields.
void Selector::put_gap(Place base, std::uint32_t from, std::uint32_t to) {
  if (from < to) zero(at(base.base, static_cast<std::uint32_t>(base.offset) + from), to - from);
}

// Where keys are built; each one overwrites the one before.
Place Selector::key_slot(std::uint32_t bytes) {
  if (bytes <= unit_.budget.key) return {e_.stack_address(key_region_), 0};
  need_frame();
  if (key_frame_bytes_ < bytes) {
    key_frame_offset_ = reserve_frame(bytes);
    key_frame_bytes_ = bytes;
  }
  return at(frame_, key_frame_offset_);
}

// ---- Records ---------------------------------------------------------------------

// The number of this firing as it stands in the tag of a record. What records first
// takes it, so that a firing which records nothing pays nothing.
Reg Selector::firing_number() {
  if (spec_.is_error) return spec_.number;
  const Firing* const firing = spec_.firing;
  const Reg number =
      firing != nullptr ? e_.load(8, frame_, static_cast<std::int32_t>(firing->number)) : number_;
  const Label have = e_.label();
  e_.jump_if_imm(Cond::kNe, number, 0, have);
  e_.mov(number, e_.call_subprogram(unit_.number_function, {}));
  if (firing != nullptr) e_.store(8, frame_, static_cast<std::int32_t>(firing->number), number);
  e_.bind(have);
  return number;
}

void Selector::emit(const ir::Inst& inst) {
  const record::Layout& layout = unit_.program.clauses[binding().clause].layout;
  const std::uint32_t bytes = (layout.size_bytes + 7) / 8 * 8;
  DT_CHECK(inst.args.size() == layout.fields.size(), "{} fields, {} values", layout.fields.size(),
           inst.args.size());
  const Reg id = epid();
  const Reg cpu_number = cpu();
  const Reg number = unit_.numbers_firings ? firing_number() : Reg();
  const Label done = e_.label();
  const Reg record =
      e_.call(BPF_FUNC_ringbuf_reserve, {e_.map({MapKind::kRing, 0}), e_.imm(bytes), e_.imm(0)});
  e_.jump_if_imm(Cond::kEq, record, 0, drop_and_go(record::Drop::kPrincipal, done));
  e_.store(4, record, offsetof(record::Header, epid), id);
  e_.store(2, record, offsetof(record::Header, cpu), cpu_number);
  store_tag(e_, record, record::Kind::kClause, number);
  std::uint32_t end = record::kHeaderBytes;
  for (std::size_t i = 0; i < layout.fields.size(); i++) {
    const record::Field& field = layout.fields[i];
    put_gap({record, 0}, end, field.offset);
    put_field(field.type, at(record, field.offset), inst.args[i]);
    end = field.offset + field.type.size;
  }
  put_gap({record, 0}, end, bytes);
  e_.call_void(BPF_FUNC_ringbuf_submit,
               {record, e_.imm(layout.urgent ? BPF_RB_FORCE_WAKEUP : BPF_RB_NO_WAKEUP)});
  e_.bind(done);
}

// raise() and stop(). A kernel thread takes no signals, and in an interrupt that
// came upon another one there may be no room to remember it.
void Selector::signal(const ir::Inst& inst) {
  const Reg failed = e_.call(BPF_FUNC_send_signal, {reg(inst.args[0])});
  e_.jump_if_imm(Cond::kNe, failed, 0, fault(inst, record::Fault::kIllegalOperation, e_.imm(0)));
}

// The first exit() decides the status.
void Selector::exit(const ir::Inst& inst) {
  const Reg control = e_.map_value({MapKind::kGlobals, 0}, 0);
  const Reg state = e_.imm(static_cast<std::int32_t>(State::kDraining));
  const Label done = e_.label();
  e_.atomic(Atomic::kXchg, 4, control, offsetof(Control, state), state);
  e_.jump_if_imm(Cond::kEq, state, static_cast<std::int32_t>(State::kDraining), done);
  store_to({control, offsetof(Control, exit_status)}, ir::Type::s32(), inst.args[0]);
  e_.bind(done);
}

// ---- Faults and drops -----------------------------------------------------------------

// A label to jump to when `inst` faults, which leaves the clause. Call it just
// before the code that may jump there.
Label Selector::fault(const ir::Inst& inst, record::Fault code, Reg where) {
  const Label label = e_.label(), here = e_.label();
  e_.bind(here);
  const std::uint32_t clause = fused_.block_clause[block_];
  DT_CHECK(clause != ir::kNone, "a fault outside of every clause");
  cold_.push_back([=, this, span = inst.span, action = inst.action] {
    e_.at(span);
    e_.bind(label);
    const Label next = labels_[fused_.clauses[clause].next];
    if (spec_.is_error) {
      drop(record::Drop::kDoubleError);
      return e_.jump(next);
    }
    const auto site = static_cast<std::uint32_t>(unit_.schema.fault_sites.size());
    unit_.schema.fault_sites.push_back({.span = span, .action = action, .code_offset = 0});
    unit_.sites.push_back({site, here});
    const Reg who = e_.imm(static_cast<std::int64_t>(std::uint64_t{site} << 32));
    e_.alu(Alu::kOr, who, epid_of((*spec_.bindings)[clause]));
    const Reg what =
        e_.imm(static_cast<std::int64_t>(static_cast<std::uint64_t>(code) << 32 | action));
    if (unit_.numbers_firings) {
      const Reg number = e_.reg();
      e_.mov(number, firing_number());
      e_.alu_imm(Alu::kLsh, number, kNumberShift);
      e_.alu(Alu::kOr, what, number);
    }
    const Reg offset = e_.reg();
    e_.mov_label(offset, here);
    if (unit_.fault_takes_context)
      e_.call_subprogram(unit_.fault_function, {who, what, offset, where, spec_.context});
    else
      e_.call_subprogram(unit_.fault_function, {who, what, offset, where});
    e_.jump(next);
  });
  return label;
}

void Selector::drop(record::Drop what) { count_drop(e_, unit_.drop_function, what); }

// A label: count the drop and go on at `then`.
Label Selector::drop_and_go(record::Drop what, Label then) {
  const Label label = e_.label();
  cold_.push_back([=, this] {
    e_.bind(label);
    drop(what);
    e_.jump(then);
  });
  return label;
}

void Selector::chill(const ir::Inst& inst) {
  const Reg refused = e_.call_subprogram(unit_.routine(Routine::Kind::kChill), {reg(inst.args[0])});
  e_.jump_if_imm(Cond::kNe, refused, 0, fault(inst, record::Fault::kIllegalOperation, e_.imm(0)));
}

}  // namespace dt::bpf
