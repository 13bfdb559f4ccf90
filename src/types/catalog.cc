// The type catalogue: nodes, names, qualifiers, members.
//
// Types are nodes in a table, named by numbers, and two equal types are one node wherever the
// catalogue makes them (pointers, arrays, qualified types), so that most comparisons compare
// numbers. Nodes that come from files may be equal without being one; same() walks both.

#include <algorithm>
#include <limits>
#include <utility>

#include "support/check.h"
#include "support/shown.h"
#include "types/catalog_state.h"

namespace dt::types {
namespace {

constexpr std::uint64_t kConst = 1, kUserland = 2, kPerCpu = 4;

std::size_t index(Tag tag) { return static_cast<std::size_t>(tag); }

// Names come from traced files. What is no name in any language (a newline, an escape) is
// replaced where it comes in, so that no text that is made of types can contain it.
void make_harmless(Type& type) {
  const auto replace = [](std::string& name) {
    if (!support::is_plain(name)) name = support::shown_name(name);
  };
  replace(type.name);
  for (Member& member : type.members) replace(member.name);
  for (Enumerator& one : type.enumerators) replace(one.name);
}

}  // namespace

TypeId Catalog::State::add(Type type) {
  make_harmless(type);
  types.push_back(std::move(type));
  return TypeId(static_cast<std::uint32_t>(types.size() - 1));
}

Catalog::Catalog() : state_(std::make_unique<State>(*this)) {
  add_builtin_types(*state_);
  state_->builtin_count = static_cast<std::uint32_t>(state_->types.size());
}
Catalog::~Catalog() = default;

void Catalog::add_source(std::unique_ptr<Source> source) {
  state_->sources.push_back(std::move(source));
  for (auto& found : state_->found) found.clear();
}

const Type& Catalog::at(TypeId id) const {
  DT_CHECK(id.value < state_->types.size(), "type {}", id.value);
  const Type& type = state_->types[id.value];
  if (state_->pending.empty()) return type;
  const auto pending = state_->pending.find(id);
  if (pending == state_->pending.end()) return type;
  const State::Pending what = pending->second;
  state_->pending.erase(pending);  // first, so that completing may look at this node
  if (what.source != nullptr) {
    what.source->complete(state_->self, id);
    make_harmless(state_->types[id.value]);
  } else {
    state_->types[id.value].members = at(what.original).members;
  }
  return type;
}

TypeId Catalog::resolve(TypeId id) const {
  for (int depth = 0; depth < kMaxDepth; ++depth) {
    DT_CHECK(id.value < state_->types.size(), "type {}", id.value);
    const Type& type = state_->types[id.value];
    if (type.kind != Kind::kTypedef) return id;
    id = type.target;
  }
  return state_->void_type;
}

const Type& Catalog::resolved(TypeId id) const { return at(resolve(id)); }

const Type& Catalog::head(TypeId id) const { return state_->types[resolve(id).value]; }

bool Catalog::is_completed(TypeId id) const { return state_->completed.contains(resolve(id)); }

std::uint32_t Catalog::size_of(TypeId id) const { return state_->types[resolve(id).value].size; }

TypeId Catalog::void_type() const { return state_->void_type; }
TypeId Catalog::char_type() const { return state_->char_type; }
TypeId Catalog::string_type() const { return state_->string_type; }
TypeId Catalog::stack_type() const { return state_->stack_type; }
TypeId Catalog::symbol_type() const { return state_->symbol_type; }
TypeId Catalog::user_symbol_type() const { return state_->user_symbol_type; }

TypeId Catalog::integer(std::uint32_t size, bool is_signed) const {
  const std::size_t log = size <= 1 ? 0 : size <= 2 ? 1 : size <= 4 ? 2 : 3;
  return state_->integers[log][is_signed ? 1 : 0];
}

TypeId Catalog::recorded(Kind kind, std::uint32_t form, std::uint32_t size) {
  const std::uint64_t key = std::uint64_t{form} << 32 | size;
  const auto [at, is_new] = state_->recorded.try_emplace(key);
  if (is_new) {
    Type type = state_->types[(kind == Kind::kStack    ? state_->stack_type
                               : kind == Kind::kSymbol ? state_->symbol_type
                                                       : state_->user_symbol_type)
                                  .value];
    type.count = form;
    type.size = size;
    at->second = state_->add(std::move(type));
  }
  return at->second;
}

TypeId Catalog::pointer_to(TypeId target) {
  const auto [at, is_new] = state_->pointers.try_emplace(target);
  if (is_new) {
    Type type;
    type.kind = Kind::kPointer;
    type.size = 8;
    type.target = target;
    at->second = state_->add(std::move(type));
  }
  return at->second;
}

TypeId Catalog::array_of(TypeId element, std::uint32_t count) {
  const std::uint64_t key = std::uint64_t{element.value} << 32 | count;
  const auto [at, is_new] = state_->arrays.try_emplace(key);
  if (is_new) {
    Type type;
    type.kind = Kind::kArray;
    type.target = element;
    type.count = count;
    const std::uint64_t size = std::uint64_t{count} * state_->types[resolve(element).value].size;
    type.size = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(size, std::numeric_limits<std::uint32_t>::max()));
    at->second = state_->add(std::move(type));
  }
  return at->second;
}

