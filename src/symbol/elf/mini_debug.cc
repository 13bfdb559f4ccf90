// See mini_debug.h.

#include "symbol/elf/mini_debug.h"

#include <lzma.h>

#include <algorithm>
#include <memory>

namespace dt::symbol {
namespace {

constexpr std::uint64_t kMaxPackedBytes = 64 << 20;
constexpr std::size_t kMaxUnpackedBytes = 256 << 20;
constexpr std::size_t kFirstBytes = 1 << 20;
// The dictionary of xz -9, and what goes with it.
constexpr std::uint64_t kMaxMemory = 128 << 20;

// The size of the result is not in the header: the buffer is doubled as it fills. The memory of the
// decoder is limited in addition, because a stream names the size of its dictionary.
std::optional<ElfFile::Bytes> unpack(const ElfFile::Bytes& packed) {
  lzma_stream stream = LZMA_STREAM_INIT;
  if (::lzma_stream_decoder(&stream, kMaxMemory, 0) != LZMA_OK) return std::nullopt;
  const std::unique_ptr<lzma_stream, void (*)(lzma_stream*)> end(&stream, ::lzma_end);
  ElfFile::Bytes out;
  stream.next_in = packed.data();
  stream.avail_in = packed.size();
  lzma_ret status = LZMA_OK;
  while (status == LZMA_OK) {
    if (stream.avail_out == 0) {
      const std::size_t have = out.size();
      if (have == kMaxUnpackedBytes) return std::nullopt;
      out.resize(std::min(std::max(kFirstBytes, have * 2), kMaxUnpackedBytes));
      stream.next_out = out.data() + have;
      stream.avail_out = out.size() - have;
    }
    // Where the input ends too early, it says LZMA_BUF_ERROR.
    status = ::lzma_code(&stream, LZMA_FINISH);
  }
  if (status != LZMA_STREAM_END) return std::nullopt;
  out.resize(out.size() - stream.avail_out);
  return out;
}

}  // namespace

std::optional<ElfFile> mini_debug_file(const ElfFile& elf) {
  const Result<ElfFile::Bytes> packed = elf.section(".gnu_debugdata", kMaxPackedBytes);
  if (!packed.ok() || packed->empty()) return std::nullopt;
  std::optional<ElfFile::Bytes> bytes = unpack(*packed);
  if (!bytes) return std::nullopt;
  Result<ElfFile> file = ElfFile::from_bytes(std::move(*bytes));
  return file.ok() ? std::optional<ElfFile>(std::move(*file)) : std::nullopt;
}

}  // namespace dt::symbol
