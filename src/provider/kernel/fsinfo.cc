// The fsinfo provider: operations on files, when they have been done.
//
//   fsinfo:vmlinux:vfs_read:read   args[0] = the file, a fileinfo_t *
//                                  args[1] = bytes that were read or written, else 0
//
// An operation that several functions do has a probe in each. They are programs at the
// return of the function (fexit), which know its arguments, too: one each, and where
// the kernel does not allow that there are no probes.
//
// On the way they pass, as arg0 and arg2 to arg4, what lib/files.d makes args[0] of:
// a struct dentry (1: not known), the struct mount it is seen in or 0, the offset and
// the flags of the open file.

#include <linux/bpf.h>

#include <algorithm>
#include <optional>

#include "provider/kernel/fsinfo_calls.h"
#include "provider/kernel/fsinfo_operations.h"
#include "provider/mechanism/functions.h"
#include "provider/mechanism/kprobe.h"
#include "provider/mechanism/masks.h"
#include "provider/mechanism/mounts.h"
#include "provider/mechanism/providers.h"
#include "provider/mechanism/tracepoint.h"
#include "provider/mechanism/trampoline.h"
#include "support/check.h"

namespace dt::provider {
namespace {

using bpf::Alu;
using bpf::Cond;
using bpf::Emitter;
using bpf::Label;
using bpf::Reg;

constexpr const char* kName = "fsinfo";
enum Value : std::uint32_t { kEntry, kBytes, kMount, kOffset, kFlags, kValues };
constexpr std::int32_t kUnknownFile = 1;

// The type by which an operation's function is passed what it is about.
const char* structure_of(Subject subject) {
  switch (subject) {
    case Subject::kFile:
      return "file";
    case Subject::kPath:
      return "path";
    case Subject::kEntry:
    case Subject::kDirectory:
    case Subject::kMade:
      return "dentry";
    case Subject::kInode:
      return "inode";
    case Subject::kSource:
      return "renamedata";
  }
  return "";
}

// What BTF says of an operation's function.
struct Shape {
  std::uint32_t subject;  // which parameter it is
  bool returns_pointer;
};

std::optional<Shape> shape_of(const types::Catalog& types, const Operation& operation) {
  const auto object = types.find_object(operation.function, "vmlinux");
  if (!object) return std::nullopt;
  const types::Type& function = types.resolved(object->type);
  if (function.kind != types::Kind::kFunction) return std::nullopt;
  for (std::size_t i = function.members.size(); i-- > 0;) {
    const types::Type& type = types.resolved(function.members[i].type);
    if (type.kind == types::Kind::kPointer &&
        types.resolved(type.target).name == structure_of(operation.subject)) {
      const bool returns_pointer = types.resolved(function.target).kind == types::Kind::kPointer;
      return Shape{static_cast<std::uint32_t>(i), returns_pointer};
    }
  }
  return std::nullopt;
}

class FsinfoPrologue : public TrampolinePrologue {
 public:
  FsinfoPrologue(const Operation& operation, const Shape& shape, const types::Catalog& types,
                 const bpf::Words& words)
      : TrampolinePrologue(true, 0),
        operation_(operation),
        shape_(shape),
        types_(types),
        words_(words) {}

  bool reads_kernel() const override { return true; }

  Reg enter(Emitter& e, Reg context, Label leave) override;
  Reg argument(Emitter& e, Reg context, std::uint32_t number) override;
  const std::string& lacks() const { return lacks_; }

 private:
  void leave_on_error(Emitter& e, Reg context, Label leave) const;
  Reg passed(Emitter& e, Reg context) const {
    return trampoline_argument(e, context, shape_.subject);
  }
  Reg behind(Emitter& e, Reg context) const {
    return trampoline_argument(e, context, shape_.subject + 1);
  }
  Reg entry(StableCode& code, Reg context) const;
  Reg mount(StableCode& code, Reg context) const;
  Reg bytes(Emitter& e, Reg context) const;
  Reg of_file(StableCode& code, Reg context, const char* member) const {
    if (operation_.subject != Subject::kFile) return code.emitter().imm(0);
    return code.member(passed(code.emitter(), context), "file", member);
  }

