#pragma once
// Strings: constants, comparisons, conversions.

#include <cstdint>

#include "bpf/select/value.h"

namespace dt::bpf {

class Bytes;
class Emitter;
class Storage;
class Values;
struct FunctionContext;
struct Unit;

class Strings {
 public:
  Strings(FunctionContext& f, Storage& storage, Values& values, Bytes& bytes);

  void string_literal(const ir::Inst& inst);
  void string_compare(const ir::Inst& inst);
  void to_string(const ir::Inst& inst);

 private:
  struct Comparison {
    std::uint32_t words = 0;
    bool ordered = false;       // less or greater matters, too
    bool complemented = false;  // see outlives_comparison()
  };
  void compare_words(const Value& a, const Value& b, Comparison how, Reg result);
  void compare_long(const Value& a, const Value& b, Comparison how, Reg result);
  void compare_wide(const ir::Inst& inst, Comparison how, Reg result);
  void order(Reg a, Reg b, Reg result);

  FunctionContext& f_;
  Unit& unit_;
  Emitter& e_;
  Storage& storage_;
  Values& values_;
  Bytes& bytes_;
};

}  // namespace dt::bpf
