// The io provider: requests to block devices.
//
//   start    block_rq_issue, when a request is given to the device's driver
//   done     block_rq_complete, when the driver says what became of it
//   wait-start, wait-done    sched_switch, in a thread that waits for I/O
//
// The first two are about the request as the device sees it, after neighbours have been
// merged, so that their sizes add up to what iostat shows. What a driver sends
// for itself (SCSI inquiries and similar commands) is not block I/O and is left out.
// Devices that have no requests (dm, md, zram) are seen in those below them.
//
// A thread says that it waits for some I/O (in_iowait), and not for which: the request and the
// device are NULL at the last two, and the file is not known.

#include "provider/mechanism/masks.h"
#include "provider/mechanism/mounts.h"
#include "provider/mechanism/providers.h"
#include "provider/mechanism/stable.h"

namespace dt::provider {

namespace {

using bpf::Alu;
using bpf::Cond;
using bpf::Emitter;
using bpf::Label;
using bpf::Reg;

// What lib/io.d and lib/files.d read as arg0 to arg8.
enum Value : std::uint32_t {
  kRequest,
  kDevice,  // the struct block_device: a partition, or the whole disk
  kFile,    // the struct dentry; or 0 for none, kUnknownFile
  kError,   // an errno
  kLeft,    // bytes that are still to be done
  kMount,   // a struct mount where the file's file system is mounted, or 0
  kOffset,  // in the file, in bytes
  kMemory,  // a Memory
  kIsDone,
  kValues,
};
constexpr std::int32_t kUnknownFile = 1;

// The kind of memory that the request moves, from its first page.
enum Memory : std::int32_t { kNothing, kPageCache, kOfProcess };

// block_rq_issue: { struct request * }, block_rq_complete: { struct request *, what
// became of it, bytes }.
enum Complete : std::uint32_t { kStatus = 1, kBytes };

constexpr std::int32_t kWrite = 1, kFirstPrivateOperation = 34;  // REQ_OP_WRITE, REQ_OP_DRV_IN

// The request's operation, its deadline and its bytes.
Reg operation(StableCode& code) {
  const Reg operation = code.member(code.word(kRequest), "request", "cmd_flags");
  code.emitter().alu_imm(Alu::kAnd, operation, 0xff);
  return operation;
}
Reg deadline(StableCode& code) { return code.member(code.word(kRequest), "request", "deadline"); }
Reg bytes(StableCode& code) { return code.member(code.word(kRequest), "request", "__data_len"); }

// A driver that has no room for a request sends it back, to be given to it
// again. Its deadline is then still there from the first time.
void starts(StableCode& code, Label leave) {
  Emitter& e = code.emitter();
  e.jump_if_imm(Cond::kGe, operation(code), kFirstPrivateOperation, leave);
  e.jump_if_imm(Cond::kNe, deadline(code), 0, leave);
}

// A driver may do a request in pieces. A write that a flush must follow, or one
// that is nothing but a flush, ends once more when the flush has.
void is_done(StableCode& code, Label leave) {
  Emitter& e = code.emitter();
  const Label is_last = e.label(), is_done = e.label();
  const Reg kind = operation(code);
  e.jump_if_imm(Cond::kGe, kind, kFirstPrivateOperation, leave);
  e.jump_if_imm(Cond::kEq, deadline(code), 0, leave);
  e.jump_if_imm(Cond::kNe, code.word(kStatus), 0, is_last);
  e.jump_if(Cond::kLt, code.word(kBytes), bytes(code), leave);
  e.bind(is_last);
  e.jump_if_imm(Cond::kNe, kind, kWrite, is_done);
  e.jump_if_imm(Cond::kEq, bytes(code), 0, leave);
  e.bind(is_done);
}

// A flush may have no bio; it goes to the whole disk.
Reg device(StableCode& code) {
  Emitter& e = code.emitter();
  const Reg bio = code.member(code.word(kRequest), "request", "bio");
  const Reg device = code.has("request_queue", "disk")
                         ? code.member(code.word(kRequest), "request", "q->disk->part0")
                         : code.member(code.word(kRequest), "request", "rq_disk->part0");  // 5.15
  take_if(e, is_not_zero(e, bio), device, code.member(bio, "bio", "bi_bdev"));
  return device;
}

// The errno of a blk_status_t, as the kernel's own table has them.
Reg error(StableCode& code) {
  constexpr std::int32_t kErrors[] = {0,  95, 110, 28, 67, 121, 52,
                                      61, 84, 12,  5,  78, 11,  16};  // BLK_STS_OK ...
  constexpr std::int32_t kEio = 5;
  Emitter& e = code.emitter();
  if (!code.has_word(kStatus)) return e.imm(0);
  const Reg status = code.word(kStatus);
  if (code.word_size(kStatus) > 1) {  // before Linux 5.16 it is an error already
    e.neg(status);
    return status;
  }
  const Label done = e.label();
  const Reg number = e.reg();
  e.mov_imm(number, 0);
  e.jump_if_imm(Cond::kEq, status, 0, done);
  for (std::int32_t i = 1; i < static_cast<std::int32_t>(std::size(kErrors)); ++i) {
    e.mov_imm(number, kErrors[i]);
    e.jump_if_imm(Cond::kEq, status, i, done);
  }
  e.mov_imm(number, kEio);
  e.bind(done);
  return number;
}

Reg bytes_left(StableCode& code) {
  Emitter& e = code.emitter();
  if (!code.has_word(kBytes)) return e.imm(0);
  const Reg left = bytes(code);
  e.alu(Alu::kSub, left, code.word(kBytes));
  return left;
}

// ---- The file ----------------------------------------------------------------------

// The first page of a request's memory, and what it is. Masks: is_*.
struct FirstPage {
  Reg bio;
  Reg vec;  // the struct bio_vec
  Reg page;
  Reg head;  // of its folio
  Reg inode;
  Reg is_cached, is_of_process, is_device;
};

// The page that leads the compound that `page` is in. A member of those that
// follow holds its address or, since Linux 7.1, a mask that makes it; bit 0 is
// set in both, and only a mask has nothing but ones at its top.
Reg head_of(StableCode& code, Reg page) {
  constexpr std::int32_t kLargestCompound = 30;  // log2 of the size of its struct pages
  Emitter& e = code.emitter();
  const bool may_be_mask = code.has("page", "compound_info");
  const Reg info = code.member(page, "page", may_be_mask ? "compound_info" : "compound_head");
  const Reg is_tail = is_not_zero(e, bits(e, info, 1));
  const Reg head = e.reg(), address = e.reg();
  e.mov(head, page);
  e.mov(address, info);
  e.alu_imm(Alu::kSub, address, 1);
  if (may_be_mask) {
    const Reg top = e.reg();
    e.mov(top, info);
    e.alu_imm(Alu::kArsh, top, kLargestCompound);
    take_if(e, negation(e, is_not(e, top, -1)), address, both(e, page, info));
  }
  take_if(e, is_tail, head, address);
  return head;
}

FirstPage first_page(StableCode& code) {
  constexpr std::int32_t kAnonymous = 1, kMovable = 2;  // bits of page->mapping
  constexpr std::int32_t kBlockDevice = 0060000, kFormat = 0170000, kNeedsDevice = 1;
  Emitter& e = code.emitter();
  FirstPage first;
  first.bio = code.member(code.word(kRequest), "request", "bio");
  first.vec = code.member(first.bio, "bio", "bi_io_vec");
  const Reg has_data = both(e, is_not_zero(e, code.member(first.bio, "bio", "bi_iter.bi_size")),
                            is_not_zero(e, first.vec));
  const Reg at = code.member(first.bio, "bio", "bi_iter.bi_idx");
  e.alu_imm(Alu::kMul, at, code.size_of("bio_vec"));
  e.alu(Alu::kAdd, first.vec, at);
  first.page = code.member(first.vec, "bio_vec", "bv_page");
  first.head = head_of(code, first.page);
  const Reg mapping = code.member(first.head, "page", "mapping");
  first.inode = code.member(mapping, "address_space", "host");
  // Memory of the slab allocator has another value where the mapping would be.
  const Reg other = code.member(first.inode, "inode", "i_mapping");
  e.alu(Alu::kXor, other, mapping);
  const Reg is_file = both(e, has_data, is_not_zero(e, first.inode));
  e.alu(Alu::kAnd, is_file, negation(e, is_not_zero(e, other)));
  e.alu(Alu::kAnd, is_file, negation(e, is_not_zero(e, bits(e, mapping, kAnonymous | kMovable))));
  first.is_device = negation(
      e, is_not(e, bits(e, code.member(first.inode, "inode", "i_mode"), kFormat), kBlockDevice));
  // Shared memory is a file, but not of a device.
  const Reg flags = code.member(first.inode, "inode", "i_sb->s_type->fs_flags");
  const Reg is_stored = is_not_zero(e, bits(e, flags, kNeedsDevice));
  e.alu(Alu::kOr, is_stored, first.is_device);
  first.is_cached = both(e, is_file, is_stored);
  first.is_of_process = both(e, is_file, negation(e, is_stored));
  e.alu(Alu::kOr, first.is_of_process,
        both(e, has_data, is_not_zero(e, bits(e, mapping, kAnonymous))));
  return first;
}

Reg memory(StableCode& code) {
  Emitter& e = code.emitter();
  const FirstPage first = first_page(code);
  const Reg memory = bits(e, first.is_cached, kPageCache);
  e.alu(Alu::kOr, memory, bits(e, first.is_of_process, kOfProcess));
  return memory;
}

// The inode's first name. The cache of a device has none, and is no file.
Reg file(StableCode& code) {
  Emitter& e = code.emitter();
  const FirstPage first = first_page(code);
  const Reg file = e.imm(kUnknownFile), is_there = e.reg();
  const Reg dentry = dentry_of(code, first.inode, is_there);
  take_if(e, is_there, file, dentry);
  e.alu(Alu::kAnd, file, both(e, first.is_cached, negation(e, first.is_device)));
  e.alu(Alu::kOr, file, bits(e, first.is_of_process, kUnknownFile));
  return file;
}

// Where the file's file system is mounted; 0 where there is no file.
Reg mount(StableCode& code) {
  Emitter& e = code.emitter();
  const FirstPage first = first_page(code);
  const Reg found = mount_of(code, code.member(first.inode, "inode", "i_sb"));
  e.alu(Alu::kAnd, found, first.is_cached);
  return found;
}

Reg offset_in_file(StableCode& code) {
  constexpr std::int32_t kPageShift = 12;
  Emitter& e = code.emitter();
  const FirstPage first = first_page(code);
  const Reg offset = e.reg();
  e.mov(offset, first.page);
  e.alu(Alu::kSub, offset, first.head);
  e.alu_imm(Alu::kDiv, offset, code.size_of("page"));
  e.alu(Alu::kAdd, offset, code.member(first.head, code.has("folio") ? "folio" : "page", "index"));
  e.alu_imm(Alu::kLsh, offset, kPageShift);
  e.alu(Alu::kAdd, offset, code.member(first.vec, "bio_vec", "bv_offset"));
  e.alu(Alu::kAdd, offset, code.member(first.bio, "bio", "bi_iter.bi_bvec_done"));
  e.alu(Alu::kAnd, offset, first.is_cached);
  return offset;
}

// ---- Threads that wait ---------------------------------------------------------------

// sched_switch: { preempted?, the thread that leaves, the next one, and since
// Linux 5.18 the state of the one that leaves }.
enum Switch : std::uint32_t { kPreempted, kLeaving, kNext, kState };

void begins_to_wait(StableCode& code, Label leave) {
  constexpr std::int32_t kAsleep = 3;  // TASK_INTERRUPTIBLE | TASK_UNINTERRUPTIBLE
  Emitter& e = code.emitter();
  const Label sleeps = e.label();
  e.jump_if_imm(Cond::kNe, code.word(kPreempted), 0, leave);
  e.jump_if_imm(Cond::kEq, code.bits(code.word(kLeaving), "task_struct", "in_iowait"), 0, leave);
  const Reg state = code.has_word(kState)
                        ? code.word(kState)
                        : code.member(code.word(kLeaving), "task_struct", "__state");
  e.jump_if_imm(Cond::kSet, state, kAsleep, sleeps);
  e.jump(leave);
  e.bind(sleeps);
}

// A thread that has been preempted before it slept is still in the state of one that sleeps.
void ends_to_wait(StableCode& code, Label leave) {
  Emitter& e = code.emitter();
  e.jump_if_imm(Cond::kEq, code.bits(code.word(kNext), "task_struct", "in_iowait"), 0, leave);
  e.jump_if_imm(Cond::kNe, code.member(code.word(kNext), "task_struct", "__state"), 0, leave);
}

Reg nothing_known(StableCode& code, std::uint32_t n) {
  return code.emitter().imm(n == kFile ? kUnknownFile : 0);
}

Reg value(StableCode& code, std::uint32_t n) {
  switch (static_cast<Value>(n)) {
    case kRequest:
      return code.word(kRequest);
    case kDevice:
      return device(code);
    case kFile:
      return file(code);
    case kError:
      return error(code);
    case kLeft:
      return bytes_left(code);
    case kMount:
      return mount(code);
    case kOffset:
      return offset_in_file(code);
    case kMemory:
      return memory(code);
    case kIsDone:
    case kValues:
      break;
  }
  return code.emitter().imm(code.has_word(kStatus) ? 1 : 0);
}

}  // namespace

std::unique_ptr<Provider> io_provider(const types::Catalog& types) {
  const std::vector<probe::Argument> arguments = {
      {"bufinfo_t *", false, "struct io_request *", kRequest},
      {"devinfo_t *", false, "struct block_device *", kDevice},
      {"fileinfo_t *", false, "struct io_file *", kFile},
  };
  return stable_provider(
      "io", types,
      {
          {"done", "block_rq_complete", is_done, arguments, value, kValues},
          {"start", "block_rq_issue", starts, arguments, value, kValues},
          {"wait-start", "sched_switch", begins_to_wait, arguments, nothing_known, kValues},
          {.name = "wait-done",
           .tracepoint = "sched_switch",
           .enter = ends_to_wait,
           .arguments = arguments,
           .argument = nothing_known,
           .argument_count = kValues,
           .thread = kNext},
      });
}

}  // namespace dt::provider
