#include "d/check/unknown_types.h"

#include <fmt/core.h>

#include "d/meaning/foreign_words.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "support/check.h"
#include "support/diagnostics.h"
#include "support/nearest.h"

namespace dt::d {

using types::TypeId;

namespace {

const char* tag_word(types::Tag tag) {
  switch (tag) {
    case types::Tag::kNone:
      return "";
    case types::Tag::kStruct:
      return "struct ";
    case types::Tag::kUnion:
      return "union ";
    case types::Tag::kEnum:
      return "enum ";
  }
  DT_UNREACHABLE();
}

// "struct ext4`inode", as a script writes it.
std::string written_type(types::Tag tag, std::string_view module, std::string_view name) {
  return fmt::format("{}{}{}{}", tag_word(tag), module, module.empty() ? "" : "`", name);
}

}  // namespace

std::string hint_for_program_file(const std::string& module, const World& world) {
  const bool is_file =
      module == "a.out" || module.starts_with("lib") || module.find(".so") != std::string::npos;
  if (!is_file || !world.macro || world.macro("target")) return {};
  return fmt::format("{}: there is no target process; -c and -p give one", module);
}

void UnknownTypes::report(const TypeSpec& spec, types::Tag tag, const std::string& name) {
  // A name that is no type where one must stand.
  const bool is_word = spec.module.empty() && tag == types::Tag::kNone;
  const bool knows_module = spec.module.empty() || world_.types.has_module(spec.module);
  Diagnostic& d = error_once(
      is_word ? "D_SYNTAX" : "D_TYPE_ERR", spec.span,
      fmt::format("failed to resolve type {}: Unknown {} name",
                  written_type(tag, spec.module, name), knows_module ? "type" : "module"));
  d.hint = world_.types.errors();
  if (d.hint.empty()) {
    d.hint = foreign_word(name);
  }
  if (d.hint.empty() && !knows_module) {
    d.hint = hint_for_program_file(spec.module, world_);
  }
  if (!d.hint.empty()) {
    return;
  }
  const std::vector<std::string> names =
      knows_module ? world_.types.type_names(tag, spec.module.empty() ? "vmlinux" : spec.module)
                   : world_.types.module_names();
  const std::string near =
      support::nearest(knows_module ? name : spec.module, {names.begin(), names.end()});
  if (!near.empty()) {
    d.hint = support::did_you_mean(knows_module ? written_type(tag, spec.module, near)
                                                : written_type(tag, near, name));
  }
}

// A tag that no module is named with, and that vmlinux does not have. Where
// several modules have it, with different meanings, one must be named.
std::optional<TypeId> UnknownTypes::of_some_module(const TypeSpec& spec, types::Tag tag,
                                                   bool& is_ambiguous) {
  if (spec.tag_name.empty()) {
    return std::nullopt;
  }
  const std::vector<types::Catalog::Place> places =
      world_.types.find_in_modules(tag, spec.tag_name);
  if (places.empty()) {
    return std::nullopt;
  }
  for (const types::Catalog::Place& place : places) {
    if (!rules_.catalog().same(place.type, places.front().type)) {
      is_ambiguous = true;
      error_once(
          "D_IDENT_AMBIG", spec.span,
          fmt::format("type {} is ambiguous: modules {} and {} have different ones",
                      written_type(tag, "", spec.tag_name), places.front().module, place.module))
          .hint = fmt::format("name the module, as in '{}'",
                              written_type(tag, places.front().module, spec.tag_name));
      return std::nullopt;
    }
  }
  return places.front().type;
}

}  // namespace dt::d
