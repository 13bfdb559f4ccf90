// The fsinfo provider where the kernel does not let its functions be traced: operations of system
// calls with a descriptor, when the call ends; close, when it begins.
//
//   read, write      read(), readv(), pread() and similar; write() and similar
//   open, create     open(), openat(), openat2(), creat()
//   close            close()
//   ...              one call each: see fsinfo_of_calls()
//
// Only calls of 64 bits are seen. What is known by a path alone (mkdir, remove, getattr) has no
// probe: the file is not known when the call ends.

#include "provider/kernel/fsinfo_calls.h"

#include <utility>

#include "provider/mechanism/masks.h"
#include "provider/mechanism/stable_call.h"

namespace dt::provider {
namespace {

using bpf::Alu;
using bpf::Cond;
using bpf::Emitter;
using bpf::Label;
using bpf::Reg;

// What lib/files.d reads as arg0 to arg4.
enum Value : std::uint32_t { kEntry, kBytes, kMount, kOffset, kFlags, kValues };

constexpr std::uint32_t kResult = 1;  // of sys_exit

// read, pread64, readv, preadv, preadv2; and the same of write.
constexpr CallNumbers kReads[] = {{0, x32(0), -1},
                                  {17, x32(17), -1},
                                  {19, x32(515), -1},
                                  {295, x32(534), -1},
                                  {327, x32(546), -1}};
constexpr CallNumbers kWrites[] = {{1, x32(1), -1},
                                   {18, x32(18), -1},
                                   {20, x32(516), -1},
                                   {296, x32(535), -1},
                                   {328, x32(547), -1}};
constexpr CallNumbers kOpens[] = {{2, x32(2), -1},
                                  {85, x32(85), -1},     // creat
                                  {257, x32(257), -1},   // openat
                                  {437, x32(437), -1}};  // openat2
constexpr CallNumbers kCloses[] = {{3, x32(3), -1}};
constexpr CallNumbers kControls[] = {{16, x32(514), -1}};  // ioctl
constexpr CallNumbers kFcntl[] = {{72, x32(72), -1}};
constexpr CallNumbers kAllocates[] = {{285, x32(285), -1}};                 // fallocate
constexpr CallNumbers kLists[] = {{78, x32(78), -1}, {217, x32(217), -1}};  // getdents, getdents64
constexpr CallNumbers kMaps[] = {{9, x32(9), -1}};
constexpr CallNumbers kSeeks[] = {{8, x32(8), -1}};
constexpr CallNumbers kSyncs[] = {{74, x32(74), -1}, {75, x32(75), -1}};  // fsync, fdatasync

// The struct file behind a descriptor of the process; 0 where there is none. A number that is none
// reads the address 0.
Reg file_behind(StableCode& code, Reg descriptor) {
  constexpr std::int32_t kPointerBits = 3;
  Emitter& e = code.emitter();
  const Reg table = code.member(code.current(), "task_struct", "files");
  const Reg files = code.member(table, "files_struct", "fdt");
  const Reg count = code.member(files, "fdtable", "max_fds");
  const Reg place = code.member(files, "fdtable", "fd");
  const Reg number = e.reg(), rest = e.reg();
  e.mov(number, descriptor);
  e.alu_imm(Alu::kLsh, number, 32);
  e.alu_imm(Alu::kRsh, number, 32);
  e.mov(rest, number);
  e.alu(Alu::kSub, rest, count);  // negative when there is such an entry
  e.alu_imm(Alu::kArsh, rest, 63);
  e.alu_imm(Alu::kLsh, number, kPointerBits);
  e.alu(Alu::kAdd, place, number);
  e.alu(Alu::kAnd, place, rest);
  return code.member(place, "hlist_head", "first");
}

Reg passed(StableCode& code) { return code.member(code.word(0), "pt_regs", "di"); }
Reg given_file(StableCode& code) { return file_behind(code, passed(code)); }
Reg opened_file(StableCode& code) { return file_behind(code, code.word(kResult)); }
Reg mapped_file(StableCode& code) {
  return file_behind(code, code.member(code.word(0), "pt_regs", "r8"));
}

constexpr std::int32_t kOnlyName = 0x4000, kWasCreated = 0x100000;  // FMODE_PATH, FMODE_CREATED

// A descriptor that is only a name (O_PATH) is not one of an open file.
template <Reg (*file)(StableCode&)>
void leave_without_file(StableCode& code, Label leave) {
  Emitter& e = code.emitter();
  const Reg found = file(code);
  e.jump_if_imm(Cond::kEq, found, 0, leave);
  e.jump_if_imm(Cond::kSet, code.member(found, "file", "f_mode"), kOnlyName, leave);
}

template <const auto& calls>
void any(StableCode& code, Label leave) {
  leave_unless_call(code, calls, leave);
  leave_without_file<given_file>(code, leave);
}

template <const auto& calls>
void done(StableCode& code, Label leave) {
  code.emitter().jump_if_imm(Cond::kSlt, code.word(kResult), 0, leave);
  any<calls>(code, leave);
}

void opens(StableCode& code, Label leave) {
  Emitter& e = code.emitter();
  e.jump_if_imm(Cond::kSlt, code.word(kResult), 0, leave);
  leave_unless_call(code, kOpens, leave);
  leave_without_file<opened_file>(code, leave);
}
void creates(StableCode& code, Label leave) {
  Emitter& e = code.emitter();
  opens(code, leave);
  const Reg mode = code.member(opened_file(code), "file", "f_mode");
  e.alu_imm(Alu::kAnd, mode, kWasCreated);
  e.jump_if_imm(Cond::kEq, mode, 0, leave);
}

Reg command(StableCode& code) {
  const Reg command = code.member(code.word(0), "pt_regs", "si");
  code.emitter().sign_extend(command, 4);
  return command;
}
void sets_flags(StableCode& code, Label leave) {
  constexpr std::int32_t kSetFlags = 4;  // F_SETFL
  done<kFcntl>(code, leave);
  code.emitter().jump_if_imm(Cond::kNe, command(code), kSetFlags, leave);
}
void locks(StableCode& code, Label leave) {
  constexpr std::int32_t kFirst = 5, kLast = 7, kFirstOfFile = 36, kLastOfFile = 38;  // F_GETLK ...
  Emitter& e = code.emitter();
  const Label is_one = e.label();
  any<kFcntl>(code, leave);
  for (const std::int32_t one : {kFirst, kFirst + 1, kLast, kFirstOfFile, kFirstOfFile + 1}) {
    e.jump_if_imm(Cond::kEq, command(code), one, is_one);
  }
  e.jump_if_imm(Cond::kNe, command(code), kLastOfFile, leave);
  e.bind(is_one);
}

void maps(StableCode& code, Label leave) {
  constexpr std::int32_t kLargestError = -4095, kNoFile = 0x20;  // MAX_ERRNO, MAP_ANONYMOUS
  Emitter& e = code.emitter();
  leave_unless_call(code, kMaps, leave);
  e.jump_if_imm(Cond::kGe, code.word(kResult), kLargestError, leave);
  e.jump_if_imm(Cond::kSet, code.member(code.word(0), "pt_regs", "r10"), kNoFile, leave);
  leave_without_file<mapped_file>(code, leave);
}

// ---- What is known of the file --------------------------------------------------------

Reg mount_of_file(StableCode& code, Reg file) {
  const Reg mount = code.member(file, "file", "f_path.mnt");
  code.emitter().alu_imm(Alu::kSub, mount, code.offset("mount", "mnt"));
  return mount;
}

template <Reg (*file)(StableCode&)>
Reg of_file(StableCode& code, std::uint32_t n) {
  switch (n) {
    case kEntry:
      return code.member(file(code), "file", "f_path.dentry");
    case kMount:
      return mount_of_file(code, file(code));
    case kOffset:
      return code.member(file(code), "file", "f_pos");
    case kFlags:
      return code.member(file(code), "file", "f_flags");
    default:
      return code.emitter().imm(0);
  }
}

// A call that names no place has moved the offset by then: it is given as it was before.
Reg moved(StableCode& code, std::uint32_t n) {
  constexpr std::int32_t kSign = 63, kNumber = 0x3fffffff;
  Emitter& e = code.emitter();
  if (n != kBytes && n != kOffset) return of_file<given_file>(code, n);
  const Reg result = code.word(kResult), is_error = e.reg();
  e.mov(is_error, result);
  e.alu_imm(Alu::kArsh, is_error, kSign);
  const Reg bytes = both(e, result, negation(e, is_error));
  if (n == kBytes) return bytes;
  const Reg offset = of_file<given_file>(code, kOffset);
  const Reg number = bits(e, code.member(code.word(0), "pt_regs", "orig_ax"), kNumber);
  // read and write are 0 and 1; readv and writev 19 and 20, of x32 515 and 516.
  Reg is_placed = is_not(e, number, 0);
  for (const std::int32_t one : {1, 19, 20, 515, 516}) {
    is_placed = both(e, is_placed, is_not(e, number, one));
  }
  const Reg before = e.reg(), is_before_start = e.reg();
  e.mov(before, offset);
  e.alu(Alu::kSub, before, bytes);
  e.mov(is_before_start, before);
  e.alu_imm(Alu::kArsh, is_before_start, kSign);
  e.alu(Alu::kAnd, before, negation(e, is_before_start));  // a pipe has no offset
  take_if(e, is_placed, before, offset);
  return before;
}

}  // namespace

std::unique_ptr<Provider> fsinfo_of_calls(const types::Catalog& types) {
  const std::vector<probe::Argument> arguments = {
      {"fileinfo_t *", false, "struct fsinfo_file *", kEntry}, {"int", false}};
  const auto probe = [&](const char* name, auto enter, auto argument) {
    StableProbe made{name, "sys_exit", enter, arguments, argument};
    made.argument_count = kValues;
    return made;
  };
  std::vector<StableProbe> probes = {
      {.name = "close",
       .tracepoint = "sys_enter",
       .enter = any<kCloses>,
       .arguments = arguments,
       .argument = of_file<given_file>,
       .argument_count = kValues},
      probe("create", creates, of_file<opened_file>),
      probe("frlock", locks, of_file<given_file>),
      probe("fsync", any<kSyncs>, of_file<given_file>),
      probe("ioctl", any<kControls>, of_file<given_file>),
      probe("map", maps, of_file<mapped_file>),
      probe("open", opens, of_file<opened_file>),
      probe("read", any<kReads>, moved),
      probe("readdir", any<kLists>, of_file<given_file>),
      probe("seek", done<kSeeks>, of_file<given_file>),
      probe("setfl", sets_flags, of_file<given_file>),
      probe("space", any<kAllocates>, of_file<given_file>),
      probe("write", any<kWrites>, moved),
  };
  return stable_provider("fsinfo", types, std::move(probes));
}

}  // namespace dt::provider
