#pragma once
// Checker: the state of stage 3. One class over several files, by subject:
// clause.cc (units, clauses, statements, pragmas), declaration.cc (types
// as written, declarations, inlines), expression.cc (operators), member.cc,
// assignment.cc, variable.cc (names), call.cc (actions and subroutines), format.cc
// (printf, printa), print.cc (print, printm), effect.cc (freopen and the like) and
// aggregation.cc.
// inline.cc and translator.cc have inlines and translators.
//
// An expression whose check failed has no type (TypeId 0); whatever contains
// it stays silent, so that one mistake is one message.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "d/check/check.h"
#include "d/check/expansion.h"
#include "d/check/library.h"
#include "d/check/stability.h"
#include "d/check/symbol.h"
#include "d/meaning/function_table.h"
#include "d/meaning/kernel_member.h"
#include "d/meaning/type_meaning.h"
#include "symbol/kernel/kallsyms.h"

namespace dt::d {

struct Conversion;

class Checker {
 public:
  Checker(Sources& sources, const std::vector<Unit>& units, front::World& world, Arena& arena,
          Diagnostics& diagnostics)
      : sources_(sources),
        units_(units),
        world_(world),
        arena_(arena),
        diagnostics_(diagnostics),
        rules_(world.types),
        libraries_(sources, world, arena),
        kernel_symbols_(world, diagnostics) {
    offer_library_types();
  }
  ~Checker();
  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;

  void pragmas(const Unit& unit);
  void unit(Unit& unit);
  void finish();  // after the last unit
  // Loads the libraries that may define the name; false when there are none.
  bool load_library(std::string_view name);
  Checked take();

 private:
  using TypeId = types::TypeId;

  // clause.cc
  void clause(Clause& clause);
  void predicate(Expr* e);
  std::string comparison_hint(const Expr* e) const;
  void statement(Stmt* stmt);
  void expression_statement(Stmt* stmt);
  bool void_ternary(Stmt* stmt);

  // pragma.cc
  void pragma(const Pragma& pragma);
  void pragma_option(const Pragma& pragma, std::string_view rest);
  void pragma_depends(const Pragma& pragma);
  void placed_pragma(const Pragma& pragma);
  void pragma_attributes(const Pragma& pragma, const std::vector<std::string_view>& words);
  void pragma_binding(const Pragma& pragma, const std::vector<std::string_view>& words);
  bool may_change(const Pragma& pragma, std::string_view name);
  void unused_pragmas();
  // Whether the program's version of D has what came with `since`; an inline.
  bool visible_since(const char* since) const;
  bool visible(const std::string& name) const;

  // library_use.cc
  class Elsewhere {
   public:
    explicit Elsewhere(Checker& checker);
    ~Elsewhere();
    Elsewhere(const Elsewhere&) = delete;
    Elsewhere& operator=(const Elsewhere&) = delete;

   private:
    Checker& checker_;
    const std::vector<Binding>* bindings_;
    const Clause* clause_;
    bool in_library_;
  };
  std::vector<Diagnostic> library_unit(Unit& unit);
  InlineInfo* find_inline(const std::string& name);
  void offer_library_types();

  // provider.cc
  void provider_declaration(const ProviderDecl& definition);
  bool probe_arguments_of(const ProviderDecl::ProbeDecl& one, DeclaredProbe& out);
  TypeId translated_output(TypeId type) const;
  bool is_simple_mapping(TypeId to, TypeId from) const;
  const DeclaredProbe* declared_probe(const probe::Description& description) const;
  std::vector<ProbeArgument> published_arguments(const std::vector<probe::Argument>& arguments);
  void translated_argument(Expr* e, TypeId type);

