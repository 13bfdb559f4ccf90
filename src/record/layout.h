#pragma once
// The wire contract between probe code (writer: bpf/) and consumer (reader).
//
// One firing of one clause that records anything is one record in the ring:
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
// A clause either records all of its data or none of it (a fault in the clause
// discards the record, as in DTrace). Everything is little-endian; fields are
// aligned to their size, at most 8; the whole is padded to 8 bytes.
//
// Values that the consumer can resolve travel as small ids: a probe's names as
// nothing at all (the epid tells), a symbol as its address, a stack as frames.

#include <cstdint>
#include <string>
#include <vector>

#include "record/action.h"
#include "record/shape.h"
#include "support/ids.h"
#include "support/source.h"

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

// A place in the script where a firing can fault.
struct FaultSite {
  Span span;
  std::uint32_t action = 0;       // 1-based within the clause, 0 = predicate
  std::uint32_t code_offset = 0;  // index of the BPF instruction; ERROR's arg3
};

// ---- Field types -----------------------------------------------------------

enum class FieldKind : std::uint8_t {
  kInt,        // size 1, 2, 4 or 8; is_signed
  kString,     // size bytes, NUL-terminated and zero-padded to size
  kBytes,      // size raw bytes (tracemem, copyin)
  kStack,      // size/8 kernel addresses, zero-terminated unless full
  kUstack,     // u64 tgid, then (size-8)/8 user addresses, zero-terminated unless full; some may
               // be frames of source (symbol/interpreter/source_frame.h)
  kSym,        // u64 kernel address, shown as module`symbol  (func, sym)
  kMod,        // u64 kernel address, shown as its module
  kUaddr,      // u64 tgid, u64 user address; module`symbol+offset
  kUsym,       //   "  module`symbol  (ufunc, usym)
  kUmod,       //   "  module
  kProbeProv,  // u32 probe id; shown (and compared) as that part of its name; or kOfProcess
  kProbeMod,
  kProbeFunc,
  kProbeName,
};

// A probe of many processes is named after the one that came to it. Its kProbeProv is
//
//     31   30       22 21          0
//     +---+-----------+-------------+
//     | 1 | stem      | process     |     stem: index into Schema::stems
//     +---+-----------+-------------+     a process has a number below 2^22
constexpr std::uint32_t kOfProcess = 1U << 31;
constexpr std::uint32_t kStemShift = 22;
constexpr std::size_t kMaxStems = 1U << (31 - kStemShift);

struct FieldType {
  FieldKind kind = FieldKind::kInt;
  std::uint32_t size = 8;  // bytes on the wire
  bool is_signed = true;   // kInt only
  bool operator==(const FieldType&) const = default;
};

std::uint32_t alignment(const FieldType& type);
const char* kind_name(FieldKind kind);

struct Field {
  FieldType type;
  std::uint32_t offset = 0;  // from the start of the record (or of the key)
  Span span = {};            // the expression that it is the value of
};

// Whether both lay out the same bytes alike, wherever they stand in the script.
bool same_fields(const std::vector<Field>& a, const std::vector<Field>& b);

// ---- Clause records ----------------------------------------------------------

struct Action {
  ActionKind kind = ActionKind::kDefault;
  std::uint32_t first_field = 0;
  std::uint32_t field_count = 0;
  std::string format;                       // printf, printa; may be empty for printa
  std::vector<std::uint32_t> aggregations;  // indices into the program's aggregations
  bool has_trunc_count = false;
  std::uint32_t shape = kNoShape;  // print: index into Layout::shapes
  Span span;
};

// What one clause records, in the order in which its actions stand.
struct Layout {
  std::vector<Field> fields;
  std::vector<Action> actions;
  std::vector<Shape> shapes;  // of what print() records
  std::uint32_t size_bytes = kHeaderBytes;
  // The last field, which belongs to no action, is the time of the firing: ns
  // since 1970.
  bool has_time = false;
  // True when the consumer must act on the record at once (exit, printa, ...).
  bool urgent = false;
};

// Assigns offsets to fields in order and sets size_bytes.
void place_fields(Layout& layout);

// Whether an action of it prints or changes aggregations.
bool acts_on_aggregations(const Layout& layout);

// ---- Aggregations ------------------------------------------------------------

enum class AggFunc : std::uint8_t {
  kCount,
  kSum,
  kAvg,
  kMin,
  kMax,
  kStddev,
  kQuantize,
  kLquantize,
  kLlquantize,
};
const char* agg_func_name(AggFunc func);

