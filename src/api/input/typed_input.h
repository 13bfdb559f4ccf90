#pragma once
// TypedInput: what comes at the standard input, without waiting for it.

#include <termios.h>

#include <optional>
#include <string>

#include "kernel/guardian.h"

namespace dt::api {

// A terminal passes each key as it is pressed, instead of whole lines, until this ends, or the
// process does, by kill -9, too.
class TypedInput {
 public:
  TypedInput();
  TypedInput(const TypedInput&) = delete;
  TypedInput& operator=(const TypedInput&) = delete;
  ~TypedInput();

  int descriptor() const;
  // False: it can always be read, as a file and /dev/null can.
  bool can_be_watched() const { return can_be_watched_; }
  // What has come; "" if nothing has, or nothing more will.
  std::string read();

 private:
  std::optional<termios> before_;  // how the terminal was
  std::optional<kernel::Guardian> guardian_;
  const bool can_be_watched_;
  bool is_at_end_ = false;
};

}  // namespace dt::api
