#pragma once
// The functions and built-in variables of D by name: the tables of
// functions.def and variables.def.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "ir/ir.h"

namespace dt::d {

enum class FunctionKind : std::uint8_t { kAction, kSubroutine, kAggregating };

enum class Fn : std::uint8_t {
#define DT_FUNCTION(id, name, kind, since, prototype, supported) id,
#include "d/meaning/functions.def"
#undef DT_FUNCTION
};

struct FunctionInfo {
  Fn fn;
  const char* name;
  FunctionKind kind;
  const char* since;
  const char* prototype;
  bool supported;
};

const FunctionInfo& function_info(Fn fn);
// inet_ntoa() and similar: the text of the network address that a pointer leads to.
bool makes_address_text(Fn fn);
// nullptr when there is none of that name.
const FunctionInfo* find_function(std::string_view name);

// Built-in variables that are computed from others and from the kernel's types.
enum class Derived : std::uint8_t { kNone, kJailname, kJid, kRegs, kUregs, kZonename };

struct BuiltinInfo {
  const char* name;
  const char* since;
  const char* type;  // nullptr: known by name only
  ir::Builtin builtin;
  std::int64_t number;
  Derived derived;  // kNone: `builtin` says what it is
};

const std::vector<BuiltinInfo>& builtin_table();
// The index into builtin_table().
std::optional<std::uint32_t> find_builtin(std::string_view name);

// A prototype's parameters, as in "void(@, size_t, [size_t])".
struct Prototype {
  std::string_view result;
  std::vector<std::string_view> parameters;  // without brackets
  std::uint32_t required = 0;
  bool variadic = false;
};
Prototype parse_prototype(std::string_view text);

}  // namespace dt::d
