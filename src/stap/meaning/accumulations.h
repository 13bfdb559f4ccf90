#pragma once
// Global variables that events only add to: `s <<< value`, `n++`, `a[keys] += value`. Their
// additions are made in the kernel, and taken from there before a handler looks at the variable.
//
// What is taken must be whole firings: a timer that prints and deletes must not see the count of a
// firing without its sum. So all additions of a firing belong to the same epoch, of two that take
// turns, and what is taken is all of an epoch that has ended.
//
// A firing that cannot go on in the kernel (an array is full, a divisor is 0) is recorded, and its
// handler goes on at home. Firings behind it are recorded from their beginning, until home has
// caught up. So errors and limits are what they are at home, in the same order.

#include <array>
#include <cstdint>
#include <vector>

#include "record/aggregation.h"
#include "record/field.h"
#include "support/source.h"

namespace dt::stap {

struct Symbol;

struct Accumulated {
  // A group of words of an element, as an aggregation has it.
  enum class Words : std::uint8_t {
    kCount,
    kSum,
    kAverage,    // and count, sum
    kDeviation,  // and those of kAverage
    kMin,
    kMax,
    kLog,     // of @hist_log
    kLinear,  // of @hist_linear
    kBirth,   // of an array: what stood in Accumulations::sequence when the element was made
  };
  struct Part {
    Words words = Words::kCount;
    // Indices in ir::Program::aggregations: of an array one, of a scalar one for each epoch.
    std::array<std::uint32_t, 2> aggregations = {};
  };
  const Symbol* symbol = nullptr;
  Span place;  // where an event adds to it
  // The first one says of an array whether there is an element.
  std::vector<Part> parts;
  // For an array: the fields of its keys, and behind them the epoch.
  std::vector<record::Field> keys;
  // Indices in ir::Program::variables: the keys that there are, and how many these are.
  std::uint32_t present = 0, used = 0;
  std::vector<std::uint32_t> present_offsets;  // of the keys in an element of `present`
  std::uint32_t present_bytes = 0;
};

// The aggregation that keeps such words.
record::AggFunc function_of(Accumulated::Words words);

struct Accumulations {
  std::vector<Accumulated> all;  // empty: nothing accumulates
  // Indices in ir::Program::variables. Bit 0 of `epoch` says which epoch it is; the rest is not 0
  // where handlers go on at home.
  std::uint32_t epoch = 0, sequence = 0;

  const Accumulated* find(const Symbol* symbol) const {
    for (const Accumulated& one : all) {
      if (one.symbol == symbol) return &one;
    }
    return nullptr;
  }
};

}  // namespace dt::stap