namespace {

// A copy of `id` with one more qualifier; its members follow the original's.
// What a typedef or an array stands for takes the qualifier too.
TypeId qualify(Catalog::State& state, TypeId id, std::uint64_t qualifier, int depth = 0) {
  if (depth > kMaxDepth) return id;
  const std::uint64_t key = std::uint64_t{id.value} << 32 | qualifier;
  if (const auto known = state.qualified.find(key); known != state.qualified.end()) {
    return known->second;
  }
  Type type = state.types[id.value];
  if (qualifier == kConst) type.is_const = true;
  if (qualifier == kUserland) type.is_userland = true;
  if (qualifier == kPerCpu) type.is_per_cpu = true;
  if (type.kind == Kind::kTypedef || type.kind == Kind::kArray) {
    type.target = qualify(state, type.target, qualifier, depth + 1);
  }
  const TypeId copy = state.add(std::move(type));
  state.qualified[key] = copy;
  if (state.pending.contains(id)) state.pending.emplace(copy, Catalog::State::Pending{nullptr, id});
  return copy;
}

}  // namespace

TypeId Catalog::userland(TypeId type) {
  if (state_->types[type.value].is_userland) return type;
  return qualify(*state_, type, kUserland);
}

TypeId Catalog::constant(TypeId type) {
  if (state_->types[type.value].is_const) return type;
  return qualify(*state_, type, kConst);
}

TypeId Catalog::per_cpu(TypeId type) {
  if (state_->types[type.value].is_per_cpu) return type;
  return qualify(*state_, type, kPerCpu);
}

TypeId Catalog::add(Type type) { return state_->add(std::move(type)); }

TypeId Catalog::add_incomplete(Type type, Source& source) {
  const TypeId id = state_->add(std::move(type));
  state_->pending.emplace(id, State::Pending{&source, {}});
  return id;
}

void Catalog::define(TypeId id, Type type) {
  DT_CHECK(id.value != 0 && id.value < state_->types.size(), "type {}", id.value);
  state_->pending.erase(id);
  if (state_->types[id.value].kind == Kind::kForward) state_->completed.insert(id);
  state_->types[id.value] = std::move(type);
  const Type& made = state_->types[id.value];
  // Qualified copies made while it was a forward follow it.
  for (const std::uint64_t qualifier : {kConst, kUserland, kPerCpu}) {
    const auto copy = state_->qualified.find(std::uint64_t{id.value} << 32 | qualifier);
    if (copy == state_->qualified.end()) continue;
    Type& node = state_->types[copy->second.value];
    if (node.kind != Kind::kForward) continue;
    const bool was_const = node.is_const, was_userland = node.is_userland;
    const bool was_per_cpu = node.is_per_cpu;
    node = made;
    node.is_const = was_const;
    node.is_userland = was_userland;
    node.is_per_cpu = was_per_cpu;
    state_->completed.insert(copy->second);
  }
}

std::optional<TypeId> Catalog::find_declared(Tag tag, std::string_view name) const {
  if (!state_->hides_script) {
    const NameMap& first = state_->script_names[index(tag)];
    if (const auto own = first.find(name); own != first.end()) return own->second;
  }
  const NameMap& names = state_->names[index(tag)];
  if (const auto own = names.find(name); own != names.end()) return own->second;
  if (tag != Tag::kNone) return std::nullopt;
  const std::string canonical = canonical_base_name(name);
  if (canonical.empty()) return std::nullopt;
  return names.find(canonical)->second;
}

