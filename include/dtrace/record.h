#pragma once
// The results of tracing as values: records of firings, rows of aggregations, drops, faults,
// messages and diagnostics.

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "dtrace/visibility.h"

namespace dtrace {

struct Probe {
  std::uint32_t id = 0;
  std::string provider, module, function, name;
  bool operator==(const Probe&) const = default;
};
// "provider:module:function:name"
DTRACE_API std::string to_text(const Probe& probe);

// One frame of a stack; module and symbol are empty where they are not known. The frame of a Python
// function (jstack()) has no module, always a file and a line, and an address that is no address of
// memory: its highest two bits are 10.
struct Frame {
  std::uint64_t address = 0;
  std::string module, symbol;
  std::uint64_t offset = 0;  // from the beginning of the symbol, in bytes
  // With -x lines: the place in the source of the code, or of the call; empty and 0 when not known.
  std::string file = {};  // the path that the compiler was given
  std::uint32_t line = 0;
  // With -x inlines: `symbol` was inlined into the next frame, which has the same address.
  bool is_inlined = false;
  bool operator==(const Frame&) const = default;
};

struct Value;
using Bytes = std::vector<std::uint8_t>;
struct Stack {  // innermost first
  std::vector<Frame> frames;
  bool operator==(const Stack&) const = default;
};
struct Structure {  // from print(): members with their names
  std::vector<Value> members;
  bool operator==(const Structure&) const = default;
};
struct Array {  // from print(): elements without names
  std::vector<Value> elements;
  bool operator==(const Array&) const = default;
};

struct Value {
  std::string name;  // the expression's text in the script, or the member's name
  std::string type;  // "int32", "string", "sym", "stack", "struct timespec", ...
  std::variant<std::int64_t, std::uint64_t, long double, std::string, Bytes, Stack, Structure,
               Array>
      data;
  bool operator==(const Value&) const = default;
};
// On one line: numbers in decimal, bytes in hexadecimal, frames innermost first.
DTRACE_API std::string to_text(const Value& value);

// The data that one action of a clause recorded.
struct Action {
  std::string name;                       // "trace", "printf", "printa", ...
  std::string text;                       // the formatted text, for example of printf()
  std::vector<Value> values;              // its arguments
  std::vector<std::string> aggregations;  // the names of its aggregations, without '@'
  bool operator==(const Action&) const = default;
};

// The data that one clause recorded in one firing.
struct Record {
  std::int64_t time_ns = 0;  // of the firing, in ns since 1970
  std::uint32_t cpu = 0;
  std::uint32_t epid = 0;  // the enabled probe ID: the number of this clause at this probe
  Probe probe;
  std::vector<Action> actions;
  // The first value with that name; nullptr when there is none.
  DTRACE_API const Value* find(std::string_view name) const;
  bool operator==(const Record&) const = default;
};

// A non-empty bucket of a histogram: the number of values from `low` to `high`, both included. A
// bucket for underflow begins at the least int64, one for overflow ends at the greatest.
struct Bucket {
  std::int64_t low = 0, high = 0;
  std::int64_t count = 0;
  bool operator==(const Bucket&) const = default;
};

// The value of one key of an aggregation.
struct Row {
  std::vector<Value> keys;
  std::int64_t value = 0;       // of all aggregating functions but those of histograms
  std::vector<Bucket> buckets;  // of quantize(), lquantize(), llquantize()
  bool operator==(const Row&) const = default;
};

struct Aggregation {
  std::string name;      // without '@'; "_" for @
  std::string function;  // "count", "quantize", ...
  std::vector<Row> rows;
  bool operator==(const Aggregation&) const = default;
};

// Records, firings or values that were lost; `count` is the number since the last report.
struct Drop {
  std::string kind;  // "PRINCIPAL", "AGGREGATION", ...
  int cpu = -1;      // -1: all CPUs
  std::uint64_t count = 0;
  std::string text;  // "17 drops on CPU 2"
  bool operator==(const Drop&) const = default;
};

// A fault, which ended the clause, or an action that could not be carried out.
struct Fault {
  Probe probe;
  std::uint32_t epid = 0;
  std::string fault;  // "divide-by-zero"; empty for a failed action
  std::uint32_t code = 0;
  std::uint64_t address = 0;
  std::uint32_t action = 0;  // the number of the action in its clause, from 1; 0: the predicate
  std::string place;         // "script.d:24:13"
  std::string text;          // the whole message
  bool operator==(const Fault&) const = default;
};

// A message for the user.
struct Message {
  std::string text;
  std::string excerpt;  // the lines of the script that it is about; may be empty
  bool operator==(const Message&) const = default;
};

// An error in a program.
struct Diagnostic {
  std::string tag;   // "D_SYNTAX"
  std::string text;  // "syntax error near \"}\""
  std::string hint;  // "did you mean 'execname'?"; may be empty
  std::string file;  // empty: the text of the program
  std::uint32_t line = 0, column = 0;
  std::string excerpt;  // the lines with a mark at the place, with notes and the hint
  bool operator==(const Diagnostic&) const = default;
};

}  // namespace dtrace
