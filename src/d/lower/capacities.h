#pragma once
// How long strings can get.
//
// A string is as large as what can be in it: execname has 16 bytes, a literal
// its length, and a variable or key the most of what reaches it. Capacities
// are multiples of 8 so that strings are copied and compared as words, and at
// most strsize characters and a NUL.

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "d/lower/part.h"

namespace dt::d::lowering {

class Capacities : Part {
 public:
  explicit Capacities(Context& context) : Part(context) {}

  // Computes the capacities of variables and keys. To be called before all others.
  void compute();
  // The capacity of a string expression.
  std::uint32_t of(const Expr* e) const;
  // `bytes`, rounded up to a capacity.
  std::uint32_t rounded(std::uint64_t bytes) const;
  // The capacity of a variable, of a key of one, of a key of an aggregation.
  std::uint32_t of_variable(std::size_t variable) const { return variable_capacity_[variable]; }
  std::uint32_t of_key(std::size_t variable, std::size_t key) const {
    return key_capacity_[variable][key];
  }
  std::uint32_t of_aggregation_key(std::size_t aggregation, std::size_t key) const {
    return aggregation_capacity_[aggregation][key];
  }
  // The capacity of the result of a call, of an address as text, of a built-in variable.
  std::uint32_t of_subroutine(const Expr* e) const;
  std::uint32_t of_address(const Expr* e) const;
  std::uint32_t of_builtin(const Expr* e) const;

 private:
  // The capacities of string variables, of their keys and of the keys of aggregations.
  std::vector<std::uint32_t> variable_capacity_;
  std::vector<std::vector<std::uint32_t>> key_capacity_;
  std::vector<std::vector<std::uint32_t>> aggregation_capacity_;
  // The capacities of the bodies of inlines, which may be arguments of arguments.
  mutable std::unordered_map<const Expr*, std::uint32_t> known_capacity_;
};

}  // namespace dt::d::lowering
