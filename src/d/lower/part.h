#pragma once
// Part: what every collaborator of the lowering reaches.
//
// A part lowers one subject. It knows the parts that it is given, which stand before it in
// lower.cc, and no others: what is within a tree is lowered by the ExpressionLowerer, which knows
// all of them.
//
// A value in a register is 64 bits wide; its ir::Type tells the range that it is known to be in.
// D computes with 64 bits, so the results of arithmetic are 64-bit whatever C would call their
// type.

#include <cstdint>
#include <functional>
#include <vector>

#include "ir/type.h"
#include "types/type_id.h"

namespace dt::ir {
enum class Op : std::uint8_t;
class FunctionBuilder;
struct Program;
}  // namespace dt::ir

namespace dt::d {
class TypeRules;
struct BitField;
struct Checked;
struct Expr;
struct World;
}  // namespace dt::d

namespace dt::d::lowering {

using ir::ValueId;

struct Context;
class ScratchPointers;

// Whose memory is read. Where a pointer of a program's type may lead to a copy in scratch memory,
// the address tells: those of the kernel have their highest bit set.
enum class Whose : std::uint8_t { kKernel, kUser, kEither };

class ExpressionLowerer {
 public:
  ExpressionLowerer() = default;
  ExpressionLowerer(const ExpressionLowerer&) = delete;
  ExpressionLowerer& operator=(const ExpressionLowerer&) = delete;
  virtual ~ExpressionLowerer() = default;

  // What fits a register.
  virtual ValueId value(const Expr* e) = 0;
  // A string, and what D takes for one.
  virtual ValueId string(const Expr* e) = 0;
  // A string whose characters are needed: NULL is a fault.
  virtual ValueId read_string(const Expr* e) = 0;
  // The bytes of a structure or an array, wherever it is.
  virtual ValueId bytes_of(const Expr* e) = 0;
  // The address of an lvalue in memory (not of a variable), or the value of a pointer that an
  // array decays to.
  virtual ValueId address(const Expr* e) = 0;
  // Evaluates for what it does, not for what it gives.
  virtual void effect(const Expr* e) = 0;
};

class Part {
 protected:
  explicit Part(Context& context);

  ValueId value(const Expr* e) { return expressions_.value(e); }
  ValueId string(const Expr* e) { return expressions_.string(e); }
  ValueId read_string(const Expr* e) { return expressions_.read_string(e); }
  ValueId bytes_of(const Expr* e) { return expressions_.bytes_of(e); }
  ValueId address(const Expr* e) { return expressions_.address(e); }
  void effect(const Expr* e) { expressions_.effect(e); }

  ValueId operation(ir::Op op, ir::Type type, std::vector<ValueId> args);
  ValueId convert(ValueId value, ir::Type type);
  // As C converts to the type: _Bool takes any non-zero value as 1.
  ValueId convert_to(ValueId value, types::TypeId type);
  ValueId scale(ValueId value, std::uint64_t size);
  ValueId load_memory(ValueId address, ir::Type type, Whose whose);
  ValueId memory_bytes(ValueId address, std::uint32_t size, Whose whose);
  ValueId memory_string(ValueId address, std::uint32_t size, Whose whose);
  // What `read` makes of the memory at an address, a value of `type` or nothing; its argument says
  // whether the memory is the process's.
  ValueId read(ValueId address, ir::Type type, Whose whose,
               const std::function<ValueId(bool)>& read);

  bool is_null(const Expr* e) const;
  // Whose memory a pointer leads to, and an object is in.
  Whose whose_target(const Expr* pointer) const;
  Whose whose(const Expr* object) const;
  // An array that is not in memory, and has no address.
  bool is_array_value(const Expr* e) const;
  ir::Type bytes_type(types::TypeId type) const;
  static ir::Type unit_type(const BitField& field);
  // copyin(addr, n) under casts, with a constant n that can be recorded; nullptr
  // when it is not one. What uses it at once need not copy it to scratch memory.
  const Expr* constant_copyin(const Expr* e) const;

  const Checked& checked_;
  World& world_;
  TypeRules& rules_;
  ir::Program& program_;
  ir::FunctionBuilder*& b_;  // of the clause that is being lowered

 private:
  const ScratchPointers& scratch_pointers_;
  ExpressionLowerer& expressions_;
};

}  // namespace dt::d::lowering
