#pragma once

#include <string>
#include <string_view>

#include "support/result.h"

namespace dt::consumer {

struct Options;

// What actions do besides printing. A consumer of a file of bytes has none.
class Effects {
 public:
  virtual ~Effects() = default;
  // setopt(): changes `options`, or says why not.
  virtual Status set_option(std::string_view name, std::string_view value, Options& options) = 0;
  // freopen(): output goes to the end of this file from now on; "" is where it
  // went at first. Changes what `options` say of the place.
  virtual Status reopen(const std::string& path, Options& options) = 0;
  // Whether nothing has been written yet to where output goes (what is no file
  // has no other place).
  virtual bool is_at_start() { return true; }
  // ftruncate(): empties the file that output goes to.
  virtual Status truncate() = 0;
  // How wide the terminal is that output goes to; 0 where it is none.
  virtual std::size_t columns() { return 0; }
  // system(): runs a command and waits for its end.
  virtual Status run(const std::string& command) = 0;
};

}  // namespace dt::consumer
