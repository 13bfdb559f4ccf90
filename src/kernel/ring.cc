// See ring.h.

#include "kernel/ring.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <vector>

#include "kernel/bpf_call.h"
#include "kernel/linux.h"

namespace dt::kernel {
namespace {

// The bytes that are consumed before the position is published, from which writers see that there
// is room again. Publishing it for every record makes the position's cache line travel between CPUs
// for every record.
constexpr std::uint64_t kPublishBytes = 64 << 10;
constexpr std::uint64_t kHeader = BPF_RINGBUF_HDR_SZ;

std::uint64_t load_acquire(const std::uint64_t* at) {
  return __atomic_load_n(at, __ATOMIC_ACQUIRE);
}

class LinuxRing : public Kernel::Ring {
 public:
  LinuxRing(Fd fd, Kernel::Mapping control, Kernel::Mapping pages, RingMemory memory)
      : fd_(std::move(fd)),
        control_(std::move(control)),
        pages_(std::move(pages)),
        memory_(memory) {}

  int fd() const override { return fd_.get(); }
  std::size_t consume(const std::function<void(std::span<const std::uint8_t>)>& visit) override {
    return consume_ring(memory_, visit);
  }

 private:
  Fd fd_;
  Kernel::Mapping control_;
  Kernel::Mapping pages_;
  RingMemory memory_;
};

Result<Kernel::Mapping> map_pages(int fd, std::size_t size, int protection, std::size_t offset) {
  void* const memory =
      ::mmap(nullptr, size, protection, MAP_SHARED, fd, static_cast<off_t>(offset));
  if (memory == MAP_FAILED) {
    const int code = errno;
    Error error = support::system_error("mmap of the ring buffer", code);
    error.remedy = remedy(code);
    return error;
  }
  Kernel::Mapping mapping;
  mapping.data = static_cast<std::uint8_t*>(memory);
  mapping.size = size;
  return mapping;
}

// A record of which `first` bytes are at the end of the ring, and the others at its beginning. In
// words, as records are aligned to them.
std::span<const std::uint8_t> joined(const RingMemory& ring, const std::uint8_t* at,
                                     std::size_t first, std::size_t bytes,
                                     std::vector<std::uint64_t>& room) {
  room.resize((bytes + 7) / 8);
  auto* const to = reinterpret_cast<std::uint8_t*>(room.data());
  std::memcpy(to, at, first);
  std::memcpy(to + first, ring.data, bytes - first);
  return {to, bytes};
}

}  // namespace

// A record is behind a word of its length and one that only the kernel uses, at a multiple of 8:
//
//   | busy, discard, length | page offset | the record ... | padding |
//
// The busy bit is set while a program fills the record. Reading stops there, although later records
// may be complete: they are consumed in the order in which room was reserved. A record that was
// discarded is skipped. When the consumer's position is stored, the kernel may overwrite all that
// is before it, so it is stored after visit().
std::size_t consume_ring(const RingMemory& ring,
                         const std::function<void(std::span<const std::uint8_t>)>& visit) {
  const std::uint64_t start = __atomic_load_n(ring.consumer, __ATOMIC_RELAXED);
  const std::uint64_t end = load_acquire(ring.producer);
  const std::uint64_t step = std::min<std::uint64_t>(kPublishBytes, ring.size / 8);
  std::uint64_t at = start;
  std::uint64_t published = start;
  std::vector<std::uint64_t> room;
  while (at < end) {
    const std::size_t place = at & (ring.size - 1);
    const std::uint8_t* const header = ring.data + place;
    const std::uint32_t length =
        __atomic_load_n(reinterpret_cast<const std::uint32_t*>(header), __ATOMIC_ACQUIRE);
    if ((length & BPF_RINGBUF_BUSY_BIT) != 0) {
      break;
    }
    const std::uint32_t bytes = length & ~BPF_RINGBUF_DISCARD_BIT;
    if ((length & BPF_RINGBUF_DISCARD_BIT) == 0) {
      const std::size_t until_end = ring.size - place - kHeader;
      visit(bytes <= until_end ? std::span(header + kHeader, bytes)
                               : joined(ring, header + kHeader, until_end, bytes, room));
    }
    at += (kHeader + bytes + 7) / 8 * 8;
    if (at - published >= step) {
      __atomic_store_n(ring.consumer, at, __ATOMIC_RELEASE);
      published = at;
    }
  }
  if (at != published) {
    __atomic_store_n(ring.consumer, at, __ATOMIC_RELEASE);
  }
  return at - start;
}

Result<std::unique_ptr<Kernel::Ring>> LinuxKernel::open_ring(const Fd& map, std::size_t size) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  Fd own(::fcntl(map.get(), F_DUPFD_CLOEXEC, 0));
  if (!own.valid()) {
    Error error = support::system_error("duplicate the ring buffer's descriptor", errno);
    error.remedy = remedy(error.code);
    return error;
  }
  // The kernel's layout of the mapping: the consumer's position, which we may write; the producer's
  // position; and the data. It could be mapped twice, one copy behind the other.
  //
  //   | consumer | producer | data |
  //     page       page       size
  //
  DT_ASSIGN(Mapping control, map_pages(map.get(), page, PROT_READ | PROT_WRITE, 0));
  DT_ASSIGN(Mapping pages, map_pages(map.get(), page + size, PROT_READ, page));
  RingMemory memory;
  memory.consumer = reinterpret_cast<std::uint64_t*>(control.data);
  memory.producer = reinterpret_cast<const std::uint64_t*>(pages.data);
  memory.data = pages.data + page;
  memory.size = size;
  return std::unique_ptr<Ring>(
      std::make_unique<LinuxRing>(std::move(own), std::move(control), std::move(pages), memory));
}

}  // namespace dt::kernel
