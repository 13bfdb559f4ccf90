// See writer.h.

#include "recording/writer.h"

#include "recording/chunk.h"
#include "support/tagged.h"

namespace dt::recording {
namespace {

std::int64_t wall_now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace

Writer::Writer(consumer::Output& output) : output_(output) {
  output_.write(kMagic);
  header_.type = kEntries;
}

void Writer::put(Entry entry, std::string_view payload) {
  if (raw_.empty()) {
    header_.first_ns = wall_now();
    due_ = Clock::now() + std::chrono::nanoseconds(kChunkNs);
  }
  support::TaggedWriter(raw_).text(static_cast<std::uint32_t>(entry), payload);
  if (raw_.size() >= kChunkBytes) write_chunk(0);
}

void Writer::write_chunk(std::uint32_t flags) {
  header_.flags = flags;
  header_.last_ns = wall_now();
  if (raw_.empty()) header_.first_ns = header_.last_ns;
  output_.write(pack(raw_, header_));
  output_.flush();
  ++header_.number;
  raw_.clear();
  due_ = Clock::time_point::max();
}

void Writer::flush() {
  if (!raw_.empty()) write_chunk(0);
}

void Writer::finish() { write_chunk(kLast); }

}  // namespace dt::recording
