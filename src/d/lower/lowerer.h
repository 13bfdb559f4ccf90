#pragma once
// Lowerer: the state of stage 4. One class over several files, by subject:
// clause.cc (clauses, statements), expression.cc (integers),
// string.cc (strings and their capacities), subroutine.cc (of
// strings), memory.cc (addresses, members, bit-fields), scratch.cc (scratch memory),
// kernel.cc (what the kernel's structures tell), network.cc (addresses as text),
// variable.cc, action.cc, print.cc (print, dumps of memory),
// speculation.cc and aggregation.cc. inline.cc has the uses of inlines
// and translators.
//
// A value in a register is 64 bits wide; its ir::Type tells the range that it
// is known to lie in. D computes with 64 bits, so the results of arithmetic
// are 64-bit whatever C would call their type.

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "d/lower/lower.h"
#include "d/meaning/function_table.h"
#include "d/meaning/kernel_member.h"
#include "d/meaning/object.h"
#include "d/meaning/type_meaning.h"
#include "ir/address_text.h"
#include "ir/builder.h"

namespace dt::d {

class Lowerer {
 public:
  Lowerer(const Checked& checked, front::World& world)
      : checked_(checked), world_(world), rules_(world.types) {}

  void tables();  // variables and aggregations; before any clause
  void clause(const Clause& clause);
  ir::Program take() { return std::move(program_); }

 private:
  using ValueId = ir::ValueId;

  // clause.cc
  void begin_segment();
  void end_segment();
  void statement(const Stmt& stmt);
  void recording_if(const Stmt& stmt);
  void effect(const Expr* e);
  void condition(const Expr* e, ir::BlockId then, ir::BlockId otherwise);

  // expression.cc
  ValueId value(const Expr* e);
  ValueId constant(const Expr* e);
  ValueId identifier(const Expr* e);
  ValueId unary(const Expr* e);
  ValueId binary(const Expr* e);
  ValueId arithmetic(Op op, ValueId a, ValueId b, types::TypeId result);
  ValueId pointer_offset(const Expr* e, ValueId a, ValueId b);
  ValueId comparison(const Expr* e);
  ValueId logical(const Expr* e);
  enum class Arms : std::uint8_t { kRegisters, kStrings, kBytes };
  ValueId ternary(const Expr* e, Arms arms);
  ValueId cast(const Expr* e);
  ValueId subroutine(const Expr* e);
  ValueId swap_bytes(ValueId value, std::uint32_t size);
  ValueId truth(const Expr* e);  // 0 or not
  ValueId convert(ValueId value, ir::Type type);
  // As C converts to the type: _Bool takes any non-zero value as 1.
  ValueId convert_to(ValueId value, types::TypeId type);
  ValueId scale(ValueId value, std::uint64_t size);
  ValueId operation(ir::Op op, ir::Type type, std::vector<ValueId> args);

  // inline.cc
  const Expr* unfold(const Expr* e);
  const Expr* origin(const Expr* e);
  ValueId translated_truth(const Expr* e);
  void bind(std::uint32_t slot, const Expr* argument);

  // memory.cc
  ValueId address(const Expr* e);
  ValueId symbol_address(const Expr* e);
  ValueId load_lvalue(const Expr* e);
  ValueId load_memory(ValueId address, ir::Type type, bool user);
  std::optional<BitField> bit_field(const Expr* e) const;
  ValueId unit_address(const Expr* e, const BitField& field);
  ValueId load_bit_field(const Expr* e, const BitField& field);
  ValueId set_bit_field(const BitField& field, ValueId unit, ValueId value);
  ValueId cut_bit_field(const Expr* e, const BitField& field, ValueId unit);
  static ir::Type unit_type(const BitField& field) { return ir::Type::integer(field.size, false); }
  ValueId memory_bytes(ValueId address, std::uint32_t size, bool user);
  // copyin(addr, n) under casts, with a constant n that can be recorded; nullptr
  // when it is not one. What uses it at once need not copy it to scratch memory.
  const Expr* constant_copyin(const Expr* e) const;
  bool points_to_user(const Expr* e) const;

  // scratch.cc
  ValueId scratch_subroutine(const Expr* e);
  ValueId allocate(ValueId size, bool cleared);
  void copy(const Expr* from, ValueId source, ValueId place, ValueId size);
  void store_memory(ValueId place, types::TypeId type, ValueId value);
  ValueId pointer(const Expr* e);
  void take_back(const Expr* e, ValueId place);
  void store_bytes(ValueId place, std::uint32_t size, ValueId value);
  ValueId place_of(const Expr* target);
  ValueId load_place(const Expr* e, ValueId place);
  ValueId store_place(const Expr* e, ValueId place, ValueId value);
  ValueId assign_memory(const Expr* e);
  ValueId assign_memory_object(const Expr* e);
  ValueId increment_memory(const Expr* e);