  // declaration.cc
  std::optional<TypeId> type_of(const TypeName& name);
  std::optional<TypeId> base_type(const TypeSpec& spec);
  std::optional<TypeId> basic_type(const TypeSpec& spec);
  std::optional<TypeId> struct_type(const TypeSpec& spec);
  std::optional<TypeId> enum_type(const TypeSpec& spec);
  bool is_included(Span span) const { return sources_.at(span.source).is_included(span.begin); }
  bool enumerators(const EnumDecl& declared, types::Type& into);
  std::optional<TypeId> enumerator_type(const EnumDecl::Item& item, std::uint64_t value,
                                        bool is_negative);
  // unknown_type.cc
  void unknown_type(const TypeSpec& spec, types::Tag tag, const std::string& name);
  std::optional<TypeId> type_of_some_module(const TypeSpec& spec, types::Tag tag,
                                            bool& is_ambiguous);
  // declaration.cc
  // struct.cc
  struct Layout;
  bool struct_members(const StructDecl& body, types::Type& out, bool is_union);
  bool struct_field(const StructDecl::Field& field, Layout& layout);
  bool struct_member(const StructDecl::Field& field, const Declarator& declarator, TypeId type,
                     Layout& layout);
  std::optional<std::uint32_t> bit_width(const Declarator& declarator, TypeId type, Span span);
  bool is_new_member(const Layout& layout, const types::Member& member, Span span);
  // type_name.cc
  // Applies the parts of a declarator; associative keys go to `keys`.
  std::optional<TypeId> apply(TypeId base, const Declarator& declarator, std::vector<TypeId>* keys,
                              bool* is_array);
  // prototype.cc
  std::optional<TypeId> parameter_type(const Declarator::Part& part, std::size_t index);
  bool parameter_is_formed(const Declarator::Part& part, std::size_t index, std::string_view kind);
  bool is_old_style(const TypeName& parameter, const std::string& name);
  // type_name.cc
  std::optional<TypeId> apply_array(TypeId element, const Declarator::Part& part, Span span);
  void declaration(const Declaration& declaration);
  void declare(const TypeSpec& spec, const Declarator& declarator, TypeId base);
  void declare_typedef(const Declarator& declarator, TypeId type);
  bool may_be_variable(const Declarator& declarator, ir::Scope scope, TypeId type);

  // inline.cc
  void inline_definition(const Inline& definition);
  void define_inline(InlineInfo& info);
  bool inline_parameters(InlineInfo& info);
  bool inline_value_fits(const InlineInfo& info, const Expr* value);
  void inline_use(Expr* e, InlineInfo& info, std::size_t first_argument);
  bool inline_argument(const InlineInfo& info, std::size_t index, Expr*& argument);
  void parameter(Expr* e, const Binding& binding);
  Binding bind(const BodyParameter& parameter, Expr* argument);
  // The body of an inline or translator with its parameters bound; nullptr
  // when it is wrong (reported).
  bool is_of_library(Span span) const;
  Expr* expand(const Expr* body, const std::vector<Binding>& bindings, Span use);
  Expr* clone(const Expr* e);
  Expr* implicit_cast(Expr* value, TypeId type);

  // translator.cc
  void translator(const Translator& definition);
  bool translator_types(TranslatorInfo& info);
  void define_translator(TranslatorInfo& info);
  bool member_value_fits(const TranslatorInfo& info, const Translator::Member& member,
                         const Expr* value);
  void xlate(Expr* e);
  std::uint32_t find_translator(TypeId output, TypeId input);
  void load_translators(TypeId output);
  void translated_member(Expr* e);
  void refuse_whole(Expr* e);
  std::string member_hint(const Expr* e) const;

  // expression.cc
  // What the place of an expression takes besides a value.
  struct Wanted {
    bool statement = false;    // it is a whole statement: an action without a value may stand
    bool translation = false;  // a translated whole, which has no value
  };
  void expr(Expr* e, Wanted wanted);
  void expr(Expr* e) { expr(e, {}); }
  void dispatch(Expr* e);
  void comma(Expr* e);
  void int_literal(Expr* e);
  void unary(Expr* e);
  void increment(Expr* e, Expr* target);
  void dereference(Expr* e);
  bool dereferences_element(Expr* e);
  void address_of(Expr* e);
  void binary(Expr* e);
  void arithmetic(Expr* e);
  bool pointer_arithmetic(Expr* e);
  void comparison(Expr* e);
  void logical(Expr* e);
  void ternary(Expr* e);

