#pragma once
// Entries to chunks to a file or a pipe.

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>

#include "consumer/output/output.h"
#include "recording/chunk.h"
#include "recording/format.h"
#include "recording/packed.h"

namespace dt::recording {

class Writer {
 public:
  using Clock = std::chrono::steady_clock;

  // `output` must outlive this. What cannot be written is an error of it, and lost.
  // The schema is that of the records.
  explicit Writer(consumer::Output& output, const record::Schema& schema = {});

  // Where so many bytes at most are to be kept: begin_segment() now, and then whenever
  // wants_segment(). `remove` is called when the file has more; it takes out what is from the one
  // place up to the other, and says how many bytes the file has become shorter by.
  using Remove = std::function<std::uint64_t(std::uint64_t begin, std::uint64_t end)>;
  void keep_at_most(std::uint64_t bytes, Remove remove);
  bool wants_segment() const;
  // What is put next begins a segment.
  void begin_segment();
  // What a reader needs who begins at this segment has been put.
  void segment_begun();

  void put(Entry entry, std::string_view payload);
  // A record, and the number of its firing, 0 if it has none.
  void put_record(std::uint64_t firing, std::string_view record);
  // When what waits is to be written; Clock::time_point::max() while nothing does.
  Clock::time_point due() const { return due_; }
  void flush();
  // The last chunk: nothing is put behind it.
  void finish();

 private:
  bool is_empty() const { return raw_.empty() && records_.waiting() == 0; }
  void begin_entry();
  void write_chunk(std::uint32_t flags);
  void write(std::string_view bytes);
  void pad();
  void remove_oldest();

  consumer::Output& output_;
  std::string raw_;
  Packer packer_;
  RecordPacker records_;
  ChunkHeader header_;
  Clock::time_point due_ = Clock::time_point::max();
  std::uint64_t size_ = 0;  // of the file
  std::uint64_t most_ = 0;  // that is kept; 0: all
  Remove remove_;
  std::deque<std::uint64_t> segments_;  // where they begin
  std::uint64_t hole_bytes_ = 0;        // what was taken out and left the file as long as it was
  std::uint64_t begun_bytes_ = 0;       // of what the last one began with
  bool begins_ = false;
};

}  // namespace dt::recording
