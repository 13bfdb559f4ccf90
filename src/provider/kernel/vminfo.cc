// The vminfo provider: what the statistics of memory count, where it is counted.
//
//   as_fault, cow_fault, prot_fault   page_fault_user, by the bits of its error code
//   kernel_asflt                      page_fault_kernel, at an address of the kernel
//   maj_fault                         the software event of major faults
//   pgin, pgpgin, pgout, pgpgout      block_bio_queue
//   zfod                              mm_page_alloc, of a page for a program, filled with zeros
//
// arg0 is what is added: pages for pgpgin, pgpgout and zfod, else 1. Linux has no place
// for one to point to, so arg1 is 0.

#include <linux/perf_event.h>

#include "provider/mechanism/providers.h"
#include "provider/mechanism/stable.h"

namespace dt::provider {

namespace {

using bpf::Alu;
using bpf::Cond;
using bpf::Emitter;
using bpf::Label;
using bpf::Reg;

// page_fault_user and page_fault_kernel: { address, registers, error code }; the
// bits are x86's.
enum Fault : std::uint32_t { kAddress, kRegisters, kErrorCode };
constexpr std::int32_t kIsPresent = 1, kIsWrite = 2;

void leave_unless_code(StableCode& code, std::int32_t mask, std::int32_t wanted, Label leave) {
  Emitter& e = code.emitter();
  const Reg bits = code.word(kErrorCode);
  e.alu_imm(Alu::kAnd, bits, mask);
  e.jump_if_imm(Cond::kNe, bits, wanted, leave);
}

void is_absent(StableCode& code, Label leave) { leave_unless_code(code, kIsPresent, 0, leave); }
void is_written(StableCode& code, Label leave) {
  leave_unless_code(code, kIsPresent | kIsWrite, kIsPresent | kIsWrite, leave);
}
void is_protected(StableCode& code, Label leave) {
  leave_unless_code(code, kIsPresent | kIsWrite, kIsPresent, leave);
}
// The kernel's half of the addresses is the negative one.
void is_in_kernel(StableCode& code, Label leave) {
  code.emitter().jump_if_imm(Cond::kSge, code.word(kAddress), 0, leave);
  is_absent(code, leave);
}

// block_bio_queue: { the request }.
constexpr std::int32_t kOperation = 0xff;  // of bi_opf
enum Direction : std::int32_t { kReads, kWrites };

Reg bytes_of(StableCode& code) { return code.member(code.word(0), "bio", "bi_iter.bi_size"); }

void leave_unless_operation(StableCode& code, Direction direction, Label leave) {
  Emitter& e = code.emitter();
  const Reg flags = code.member(code.word(0), "bio", "bi_opf");
  e.alu_imm(Alu::kAnd, flags, kOperation);
  e.jump_if_imm(Cond::kNe, flags, direction, leave);
  e.jump_if_imm(Cond::kEq, bytes_of(code), 0, leave);  // a flush
}

void is_read_in(StableCode& code, Label leave) { leave_unless_operation(code, kReads, leave); }
void is_written_out(StableCode& code, Label leave) { leave_unless_operation(code, kWrites, leave); }

// mm_page_alloc: { page, order, flags of the request, type of migration }. Only what a program
// maps is movable, may be in high memory and is asked for with zeros: the kernel's own zeros are
// not movable, and what is read from files into a movable page is not zeros. A huge page is
// filled by the caller that asked for it, of which there is no event.
enum Allocation : std::uint32_t { kPage, kOrder, kRequest };
constexpr std::int32_t kHighMemory = 0x2, kMovable = 0x8, kZeros = 0x100;  // of 5.4 to 6.18

void is_zeros_for_program(StableCode& code, Label leave) {
  constexpr std::int32_t kWanted = kHighMemory | kMovable | kZeros;
  Emitter& e = code.emitter();
  e.jump_if_imm(Cond::kEq, code.word(kPage), 0, leave);  // there was none
  const Reg flags = code.word(kRequest);
  e.alu_imm(Alu::kAnd, flags, kWanted);
  e.jump_if_imm(Cond::kNe, flags, kWanted, leave);
}

Reg pages_allocated(StableCode& code, std::uint32_t n) {
  Emitter& e = code.emitter();
  const Reg count = e.imm(n == 0 ? 1 : 0);
  if (n == 0) e.alu(Alu::kLsh, count, code.word(kOrder));
  return count;
}

constexpr const char* kNoPlace = "the kernel has no tracepoint that fires for just that";

Reg one(StableCode& code, std::uint32_t n) { return code.emitter().imm(n == 0 ? 1 : 0); }
Reg pages(StableCode& code, std::uint32_t n) {
  if (n != 0) return code.emitter().imm(0);
  constexpr std::int32_t kPageBytes = 4096, kPageBits = 12;
  const Reg count = bytes_of(code);
  code.emitter().alu_imm(Alu::kAdd, count, kPageBytes - 1);
  code.emitter().alu_imm(Alu::kRsh, count, kPageBits);
  return count;
}

}  // namespace

std::unique_ptr<Provider> vminfo_provider(const types::Catalog& types) {
  const std::vector<probe::Argument> added = {{"uint64_t", false}, {"uint64_t *", false}};
  StableProbe major{"maj_fault", "", nullptr, added, one};
  major.event = kernel::PerfEvent{PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ, 1};
  std::vector<AbsentProbe> absent;
  for (const char* name :
       {"anonfree",  "anonpgin", "anonpgout", "dfree",    "execfree", "execpgin", "execpgout",
        "fsfree",    "fspgin",   "fspgout",   "pgfrec",   "pgrec",    "pgrrun",   "pgswapin",
        "pgswapout", "rev",      "scan",      "softlock", "swapin",   "swapout"}) {
    absent.push_back({name, kNoPlace});
  }
  return stable_provider(
      "vminfo", types,
      {
          {"as_fault", "page_fault_user", is_absent, added, one},
          {"cow_fault", "page_fault_user", is_written, added, one},
          {"kernel_asflt", "page_fault_kernel", is_in_kernel, added, one},
          std::move(major),
          {"pgin", "block_bio_queue", is_read_in, added, one},
          {"pgout", "block_bio_queue", is_written_out, added, one},
          {"pgpgin", "block_bio_queue", is_read_in, added, pages},
          {"pgpgout", "block_bio_queue", is_written_out, added, pages},
          {"prot_fault", "page_fault_user", is_protected, added, one},
          {"zfod", "mm_page_alloc", is_zeros_for_program, added, pages_allocated},
      },
      std::move(absent));
}

}  // namespace dt::provider
