#pragma once
// What tracing gives, as values: records of firings, rows of aggregations, and
// what went wrong or was lost.

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

// One frame of a stack; module and symbol are empty where they are not known. A function of
// Python (jstack()) has an address that is of no memory (its highest bits are 10), no module,
// and its file and line always.
struct Frame {
  std::uint64_t address = 0;
  std::string module, symbol;
  std::uint64_t offset = 0;  // from the symbol's begin
  // With -x lines: where the code, or the call, is in the source, where that is known.
  std::string file = {};  // its path, as the compiler was given it
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
struct Structure {  // of print(): members with their names
  std::vector<Value> members;
  bool operator==(const Structure&) const = default;
};
struct Array {  // of print(): elements without names
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

// What one action of a clause recorded.
struct Action {
  std::string name;                       // "trace", "printf", "printa", ...
  std::string text;                       // what is formatted, as printf's text
  std::vector<Value> values;              // of its arguments
  std::vector<std::string> aggregations;  // that it names, without '@'
  bool operator==(const Action&) const = default;
};

// What one clause recorded in one firing.
struct Record {
  std::int64_t time_ns = 0;  // of the firing, since 1970
  std::uint32_t cpu = 0;
  std::uint32_t epid = 0;  // of the enabled clause
  Probe probe;
  std::vector<Action> actions;
  // The first value of that name; nullptr when there is none.
  DTRACE_API const Value* find(std::string_view name) const;
  bool operator==(const Record&) const = default;
};

// A bucket of a histogram that is not empty: what is at least `low` and at most
// `high`, which are the ends of 64 bits where the bucket is open.
struct Bucket {
  std::int64_t low = 0, high = 0;
  std::int64_t count = 0;
  bool operator==(const Bucket&) const = default;
};

// The value of one key of an aggregation.
struct Row {
  std::vector<Value> keys;
  std::int64_t value = 0;       // but for histograms
  std::vector<Bucket> buckets;  // of quantize(), lquantize(), llquantize()
  bool operator==(const Row&) const = default;
};

struct Aggregation {
  std::string name;      // without '@'; "_" for @
  std::string function;  // "count", "quantize", ...
  std::vector<Row> rows;
  bool operator==(const Aggregation&) const = default;
};

// Records, firings or values that were lost, and how many since it was last said.
struct Drop {
  std::string kind;  // "PRINCIPAL", "AGGREGATION", ...
  int cpu = -1;      // -1: of all CPUs
  std::uint64_t count = 0;
  std::string text;  // "17 drops on CPU 2"
  bool operator==(const Drop&) const = default;
};

// A clause that was left because of a fault, or an action that could not be done.
struct Fault {
  Probe probe;
  std::uint32_t epid = 0;
  std::string fault;  // "divide-by-zero"; empty for a failed action
  std::uint32_t code = 0;
  std::uint64_t address = 0;
  std::uint32_t action = 0;  // from 1; 0 is the predicate
  std::string place;         // "script.d:24:13"
  std::string text;          // all of it
  bool operator==(const Fault&) const = default;
};

// What there is to say to a person besides.
struct Message {
  std::string text;
  std::string excerpt;  // the lines of a script that it is about; may be empty
  bool operator==(const Message&) const = default;
};

// What is wrong with a script.
struct Diagnostic {
  std::string tag;   // "D_SYNTAX"
  std::string text;  // "syntax error near \"}\""
  std::string hint;  // "did you mean 'execname'?"; may be empty
  std::string file;  // empty: of the program's text
  std::uint32_t line = 0, column = 0;
  std::string excerpt;  // the lines with the place marked, notes and hint
  bool operator==(const Diagnostic&) const = default;
};

}  // namespace dtrace
