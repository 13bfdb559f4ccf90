#pragma once
// `provider` blocks: the arguments of probes that a script or a library declares.

#include <string>
#include <unordered_map>

#include "d/check/expansion.h"
#include "d/check/part.h"
#include "d/syntax/ast.h"

namespace dt::probe {
struct Description;
}

namespace dt::d {

class Translators;
class TypeNames;

class DeclaredProviders : Part {
 public:
  DeclaredProviders(Context& context, TypeNames& types, Translators& translators)
      : Part(context), types_(types), translators_(translators) {}

  // A declaration.
  void define(const ProviderDecl& definition);
  // The declaration of a probe; nullptr when there is none.
  const DeclaredProbe* find(const probe::Description& description) const;
  // Whether it needs no translator: a number stays a number, a string its address.
  bool is_simple_mapping(TypeId to, TypeId from) const;
  // What a translator gives where the result is of `type`: what a pointer leads to.
  TypeId translated_output(TypeId type) const;

 private:
  // The types of a probe's arguments, and which of those that are passed each is.
  bool arguments_of(const ProviderDecl::ProbeDecl& one, DeclaredProbe& out);

  TypeNames& types_;
  Translators& translators_;
  std::unordered_map<std::string, DeclaredProvider> providers_;
};

}  // namespace dt::d
