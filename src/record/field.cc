// The offsets of fields in records and keys, and the names of their kinds.

#include "record/field.h"

#include <algorithm>
#include <bit>

#include "support/align.h"
#include "support/check.h"

namespace dt::record {

using support::align_up;

std::uint32_t place(std::vector<Field>& fields, std::uint32_t start) {
  std::uint32_t offset = start;
  for (Field& field : fields) {
    offset = align_up(offset, alignment(field.type));
    field.offset = offset;
    offset += field.type.size;
  }
  return align_up(offset, 8);
}

std::uint32_t alignment(const FieldType& type) {
  // A field of no bytes (a stack of no frames) needs no alignment.
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
    case FieldKind::kErrnoName:
      return "errname";
    case FieldKind::kSignalName:
      return "signame";
    case FieldKind::kSyscallName:
      return "syscallname";
    case FieldKind::kUserName:
      return "username";
    case FieldKind::kGroupName:
      return "groupname";
  }
  DT_UNREACHABLE("field kind {}", static_cast<unsigned>(kind));
}

bool same_fields(const std::vector<Field>& a, const std::vector<Field>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Field& x, const Field& y) {
    return x.type == y.type && x.offset == y.offset;
  });
}

}  // namespace dt::record
