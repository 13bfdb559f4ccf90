#pragma once
// What functions like pid() and execname() give: of the firing; of a handler of the session, those
// of this process.

#include <cstdint>
#include <optional>

#include "front/session.h"
#include "stap/home/execution.h"
#include "stap/meaning/functions.h"

namespace dt::stap {

class FiringContext {
 public:
  // `run` must outlive this.
  explicit FiringContext(const Execution& run) : run_(run) {}

  Value of(Fn fn) const;
  // Of an address of the kernel, or of the process of the firing.
  std::optional<front::Session::Named> named(std::uint64_t address, bool is_user) const;
  std::optional<front::Session::Line> line_of(std::uint64_t address, bool is_return) const;

 private:
  Value at_home(Fn fn) const;

  const Execution& run_;
};

}  // namespace dt::stap
