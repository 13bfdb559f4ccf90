// See records.h.
//
// Room for a record is reserved when all of its values are known, filled and submitted at once: a
// record that is reserved and not submitted holds up the reader of the ring for all records behind
// it. The size is known when the program is compiled, as the verifier wants it.

#include "bpf/select/records.h"

#include <linux/bpf.h>

#include <cstddef>

#include "bpf/layout/firing_number.h"
#include "bpf/select/bytes.h"
#include "bpf/select/context.h"
#include "bpf/select/facts.h"
#include "bpf/select/failures.h"
#include "bpf/select/firing_tag.h"
#include "bpf/select/probe_names.h"
#include "bpf/select/storage.h"
#include "bpf/select/values.h"
#include "record/drop.h"
#include "record/layout.h"
#include "record/wire.h"
#include "support/check.h"

namespace dt::bpf {

Records::Records(const Core& core, FiringTag& tag, ProbeNames& probe_names)
    : SelectionPart(core), tag_(tag), probe_names_(probe_names) {}

void Records::put_field(const record::FieldType& type, Place dst, ir::ValueId id) {
  using record::FieldKind;
  switch (type.kind) {
    case FieldKind::kString:
      return bytes_.put_string(dst, type.size, values_.value(id));
    case FieldKind::kBytes:
    case FieldKind::kStack:
    case FieldKind::kUstack:
    case FieldKind::kUaddr:
    case FieldKind::kUsym:
    case FieldKind::kUmod:
      return bytes_.put_bytes(dst, type.size, values_.value(id));
    case FieldKind::kProbeProv:
      if (!unit_.schema.stems.empty()) {
        return e_.store(type.size, dst.base, dst.offset, probe_names_.provider_number());
      }
      [[fallthrough]];
    case FieldKind::kInt:
    case FieldKind::kSym:
    case FieldKind::kMod:
    case FieldKind::kProbeMod:
    case FieldKind::kProbeFunc:
    case FieldKind::kProbeName:
    case FieldKind::kErrnoName:
    case FieldKind::kSignalName:
    case FieldKind::kSyscallName:
    case FieldKind::kUserName:
    case FieldKind::kGroupName:
      return bytes_.store_to(dst, ir::Type::integer(type.size, type.is_signed), id);
  }
}

void Records::emit(const ir::Inst& inst) {
  const record::Layout& layout = unit_.program.clauses[f_.binding().clause].layouts[inst.index];
  const std::uint32_t bytes = (layout.size_bytes + 7) / 8 * 8;
  DT_CHECK(inst.args.size() == layout.fields.size(), "{} fields, {} values", layout.fields.size(),
           inst.args.size());
  const Reg id = inst.index == 0 ? facts_.epid() : facts_.epid_of(f_.binding(), inst.index);
  const Reg cpu_number = facts_.cpu();
  const Reg number = unit_.numbers_firings ? tag_.firing_number() : Reg();
  const Label done = e_.label();
  const Reg record =
      e_.call(BPF_FUNC_ringbuf_reserve, {e_.map({MapKind::kRing, 0}), e_.imm(bytes), e_.imm(0)});
  e_.jump_if_imm(Cond::kEq, record, 0, failures_.drop_and_go(record::Drop::kPrincipal, done));
  e_.store(4, record, offsetof(record::Header, epid), id);
  e_.store(2, record, offsetof(record::Header, cpu), cpu_number);
  store_tag(e_, record, record::Kind::kClause, number);
  std::uint32_t end = record::kHeaderBytes;
  for (std::size_t i = 0; i < layout.fields.size(); ++i) {
    const record::Field& field = layout.fields[i];
    bytes_.put_gap({record, 0}, end, field.offset);
    put_field(field.type, storage_.at(record, field.offset), inst.args[i]);
    end = field.offset + field.type.size;
  }
  bytes_.put_gap({record, 0}, end, bytes);
  e_.call_void(BPF_FUNC_ringbuf_submit,
               {record, e_.imm(layout.urgent ? BPF_RB_FORCE_WAKEUP : BPF_RB_NO_WAKEUP)});
  e_.bind(done);
}

}  // namespace dt::bpf