// The answer for a name is kept, also when no type has the name: the parser asks for each
// identifier whether it names a type, over and over again.
std::optional<TypeId> Catalog::find(Tag tag, std::string_view name, std::string_view module) const {
  if (module == "C") {
    const ScriptNames hidden(state_->self, true);
    const auto own = find_declared(tag, name);
    return own && own->value < state_->builtin_count ? own : std::nullopt;
  }
  if (module.empty() || module == "D") {
    if (const auto own = find_declared(tag, name)) return own;
  }
  if (name.empty()) return std::nullopt;
  auto& memory = state_->found[index(tag)];
  std::string key = std::string(module) + '`' + std::string(name);
  if (const auto known = memory.find(key); known != memory.end()) {
    return known->second.value == 0 ? std::nullopt : std::optional(known->second);
  }
  std::optional<TypeId> found;
  if (!module.empty()) {
    if (Source* const source = state_->source_of(module)) {
      found = source->find(state_->self, tag, name);
    }
  } else {
    for (const auto& source : state_->sources) {
      found = source->find(state_->self, tag, name);
      if (found) break;
    }
  }
  memory.emplace(std::move(key), found.value_or(TypeId()));
  return found;
}

bool Catalog::hide_script(bool hides) { return std::exchange(state_->hides_script, hides); }

// The same declaration twice is fine, as in C; libraries and scripts include the same headers.
bool Catalog::declare(Tag tag, std::string_view name, TypeId type) {
  NameMap& names = (state_->hides_script ? state_->names : state_->script_names)[index(tag)];
  const auto [at, is_new] = names.try_emplace(std::string(name), type);
  return is_new || at->second == type || same(at->second, type);
}

void Catalog::redeclare(Tag tag, std::string_view name, TypeId type) {
  NameMap& names = (state_->hides_script ? state_->names : state_->script_names)[index(tag)];
  names.insert_or_assign(std::string(name), type);
}

namespace {

// Looks for `name` in `aggregate` and, with a budget against knots, in its anonymous members: in
// C11, the members of an anonymous structure are members of the one around it. The aggregate's own
// names come first.
std::optional<Catalog::Found> member_in(const Catalog& catalog, TypeId aggregate,
                                        std::string_view name, int depth, int& visits) {
  if (depth > kMaxDepth || --visits < 0) return std::nullopt;
  const Type& type = catalog.resolved(aggregate);
  if (type.kind != Kind::kStruct && type.kind != Kind::kUnion) return std::nullopt;
  for (const Member& member : type.members) {
    if (member.name == name) return Catalog::Found{member.type, member.bit_offset, member.bit_size};
  }
  for (const Member& member : type.members) {
    if (!member.name.empty()) continue;
    if (auto found = member_in(catalog, member.type, name, depth + 1, visits)) {
      found->bit_offset += member.bit_offset;
      return found;
    }
  }
  return std::nullopt;
}

void collect_names(const Catalog& catalog, TypeId aggregate, int depth, int& visits,
                   std::vector<std::string_view>& names) {
  if (depth > kMaxDepth || --visits < 0) return;
  const Type& type = catalog.resolved(aggregate);
  if (type.kind != Kind::kStruct && type.kind != Kind::kUnion) return;
  for (const Member& member : type.members) {
    if (member.name.empty()) {
      collect_names(catalog, member.type, depth + 1, visits, names);
    } else {
      names.push_back(member.name);
    }
  }
}

}  // namespace

std::optional<Catalog::Found> Catalog::member(TypeId aggregate, std::string_view name) const {
  if (name.empty()) return std::nullopt;
  int visits = kMaxVisits;
  auto found = member_in(*this, aggregate, name, 0, visits);
  // A structure in user memory has its members there, too.
  if (found && resolved(aggregate).is_userland) found->type = state_->self.userland(found->type);
  return found;
}

std::vector<std::string_view> Catalog::member_names(TypeId aggregate) const {
  std::vector<std::string_view> names;
  int visits = kMaxVisits;
  collect_names(*this, aggregate, 0, visits, names);
  return names;
}

}  // namespace dt::types
