#pragma once
// Standard error while tracing. Its reader may be slow, or not read at
// all: messages then wait here, and tracing goes on.

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "support/fd.h"

namespace dt::cli {

class Messages {
 public:
  // More than this is not kept; what is lost is counted, and said.
  static constexpr std::size_t kMaxWaitingBytes = 1U << 20;

  explicit Messages(int fd);
  ~Messages();
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;

  // Standard error is another file now.
  void reopen(int fd);
  // "dtrace: text".
  void say(std::string_view text);
  // What is a message already. Controls are escaped: a terminal may show the file later.
  void put(std::string_view text);
  // Writes what there is room for.
  void flush();
  // Writes everything that waits; gives up if the reader takes nothing for `patience`. False if
  // messages are lost because of that.
  bool finish(std::chrono::milliseconds patience);

 private:
  void add(std::string_view text);
  void report_lost();

  int fd_ = -1;
  Fd own_;  // the same pipe or terminal, but non-blocking for us alone
  bool is_terminal_ = false;
  std::string waiting_;
  std::uint64_t lost_ = 0;  // messages since the last report of lost ones
  bool broken_ = false;     // it has no reader any more
  bool any_lost_ = false;
};

}  // namespace dt::cli