  const Operation& operation_;
  Shape shape_;
  const types::Catalog& types_;
  const bpf::Words words_;
  std::string lacks_;
};

void FsinfoPrologue::leave_on_error(Emitter& e, Reg context, Label leave) const {
  constexpr std::int32_t kLargestError = -4095;  // MAX_ERRNO
  const Reg result = trampoline_result(e, context);
  if (shape_.returns_pointer) {
    e.jump_if_imm(Cond::kGe, result, kLargestError, leave);
  } else {
    e.sign_extend(result, 4);
    e.jump_if_imm(Cond::kNe, result, 0, leave);
  }
}

Reg FsinfoPrologue::enter(Emitter& e, Reg context, Label leave) {
  constexpr std::int32_t kOnlyName = 0x4000, kWasCreated = 0x100000;  // FMODE_PATH, FMODE_CREATED
  constexpr std::int32_t kSetFlags = 4;                               // F_SETFL
  constexpr std::int32_t kAsksToo = 0x70;  // MAY_ACCESS | MAY_OPEN | MAY_CHDIR
  StableCode code(e, context, {types_}, words_, lacks_);
  const bool may_fail = operation_.counted != Counted::kAll &&
                        operation_.counted != Counted::kAccess &&
                        operation_.counted != Counted::kOwners;
  if (may_fail) leave_on_error(e, context, leave);
  switch (operation_.counted) {
    case Counted::kAll:
    case Counted::kDone:
      break;
    case Counted::kOwners:
      e.jump_if(Cond::kEq, behind(e, context), passed(e, context), leave);
      break;
    case Counted::kOpened:
      e.jump_if_imm(Cond::kSet, of_file(code, context, "f_mode"), kOnlyName, leave);
      break;
    case Counted::kCreated: {
      const Reg mode = of_file(code, context, "f_mode");
      e.alu_imm(Alu::kAnd, mode, kWasCreated);
      e.jump_if_imm(Cond::kEq, mode, 0, leave);
      break;
    }
    case Counted::kMapped:
      e.jump_if_imm(Cond::kEq, passed(e, context), 0, leave);
      break;
    case Counted::kFlags: {
      const Reg command = behind(e, context);
      e.sign_extend(command, 4);
      e.jump_if_imm(Cond::kNe, command, kSetFlags, leave);
      break;
    }
    case Counted::kAccess: {
      const Reg asked = behind(e, context);
      e.alu_imm(Alu::kAnd, asked, kAsksToo);
      e.jump_if_imm(Cond::kEq, asked, 0, leave);
      break;
    }
  }
  return e.imm(0);
}

// The struct dentry.
Reg FsinfoPrologue::entry(StableCode& code, Reg context) const {
  Emitter& e = code.emitter();
  const auto named = [&](Reg inode) {
    const Reg is_there = e.reg(), entry = e.imm(kUnknownFile);
    const Reg name = dentry_of(code, inode, is_there);
    take_if(e, is_there, entry, name);
    return entry;
  };
  switch (operation_.subject) {
    case Subject::kFile:
      return of_file(code, context, "f_path.dentry");
    case Subject::kPath:
      return code.member(passed(e, context), "path", "dentry");
    case Subject::kEntry:
      break;
    case Subject::kDirectory:
      return code.member(passed(e, context), "dentry", "d_parent");
    case Subject::kMade:
      if (shape_.returns_pointer) return trampoline_result(e, context);
      break;
    case Subject::kInode:
      return named(passed(e, context));
    case Subject::kSource:
      // Since Linux 6.17 the directory's entry is passed.
      if (code.has("renamedata", "old_parent")) {
        return code.member(passed(e, context), "renamedata", "old_parent");
      }
      return named(code.member(passed(e, context), "renamedata", "old_dir"));
  }
  return passed(e, context);
}

Reg FsinfoPrologue::mount(StableCode& code, Reg context) const {
  Emitter& e = code.emitter();
  if (operation_.subject != Subject::kFile && operation_.subject != Subject::kPath) {
    return mount_of(code, code.member(entry(code, context), "dentry", "d_sb"));
  }
  const Reg mount = operation_.subject == Subject::kFile
                        ? of_file(code, context, "f_path.mnt")
                        : code.member(passed(e, context), "path", "mnt");
  e.alu_imm(Alu::kSub, mount, code.offset("mount", "mnt"));
  return mount;
}

Reg FsinfoPrologue::bytes(Emitter& e, Reg context) const {
  constexpr std::int32_t kSign = 63;
  if (!operation_.returns_bytes) return e.imm(0);
  const Reg result = trampoline_result(e, context), is_error = e.reg();
  e.mov(is_error, result);
  e.alu_imm(Alu::kArsh, is_error, kSign);
  return both(e, result, negation(e, is_error));
}

Reg FsinfoPrologue::argument(Emitter& e, Reg context, std::uint32_t number) {
  StableCode code(e, context, {types_}, words_, lacks_);
  switch (number) {
    case kEntry:
      return entry(code, context);
    case kBytes:
      return bytes(e, context);
    case kMount:
      return mount(code, context);
    case kOffset:
      return of_file(code, context, "f_pos");
    case kFlags:
      return of_file(code, context, "f_flags");
    default:
      return e.imm(0);
  }
}

class FsinfoProvider : public Provider {
 public:
  FsinfoProvider(const types::Catalog& types, std::shared_ptr<KernelFunctions> functions)
      : types_(types), functions_(std::move(functions)) {}

