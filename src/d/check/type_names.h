#pragma once
// Types as written: specifiers, structs, enumerations and declarators.

#include <optional>
#include <unordered_set>
#include <vector>

#include "d/check/part.h"
#include "d/syntax/ast.h"

namespace dt::d {

class Enumerations;
class Prototypes;
class StructLayout;
class UnknownTypes;

class TypeNames : Part {
 public:
  TypeNames(Context& context, Enumerations& enumerations, Prototypes& prototypes,
            UnknownTypes& unknown_types)
      : Part(context),
        context_(context),
        enumerations_(enumerations),
        prototypes_(prototypes),
        unknown_types_(unknown_types) {}

  // The type of a name, of a specifier; nothing when there is none (reported).
  std::optional<TypeId> type_of(const TypeName& name);
  std::optional<TypeId> base_type(const TypeSpec& spec);
  // Applies the parts of a declarator; associative keys go to `keys`.
  std::optional<TypeId> apply(TypeId base, const Declarator& declarator, std::vector<TypeId>* keys,
                              bool* is_array);
  // The structs and unions that the script defines.
  // A definition of this type is wrong: its uses are not reported.
  void set_unknown(types::Tag tag, const std::string& name);

 private:
  bool is_unknown(types::Tag tag, const TypeSpec& spec, const std::string& name) const;
  void set_defined(TypeId id);
  bool is_defined_here(TypeId id) const;
  bool takes_no_words(const TypeSpec& spec, int longs_allowed = 0);
  std::optional<TypeId> int_type(const TypeSpec& spec);
  std::optional<TypeId> char_type(const TypeSpec& spec);
  std::optional<TypeId> basic_type(const TypeSpec& spec);
  TypeId forward(const TypeSpec& spec);
  std::optional<TypeId> struct_type(const TypeSpec& spec);
  std::optional<TypeId> mentioned_struct(const TypeSpec& spec);
  std::optional<TypeId> declared_struct(types::Tag tag, const std::string& name) const;
  std::optional<TypeId> defined_struct(const TypeSpec& spec);
  bool struct_members(const StructDecl& body, types::Type& out, bool is_union);
  bool struct_field(const StructDecl::Field& field, StructLayout& layout);
  std::optional<TypeId> enum_type(const TypeSpec& spec);
  std::optional<TypeId> apply_array(TypeId element, const Declarator::Part& part, Span span);
  std::optional<TypeId> function_type(TypeId result, const Declarator::Part& part);
  std::optional<TypeId> parameter_type(const Declarator::Part& part, std::size_t index);

  Context& context_;
  Enumerations& enumerations_;
  Prototypes& prototypes_;
  UnknownTypes& unknown_types_;
  std::unordered_set<TypeId> defined_;  // structs, unions and enums of the script and the libraries
  std::unordered_set<std::string> unknown_[4];  // by types::Tag
  std::unordered_set<TypeId> of_libraries_;     // of these, those of the libraries
};

}  // namespace dt::d
