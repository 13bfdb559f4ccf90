#include "d/check/own_tags.h"

#include <set>
#include <string>
#include <utility>

#include "d/syntax/ast.h"

namespace dt::d {
namespace {

using OwnTag = std::pair<types::Tag, std::string>;

class OwnTags {
 public:
  explicit OwnTags(types::Catalog& types) : types_(types) {}

  // In the order of the text, which is where what a body contains stands before what follows it.
  void look_at(const TypeSpec& spec) {
    const bool is_tag = spec.tag == TypeSpec::Tag::kStruct || spec.tag == TypeSpec::Tag::kUnion;
    if (is_tag && spec.module.empty() && !spec.tag_name.empty()) {
      const OwnTag tag{spec.tag == TypeSpec::Tag::kUnion ? types::Tag::kUnion : types::Tag::kStruct,
                       spec.tag_name};
      if (spec.body == nullptr) {
        mentioned_.insert(tag);
      } else if (mentioned_.contains(tag) && !types_.find_declared(tag.first, tag.second)) {
        declare(tag);
      }
    }
    if (spec.body == nullptr) return;
    for (const StructDecl::Field& field : spec.body->fields) {
      look_at(field.spec);
      for (const Declarator& one : field.declarators) look_at(one);
    }
  }

  // Parameters of functions, and keys.
  void look_at(const Declarator& declarator) {
    for (const Declarator::Part& part : declarator.parts) {
      for (const TypeName* type : part.types) {
        look_at(type->spec);
        look_at(type->declarator);
      }
    }
  }

 private:
  void declare(const OwnTag& tag) {
    types::Type type;
    type.kind = types::Kind::kForward;
    type.name = tag.second;
    type.is_union_forward = tag.first == types::Tag::kUnion;
    types_.declare(tag.first, tag.second, types_.add(type));
  }

  types::Catalog& types_;
  std::set<OwnTag> mentioned_;
};

}  // namespace

void declare_own_tags(const Unit& unit, types::Catalog& types) {
  OwnTags tags(types);
  for (const Declaration& declaration : unit.declarations) {
    tags.look_at(declaration.spec);
    for (const Declarator& one : declaration.declarators) tags.look_at(one);
  }
}

}  // namespace dt::d
