// See target.h.
//
// A path is walked once: members and elements add to an offset, and each pointer on the way is
// loaded.

#include "stap/events/target.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "stap/events/renamed_members.h"
#include "stap/syntax/similar.h"

namespace dt::stap {
namespace {

constexpr std::uint32_t kByteBits = 8, kWordBits = 64;

// What the walk does with memory; when a path is only checked, nothing.
class Memory {
 public:
  Memory(ir::FunctionBuilder* b, ir::ValueId base, bool is_userland)
      : b_(b), base_(base), is_userland_(is_userland) {}

  void add(std::int64_t bytes) { offset_ += bytes; }
  void load(ir::Type type) {
    if (b_ != nullptr) {
      const TargetValue loaded = try_load(*b_, {address(), is_readable_}, type, is_userland_);
      base_ = loaded.value;
      is_readable_ = loaded.is_readable;
    }
    offset_ = 0;
  }
  // `count` bits of the word there, from bit `shift` on.
  void load_bits(std::uint32_t shift, std::uint32_t count, bool is_signed) {
    std::uint32_t size = 1;
    while (size * kByteBits < shift + count) size *= 2;
    load(ir::Type::integer(size, false));
    if (b_ == nullptr) return;
    const auto by = [&](std::uint32_t bits) { return b_->constant(bits); };
    const ir::ValueId word = b_->extend(base_, ir::Type::u64());
    const ir::ValueId high =
        b_->binary(ir::Op::kShl, word, by(kWordBits - shift - count), ir::Type::s64());
    base_ = b_->binary(is_signed ? ir::Op::kShrS : ir::Op::kShrU, high, by(kWordBits - count),
                       ir::Type::s64());
  }
  std::optional<ir::ValueId> is_readable() const { return is_readable_; }
  ir::ValueId address() const {
    if (b_ == nullptr || offset_ == 0) return base_;
    return b_->binary(ir::Op::kAdd, base_, b_->constant(offset_), ir::Type::s64());
  }

 private:
  ir::FunctionBuilder* b_;
  ir::ValueId base_;
  bool is_userland_;
  std::optional<ir::ValueId> is_readable_;
  std::int64_t offset_ = 0;
};

constexpr std::uint32_t kPointerBytes = 8;

// The type behind "struct task_struct *", "const struct path *" or "char **".
std::optional<types::TypeId> pointed_type(const types::Catalog& types, std::string_view name) {
  constexpr std::string_view kConst = "const ", kStruct = "struct ", kUnion = "union ";
  std::size_t pointers = 0;
  for (; name.ends_with('*'); ++pointers) name.remove_suffix(1);
  if (pointers == 0 || !name.ends_with(' ')) return std::nullopt;
  name.remove_suffix(1);
  if (name.starts_with(kConst)) name.remove_prefix(kConst.size());
  types::Tag tag = types::Tag::kNone;
  if (name.starts_with(kStruct)) {
    tag = types::Tag::kStruct;
    name.remove_prefix(kStruct.size());
  } else if (name.starts_with(kUnion)) {
    tag = types::Tag::kUnion;
    name.remove_prefix(kUnion.size());
  }
  // Types of a program are named with it: "pid*`/usr/bin/sort`line".
  const std::size_t tick = name.rfind('`');
  auto found = tick == std::string_view::npos
                   ? types.find(tag, name)
                   : types.find(tag, name.substr(tick + 1), name.substr(0, tick));
  // A pointer to a type is made by the catalogue when it is first asked for.
  for (; found && pointers > 1; --pointers) {
    found = const_cast<types::Catalog&>(types).pointer_to(*found);
  }
  return found;
}

std::optional<types::TypeId> pointed_type(const types::Catalog& types, types::TypeId pointer) {
  const types::Type& type = types.resolved(pointer);
  return type.kind == types::Kind::kPointer ? std::optional(type.target) : std::nullopt;
}

class Walk {
 public:
  Walk(const types::Catalog& types, Memory& memory) : types_(types), memory_(memory) {}

  // Why it leads nowhere; empty: it has led to the end.
  std::string run(const TargetType& target, const std::vector<Leaf::Step>& path, TargetEnd end) {
    const auto found =
        target.id ? pointed_type(types_, *target.id) : pointed_type(types_, target.name);
    if (!found) {
      if (path.empty() || target.name.empty()) return "the type of the value is not known";
      place_ = path.front().place;
      return invalid_access(path.front().member, path.front().index, target.name);
    }
    type_ = *found;
    for (const Leaf::Step& step : path) {
      place_ = step.place;
      if (step.member.empty() ? !element(step.index) : !member(step.member)) return wrong_;
      is_first_ = false;
    }
    if (bits_ != 0 && end != TargetEnd::kValue) {
      refuse(fmt::format("'{}' is a bit-field, which has no address", path.back().member));
    } else if (bits_ != 0) {
      memory_.load_bits(first_bit_, bits_, types_.resolved(type_).is_signed);
    } else if (end == TargetEnd::kText && is_pointer()) {
      load_pointer();
    } else if (end == TargetEnd::kValue || (end == TargetEnd::kText && is_number())) {
      // Of user_string($regs->di), the number is the address of the text.
      load_value();
    }
    return wrong_;
  }

  // Where the step is that leads nowhere.
  Span place() const { return place_; }

 private:
  bool is_pointer() const { return types_.resolved(type_).kind == types::Kind::kPointer; }
  bool is_number() const { return types_.resolved(type_).kind == types::Kind::kInt; }

  void load_pointer() {
    memory_.load(ir::Type::u64());
    type_ = types_.resolved(type_).target;
  }

