#pragma once
// The fields of records and of the keys of aggregations.

#include <cstdint>
#include <vector>

#include "support/source.h"

namespace dt::record {

enum class FieldKind : std::uint8_t {
  kInt,        // size 1, 2, 4 or 8; is_signed
  kString,     // size bytes, NUL-terminated and zero-padded to size
  kBytes,      // size raw bytes (tracemem, copyin)
  kStack,      // size/8 kernel addresses, zero-terminated unless full
  kUstack,     // u64 tgid, then (size-8)/8 user addresses, zero-terminated unless full; some may
               // be frames of source (symbol/interpreter/source_frame.h)
  kSym,        // u64 kernel address, shown as module`symbol  (func, sym)
  kMod,        // u64 kernel address, shown as its module
  kUaddr,      // u64 tgid, u64 user address; module`symbol+offset
  kUsym,       //   "  module`symbol  (ufunc, usym)
  kUmod,       //   "  module
  kProbeProv,  // u32 probe id; shown (and compared) as that part of its name; or kOfProcess
  kProbeMod,
  kProbeFunc,
  kProbeName,
  kErrnoName,  // i64 number, shown as the name that it has as an error, ...
  kSignalName,
  kSyscallName,
  kUserName,
  kGroupName,
};

// A probe of many processes is named after the one that came to it. Its kProbeProv is
//
//     31   30       22 21          0
//     +---+-----------+-------------+
//     | 1 | stem      | process     |     stem: index into Schema::stems
//     +---+-----------+-------------+     a process has a number below 2^22
constexpr std::uint32_t kOfProcess = 1U << 31;
constexpr std::uint32_t kStemShift = 22;
constexpr std::size_t kMaxStems = 1U << (31 - kStemShift);

struct FieldType {
  FieldKind kind = FieldKind::kInt;
  std::uint32_t size = 8;  // bytes on the wire
  bool is_signed = true;   // kInt only
  bool operator==(const FieldType&) const = default;
};

std::uint32_t alignment(const FieldType& type);
const char* kind_name(FieldKind kind);

struct Field {
  FieldType type;
  std::uint32_t offset = 0;  // from the start of the record (or of the key)
  Span span = {};            // the expression that it is the value of
};

// Places fields in their order from `start` on; where the next may begin, a multiple of 8.
std::uint32_t place(std::vector<Field>& fields, std::uint32_t start);

// Whether both lay out the same bytes alike, wherever they stand in the script.
bool same_fields(const std::vector<Field>& a, const std::vector<Field>& b);

}  // namespace dt::record
