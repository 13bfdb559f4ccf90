#pragma once
// $x->member[1]->other: from an argument of a probe to a value in memory, by its type.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/builder.h"
#include "stap/meaning/program.h"
#include "types/type.h"

namespace dt::stap {

// A type as the program's source has it, in whose memory it may be.
std::string source_name(const types::Catalog& types, types::TypeId id);

// "unable to find member 'pids' for struct task_struct (alternatives: pid, tgid)"
std::string no_member(const types::Catalog& types, std::string_view name, types::TypeId type);

// The type of an argument, as C writes it.
struct TargetType {
  std::string name;
  bool is_userland = false;
  std::optional<types::TypeId> id = {};  // instead of the name
};

// What is wanted of the place to which a path leads.
enum class TargetEnd : std::uint8_t {
  kValue,    // the number there; of an array or a structure its address
  kAddress,  // &$x->y
  kText,     // where a string begins: in the array, or where the pointer there leads
};

// "invalid access '->x' vs. int", or of an element, without `member`, "invalid access '[2]' vs.
// int".
std::string invalid_access(std::string_view member, std::int64_t index, std::string_view type);

// Why the path of a leaf leads to nothing that can be recorded; empty: it does. `place`: of the
// step that leads nowhere; or empty.
struct TargetFault {
  std::string text;
  Span place;
};
TargetFault check_target(const types::Catalog& types, const TargetType& target, const Leaf& leaf);

// A value from memory. Where memory on the way to it could not be read, the value means nothing,
// and `is_readable` is 0: the firing is recorded, as its handler may not ask for the value.
struct TargetValue {
  ir::ValueId value = 0;
  std::optional<ir::ValueId> is_readable;  // s32; without it, all of the way can always be read
};

// Whether both are 1; without either, nothing.
std::optional<ir::ValueId> both(ir::FunctionBuilder& b, std::optional<ir::ValueId> one,
                                std::optional<ir::ValueId> other);
// The integer of `type` at an address, which a path has led to; never a fault.
TargetValue try_load(ir::FunctionBuilder& b, const TargetValue& at, ir::Type type,
                     bool is_userland);

// The value at the end of a path that was checked.
TargetValue follow_target(const types::Catalog& types, const TargetType& target,
                          const std::vector<Leaf::Step>& path, TargetEnd end, ir::ValueId argument,
                          ir::FunctionBuilder& b);

}  // namespace dt::stap