  bool refuse(std::string text) {
    wrong_ = std::move(text);
    return false;
  }

  // Of the argument itself, the first index counts what it leads to.
  bool element(std::int64_t index) {
    const types::Type& type = types_.resolved(type_);
    if (is_first_) {
      memory_.add(index * types_.size_of(type_));
      return true;
    }
    if (type.kind == types::Kind::kArray) {
      type_ = type.target;
    } else if (type.kind == types::Kind::kPointer) {
      load_pointer();
    } else {
      return refuse(invalid_access("", index, source_name(types_, type_)));
    }
    memory_.add(index * types_.size_of(type_));
    return true;
  }

  bool member(const std::string& name) {
    if (is_pointer()) load_pointer();
    const types::Kind kind = types_.resolved(type_).kind;
    if (kind != types::Kind::kStruct && kind != types::Kind::kUnion) {
      return refuse(invalid_access(name, 0, source_name(types_, type_)));
    }
    const auto found = types_.member(types_.resolve(type_), name);
    if (!found) {
      const auto instead = renamed_member(types_, type_, name);
      if (instead.empty()) return refuse(no_member(types_, name, type_));
      return std::all_of(instead.begin(), instead.end(),
                         [&](std::string_view one) { return member(std::string(one)); });
    }
    memory_.add(found->bit_offset / kByteBits);
    type_ = found->type;
    bits_ = found->bit_size;
    first_bit_ = found->bit_offset % kByteBits;
    return first_bit_ + bits_ <= kWordBits ||
           refuse(fmt::format("the bit-field '{}' is in no word", name));
  }

  void load_value() {
    const types::Type& type = types_.resolved(type_);
    const bool is_number = type.kind == types::Kind::kInt || type.kind == types::Kind::kEnum;
    if (is_number && type.size <= kPointerBytes) {
      memory_.load(ir::Type::integer(type.size, type.is_signed));
    } else if (type.kind == types::Kind::kPointer) {
      memory_.load(ir::Type::u64());
    } else if (type.kind != types::Kind::kArray && type.kind != types::Kind::kStruct &&
               type.kind != types::Kind::kUnion) {
      refuse(fmt::format("a value of '{}' cannot be read", source_name(types_, type_)));
    }
  }

  const types::Catalog& types_;
  Memory& memory_;
  types::TypeId type_;
  bool is_first_ = true;
  std::uint32_t bits_ = 0, first_bit_ = 0;  // of a bit-field; 0: it is none
  std::string wrong_;
  Span place_;
};

}  // namespace

std::string invalid_access(std::string_view member, std::int64_t index, std::string_view type) {
  return fmt::format("invalid access '{}' vs. {}",
                     member.empty() ? fmt::format("[{}]", index) : fmt::format("->{}", member),
                     type);
}

std::string no_member(const types::Catalog& types, std::string_view name, types::TypeId type) {
  std::vector<std::string_view> all;
  for (const std::string_view one : types.member_names(types.resolve(type))) {
    if (!one.empty()) all.push_back(one);
  }
  const std::vector<std::string_view> near = similar_names(name, std::move(all));
  return fmt::format("unable to find member '{}' for {}{}", name, source_name(types, type),
                     near.empty() ? "" : fmt::format(" (alternatives: {})", fmt::join(near, ", ")));
}

std::string source_name(const types::Catalog& types, types::TypeId id) {
  constexpr std::string_view kUserland = "userland ";
  std::string out = types.name(id);
  return out.starts_with(kUserland) ? out.substr(kUserland.size()) : out;
}

std::optional<ir::ValueId> both(ir::FunctionBuilder& b, std::optional<ir::ValueId> one,
                                std::optional<ir::ValueId> other) {
  if (!one || !other) return one ? one : other;
  return b.binary(ir::Op::kAnd, *one, *other, ir::Type::s32());
}

TargetValue try_load(ir::FunctionBuilder& b, const TargetValue& at, ir::Type type,
                     bool is_userland) {
  constexpr std::uint32_t kLoadedBytes = 16;
  constexpr std::int64_t kIsRead = 8;  // the offset of the second word
  ir::Inst read;
  read.op = is_userland ? ir::Op::kTryUser : ir::Op::kTryKernel;
  read.type = ir::Type::bytes(kLoadedBytes);
  read.args = {at.value};
  read.imm = type.size;
  const ir::ValueId loaded = b.add(std::move(read));
  const auto part = [&](std::int64_t offset, ir::Type of) {
    ir::Inst out;
    out.op = ir::Op::kPart;
    out.type = of;
    out.args = {loaded};
    out.imm = offset;
    return b.add(std::move(out));
  };
  const ir::ValueId value = part(0, type), is_read = part(kIsRead, ir::Type::s32());
  return {value, both(b, at.is_readable, is_read)};
}

TargetFault check_target(const types::Catalog& types, const TargetType& target, const Leaf& leaf) {
  Memory memory(nullptr, 0, target.is_userland);
  const TargetEnd end = leaf.is_address                   ? TargetEnd::kAddress
                        : leaf.what == Leaf::What::kValue ? TargetEnd::kValue
                                                          : TargetEnd::kText;
  Walk walk(types, memory);
  std::string text = walk.run(target, leaf.path, end);
  return {std::move(text), walk.place()};
}

TargetValue follow_target(const types::Catalog& types, const TargetType& target,
                          const std::vector<Leaf::Step>& path, TargetEnd end, ir::ValueId argument,
                          ir::FunctionBuilder& b) {
  Memory memory(&b, argument, target.is_userland);
  Walk(types, memory).run(target, path, end);
  return {memory.address(), memory.is_readable()};
}

}  // namespace dt::stap
