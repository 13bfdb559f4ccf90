#pragma once
// Types that no name in the script and no vmlinux gives: those of the kernel's
// modules, and what to say of those that do not exist.

#include <optional>
#include <string>

#include "d/check/part.h"
#include "types/type.h"

namespace dt::d {

struct TypeSpec;
struct World;

// For an unknown module that has the name of a file of a program, such as a.out or libc.so.6: why
// it is unknown. "" for others.
std::string hint_for_program_file(const std::string& module, const World& world);

class UnknownTypes : Part {
 public:
  explicit UnknownTypes(Context& context) : Part(context) {}

  // Reports a type that no source has.
  void report(const TypeSpec& spec, types::Tag tag, const std::string& name);
  // The type of a tag that no module is named with, and that vmlinux does not have. Where several
  // modules have it, with different meanings, one must be named: `is_ambiguous` (reported).
  std::optional<TypeId> of_some_module(const TypeSpec& spec, types::Tag tag, bool& is_ambiguous);
};

}  // namespace dt::d