  // object.cc: an object that is in a variable, or a value, or a part of one.
  struct Object {
    const Expr* whole = nullptr;
    std::vector<ValueId> keys;           // of a variable's element
    ValueId bytes = ir::kNone;           // the whole, when it is in no variable
    std::uint32_t fixed = 0;             // bytes from its start
    ValueId moved = ir::kNone;           // and those that indexes computed
    std::optional<BitField> field = {};  // `fixed` is that of its unit
  };
  Object object(const Expr* e);
  void part_offset(const Expr* e, Object& out);
  void check_index(const Expr* e, ValueId index, std::uint32_t count);
  ValueId load_object(const Object& from, ir::Type type);
  void store_object(const Object& to, ir::Type type, ValueId value);
  ValueId load_part(const Expr* e);
  ValueId load_scalar(const Expr* e, const Object& from);
  ValueId store_scalar(const Expr* e, const Object& to, ValueId value);
  ValueId bytes_of(const Expr* e);
  ValueId assign_object(const Expr* e);
  ValueId string_part(const Expr* e);
  ValueId assign_part(const Expr* e);
  ValueId increment_part(const Expr* e);
  ValueId combine(const Expr* e, ValueId old, ValueId operand);
  ir::Type bytes_type(types::TypeId type) const;
  // An array that is not in memory, and has no address.
  bool is_array_value(const Expr* e) const {
    return rules_.kind(e->type) == types::Kind::kArray && home_of(e, rules_) != Home::kMemory;
  }

  // network.cc
  static bool is_address_subroutine(const Expr* e);
  std::uint32_t address_capacity(const Expr* e) const;
  ValueId address_string(const Expr* e);
  ValueId address_at(ValueId at, ir::AddressKind kind, bool user, std::uint32_t size);

  // kernel.cc
  types::Catalog::Found place_of(const KernelMember& member) const;
  ValueId member_at(ValueId base, const KernelMember& member);
  ValueId load_member(ValueId base, const KernelMember& member);
  ValueId seen_number(ValueId of, Fn what);
  ValueId kernel_subroutine(const Expr* e);
  ValueId open_file(ValueId number);
  ValueId register_element(const Expr* e);
  ValueId kernel_register(ValueId index);
  ValueId zone_name(std::uint32_t size);
  std::uint32_t builtin_capacity(const Expr* e) const;
  ValueId builtin_string(const Expr* e);

  // string.cc
  void capacities();
  std::uint32_t capacity(const Expr* e) const;
  std::uint32_t round_capacity(std::uint64_t bytes) const;
  ValueId string(const Expr* e);
  ValueId string_constant(const std::string& text);
  ValueId string_at(const Expr* pointer, std::uint32_t size);
  ValueId fit(ValueId string, std::uint32_t size);
  bool is_null(const Expr* e) const;

  // subroutine.cc
  ValueId call(ir::Subroutine subroutine, ir::Type type, std::vector<ValueId> args);
  ValueId integer_subroutine(const Expr* e);
  ValueId string_subroutine(const Expr* e);
  std::uint32_t subroutine_capacity(const Expr* e) const;
  ValueId base(const Expr* e);
  ValueId token(const Expr* e, ir::Type type);
  ValueId memory_string(const Expr* e, ir::Type type);
  // Where strstr() and its like find what they look for in the text, negative
  // for NULL; nothing when `e` is no such call.
  struct Found {
    ValueId text, position;
  };
  std::optional<Found> find(const Expr* e);
  // e, a comparison, when it holds such a call against NULL.
  std::optional<ValueId> null_test(const Expr* e);

  // variable.cc
  ValueId load_variable(const Expr* e);
  std::vector<ValueId> variable_keys(const Expr* e);
  ValueId assign(const Expr* e, bool wanted);
  ValueId increment(const Expr* e, bool wanted);
  bool atomic(const ir::Variable& variable) const;
  void store(std::uint32_t variable, std::vector<ValueId> keys, ValueId value);

  // action.cc
  void action(const Expr* e);
  void field(record::FieldType type, ValueId value);
  void string_field(ValueId value);
  void argument_field(const Expr* e, char conversion);
  void trace_field(const Expr* e);
  void symbol_field(const Expr* e);
  void stack_field(const Expr* e);
  void printf(const Expr* e, record::Action& out);
  ValueId stack_bytes(const Expr* e, const record::FieldType& type);
  std::optional<record::FieldKind> probe_part(const Expr* e) const;

  // effect.cc
  void signal(const Expr* e, bool is_stop);
  void chill(const Expr* e);

  // speculation.cc
  void speculate(const Expr* e);
  ValueId speculation_or_none(const std::optional<ValueId>& speculation);
  void end_speculation(const Expr* e, record::Action& out);
  void mark_speculative(const Clause& clause);
  void free_speculations();

  // print.cc
  void print(const Expr* e, record::Action& out);
  void packet_field(const Expr* e);
  void memory_field(const Expr* memory, std::uint32_t size, const Expr* action);

  // aggregation.cc
  void aggregate(const Expr* e);
  ValueId key(const Expr* e, const record::FieldType& type);

  const Checked& checked_;
  front::World& world_;
  TypeRules rules_;
  ir::Program program_;
  std::unordered_map<std::string, std::uint32_t> strings_;
  // Capacities of string variables, of their keys and of aggregations' keys.
  std::vector<std::uint32_t> variable_capacity_;
  std::vector<std::vector<std::uint32_t>> key_capacity_;
  std::vector<std::vector<std::uint32_t>> aggregation_capacity_;
  // Of the bodies of inlines, which may be arguments of arguments.
  mutable std::unordered_map<const Expr*, std::uint32_t> known_capacity_;
  // Of the clause that is being lowered.
  const Clause* clause_ = nullptr;
  ir::EcbDesc ecb_;
  std::unordered_map<std::uint32_t, ValueId> bound_;  // parameters, by slot
  ir::FunctionBuilder* b_ = nullptr;
  // And of its segment.
  record::Layout layout_;
  std::vector<ValueId> fields_;
  std::optional<ValueId> speculation_;  // what is recorded from here on belongs to it
  bool speculated_here_ = false;
  std::vector<ValueId> ended_speculations_;
  std::uint32_t action_ = 0;
};

}  // namespace dt::d
