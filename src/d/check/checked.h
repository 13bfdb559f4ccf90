#pragma once
// What stage 3 gives besides the typed tree: the tables of variables and aggregations.

#include <cstdint>
#include <string>
#include <vector>

#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "front/dump.h"
#include "ir/ir.h"
#include "record/aggregation.h"
#include "record/field.h"
#include "support/diagnostics.h"
#include "types/type.h"

namespace dt::d {

// The most that trace(), tracemem(), print() and printm() record of memory: as much as scratch
// memory can have (scratchsize), and smaller than a buffer.
constexpr std::uint32_t kMaxRecordedBytes = 1 << 20;

struct VariableInfo {
  std::string name;
  ir::Scope scope = ir::Scope::kGlobal;
  types::TypeId type;
  bool is_array = false;            // associative
  std::vector<types::TypeId> keys;  // as declared or first used
  std::vector<ir::Type> registers;  // of integer keys: wide enough for every use
  Span declared;                    // or first assigned
};

// One key of an aggregation. A probe's name stays a small id while every use
// gives the same part of it; once mixed with other strings it is a string.
struct AggregationKey {
  types::TypeId type;
  record::FieldType field;
  bool decided = false;
  Span span = {};  // of its first use
};

struct AggregationInfo {
  std::string name;
  bool has_function = false;
  record::AggFunc func = record::AggFunc::kCount;
  record::AggParams params;
  std::vector<AggregationKey> keys;
  Span first;     // the first use with a function
  Span argument;  // of that, what is aggregated
  bool drained = false;
};

// A string that reaches a variable, a key of one, or a key of an aggregation;
// capacities are computed from these (d/lower/capacities.h).
struct StringFlow {
  enum class To : std::uint8_t { kVariable, kVariableKey, kAggregationKey } to;
  std::uint32_t index = 0;
  std::uint32_t key = 0;
  const Expr* from = nullptr;  // nullptr: anything that fits strsize
};

// An address that reaches a variable (d/lower/scratch_pointers.h).
struct AddressFlow {
  std::uint32_t variable = 0;
  const Expr* from = nullptr;
};

struct Checked {
  std::vector<front::ClauseStability> stability;  // of each clause
  std::vector<VariableInfo> variables;
  std::vector<AggregationInfo> aggregations;
  std::vector<StringFlow> flows;
  std::vector<AddressFlow> address_flows;
  std::uint64_t per_cpu_offsets = 0;  // where the kernel keeps them; 0: they are not used
};

}  // namespace dt::d
