// See place.h.
//
// A path like "context.vdso" names a member within a member: the offsets of all steps are added.
// The error names the innermost structure that lacks a member, as this is what a user can compare
// with the kernel's source.

#include "types/place.h"

#include <fmt/core.h>

#include "support/check.h"

namespace dt::types {

namespace {

// "signal->live.counter": the first name, and how it goes on.
struct NamedStep {
  std::string_view name, rest;
  bool follows = false;  // a pointer
};

NamedStep first_step(std::string_view path) {
  const std::size_t end = path.find_first_of("-.");
  if (end == path.npos) return {path, {}, false};
  const bool follows = path[end] == '-';
  return {path.substr(0, end), path.substr(end + (follows ? 2 : 1)), follows};
}

// "struct sock", as C names the type; one without a name is called by the path to it.
std::string name_of_place(const Catalog& types, TypeId aggregate, std::string_view structure,
                          std::string_view path, std::string_view rest) {
  const Type& type = types.resolved(aggregate);
  if (!type.name.empty()) return types.name(types.resolve(aggregate));
  const std::size_t length = path.size() - rest.size();
  return fmt::format("struct {}, member {}", structure,
                     path.substr(0, length == 0 ? 0 : length - 1));
}

Result<Catalog::Found> find_member(const Catalog& types, TypeId aggregate,
                                   std::string_view structure, std::string_view path,
                                   std::string_view rest) {
  const std::string_view name = first_step(rest).name;
  if (const auto found = types.member(aggregate, name)) return *found;
  return Error::of(fmt::format("this kernel's {} has no member {}",
                               name_of_place(types, aggregate, structure, path, rest), name));
}

}  // namespace

Result<TypeId> find_structure(const Catalog& types, std::string_view name,
                              std::string_view module) {
  for (const std::string_view where : {module, kKernelModule}) {
    const auto found = types.find(Tag::kStruct, name, where);
    if (found && types.head(*found).kind == Kind::kStruct) return *found;
  }
  Error error =
      Error::of(fmt::format("this kernel has no struct {}, or no type information for it", name));
  error.log = types.errors();
  return error;
}

Result<std::vector<Place>> find_places(const Catalog& types, std::string_view structure,
                                       std::string_view path, std::string_view module) {
  DT_ASSIGN(TypeId aggregate, find_structure(types, structure, module));
  std::vector<Place> places(1);
  for (std::string_view rest = path;;) {
    DT_ASSIGN(const Catalog::Found found, find_member(types, aggregate, structure, path, rest));
    const NamedStep step = first_step(rest);
    if (found.bit_size != 0) {
      return Error::of(fmt::format("{} of this kernel's {} is a bit-field", step.name,
                                   name_of_place(types, aggregate, structure, path, rest)));
    }
    places.back().offset += found.bit_offset / 8;
    places.back().type = found.type;
    if (step.rest.empty()) return places;
    aggregate = step.follows ? types.resolved(found.type).target : found.type;
    if (step.follows) places.emplace_back();
    rest = step.rest;
  }
}

Result<Place> find_place(const Catalog& types, std::string_view structure, std::string_view path,
                         std::string_view module) {
  DT_ASSIGN(const std::vector<Place> places, find_places(types, structure, path, module));
  DT_CHECK(places.size() == 1, "{}.{}", structure, path);
  return places.front();
}

Result<BitField> find_bit_field(const Catalog& types, std::string_view structure,
                                std::string_view name, std::string_view module) {
  DT_ASSIGN(const TypeId aggregate, find_structure(types, structure, module));
  DT_ASSIGN(const Catalog::Found found, find_member(types, aggregate, structure, name, name));
  const BitField field = {found.bit_offset / 8, found.bit_offset % 8, found.bit_size};
  if (field.count == 0 || field.first + field.count > 8) {
    return Error::of(
        fmt::format("{} of this kernel's struct {} is no bit-field of one byte", name, structure));
  }
  return field;
}

std::int32_t offset_or_none(const Catalog& types, std::string_view structure,
                            std::string_view path) {
  const Result<Place> place = find_place(types, structure, path);
  return place.ok() ? static_cast<std::int32_t>(place->offset) : -1;
}

}  // namespace dt::types
