// See chunk.h.

#include "recording/chunk.h"

#include <fmt/core.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>

#include "support/check.h"

namespace dt::recording {
namespace {

constexpr int kLevel = 1;

std::uint32_t crc_of(const ChunkHeader& header) {
  return static_cast<std::uint32_t>(
      ::crc32(0, reinterpret_cast<const Bytef*>(&header), offsetof(ChunkHeader, crc)));
}

}  // namespace

void Packer::Free::operator()(ZSTD_CCtx_s* context) const { ::ZSTD_freeCCtx(context); }

Packer::Packer() : context_(::ZSTD_createCCtx()) {
  DT_CHECK(context_ != nullptr, "no memory to compress");
  ::ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, kLevel);
  ::ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
}

std::string_view Packer::pack(std::string_view raw, ChunkHeader header) {
  DT_CHECK(raw.size() <= kMaxRawBytes, "{} bytes", raw.size());
  const std::size_t most = sizeof header + ::ZSTD_compressBound(raw.size());
  if (out_.size() < most) out_.resize(most);
  const std::size_t size = ::ZSTD_compress2(context_.get(), out_.data() + sizeof header,
                                            most - sizeof header, raw.data(), raw.size());
  DT_CHECK(::ZSTD_isError(size) == 0, "{}", ::ZSTD_getErrorName(size));  // there is room
  header.raw_bytes = static_cast<std::uint32_t>(raw.size());
  header.stored_bytes = static_cast<std::uint32_t>(size);
  header.crc = crc_of(header);
  std::memcpy(out_.data(), &header, sizeof header);
  return {out_.data(), sizeof header + size};
}

std::string pack_padding(std::uint64_t bytes, ChunkHeader header) {
  std::string out(bytes, '\0');
  header.raw_bytes = 0;
  header.stored_bytes = static_cast<std::uint32_t>(bytes - sizeof header);
  header.crc = crc_of(header);
  std::memcpy(out.data(), &header, sizeof header);
  return out;
}

// As much as there is, if it is less.
Result<std::size_t> ChunkReader::fill(std::span<char> into) {
  std::size_t done = std::min(into.size(), unread_.size());
  std::memcpy(into.data(), unread_.data(), done);
  unread_.erase(0, done);
  while (done < into.size()) {
    DT_ASSIGN(const std::size_t count, read_(into.subspan(done)));
    if (count == 0) break;
    done += count;
  }
  position_ += done;
  return done;
}

Status ChunkReader::begin() {
  char magic[kMagic.size()] = {};
  DT_ASSIGN(const std::size_t count, fill(magic));
  if (std::string_view(magic, count) != kMagic) {
    return Error::of("it is no recording of dtrace");
  }
  return {};
}

// Zeros where a header is expected are what was taken out of the file, up to a segment.
Result<std::size_t> ChunkReader::fill_header() {
  const std::span<char> bytes{reinterpret_cast<char*>(&header_), sizeof header_};
  DT_ASSIGN(std::size_t count, fill(bytes));
  const auto is_nothing = [](std::string_view text) {
    return text.find_first_not_of('\0') == std::string_view::npos;
  };
  if (count < bytes.size() || !is_nothing({bytes.data(), bytes.size()})) return count;
  std::string block(kSegmentAlign - position_ % kSegmentAlign, '\0');
  while (true) {
    DT_ASSIGN(count, fill(block));
    if (!is_nothing(std::string_view(block).substr(0, count))) break;
    if (count < block.size()) return std::size_t{0};
    block.resize(kSegmentAlign);
  }
  position_ -= count;
  unread_.assign(block, 0, count);
  return fill(bytes);
}

Status ChunkReader::check() {
  if (header_.crc != crc_of(header_)) return Error::of("its header does not agree with its sum");
  has_jumped_ = (header_.flags & kSegmentBegins) != 0 && header_.number > chunks_;
  if (has_jumped_) chunks_ = header_.number;
  if (header_.number != chunks_)
    return Error::of(fmt::format("it says that it is {}", header_.number));
  if (header_.raw_bytes > kMaxRawBytes || header_.stored_bytes > kMaxStoredBytes) {
    return Error::of("it is too long");
  }
  return {};
}

Result<ChunkReader::Outcome> ChunkReader::next(std::string& raw) {
  while (!is_over_) {
    const std::uint64_t at = position_;
    const auto damaged = [&](const Error& error) {
      is_over_ = true;
      return Error::of(
          fmt::format("chunk {}, at byte {}, is damaged: {}", chunks_, at, error.text));
    };
    DT_ASSIGN(const std::size_t count, fill_header());
    if (count < sizeof header_) break;
    if (const Status status = check(); !status.ok()) return damaged(status.error());
    stored_.resize(header_.stored_bytes);
    DT_ASSIGN(const std::size_t stored, fill(stored_));
    if (stored < stored_.size()) break;
    if (header_.type != kEntries) {
      ++chunks_;
      continue;
    }
    if (::ZSTD_getFrameContentSize(stored_.data(), stored_.size()) != header_.raw_bytes) {
      return damaged(Error::of("it has another length"));
    }
    raw.resize(header_.raw_bytes);
    const std::size_t size =
        ::ZSTD_decompress(raw.data(), raw.size(), stored_.data(), stored_.size());
    if (::ZSTD_isError(size) != 0 || size != raw.size()) {
      return damaged(Error::of("its content does not agree with its sum"));
    }
    ++chunks_;
    is_whole_ = (header_.flags & kLast) != 0;
    is_over_ = is_whole_;
    return Outcome::kChunk;
  }
  is_over_ = true;
  if (!is_whole_) return Outcome::kCut;
  char more = 0;
  DT_ASSIGN(const std::size_t count, fill({&more, 1}));
  if (count != 0) {
    return Error::of(
        fmt::format("it is whole, but at byte {} something else follows", position_ - count));
  }
  return Outcome::kEnd;
}

}  // namespace dt::recording
