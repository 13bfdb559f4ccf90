#pragma once
// Result<T>: a value, or an Error that says what the world refused.
//
// An Error gathers context on the way up, outermost first, so that the person
// reads "attach syscall:::entry: bpf(BPF_RAW_TRACEPOINT_OPEN): Operation not
// permitted" and, where one is known, a remedy. Errors in the user's script
// are Diagnostics instead (support/diagnostics.h).

#include <fmt/core.h>  // the texts of errors are made with it

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace dt::support {

struct Error {
  std::string text;    // "bpf(BPF_MAP_CREATE): Operation not permitted"
  int code = 0;        // errno when a system call refused, otherwise 0
  std::string remedy;  // what the person can do about it; may be empty
  std::string log;     // raw detail for -v (a verifier log); may be empty

  // An error that is not of a system call.
  static Error of(std::string text, std::string remedy = {}) {
    return of_code(std::move(text), 0, std::move(remedy));
  }
  // The same with the errno by which the caller decides; the text says it already.
  static Error of_code(std::string text, int code, std::string remedy = {}) {
    return {std::move(text), code, std::move(remedy), {}};
  }

  // Prefixes the text with "context: ".
  Error&& with(std::string_view context) && {
    text = std::string(context) + ": " + text;
    return std::move(*this);
  }
};

// "what: strerror(code)", with the code kept.
Error system_error(std::string_view what, int code);

// Ends the program, as an assertion does (support/check.h): a value or an error was asked for
// where there is none. `error` is the error that is there instead of a value.
[[noreturn]] void absent_value(const std::string& error);
[[noreturn]] void absent_error();

// To ask for the value when there is an error is a mistake of ours, and ends the program.
// `[[nodiscard]]`: an error can be ignored only on purpose, by static_cast<void>().
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & {
    require_value();
    return std::get<0>(state_);
  }
  const T& value() const& {
    require_value();
    return std::get<0>(state_);
  }
  T&& value() && {
    require_value();
    return std::get<0>(std::move(state_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  Error& error() {
    if (ok()) [[unlikely]] {
      absent_error();
    }
    return std::get<1>(state_);
  }
  const Error& error() const {
    if (ok()) [[unlikely]] {
      absent_error();
    }
    return std::get<1>(state_);
  }

 private:
  void require_value() const {
    if (!ok()) [[unlikely]] {
      absent_value(std::get<1>(state_).text);
    }
  }

  std::variant<T, Error> state_;
};

// A Result without a value.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)
  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  Error& error() {
    if (ok()) [[unlikely]] {
      absent_error();
    }
    return *error_;
  }
  const Error& error() const {
    if (ok()) [[unlikely]] {
      absent_error();
    }
    return *error_;
  }

 private:
  std::optional<Error> error_;
};

}  // namespace dt::support

namespace dt {
using support::Error;
using support::Result;
using support::Status;
}  // namespace dt

#define DT_CONCAT_(a, b) a##b
#define DT_CONCAT(a, b) DT_CONCAT_(a, b)

// The two macros below are the only ones that return from the function around them:
//
//   DT_TRY(kernel.freeze_map(map));                          // stop at the first error
//   DT_ASSIGN(const Fd map, kernel.create_map(spec));        // or go on with a value
//
// DT_ASSIGN declares the variable in the scope around it, so it cannot stand alone behind an `if`
// without braces.
//
// DT_TRY(expression): returns the error of a Status or Result to the caller.
#define DT_TRY(expr)                                               \
  do {                                                             \
    if (auto dt_status_ = (expr); !dt_status_.ok()) [[unlikely]] { \
      return std::move(dt_status_.error());                        \
    }                                                              \
  } while (false)

// DT_ASSIGN(auto x, expression): x = value, or returns the error.
#define DT_ASSIGN(decl, expr) DT_ASSIGN_(DT_CONCAT(dt_result_, __LINE__), decl, expr)
#define DT_ASSIGN_(tmp, decl, expr) \
  auto tmp = (expr);                \
  if (!tmp.ok()) [[unlikely]] {     \
    return std::move(tmp.error());  \
  }                                 \
  decl = std::move(tmp).value()