  std::string_view name() const override { return kName; }
  probe::ProviderAttributes attributes() const override {
    return tracepoint_attributes(probe::Stability::kEvolving);
  }

  std::vector<probe::Description> list() const override {
    std::vector<probe::Description> list;
    for (const Operation& one : file_operations()) {
      if (is_served(one)) list.push_back({kName, "vmlinux", one.function, one.probe});
    }
    return list;
  }

  bool may_have(std::string_view name) const override {
    return std::any_of(file_operations().begin(), file_operations().end(),
                       [name](const Operation& one) { return one.probe == name; });
  }

  std::string why_not(const probe::Pattern& pattern) const override;

  probe::Binding binding(const probe::Description& probe) const override {
    return {fmt::format("{}:{}:{}", kName, probe.function, probe.name), 0};
  }

  std::optional<std::vector<probe::Argument>> arguments(const probe::Description&) const override {
    return std::vector<probe::Argument>{{"fileinfo_t *", false, "struct fsinfo_file *", kEntry},
                                        {"int", false}};
  }

  std::unique_ptr<bpf::Prologue> prologue(const std::string& program,
                                          const bpf::Machine& machine) const override {
    const Operation& operation = of_program(program);
    const auto shape = shape_of(types_, operation);
    DT_CHECK(shape.has_value(), "{}", program);
    return std::make_unique<FsinfoPrologue>(operation, *shape, types_, machine.words);
  }

  // Some of the functions are called under locks.
  bool runs_under_locks(const std::string&) const override { return true; }

  Result<kernel::ProgramSpec> program_spec(const std::string& program) const override {
    kernel::ProgramSpec spec;
    spec.name = "dt_fsinfo";
    spec.type = BPF_PROG_TYPE_TRACING;
    spec.expected_attach = BPF_TRACE_FEXIT;
    spec.attach_btf_id = types_.function_number(of_program(program).function, "vmlinux");
    return spec;
  }

  std::string source(const std::string& program) const override {
    return fmt::format("fexit of {}", of_program(program).function);
  }

  Result<std::unique_ptr<Attachment>> attach(const std::string&, std::span<const probe::Probe>,
                                             const Fd& fd, kernel::Kernel& kernel) const override {
    auto links = std::make_unique<FunctionLinks>(kernel, false);
    DT_ASSIGN(Fd link, kernel.attach_raw_tracepoint("", fd));
    links->add(std::move(link));
    return std::unique_ptr<Attachment>(std::move(links));
  }

 private:
  bool is_served(const Operation& operation) const {
    if (!functions_->has(kernel::Feature::kFentry)) return false;
    const KernelFunction* const function = functions_->find("vmlinux", operation.function);
    return function != nullptr && function->count == 1 && shape_of(types_, operation) &&
           types_.function_number(operation.function, "vmlinux") != 0 && lacks(operation).empty();
  }

