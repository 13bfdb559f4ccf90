// See absent_names.h.

#include "stap/events/absent_names.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <set>

#include "support/nearest.h"
#include "symbol/kernel/kallsyms.h"

namespace dt::stap {
namespace {

std::string nearest_of(std::string_view name, const std::vector<std::string>& all) {
  const std::string near = support::nearest(name, {all.begin(), all.end()});
  return near.empty() ? "" : fmt::format(" (similar: {})", near);
}

}  // namespace

std::string no_type(const types::Catalog& types, const std::string& name, const std::string& module,
                    const std::string& shown) {
  struct Kind {
    std::string_view prefix;
    types::Tag tag;
  };
  constexpr Kind kTypeKinds[] = {{"struct ", types::Tag::kStruct},
                                 {"union ", types::Tag::kUnion},
                                 {"enum ", types::Tag::kEnum},
                                 {"", types::Tag::kNone}};
  std::string_view prefix;
  for (const Kind& one : kTypeKinds) {
    if (prefix.empty() && name.starts_with(one.prefix)) prefix = one.prefix;
  }
  const std::string bare = name.substr(prefix.size(), name.find_first_of(" *", prefix.size()));
  std::vector<std::string> all;
  for (const Kind& one : kTypeKinds) {
    if (!prefix.empty() && one.prefix != prefix) continue;
    for (std::string& known : types.type_names(one.tag, module.empty() ? "vmlinux" : module)) {
      all.push_back(std::move(known));
    }
  }
  return fmt::format("type definition '{}' not found in '{}'{}", name,
                     shown.empty() ? "kernel" : shown, nearest_of(bare, all));
}

std::string no_kernel_variable(const front::World& world, const std::string& name) {
  const std::string near = world.kallsyms->near(name, "vmlinux");
  bool is_variable = false;
  if (const auto found = world.kallsyms->find(near); !near.empty() && found.ok()) {
    for (const symbol::KernelObject& one : *found) is_variable = is_variable || !one.is_function;
  }
  return fmt::format("unable to find global '{}'{}", name,
                     is_variable ? fmt::format(" (similar: {})", near) : "");
}

std::string no_program_variable(const std::string& name, const std::vector<std::string>& all) {
  return fmt::format("unable to find global '{}'{}", name, nearest_of(name, all));
}

std::string several_variables(const std::string& name, const std::string& module,
                              const std::vector<ProgramVariable>& all) {
  // What they are in tells those of C++ apart, and their files others.
  std::set<std::string> names, files;
  for (const ProgramVariable& one : all) {
    if (!one.whole.empty()) names.insert(fmt::format("@var(\"{}\")", one.whole));
    files.insert(fmt::format("@var(\"{}@{}\")", name, one.file.substr(one.file.rfind('/') + 1)));
  }
  const std::set<std::string>& apart = names.size() > 1 ? names : files;
  return fmt::format("there are several variables '{}' in {} (alternatives: {})", name, module,
                     fmt::join(apart, ", "));
}

}  // namespace dt::stap