  // member.cc
  void cast(Expr* e);
  void stringof(Expr* e);
  void size_of(Expr* e);
  void offset_of(Expr* e);
  void member(Expr* e);
  void memory_lvalue(Expr* e, TypeId type, bool user);
  bool scalar_operand(const Expr* e, const Expr* operand);

  // object.cc
  bool may_hold(Span span, std::string_view name, TypeId type);
  bool within_bounds(const Expr* base, const Expr* at);

  // assignment.cc
  void assign(Expr* e);
  bool assignable(const Expr* e, TypeId to, const Expr* from);
  bool frees(const Expr* target) const;
  bool compound(Expr* e);
  bool single_value(const Expr* e, const Expr* target);
  bool known_step(const Expr* e, const Expr* pointer);
  // The type of a variable that is first assigned `from`; reports when there is none.
  std::optional<TypeId> type_from(const Expr* at, const Expr* from, Op op);
  bool is_new(const Expr* target) const;
  bool create(Expr* target, TypeId type);
  bool not_modifiable(const Expr* e, const Expr* target);
  bool not_storable(const Expr* e, const Expr* target);

  // variable.cc
  void identifier(Expr* e);
  void variable(Expr* e, ir::Scope scope);
  void index(Expr* e);
  bool integer_index(Expr* at);
  void array_element(Expr* e, std::uint32_t variable);
  void args_element(Expr* e);
  void load_probe_arguments(Span span);
  bool keys(Expr* e, std::size_t first);
  // Looks a variable up; creates it with `type` when it is not there.
  std::uint32_t define_variable(std::string name, ir::Scope scope, TypeId type, Span span);
  void set_keys(std::uint32_t variable, std::vector<TypeId> keys);
  std::optional<std::uint32_t> find_variable(std::string_view name, ir::Scope scope) const;
  // undefined.cc
  void undefined_variable(const Expr* e, ir::Scope scope);
  std::vector<std::string_view> names_like(const Expr* e, ir::Scope scope) const;
  std::string quotes_hint(const Expr* e) const;
  bool joins_strings(const Expr* e) const;
  std::string float_hint(const Expr* e) const;
  bool version_hint(const std::string& name, Diagnostic& d) const;
  // The first assignment to it in the whole program; nullptr when there is none.
  const Expr* later_assignment(const Expr* e) const;
  TypeId builtin_type(std::uint32_t index, Span span);

  // kernel.cc
  bool has_kernel_members(const Expr* e, std::string_view what,
                          std::span<const KernelMember> members);
  void address_family(Expr* e, Fn fn);
  void derived_variable(Expr* e);
  void register_element(Expr* e);
  void unsupported_variable(const Expr* e);

  // call.cc
  void call(Expr* e, bool whole);  // whole: as a statement
  void value_of(Expr* e, Wanted wanted);
  void value_of(Expr* e) { value_of(e, {}); }
  bool arguments(Expr* e, const FunctionInfo& info);
  bool prototype(const Expr* e, const FunctionInfo& info);
  bool compatible(std::string_view parameter, const Expr* argument);
  void action(Expr* e, Fn fn);
  void trace(Expr* e);
  void tracemem(Expr* e);
  void stack(Expr* e, Fn fn);
  void subroutine(Expr* e, Fn fn);
  void unsupported(const Expr* e, const FunctionInfo& info);
  bool positive_constant(const Expr* e) const;

  // print.cc
  void print(Expr* e);
  void printm(Expr* e);

  // effect.cc
  void freopen(Expr* e);
  bool is_impossible(const Expr* e, Fn fn);

