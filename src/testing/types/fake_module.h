#pragma once
// A module of the kernel, or the kernel itself, whose types a test makes up.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "types/type.h"

namespace dt::types {

class FakeModule : public Source {
 public:
  // Part of the catalogue from now on, which owns it.
  static FakeModule& add_to(Catalog& catalog, std::string name = "vmlinux") {
    auto made = std::make_unique<FakeModule>(catalog, std::move(name));
    FakeModule& module = *made;
    catalog.add_source(std::move(made));
    return module;
  }
  FakeModule(Catalog& catalog, std::string name) : catalog_(catalog), name_(std::move(name)) {}

  TypeId add_struct(const std::string& name, std::vector<Member> members,
                    std::uint32_t size = 4096) {
    Type type;
    type.kind = Kind::kStruct;
    type.name = name;
    type.size = size;
    type.members = std::move(members);
    return add(Tag::kStruct, name, std::move(type));
  }
  TypeId add_enum(const std::string& name, std::vector<Enumerator> enumerators) {
    Type type;
    type.kind = Kind::kEnum;
    type.name = name;
    type.size = 4;
    type.enumerators = std::move(enumerators);
    return add(Tag::kEnum, name, std::move(type));
  }
  // Passes these, behind a pointer of the kernel's own.
  void add_tracepoint(const std::string& name, const std::vector<TypeId>& parameters) {
    Type function;
    function.kind = Kind::kFunction;
    function.target = catalog_.void_type();
    function.members = {{"", catalog_.pointer_to(catalog_.void_type())}};
    for (const TypeId parameter : parameters) function.members.push_back({"", parameter});
    Type alias;
    alias.kind = Kind::kTypedef;
    alias.name = "btf_trace_" + name;
    alias.size = 8;
    alias.target = catalog_.pointer_to(catalog_.add(std::move(function)));
    add(Tag::kNone, "btf_trace_" + name, std::move(alias));
  }

  std::string_view module() const override { return name_; }
  std::optional<TypeId> find(Catalog&, Tag tag, std::string_view name) override {
    const auto found = types_.find({tag, std::string(name)});
    return found == types_.end() ? std::nullopt : std::optional(found->second);
  }
  std::uint32_t number(Tag tag, std::string_view name) override {
    const auto found = types_.find({tag, std::string(name)});
    return found == types_.end() ? 0 : found->second.value;
  }
  void complete(Catalog&, TypeId) override {}

 private:
  TypeId add(Tag tag, const std::string& name, Type type) {
    const TypeId id = catalog_.add(std::move(type));
    types_[{tag, name}] = id;
    return id;
  }

  Catalog& catalog_;
  std::string name_;
  std::map<std::pair<Tag, std::string>, TypeId> types_;
};

}  // namespace dt::types
