#pragma once
// A value or an Error. No function of this library throws an exception, except std::bad_alloc when
// memory is exhausted.

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace dtrace {

struct Error {
  std::string text;     // "bpf(BPF_MAP_CREATE): Operation not permitted"
  int code = 0;         // errno of the system call that failed, otherwise 0
  std::string remedy;   // what can be done about it; may be empty
  std::string log;      // the log of the kernel's verifier; may be empty
  std::string excerpt;  // the lines of the script that the error is about; may be empty
};

// Success, or an Error.
class Status {
 public:
  Status() = default;
  Status(Error error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)
  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  // Only when it is not ok().
  const Error& error() const { return *error_; }
  Error& error() { return *error_; }

 private:
  std::optional<Error> error_;
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::move(error)) {}  // NOLINT(google-explicit-constructor)
  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  // Only when it is ok().
  T& operator*() & { return *std::get_if<0>(&state_); }
  const T& operator*() const& { return *std::get_if<0>(&state_); }
  T&& operator*() && { return std::move(*std::get_if<0>(&state_)); }
  T* operator->() { return std::get_if<0>(&state_); }
  const T* operator->() const { return std::get_if<0>(&state_); }
  // Only when it is not ok().
  const Error& error() const { return *std::get_if<1>(&state_); }
  Error& error() { return *std::get_if<1>(&state_); }

 private:
  std::variant<T, Error> state_;
};

}  // namespace dtrace