  // format.cc
  void printf(Expr* e);
  void printa(Expr* e);
  bool printa_aggregations(Expr* e, std::size_t first);
  void printa_format(const Expr* e);
  bool conversion_accepts(const Conversion& conversion, const Expr* argument) const;

  // aggregation.cc
  void aggregate(Expr* e);  // @a[keys] = func(args)
  bool multidimensional(const Expr* e);
  void aggregation_use(Expr* e);  // @a outside an assignment
  bool aggregation_keys(Expr* e, std::uint32_t index);
  record::FieldType key_field(const Expr* e);
  bool merge_key(const Expr* e, std::uint32_t index, std::size_t key);
  bool aggregating_arguments(Expr* call, const FunctionInfo& info, record::AggParams& params);
  void lquantize(const Expr* call, record::AggParams& params);
  void llquantize(const Expr* call, record::AggParams& params);
  bool matches_first(const Expr* e, const Expr* call, const AggregationInfo& first,
                     record::AggFunc func, const record::AggParams& params);
  void aggregation_action(Expr* e, Fn fn);
  std::uint32_t find_aggregation(const std::string& name);

  // Common.
  Diagnostic& error(std::string_view tag, Span span, std::string text) {
    return diagnostics_.error(tag, span, std::move(text));
  }
  static bool bad(const Expr* e) { return e->type == TypeId{}; }
  std::string type_name(const Expr* e) const { return rules_.name(e->type); }
  Span name_span(const Expr* e) const { return e->name_span.end != 0 ? e->name_span : e->span; }
  bool is_null(const Expr* e) const;
  bool is_string_operand(const Expr* e) const { return rules_.is_string_like(e->type); }

  const Sources& sources_;
  const std::vector<Unit>& units_;
  front::World& world_;
  Arena& arena_;
  Diagnostics& diagnostics_;
  TypeRules rules_;
  Libraries libraries_;
  KernelSymbols kernel_symbols_;
  std::shared_ptr<Checker*> self_;  // what library types ask, while there is one
  bool in_library_ = false;         // what is being declared comes from a library
  DeclaredStability stability_;
  std::unordered_map<std::string, std::uint32_t> bindings_since_;  // by #pragma D binding
  std::vector<std::pair<std::string, Span>> pragma_names_;         // of these pragmas
  std::unordered_map<std::string, DeclaredProvider> providers_;
  Checked checked_;
  std::unordered_map<std::string, std::uint32_t> variables_[3];  // by ir::Scope
  std::unordered_map<std::string, std::uint32_t> aggregations_;
  struct EnumeratorValue {
    std::uint64_t value = 0;  // as the bits of its type
    types::TypeId type;
  };
  std::unordered_map<std::string, EnumeratorValue> enumerators_;
  std::unordered_map<std::string, InlineInfo> inlines_;
  std::vector<TranslatorInfo> translators_;
  const std::vector<Binding>* bindings_ = nullptr;  // of the body that is being expanded
  std::uint32_t next_slot_ = 1;
  std::uint32_t expansion_height_ = 0;  // trees that are being expanded, one within another
  std::uint64_t expanded_nodes_ = 0;
  std::unordered_set<TypeId> defined_;         // structs and unions of the script
  std::vector<TypeId> builtin_types_;          // by index, as they are asked for
  std::unordered_set<std::string> undefined_;  // names that were reported
  // Of the clause that is being checked.
  const Clause* clause_ = nullptr;
  std::optional<std::vector<ProbeArgument>> probe_arguments_;
  bool probe_arguments_failed_ = false;
};

// The name of an aggregation behind its @: nothing for @, which is called "_" inside.
inline std::string shown_name(const std::string& name) { return name == "_" ? "" : name; }

// "2 args passed, 1 expected": DTrace's words for a wrong count.
std::string prototype_mismatch(std::string_view name, std::string_view brackets,
                               std::string_view what, std::size_t passed, std::size_t expected,
                               bool at_least);

}  // namespace dt::d
