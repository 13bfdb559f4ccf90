#pragma once
// Chunks: compressed, and checked when they are read.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "recording/format.h"
#include "support/result.h"

struct ZSTD_CCtx_s;

namespace dt::recording {

// Makes chunks, with one state of the compressor for all of them: it has a megabyte.
class Packer {
 public:
  Packer();
  // Header and payload, as they are written, until the next call. `raw` has at most kMaxRawBytes.
  std::string_view pack(std::string_view raw, ChunkHeader header);

 private:
  struct Free {
    void operator()(ZSTD_CCtx_s* context) const;
  };
  std::unique_ptr<ZSTD_CCtx_s, Free> context_;
  std::vector<char> out_;
};
// A chunk of `bytes` bytes in all, with nothing in it.
std::string pack_padding(std::uint64_t bytes, ChunkHeader header);

// Reads a stream of chunks. What is not sound is an error, and nothing is read behind it.
class ChunkReader {
 public:
  // Reads some bytes, at least one; 0 at the end of the file. Errors end the reading.
  using ReadSome = std::function<Result<std::size_t>(std::span<char> into)>;
  explicit ChunkReader(ReadSome read) : read_(std::move(read)) {}

  // The magic; an error when the file is no recording.
  Status begin();
  enum class Outcome : std::uint8_t {
    kChunk,
    kEnd,  // behind the last chunk
    kCut,  // the file ends before that
  };
  // The next chunk of entries. What follows the last chunk is an error.
  Result<Outcome> next(std::string& raw);
  // The header of the chunk that was read last.
  const ChunkHeader& header() const { return header_; }
  // Whether chunks are missing before it.
  bool has_jumped() const { return has_jumped_; }
  std::uint64_t position() const { return position_; }

 private:
  Result<std::size_t> fill(std::span<char> into);
  Result<std::size_t> fill_header();
  Status check();

  ReadSome read_;
  ChunkHeader header_;
  std::uint64_t position_ = 0;
  std::string unread_;  // comes before what is read next
  std::uint32_t chunks_ = 0;
  bool has_jumped_ = false;
  bool is_over_ = false;
  bool is_whole_ = false;
  std::string stored_;
};

}  // namespace dt::recording
