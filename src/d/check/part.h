#pragma once
// Part: what every collaborator of the checker reaches, and says.
//
// A part checks one subject, and fills in the typed fields of its trees. It knows the parts that
// it is given, which stand before it in checker.cc, and no others: what is within a tree, it has
// checked by the ExpressionChecker, which knows all of them.
//
// An expression whose check failed has no type (TypeId 0); whatever contains it stays silent, so
// that one mistake is one message.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "types/type_id.h"

namespace dt::support {
class Diagnostics;
class Sources;
struct Diagnostic;
struct Span;
}  // namespace dt::support

namespace dt {
using support::Diagnostic;
using support::Diagnostics;
using support::Sources;
using support::Span;
}  // namespace dt

namespace dt::d {

struct World;
class Arena;
struct FunctionInfo;
class TypeRules;
struct Context;
struct Expr;
struct Said;
struct Scope;

// What the place of an expression takes besides a value.
struct Wanted {
  bool statement = false;    // it is a whole statement: an action without a value may stand
  bool translation = false;  // a translated whole, which has no value
};

class ExpressionChecker {
 public:
  ExpressionChecker() = default;
  ExpressionChecker(const ExpressionChecker&) = delete;
  ExpressionChecker& operator=(const ExpressionChecker&) = delete;
  virtual ~ExpressionChecker() = default;

  virtual void check(Expr* e, Wanted wanted) = 0;
};

class Part {
 protected:
  using TypeId = types::TypeId;

  explicit Part(Context& context);

  // Checks an expression.
  void expr(Expr* e, Wanted wanted = {}) { expressions_.check(e, wanted); }

  Diagnostic& error(std::string_view tag, Span span, std::string text);
  // The same for a cause that several places may share: it is reported once.
  Diagnostic& error_once(std::string_view tag, Span span, std::string text);

  // What of this name the program's version of D has (-x version). Libraries may use all of D.
  const FunctionInfo* function(std::string_view name) const;
  std::optional<std::uint32_t> builtin(std::string_view name) const;
  bool has_since(const char* version) const;

  static bool bad(const Expr* e);
  static Span name_span(const Expr* e);
  std::string type_name(const Expr* e) const;
  bool is_null(const Expr* e) const;
  bool is_string_operand(const Expr* e) const;
  bool positive_constant(const Expr* e) const;
  // Whether one is an address and the other a number: neither becomes the other without a cast.
  // Only 0 does: it is NULL.
  bool needs_cast(TypeId to, const Expr* from) const;
  // The cast that makes a value of this type of the other kind.
  std::string cast_hint(TypeId to) const;
  // What to write instead of `'cat'` where a string is wanted, and what to say of
  // floating-point numbers; "" for anything else.
  std::string quotes_hint(const Expr* e) const;
  // What to write where a number is wanted and a string stands; "" for what is no string.
  std::string comparison_hint(const Expr* e) const;
  std::string float_hint(const Expr* e) const;
  // Makes e what is at an address, in user memory or in the kernel's.
  void memory_lvalue(Expr* e, TypeId type, bool user);
  // Whether a value of the type may be a key: a number, a string, or an object's bytes.
  bool may_be_key(TypeId type) const;
  // Notes that the characters of a string are reached by their address: a variable then has room
  // for all that a string can be.
  void take_address(const Expr* text);
  // Where nothing wants a pointer, the characters of a string from the nth on are a string:
  // trace(s + 1).
  void read_rest(Expr* e);

  Sources& sources_;
  World& world_;
  Arena& arena_;
  Diagnostics& diagnostics_;
  TypeRules& rules_;
  Scope& scope_;
  Said& said_;

 private:
  ExpressionChecker& expressions_;
  std::vector<std::uint32_t>& addressed_;
};

}  // namespace dt::d
