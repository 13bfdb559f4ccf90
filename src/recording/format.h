#pragma once
// The file format of recordings (docs/recording.md): a magic, then chunks.
//
//     magic | header, payload | header, payload | ... | header, payload (kLast)
//
// A payload is one frame of zstd. Uncompressed, it is a list of entries: fields with tags
// (support/tagged.h), in the order in which what they say became known. So what an entry needs
// has come before it, and any prefix of whole chunks can be read.

#include <cstdint>
#include <string_view>

namespace dt::recording {

// The first byte is not ASCII, and line ends of two kinds are in it: what treats a recording as
// text damages the magic.
constexpr std::string_view kMagic =
    "\x89"
    "DTR\r\n\x1a\n";
// The lowest version of a reader that understands a recording; a reader knows all up to kVersion.
constexpr std::uint64_t kVersion = 5;
// 1 is records, all of them whole; 3 is besides keys that say themselves what they are shown as
// (record/own_symbol.h).
constexpr std::uint64_t kOfOutcomes = 2, kOfPackedRecords = 4, kOfShapes = 5;

struct ChunkHeader {
  std::uint32_t type = 0;
  std::uint32_t flags = 0;
  std::uint32_t raw_bytes = 0;     // of the entries
  std::uint32_t stored_bytes = 0;  // of the frame behind this
  std::int64_t first_ns = 0;       // when the first entry was written, since 1970
  std::int64_t last_ns = 0;
  std::uint32_t number = 0;  // from 0
  std::uint32_t crc = 0;     // CRC-32 of what stands before it
};
static_assert(sizeof(ChunkHeader) == 40);

constexpr std::uint32_t kEntries = 1;  // the only type of chunks; others are passed over
constexpr std::uint32_t kPadding = 2;  // such another type: its payload is nothing
constexpr std::uint32_t kLast = 1;     // a flag: nothing follows, the recording is whole
// A flag: a segment begins here, at a multiple of kSegmentAlign bytes. What is before it, up to the
// first segment, may be missing (-x recordsize): then there are zeros, or nothing.
constexpr std::uint32_t kSegmentBegins = 2;
constexpr std::uint32_t kSegmentAlign = 4096;

// A chunk is written when it holds so much, or is so old; an entry may make it longer.
constexpr std::uint32_t kChunkBytes = 256U << 10;
constexpr std::int64_t kChunkNs = 200'000'000;
constexpr std::uint32_t kMaxRawBytes = 64U << 20;
constexpr std::uint32_t kMaxStoredBytes = kMaxRawBytes + (kMaxRawBytes >> 7) + 1024;

// The tags of entries. New ones get new numbers; none changes its meaning.
enum class Entry : std::uint32_t {
  // The program, up to kBegin (program.cc).
  kHead = 1,
  kOption = 2,
  kSource = 3,
  kLayout = 4,
  kAggregation = 5,
  kEpid = 6,
  kProbe = 7,
  kStem = 8,
  kFaultSite = 9,
  kBegin = 10,
  // Names that were learnt, valid from here on (names.cc).
  kKernelName = 20,
  kUserName = 21,
  kSourceLines = 22,
  kSignalReturn = 23,
  kAccount = 24,
  kAdvice = 25,
  kForget = 26,  // all names of addresses
  // What happened.
  kRecord = 30,        // the bytes as in the ring (record/wire.h); of a firing without a number
  kFiringRecord = 31,  // the same, of a firing with one
  kRead = 32,          // of an aggregation (reads.h)
  kDrops = 33,         // all counters, since the start
  kMessage = 34,
  kRefresh = 35,      // aggregations were read although the program did not ask, and when
  kInterrupted = 36,  // a person has ended tracing
  kFinish = 37,       // all records are there: aggregations are printed
  kEnd = 38,          // the exit status, and how many records there were
  // Names and aggregations are repeated from here on, so that a reader may begin here.
  kSegment = 39,
  kSegmentRead = 40,   // all aggregations have been
  kOutcome = 41,       // what a handler of a session has done (front/outcome.h)
  kPackedRecord = 42,  // of version 4: a record as its differences to another one (packed.h)
  kRecords = 43,       // several records, each as its differences to another one
};

}  // namespace dt::recording