// lquantize: base, limit, step. llquantize: factor, low, high, nsteps.
struct AggParams {
  std::int64_t base = 0, limit = 0, step = 1;
  std::uint32_t factor = 0, low = 0, high = 0, nsteps = 0;
  bool operator==(const AggParams&) const = default;
};

// An aggregation of the program: its key and value as they lie in the map.
//
// Value words (u64 each), one set per CPU:
//   count:      [n]                      sum:    [sum]
//   avg:        [n][sum lo][sum hi]      min:    [min]        max: [max], biased
//   stddev:     [n][sum lo][sum hi][sumsq lo][sumsq hi]
//   quantize:   [127 buckets]            bucket 63 is value 0
//   lquantize:  [levels + 2 buckets]     underflow first, overflow last
//   llquantize: [n buckets]              underflow first, overflow last
// A keyless aggregation has one more word after these: non-zero once there is
// data (an aggregation that never fired is not printed). Words count as
// two's-complement 64-bit integers; buckets hold sums of increments. min and
// max are stored biased (see extreme_bias): the words of a CPU that never
// updated an element are zero, and must not take part in the comparison.
struct AggLayout {
  std::string name;  // without '@'; "_" for @
  AggFunc func = AggFunc::kCount;
  AggParams params;
  std::vector<Field> keys;        // offsets from the start of the key
  std::uint32_t key_bytes = 0;    // padded to 8; 0 = keyless
  std::uint32_t value_words = 1;  // without the presence word
  bool drained = false;           // cleared or truncated by the script: see runtime/
};

void place_keys(AggLayout& layout);
std::uint32_t value_words(AggFunc func, const AggParams& params);

// How min and max lie in memory: value ^ kMinBias or value ^ kMaxBias. In both
// the largest unsigned word wins, and 0, which fresh memory holds, is neutral;
// so an update is "raise the word to (value ^ bias)", and merging is a maximum.
constexpr std::uint64_t kMinBias = 0x7fffffffffffffffULL;
constexpr std::uint64_t kMaxBias = 0x8000000000000000ULL;
constexpr std::uint64_t extreme_bias(AggFunc func) {
  return func == AggFunc::kMin ? kMinBias : kMaxBias;
}

// The bucket tables, shared by the code generator and the printer.
constexpr std::uint32_t kQuantizeBuckets = 127;
constexpr std::uint32_t kQuantizeZero = 63;
std::uint32_t quantize_bucket(std::int64_t value);
// The value at which a quantize bucket begins.
std::int64_t quantize_value(std::uint32_t bucket);
std::uint32_t lquantize_levels(const AggParams& params);
std::uint32_t lquantize_bucket(const AggParams& params, std::int64_t value);
// Lower bounds of llquantize's buckets, ascending: word i+1 counts values from
// boundary i up to the next; word 0 is underflow, and the last boundary is
// where overflow (the last word) begins, UINT64_MAX when that is beyond 64 bits.
std::vector<std::uint64_t> llquantize_boundaries(const AggParams& params);
std::uint32_t llquantize_bucket(const std::vector<std::uint64_t>& boundaries, std::int64_t value);

// ---- The whole program, as the consumer sees it --------------------------------

struct EpidInfo {
  ProbeId probe;             // for names and ids in rows
  std::uint32_t layout = 0;  // index into Schema::layouts
  // Whether the firing may make another record behind this one that acts on aggregations.
  bool has_more = false;
};

struct ProbeNames {
  ProbeId id;
  std::string provider, module, function, name;
};

struct Schema {
  std::uint32_t speculations = 0;  // how many there can be at a time: see record/speculation.h
  std::vector<Layout> layouts;     // one per clause, in program order
  std::vector<AggLayout> aggregations;
  std::vector<EpidInfo> epids;     // index = epid value - 1
  std::vector<ProbeNames> probes;  // sorted by id; those enabled
  std::vector<std::string> stems;  // probe::Binding::stem of those, each once
  std::vector<FaultSite> fault_sites;
};

// nullptr when the id is not in the schema.
const ProbeNames* find_probe(const Schema& schema, ProbeId id);

// ---- Drop counters: one block per CPU ------------------------------------------

enum class Drop : std::uint8_t {
  kPrincipal,    // no room in the ring
  kAggregation,  // an aggregation's table was full, or its update failed
  kDynamic,      // no room for an associative array element, thread-local storage, or what
                 // a provider keeps between firings
  kSpeculative,
  kSpecBusy,
  kSpecUnavailable,
  kStackStrings,
  kDoubleError,  // a fault in an ERROR clause
  kNesting,      // no free scratch level: the firing was not run
};
constexpr std::uint32_t kDropCounters = 9;

}  // namespace dt::record