  // A structure or member that the operation's code needs and this kernel does not have.
  std::string lacks(const Operation& operation) const {
    const auto shape = shape_of(types_, operation);
    if (!shape) return {};
    FsinfoPrologue prologue(operation, *shape, types_, {});
    return lacks_of(prologue, kValues);
  }

  static const Operation& of_program(std::string_view program) {
    for (const Operation& one : file_operations()) {
      if (program == fmt::format("{}:{}:{}", kName, one.function, one.probe)) return one;
    }
    DT_CHECK(false, "{}", program);
    return file_operations().front();
  }

  const types::Catalog& types_;
  std::shared_ptr<KernelFunctions> functions_;
};

std::string FsinfoProvider::why_not(const probe::Pattern& pattern) const {
  if (pattern.provider != kName) return {};
  for (const AbsentProbe& one : absent_file_operations()) {
    if (one.name == pattern.name) return one.why;
  }
  if (!functions_->error().empty()) return functions_->error();
  const Status& fexit = functions_->way(kernel::Feature::kFentry);
  if (!fexit.ok()) {
    return "this kernel runs no programs where its functions return: " + fexit.error().text;
  }
  std::string missing;
  for (const Operation& one : file_operations()) {
    if (one.probe != pattern.name || is_served(one)) continue;
    const std::string what = lacks(one);
    missing += fmt::format("{}{}{}", missing.empty() ? "" : ", ", one.function,
                           what.empty() ? what : " (" + what + ")");
  }
  return missing.empty() ? missing : "this kernel does not let these be traced: " + missing;
}

// The functions where they can be traced, otherwise the system calls.
class EitherProvider : public Provider {
 public:
  EitherProvider(const types::Catalog& types, std::shared_ptr<KernelFunctions> functions)
      : functions_(functions),
        of_functions_(types, std::move(functions)),
        of_calls_(fsinfo_of_calls(types)) {}

  std::string_view name() const override { return kName; }
  probe::ProviderAttributes attributes() const override { return of_functions_.attributes(); }
  std::vector<probe::Description> list() const override { return one().list(); }
  bool may_have(std::string_view name) const override {
    return of_functions_.may_have(name) || of_calls_->may_have(name);
  }
  probe::Pattern as_here(probe::Pattern pattern) const override {
    return one().as_here(std::move(pattern));
  }
  std::string why_not(const probe::Pattern& pattern) const override {
    return of_functions_.why_not(pattern);
  }
  probe::Binding binding(const probe::Description& probe) const override {
    return one().binding(probe);
  }
  std::optional<std::vector<probe::Argument>> arguments(
      const probe::Description& probe) const override {
    return one().arguments(probe);
  }
  std::unique_ptr<bpf::Prologue> prologue(const std::string& program,
                                          const bpf::Machine& machine) const override {
    return one().prologue(program, machine);
  }
  bool runs_under_locks(const std::string& program) const override {
    return one().runs_under_locks(program);
  }
  bool runs_under_queue_lock(const std::string& program) const override {
    return one().runs_under_queue_lock(program);
  }
  int turn(const std::string& program) const override { return one().turn(program); }
  Result<kernel::ProgramSpec> program_spec(const std::string& program) const override {
    return one().program_spec(program);
  }
  std::string source(const std::string& program) const override { return one().source(program); }
  Result<std::unique_ptr<Attachment>> attach(const std::string& program,
                                             std::span<const probe::Probe> probes, const Fd& fd,
                                             kernel::Kernel& kernel) const override {
    return one().attach(program, probes, fd, kernel);
  }

 private:
  bool has_functions() const { return functions_->has(kernel::Feature::kFentry); }
  const Provider& one() const {
    return has_functions() ? static_cast<const Provider&>(of_functions_) : *of_calls_;
  }

  std::shared_ptr<KernelFunctions> functions_;
  FsinfoProvider of_functions_;
  std::unique_ptr<Provider> of_calls_;
};

}  // namespace

std::unique_ptr<Provider> fsinfo_provider(const types::Catalog& types,
                                          std::shared_ptr<KernelFunctions> functions) {
  return std::make_unique<EitherProvider>(types, std::move(functions));
}

}  // namespace dt::provider
