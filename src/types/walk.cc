// See walk.h.
//
// The verifier follows pointers of kernel structures itself, and knows which loads are allowed: a
// whole member of a structure, at its offset, of its size. This walk finds out the same from the
// types beforehand, so that the code generator knows where a plain load will be accepted and where
// it must call a helper.

#include "types/walk.h"

#include "types/catalog_state.h"

namespace dt::types {
namespace {

bool is_aggregate(const Type& type) {
  return type.kind == Kind::kStruct || type.kind == Kind::kUnion;
}

class Walk {
 public:
  Walk(const Catalog& catalog, std::uint32_t offset, std::uint32_t size)
      : catalog_(catalog), offset_(offset), size_(size) {}

  std::optional<Step> within(TypeId id, int depth = 0) {
    const Type& type = catalog_.resolved(id);
    if (depth > kMaxDepth || !is_aggregate(type)) return std::nullopt;
    if (std::uint64_t{offset_} + size_ > type.size) return beyond(type, depth);
    for (const Member& member : type.members) {
      const std::uint32_t from = member.bit_offset / 8;
      if (offset_ + size_ <= from) return std::nullopt;
      if (member.bit_size != 0) {
        const std::uint32_t end = (member.bit_offset + member.bit_size + 7) / 8;
        if (offset_ <= from && end <= offset_ + size_) return Step();
        continue;
      }
      if (offset_ < from) return std::nullopt;  // a hole
      const std::uint64_t end = std::uint64_t{from} + catalog_.size_of(member.type);
      if (offset_ < end) return in_member(member.type, from, end, depth);
    }
    return std::nullopt;
  }

 private:
  // A structure whose last member is an array without a size is followed by elements of that array,
  // of any number.
  std::optional<Step> beyond(const Type& type, int depth) {
    if (type.members.empty()) return std::nullopt;
    const Member& last = type.members.back();
    const Type& array = catalog_.resolved(last.type);
    const std::uint32_t from = last.bit_offset / 8;
    if (array.kind != Kind::kArray || array.count != 0 || offset_ < from) return std::nullopt;
    const Type& element = catalog_.resolved(array.target);
    if (element.kind == Kind::kInt) return Step();
    if (element.kind != Kind::kStruct || element.size == 0) return std::nullopt;
    offset_ = (offset_ - from) % element.size;
    return within(array.target, depth + 1);
  }

  std::optional<Step> in_member(TypeId id, std::uint32_t from, std::uint64_t end, int depth) {
    const Type* type = &catalog_.resolved(id);
    for (int level = 0; type->kind == Kind::kArray && level < kMaxDepth; ++level) {
      id = type->target;
      type = &catalog_.resolved(id);
    }
    if (type->size == 0) return std::nullopt;
    from += (offset_ - from) / type->size * type->size;
    if (is_aggregate(*type)) {
      offset_ -= from;
      return within(id, depth + 1);
    }
    if (type->kind == Kind::kPointer) return pointer(*type, from);
    return offset_ + size_ <= end ? std::optional(Step()) : std::nullopt;
  }

  std::optional<Step> pointer(const Type& type, std::uint32_t from) const {
    if (size_ != 8 || offset_ != from) return std::nullopt;
    const Type& target = catalog_.head(type.target);
    // A structure that only the script defines is none to the verifier.
    const bool is_followed = is_aggregate(target) && !catalog_.is_completed(type.target) &&
                             !target.is_userland && !target.is_per_cpu;
    return Step{true, is_followed ? std::optional(catalog_.resolve(type.target)) : std::nullopt};
  }

  const Catalog& catalog_;
  std::uint32_t offset_, size_;
};

}  // namespace

std::optional<Step> walk(const Catalog& catalog, TypeId structure, std::uint32_t offset,
                         std::uint32_t size) {
  if (size == 0) return std::nullopt;
  return Walk(catalog, offset, size).within(structure);
}

}  // namespace dt::types
