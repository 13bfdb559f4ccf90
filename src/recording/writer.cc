// See writer.h.

#include "recording/writer.h"

#include <algorithm>
#include <utility>

#include "recording/chunk.h"
#include "support/clock.h"
#include "support/tagged.h"

namespace dt::recording {
namespace {

std::int64_t wall_now() { return support::now_ns(CLOCK_REALTIME); }

}  // namespace

Writer::Writer(consumer::Output& output, const record::Schema& schema)
    : output_(output), records_(schema) {
  write(kMagic);
  header_.type = kEntries;
}

void Writer::write(std::string_view bytes) {
  output_.write(bytes);
  size_ += bytes.size();
}

void Writer::keep_at_most(std::uint64_t bytes, Remove remove) {
  most_ = bytes;
  remove_ = std::move(remove);
}

// Four segments, so that three quarters of what is kept are full; but no segment that is mostly its
// beginning.
bool Writer::wants_segment() const {
  if (most_ == 0) return false;
  return size_ - segments_.back() >= std::max(most_ / 4, 4 * begun_bytes_);
}

void Writer::begin_segment() {
  flush();
  pad();
  segments_.push_back(size_);
  begins_ = true;
}

void Writer::segment_begun() {
  flush();
  begun_bytes_ = size_ - segments_.back();
  remove_oldest();
}

// Up to the next multiple of kSegmentAlign.
void Writer::pad() {
  const std::uint64_t over = size_ % kSegmentAlign;
  if (over == 0) return;
  std::uint64_t room = kSegmentAlign - over;
  if (room < sizeof(ChunkHeader)) room += kSegmentAlign;
  ChunkHeader padding = header_;
  padding.type = kPadding;
  padding.flags = 0;
  padding.first_ns = padding.last_ns = wall_now();
  write(pack_padding(room, padding));
  ++header_.number;
}

void Writer::remove_oldest() {
  while (segments_.size() > 2 && size_ - hole_bytes_ > most_) {
    const std::uint64_t oldest = segments_.front();
    segments_.pop_front();
    const std::uint64_t end = segments_.front();
    const std::uint64_t shorter = remove_(oldest, end);
    if (shorter == 0) {
      hole_bytes_ += end - oldest;
      continue;
    }
    size_ -= shorter;
    for (std::uint64_t& begin : segments_) begin -= shorter;
  }
}

void Writer::begin_entry() {
  if (!is_empty()) return;
  header_.first_ns = wall_now();
  due_ = Clock::now() + std::chrono::nanoseconds(kChunkNs);
}

void Writer::put_record(std::uint64_t firing, std::string_view record) {
  begin_entry();
  records_.append(raw_, firing, record);
  if (raw_.size() + records_.waiting() >= kChunkBytes) write_chunk(0);
}

void Writer::put(Entry entry, std::string_view payload) {
  begin_entry();
  records_.flush(raw_);
  support::TaggedWriter(raw_).text(static_cast<std::uint32_t>(entry), payload);
  if (raw_.size() >= kChunkBytes) write_chunk(0);
}

void Writer::write_chunk(std::uint32_t flags) {
  records_.flush(raw_);
  header_.flags = flags | (std::exchange(begins_, false) ? kSegmentBegins : 0);
  header_.last_ns = wall_now();
  if (raw_.empty()) header_.first_ns = header_.last_ns;
  write(packer_.pack(raw_, header_));
  output_.flush();
  ++header_.number;
  raw_.clear();
  records_.begin_chunk();
  due_ = Clock::time_point::max();
}

void Writer::flush() {
  if (!is_empty()) write_chunk(0);
}

void Writer::finish() { write_chunk(kLast); }

}  // namespace dt::recording
