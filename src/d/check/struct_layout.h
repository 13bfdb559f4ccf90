#pragma once
// The members of structs and unions that the script declares, placed as a C
// compiler of this machine places them (System V ABI, x86-64, 3.1.2):
//
//   * a member is at a multiple of its alignment
//   * a bit-field does not cross a boundary of its type; without a name it takes
//     room and aligns nothing; of width 0 it ends the unit of its type
//   * the whole is as aligned as the most aligned member, and a multiple of that
//   * packed members are aligned to bytes, packed bit-fields to bits; what is aligned
//     is so at least

#include <cstdint>
#include <optional>

#include "d/check/part.h"
#include "d/syntax/ast.h"
#include "types/type.h"

namespace dt::d {

class StructLayout : Part {
 public:
  // The members go to `out`, a struct or a union.
  StructLayout(Context& context, types::Type& out, bool is_union,
               const LayoutAttributes& attributes)
      : Part(context), out_(out), is_union_(is_union), attributes_(attributes) {}

  // Places the next member; false when it may not be one (reported).
  bool add(const StructDecl::Field& field, const Declarator& declarator, TypeId type);
  // Gives the whole its size and alignment.
  void finish();

 private:
  std::optional<std::uint32_t> bit_width(const Declarator& declarator, TypeId type, Span span);
  bool is_new(const types::Member& member, Span span);
  bool may_be_member(const Declarator& declarator, TypeId type, Span span);
  bool place(const Declarator& declarator, types::Member member);

  types::Type& out_;
  const bool is_union_;
  const LayoutAttributes& attributes_;  // of the whole
  std::uint64_t bits_ = 0;
  std::uint64_t align_ = 1;
  std::optional<Span> flexible_;  // a member of no size, which must be the last
};

}  // namespace dt::d
