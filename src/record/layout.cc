// Where fields lie in records and keys, and the names of what is on the wire.

#include "record/layout.h"

#include <algorithm>
#include <bit>

#include "support/check.h"

namespace dt::record {

namespace {

std::uint32_t align_up(std::uint32_t value, std::uint32_t to) { return (value + to - 1) / to * to; }

// Places fields from `start` on; returns the end, padded to 8.
std::uint32_t place(std::vector<Field>& fields, std::uint32_t start) {
  std::uint32_t offset = start;
  for (Field& field : fields) {
    offset = align_up(offset, alignment(field.type));
    field.offset = offset;
    offset += field.type.size;
  }
  return align_up(offset, 8);
}

}  // namespace

const char* fault_text(Fault fault) {
  switch (fault) {
    case Fault::kBadAddress:
      return "invalid address";
    case Fault::kBadAlignment:
      return "invalid alignment";
    case Fault::kIllegalOperation:
      return "illegal operation";
    case Fault::kDivideByZero:
      return "divide-by-zero";
    case Fault::kNoScratch:
      return "out of scratch space";
    case Fault::kKernelPrivilege:
      return "invalid kernel access";
    case Fault::kUserPrivilege:
      return "invalid user access";
    case Fault::kTupleOverflow:
      return "tuple stack overflow";
    case Fault::kBadStack:
      return "bad stack";
  }
  // The code came off the wire and is not one of ours.
  return "unknown fault";
}

std::uint32_t alignment(const FieldType& type) {
  // A field of no bytes (a stack of no frames) can lie anywhere.
  return std::bit_floor(std::clamp<std::uint32_t>(type.size, 1, 8));
}

const char* kind_name(FieldKind kind) {
  switch (kind) {
    case FieldKind::kInt:
      return "int";
    case FieldKind::kString:
      return "string";
    case FieldKind::kBytes:
      return "bytes";
    case FieldKind::kStack:
      return "stack";
    case FieldKind::kUstack:
      return "ustack";
    case FieldKind::kSym:
      return "sym";
    case FieldKind::kMod:
      return "mod";
    case FieldKind::kUaddr:
      return "uaddr";
    case FieldKind::kUsym:
      return "usym";
    case FieldKind::kUmod:
      return "umod";
    case FieldKind::kProbeProv:
      return "probeprov";
    case FieldKind::kProbeMod:
      return "probemod";
    case FieldKind::kProbeFunc:
      return "probefunc";
    case FieldKind::kProbeName:
      return "probename";
  }
  DT_UNREACHABLE("field kind {}", static_cast<unsigned>(kind));
}

const char* agg_func_name(AggFunc func) {
  switch (func) {
    case AggFunc::kCount:
      return "count";
    case AggFunc::kSum:
      return "sum";
    case AggFunc::kAvg:
      return "avg";
    case AggFunc::kMin:
      return "min";
    case AggFunc::kMax:
      return "max";
    case AggFunc::kStddev:
      return "stddev";
    case AggFunc::kQuantize:
      return "quantize";
    case AggFunc::kLquantize:
      return "lquantize";
    case AggFunc::kLlquantize:
      return "llquantize";
  }
  DT_UNREACHABLE("aggregating function {}", static_cast<unsigned>(func));
}

bool same_fields(const std::vector<Field>& a, const std::vector<Field>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Field& x, const Field& y) {
    return x.type == y.type && x.offset == y.offset;
  });
}

bool acts_on_aggregations(const Layout& layout) {
  return std::any_of(layout.actions.begin(), layout.actions.end(),
                     [](const Action& action) { return traits(action.kind).uses_aggregations; });
}

void place_fields(Layout& layout) { layout.size_bytes = place(layout.fields, kHeaderBytes); }

void place_keys(AggLayout& layout) { layout.key_bytes = place(layout.keys, 0); }

const ProbeNames* find_probe(const Schema& schema, ProbeId id) {
  const auto it =
      std::lower_bound(schema.probes.begin(), schema.probes.end(), id,
                       [](const ProbeNames& names, ProbeId wanted) { return names.id < wanted; });
  return it != schema.probes.end() && it->id == id ? &*it : nullptr;
}

}  // namespace dt::record
