// See whose.h.
//
// A program is known by the inode of the file that a process executes (mm->exe_file), since the
// kernel has no path at hand. Layered file systems give a file another device than stat() says;
// there the number of the inode alone must do.

#include "stap/events/whose.h"

#include <fmt/core.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "stap/events/target.h"
#include "types/place.h"

namespace dt::stap {
namespace {

constexpr std::string_view kToInode = "mm->exe_file->f_inode";

struct File {
  std::uint64_t inode = 0;
  std::optional<std::uint64_t> device;  // as the kernel writes it
};

std::optional<File> file_at(const std::string& path) {
  struct stat status {};
  struct statfs system {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  File out{status.st_ino, {}};
  constexpr unsigned kMinorBits = 20;
  const bool is_known = ::statfs(path.c_str(), &system) == 0;
  const auto type = static_cast<std::uint64_t>(system.f_type);
  if (is_known && type != OVERLAYFS_SUPER_MAGIC && type != BTRFS_SUPER_MAGIC) {
    out.device = std::uint64_t{::major(status.st_dev)} << kMinorBits | ::minor(status.st_dev);
  }
  return out;
}

// Goes on only where the condition holds.
void require(ir::ValueId condition, ir::FunctionBuilder& b) {
  const ir::BlockId leave = b.block(), go_on = b.block();
  b.branch(condition, go_on, leave);
  b.enter(leave);
  b.ret();
  b.enter(go_on);
}

// What stands at `path` behind the structure at `base`; where a pointer on the way is NULL, the
// clause is left.
ir::ValueId load(ir::ValueId base, std::string_view structure, std::string_view path, ir::Type last,
                 const types::Catalog& types, ir::FunctionBuilder& b) {
  const auto places = types::find_places(types, structure, path);
  for (std::size_t i = 0; i < places->size(); ++i) {
    const ir::ValueId address =
        b.binary(ir::Op::kAdd, base, b.constant((*places)[i].offset), ir::Type::s64());
    const bool is_last = i + 1 == places->size();
    base = b.unary(ir::Op::kLoadKernel, address, is_last ? last : ir::Type::u64());
    if (!is_last) {
      require(b.binary(ir::Op::kNe, base, b.constant(0, ir::Type::u64()), ir::Type::s32()), b);
    }
  }
  return base;
}

ir::ValueId equals(ir::ValueId value, std::uint64_t wanted, ir::FunctionBuilder& b) {
  return b.binary(ir::Op::kEq, value,
                  b.constant(static_cast<std::int64_t>(wanted), b.type_of(value)), ir::Type::s32());
}

}  // namespace

std::string check_whose(const Event& event, const types::Catalog& types) {
  const std::string& program = event.whose.program;
  if (program.empty()) return {};
  if (!file_at(program)) return fmt::format("there is no file {}", program);
  for (const std::string_view path : {"i_ino", "i_sb->s_dev"}) {
    const std::string whole = fmt::format("{}->{}", kToInode, path);
    const auto places = types::find_places(types, "task_struct", whole);
    if (!places.ok()) return places.error().text;
  }
  // Since 6.16 the tracepoint fires before the process leaves its memory, and has an argument more.
  constexpr std::size_t kArguments = 3;
  if (event.pattern.provider == "proc" && event.pattern.name.ends_with("exit")) {
    const auto probe = types.find_object("__traceiter_sched_process_exit", "vmlinux");
    if (!probe || types.at(types.resolve(probe->type)).members.size() < kArguments) {
      return "this kernel says that a process ends when it has left its program: use "
             "process(PID) or process.end with -c or -x";
    }
  }
  return {};
}

void leave_others(const Event::Whose& whose, const types::Catalog& types, ir::FunctionBuilder& b) {
  if (whose.except != 0) {
    const ir::ValueId is_it =
        equals(b.builtin(ir::Builtin::kPid), static_cast<std::uint64_t>(whose.except), b);
    require(b.binary(ir::Op::kEq, is_it, b.constant(0, ir::Type::s32()), ir::Type::s32()), b);
  }
  if (whose.only != 0) {
    require(equals(b.builtin(ir::Builtin::kPid), static_cast<std::uint64_t>(whose.only), b), b);
  }
  if (whose.process != 0 && !whose.has_children) {
    const ir::ValueId pid = b.builtin(ir::Builtin::kPid);
    require(equals(pid, static_cast<std::uint64_t>(whose.process), b), b);
  } else if (whose.process != 0) {
    const ir::ValueId process = b.constant(whose.process);
    require(b.unary(ir::Op::kProgenyOf, process, ir::Type::s32()), b);
  }
  if (!whose.first_thread_too) {
    const ir::ValueId pid = b.builtin(ir::Builtin::kPid), tid = b.builtin(ir::Builtin::kTid);
    require(b.binary(ir::Op::kNe, pid, tid, ir::Type::s32()), b);
  }
  if (whose.program.empty()) return;
  const std::optional<File> file = file_at(whose.program);
  if (!file) return b.ret();
  const ir::ValueId inode =
      load(b.builtin(ir::Builtin::kCurthread), "task_struct", kToInode, ir::Type::u64(), types, b);
  require(b.binary(ir::Op::kNe, inode, b.constant(0, ir::Type::u64()), ir::Type::s32()), b);
  require(equals(load(inode, "inode", "i_ino", ir::Type::u64(), types, b), file->inode, b), b);
  if (!file->device) return;
  const ir::ValueId device = load(inode, "inode", "i_sb->s_dev", ir::Type::u32(), types, b);
  require(equals(device, *file->device, b), b);
}

void leave_other_functions(const Event& event, ir::ValueId at, ir::FunctionBuilder& b) {
  // The program may be loaded anywhere, but only in whole pages.
  constexpr std::uint64_t kWithinPage = 0xfff;
  const ir::ValueId within = b.binary(
      ir::Op::kAnd, at, b.constant(static_cast<std::int64_t>(kWithinPage)), ir::Type::s64());
  require(equals(within, event.code_address & kWithinPage, b), b);
}

void leave_other_callers(const Event& event, ir::ValueId at, ir::ValueId stack,
                         ir::FunctionBuilder& b) {
  // A return stands as far behind the beginning as its first argument says.
  const ir::ValueId from =
      event.kind == EventKind::kFunctionReturn
          ? b.extend(b.builtin(ir::Builtin::kArg, 0), ir::Type::integer(4, true))
          : b.constant(event.caller.site);
  const ir::ValueId begin = b.binary(ir::Op::kSub, at, from, ir::Type::s64());
  const TargetValue back = try_load(b, {stack, {}}, ir::Type::s64(), true);
  if (back.is_readable) require(*back.is_readable, b);
  // Behind the call, which may be the last instruction.
  const ir::ValueId distance = b.binary(ir::Op::kSub, back.value, begin, ir::Type::s64());
  const ir::ValueId within =
      b.binary(ir::Op::kSub, distance, b.constant(event.caller.begin + 1), ir::Type::s64());
  require(b.binary(ir::Op::kLtU, within, b.constant(static_cast<std::int64_t>(event.caller.bytes)),
                   ir::Type::s32()),
          b);
}

}  // namespace dt::stap
