#pragma once
// Which arguments of a probe the parameters of a function of a program are, where some of them do
// not come in registers for numbers, and where the members of a structure are that it returns
// (psABI of x86-64, 3.2.3).

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "probe/probe.h"
#include "stap/events/probe_info.h"
#include "stap/syntax/tree.h"
#include "types/type.h"

namespace dt::stap {

struct UserParameters {
  std::vector<ProbeInfo::Argument> arguments;  // by number; one without a name is no parameter
  std::vector<std::string> declared;           // the names of all parameters, in their order
};

// A function as its program declares it. `is_c`: in C, which says how a small structure is
// returned.
struct DeclaredFunction {
  const types::Type& type;
  bool is_c = false;
};

// A parameter of which it is not certain where it is has no argument: a floating-point number, a
// structure and what follows it.
UserParameters user_parameters(const types::Catalog& types, const DeclaredFunction& function);

// The argument that a parameter of this type is.
ProbeInfo::Argument user_argument(const types::Catalog& types, std::string name,
                                  types::TypeId type);

// Where the result of the function is, by its type. Of a large structure it is an address.
ProbeInfo::Result user_result(const types::Catalog& types, const DeclaredFunction& function);

// A structure that a function returns in registers: up to 16 bytes, each word of which is in one
// for numbers or in one for vectors, by what is in it.
//
//     struct { double d; int n, m; }    d: xmm0, which a probe does not see    n, m: rax
//
// A member is a part of a register: $return->m is register("rax") >> 32.
class ReturnedStructure {
 public:
  ReturnedStructure(const types::Catalog& types, types::TypeId type);

  // Whether some of it is in a register for numbers.
  bool has_numbers() const { return words_[0] == Word::kNumber || words_[1] == Word::kNumber; }
  // What stands for $return->member; null: there is none, and `wrong` says why.
  ExprPtr member(const Expr& result, std::string& wrong) const;
  // What stands for $return$: its members, ? for those that are not read.
  ExprPtr shown(const Expr& result) const;

 private:
  enum class Word : std::uint8_t { kNothing, kNumber, kVector };
  // A part of the structure, in bits from its beginning on. 0 bits: all that the type has.
  struct Piece {
    types::TypeId type;
    std::uint32_t first = 0, bits = 0;
  };

  void classify(const Piece& piece, int depth);
  bool step(const Part& part, Piece& at, std::string& wrong) const;
  ExprPtr value(const Expr& result, const Piece& at) const;
  void show(const Expr& result, const Piece& at, int depth, std::string& format,
            std::vector<ExprPtr>& values) const;
  void show_structure(const Expr& result, const Piece& at, int depth, std::string& format,
                      std::vector<ExprPtr>& values) const;

  const types::Catalog& types_;
  types::TypeId type_;
  Word words_[2] = {Word::kNothing, Word::kNothing};
};

}  // namespace dt::stap
