#pragma once
// The tree of a script. The parser makes it; the checker (meaning/) fills in what is marked so.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/source.h"

namespace dt::stap {

enum class Type : std::uint8_t { kUnknown, kLong, kString, kStats };

struct Symbol;
struct Function;
struct Access;

enum class ExprKind : std::uint8_t {
  kNumber,      // number
  kString,      // text
  kName,        // text
  kTarget,      // text: $name, $$name, with parts: ->member or [index]
  kIndex,       // text; kids: indices; a kid that is null is *
  kCall,        // text; kids
  kUnary,       // text: + - ! ~
  kIncrement,   // text: ++ or --; is_prefix; kids: what
  kBinary,      // text; kids: 2
  kTernary,     // kids: 3
  kAssign,      // text: = += <<< ...; kids: 2
  kIn,          // kids: indices; text: the array
  kStatistic,   // text: @count ...; kids: the statistic; parameters in numbers
  kBucket,      // @hist_log(x)[i]; kids: statistic, index
  kAtOperator,  // text: @defined, @cast, ...; kids; parts
  kMember,      // kids: an address, whose type is inferred; parts
  kEmbedded,    // text: %{ C %}
};

struct Expr;
using ExprPtr = std::unique_ptr<Expr>;

// ->name or [index] of a target variable.
struct Part {
  std::string member;
  ExprPtr index;
  Span place = {};  // of its "->" or "["
};

// A string ends at the first byte 0 of what makes it, as in C.
inline std::string_view until_nul(std::string_view text) { return text.substr(0, text.find('\0')); }

struct Expr {
  ExprKind kind = ExprKind::kNumber;
  Span span;   // of the whole
  Span place;  // of the word that messages name
  std::string text;
  std::int64_t number = 0;
  bool is_prefix = false;
  bool is_address = false;            // &$x
  bool is_answer = false;             // a number that @defined has become
  int pretty = 0;                     // 1: $x$, 2: $x$$
  bool is_summary = false;            // a part of $$vars: a text, ? where it cannot be read
  std::vector<std::int64_t> numbers;  // of @hist_linear(x, low, high, width), @variance(x, shift)
  std::vector<ExprPtr> kids;
  std::vector<Part> parts;
  std::size_t depth = 1;  // of a chain of operators; what walks a tree needs as much stack
  // By the checker:
  Type type = Type::kUnknown;
  Symbol* symbol = nullptr;        // kName, kIndex, kIn
  Function* function = nullptr;    // kCall of a function of scripts
  int builtin = -1;                // kCall of one of ours: its number
  int leaf = -1;                   // what the firing has recorded for this expression
  std::shared_ptr<Access> access;  // how memory is read for it
  // Which one of those of its handler that add to what is accumulated in the kernel, in the order
  // in which they run; -1: none.
  int addition = -1;
};

enum class StmtKind : std::uint8_t {
  kEmpty,
  kExpr,     // expr
  kBlock,    // body
  kIf,       // expr, body: then and otherwise
  kWhile,    // expr, body
  kFor,      // init, expr, step, body
  kForeach,  // names, value_name, array, slice, sort, limit, body
  kBreak,
  kContinue,
  kNext,
  kReturn,  // expr, may be null
  kDelete,  // expr
  kTry,     // body: what is tried and the handler; name: of the message
};

enum class SortBy : std::uint8_t { kNone, kKey, kValue };

struct Stmt;
using StmtPtr = std::unique_ptr<Stmt>;

struct Name {
  std::string text;
  Span span;
  Symbol* symbol = nullptr;  // by the checker
};

struct Stmt {
  StmtKind kind = StmtKind::kEmpty;
  Span span;
  ExprPtr expr, init, step, limit;
  std::vector<StmtPtr> body;
  std::vector<Name> names;  // foreach: of the keys; catch: of the message
  Name value_name;
  Name array;
  std::string statistic;  // foreach over @hist_log(array): the operator; also what it sorts by
  std::vector<ExprPtr> slice;
  SortBy sort = SortBy::kNone;
  std::size_t sort_key = 0;
  bool descending = false;
  bool is_alias = false;       // kBlock: the body of an alias
  bool is_of_library = false;  // and the alias is one of the library
};

// One component of a probe point: name, name(literal).
struct Component {
  std::string name;
  bool has_argument = false, is_string = false;
  std::string argument;
  std::int64_t number = 0;
  Span span;
};

struct ProbePoint {
  std::vector<Component> components;
  bool is_optional = false;    // ?
  bool is_sufficient = false;  // !
  ExprPtr condition;           // if (...)
  Span span;
  // Of a point that an alias stands for: how many components are of the alias, and where the alias
  // is named, which may have more behind it.
  std::size_t own_count = 0;
  std::optional<Span> suffix_of = {};
};
std::string to_text(const ProbePoint& point);

// A variable: global, local, or parameter.
struct Symbol {
  std::string name;
  Span span;
  bool is_global = false, is_array = false, is_private = false, is_library = false;
  bool wraps = false;     // %: the oldest element makes room
  std::int64_t most = 0;  // elements; 0: MAXMAPENTRIES
  ExprPtr initial;
  bool is_set_by_option = false;      // -G NAME=VALUE
  std::string option;                 // the value, as it was written
  Type option_type = Type::kUnknown;  // what it looks like
  std::vector<Type> keys;
  bool has_arity = false;
  Span arity_place;  // where it was indexed, or used without an index, first
  Type type = Type::kUnknown;
  bool is_read = false, is_written = false;
  bool is_set = false;                  // by more than ++, += and <<<
  std::vector<std::int64_t> histogram;  // low, high, width of @hist_linear
  std::size_t slot = 0;  // among the globals, or the locals of its function or handler
};

struct Function {
  std::string name;
  Span span;
  std::vector<Name> parameters;
  std::vector<Type> declared;
  std::int64_t priority = 1;
  StmtPtr body;          // of one in C it is empty, and
  std::string embedded;  // %{ this %}
  bool is_embedded = false;
  bool is_private = false;
  bool is_library = false;
  // By the checker:
  std::vector<std::unique_ptr<Symbol>> locals;  // the parameters first
  Type result = Type::kUnknown;
  Function* following = nullptr;  // what `next` goes on with: another one of this name and arity
  bool is_used = false;
};

struct Probe {
  std::vector<ProbePoint> points;
  std::vector<std::string> aliases;  // names of the alias that it defines, or none
  bool is_epilogue = false;
  bool is_library = false;
  StmtPtr body;
  StmtPtr epilogue;  // of an alias that has both
  Span span;
  std::vector<std::unique_ptr<Symbol>> locals;  // by the checker
};

struct Script {
  std::vector<std::unique_ptr<Symbol>> globals;
  std::vector<std::unique_ptr<Function>> functions;
  std::vector<std::unique_ptr<Probe>> probes;
  std::vector<std::unique_ptr<Probe>> aliases;
  std::vector<Name> embedded;  // %{ C %} beside the declarations
};

}  // namespace dt::stap
