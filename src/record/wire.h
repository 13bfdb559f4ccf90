#pragma once
// The wire contract between probe code (writer: bpf/) and consumer (reader).
//
// What one firing of a clause writes at a time is one record in the ring:
//
//     0        4      6      8
//     +--------+------+------+----------------------------------+
//     | epid   | cpu  | tag  | data: the fields of the layout   |
//     +--------+------+------+----------------------------------+
//      u32      u16    u16     at Field::offset from byte 0
//
//     tag:   15          2 1    0
//           +-------------+------+
//           | firing      | kind |
//           +-------------+------+
//
// `firing` is the number of the firing on its CPU: all records of one firing, those of
// faults and of ERROR's clauses too, have the same, and those of other firings
// another one. It is 0 where a firing can make one record only. Records of other
// firings may stand between two of one: those of other CPUs, and on the same CPU those of
// an interrupt. The numbers of a CPU are odd, go up by 2 and begin again after
// 2^13 of them.
//
// The epid tells the probe, the clause and which of its layouts the record has. Everything is
// little-endian; fields are aligned to their size, at most 8; the whole is padded to 8 bytes.
//
// Values that the consumer can resolve travel as small ids: a probe's names as
// nothing at all (the epid tells), a symbol as its address, a stack as frames.

#include <cstdint>

namespace dt::record {

constexpr std::uint32_t kHeaderBytes = 8;

// The low bits of Header::tag.
enum class Kind : std::uint16_t {
  kClause = 1,  // data per Layout
  kFault = 2,   // a FaultRecord
};

struct Header {
  std::uint32_t epid;
  std::uint16_t cpu;
  std::uint16_t tag;
};
static_assert(sizeof(Header) == kHeaderBytes);

constexpr std::uint16_t kKindBits = 2;
constexpr std::uint16_t kFiringBits = 16 - kKindBits;
constexpr Kind kind_of(const Header& header) {
  return static_cast<Kind>(header.tag & ((1U << kKindBits) - 1));
}
constexpr std::uint16_t firing_of(const Header& header) {
  return static_cast<std::uint16_t>(header.tag >> kKindBits);
}
constexpr std::uint16_t tag_of(Kind kind, std::uint16_t firing = 0) {
  return static_cast<std::uint16_t>(static_cast<std::uint32_t>(firing) << kKindBits |
                                    static_cast<std::uint32_t>(kind));
}

// Written when a clause faults; `site` indexes the program's fault-site table.
struct FaultRecord {
  Header header;  // epid of the clause that faulted
  std::uint32_t site;
  std::uint32_t fault;    // enum Fault
  std::uint64_t address;  // faulting address, 0 where there is none
};
static_assert(sizeof(FaultRecord) == 24);

// DTrace's own fault codes, which are ERROR's arg4.
enum class Fault : std::uint32_t {
  kBadAddress = 1,
  kBadAlignment = 2,
  kIllegalOperation = 3,
  kDivideByZero = 4,
  kNoScratch = 5,
  kKernelPrivilege = 6,
  kUserPrivilege = 7,
  kTupleOverflow = 8,
  kBadStack = 9,
};
// "invalid address", "divide-by-zero", ...
const char* fault_text(Fault fault);

}  // namespace dt::record
