#pragma once
// Entries to chunks to a file or a pipe.

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "consumer/output.h"
#include "recording/format.h"

namespace dt::recording {

class Writer {
 public:
  using Clock = std::chrono::steady_clock;

  // `output` must outlive this. What cannot be written is an error of it, and lost.
  explicit Writer(consumer::Output& output);

  void put(Entry entry, std::string_view payload);
  // When what waits is to be written; Clock::time_point::max() while nothing does.
  Clock::time_point due() const { return due_; }
  void flush();
  // The last chunk: nothing is put behind it.
  void finish();

 private:
  void write_chunk(std::uint32_t flags);

  consumer::Output& output_;
  std::string raw_;
  ChunkHeader header_;
  Clock::time_point due_ = Clock::time_point::max();
};

}  // namespace dt::recording
