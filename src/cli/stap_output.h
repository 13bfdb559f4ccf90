#pragma once
// Where the output of a script goes: standard output, a file whose name may have the time in it, or
// a series of files of a size (-o, -S).

#include <cstdint>
#include <string>
#include <string_view>

#include "support/fd.h"

namespace dt::cli {

class StapOutput {
 public:
  // Empty, or why it cannot be opened. Without a name it is standard output; with `megabytes`, a
  // series of files, of which the last `files` are kept (0: all).
  std::string open(const std::string& name, std::int64_t megabytes, std::int64_t files);

  bool is_series() const { return most_bytes_ != 0; }
  int fd() const { return fd_.get(); }
  const std::string& name() const { return name_; }
  // Appends to the file, or to the current one of a series. "", or why it cannot be written.
  std::string write(std::string_view text);

 private:
  std::string open_next();

  Fd fd_;
  std::string name_;
  std::int64_t most_bytes_ = 0, most_files_ = 0, written_ = 0, number_ = 0;
};

}  // namespace dt::cli
