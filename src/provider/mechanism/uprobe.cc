// See uprobe.h.
//
// A uprobe is a breakpoint that the kernel puts into a file's code: into the pages of every process
// that has mapped it, or of one process. It is named by the file and the offset in it, so it exists
// before the file is mapped, and in processes that start later. The kernel executes the instruction
// that was replaced: it emulates some (push, call, jumps, nop), and single-steps the others in
// memory of its own, which takes twenty times as long.
//
// Attached are many places at once: by uprobe.multi (Linux 6.6), one link for all places of a file,
// with a cookie for each; before, by events of tracefs, one for all places of a process.

#include "provider/mechanism/uprobe.h"

#include <linux/bpf.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <tuple>
#include <variant>

#include "bpf/asm/emitter.h"
#include "bpf/layout/current_process.h"
#include "bpf/layout/prologue.h"
#include "bpf/layout/word_load.h"
#include "bpf/program/follow.h"
#include "kernel/apart.h"
#include "kernel/bpf_call.h"
#include "provider/mechanism/installed.h"
#include "provider/mechanism/providers.h"
#include "support/thread.h"
#include "types/place.h"

namespace dt::provider {
namespace {

// The kernel looks at all places that it has for each that it gets.
constexpr std::size_t kMostOfEvents = 20'000;

constexpr std::size_t kNamed = 8;
constexpr std::size_t kWaiters = 16;

// A link to one file for one process, or an event of one process; it detaches when it is gone. The
// kernel then waits until no CPU runs the program any more, some 20 ms; several wait together.
using Held = std::variant<kernel::UprobeLink, std::unique_ptr<kernel::Kernel::Attached>>;

class Links : public Attachment {
 public:
  explicit Links(std::vector<Held> links) : links_(std::move(links)) {}
  ~Links() override {
    const std::size_t waiters = std::min(links_.size(), kWaiters);
    if (waiters < 2) return;
    std::vector<support::Thread> threads;
    for (std::size_t first = 0; first < waiters; ++first) {
      auto thread = support::Thread::start([this, first, waiters] {
        for (std::size_t i = first; i < links_.size(); i += waiters)
          links_[i] = kernel::UprobeLink();
      });
      if (!thread.ok()) return;  // no more threads: the others are closed one after another
      threads.push_back(std::move(*thread));
    }
  }

 private:
  std::vector<Held> links_;
};

using Places = std::span<const UprobePlace>;
using Attach = std::function<Result<Held>(Places)>;

bool is_one_file(const UprobePlace& a, const UprobePlace& b) {
  return a.pid == b.pid && a.path == b.path;
}

bool is_one_process(const UprobePlace& a, const UprobePlace& b) { return a.pid == b.pid; }

// By file and process, in the order in which they stand.
std::vector<kernel::UprobeSites> sites_of(Places places) {
  std::vector<kernel::UprobeSites> files;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (i == 0 || !is_one_file(places[i], places[i - 1])) {
      files.push_back({places[i].path, places[i].pid, {}});
    }
    files.back().sites.push_back(places[i].site);
  }
  return files;
}

// The probes of the sites that the kernel refuses, at most kNamed of them. The kernel does not say
// which site it refuses: a link is made of all of its sites or not at all. Halving takes a number
// of attempts that grows with the logarithm of the sites for each name.
void find_refused(Places places, const Attach& attach, std::vector<std::string>& names) {
  if (names.size() == kNamed) return;
  const bool is_refused = !attach(places).ok();
  if (!is_refused) return;
  if (places.size() > 1) {
    find_refused(places.first(places.size() / 2), attach, names);
    find_refused(places.subspan(places.size() / 2), attach, names);
    return;
  }
  const std::string name = probe::to_string(places[0].probe->description);
  if (names.empty() || names.back() != name) names.push_back(name);
}

// What has become of the process since its objects were looked at, as of some of all that there
// are: it has no program any more, or not that file. nullopt: the error is about something else.
std::optional<Error> fate_of(const UprobePlace& place, const Error& error) {
  if (error.code != ENOENT && error.code != ESRCH) return std::nullopt;
  char program[1];
  if (::readlink(fmt::format("/proc/{}/exe", place.pid).c_str(), program, sizeof program) < 0) {
    return Error::of_code(
        fmt::format("process {} has ended before its probes were there", place.pid), error.code);
  }
  if (::access(place.path.c_str(), F_OK) == 0) return std::nullopt;
  return Error::of_code(
      fmt::format("process {} has changed before its probes were there: it no longer has "
                  "{}",
                  place.pid, place.path),
      error.code, "run it again");
}

Error name_refused(Error error, Places places, const Attach& attach) {
  if (error.code != kernel::kNotSupported) return error;
  std::vector<std::string> names;
  find_refused(places, attach, names);
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  if (names.size() == kNamed) all += ", ...";
  return std::move(error).with(all);
}

}  // namespace

bool UprobeEventOffsets::are_known() const {
  return std::min({task_utask, utask_dispatch, dispatch_event, event_arguments, argument_bytes,
                   constant}) >= 0;
}

bool Uprobes::has_links() {
  if (!has_links_) has_links_ = try_feature_(kernel::Feature::kUserProbes).ok();
  return *has_links_;
}

// The path to the arguments of the event that fired, which the kernel hands to no program:
//
//   task->utask->vaddr   while a handler runs: the address of a uprobe_dispatch_data
//     ->tu               the trace_uprobe of this place
//       ->tp.args[i].code->immediate   what "c=\1" and "p=\2" in its definition say
//
// These are internals, which can change with a kernel. So they are found by their names in BTF, and
// probes are refused where one of them is missing.
const UprobeEventOffsets& Uprobes::event_offsets() {
  if (offsets_) return *offsets_;
  UprobeEventOffsets& at = offsets_.emplace();
  at.task_utask = types::offset_or_none(types_, "task_struct", "utask");
  at.utask_dispatch = types::offset_or_none(types_, "uprobe_task", "vaddr");
  at.dispatch_event = types::offset_or_none(types_, "uprobe_dispatch_data", "tu");
  const std::int32_t arguments = types::offset_or_none(types_, "trace_uprobe", "tp.args");
  const std::int32_t code = types::offset_or_none(types_, "probe_arg", "code");
  if (arguments >= 0 && code >= 0) at.event_arguments = arguments + code;
  if (const auto argument = types::find_structure(types_, "probe_arg"); argument.ok()) {
    const std::uint32_t bytes = types_.size_of(*argument);
    if (bytes % 8 == 0) at.argument_bytes = static_cast<std::int32_t>(bytes);
  }
  at.constant = types::offset_or_none(types_, "fetch_insn", "immediate");
  return at;
}

std::int32_t Uprobes::thread_base_offset() {
  return types::offset_or_none(types_, "task_struct", "thread.fsbase");
}

Result<kernel::ProgramSpec> Uprobes::program_spec(const std::string& program) {
  kernel::ProgramSpec spec;
  spec.name = program;
  spec.type = BPF_PROG_TYPE_KPROBE;
  if (has_links()) {
    spec.expected_attach = kernel::kUprobeMulti;
  } else if (!event_offsets().are_known()) {
    return Error::of(
        fmt::format("{}: this kernel has no uprobe.multi, and its type information does "
                    "not tell of events of uprobes (struct trace_uprobe)",
                    program),
        "use a kernel built with CONFIG_DEBUG_INFO_BTF and CONFIG_UPROBE_EVENTS, or "
        "Linux 6.6 and later");
  }
  return spec;
}

std::string Uprobes::way() { return has_links() ? "uprobe.multi" : "an event of uprobes"; }

Result<std::unique_ptr<Attachment>> Uprobes::attach(std::vector<UprobePlace> places,
                                                    const Fd& program, kernel::Kernel& kernel) {
  if (!has_links() && places.size() > kMostOfEvents) {
    return Error::of(
        fmt::format("these are {} places in user code; a kernel without uprobe.multi (Linux "
                    "6.6) would take too long for more than {}",
                    places.size(), kMostOfEvents),
        "name fewer functions");
  }
  // By process and file, so that the places of one link are next to each other.
  std::sort(places.begin(), places.end(), [](const UprobePlace& a, const UprobePlace& b) {
    return std::tie(a.pid, a.path, a.site.offset, a.site.cookie) <
           std::tie(b.pid, b.path, b.site.offset, b.site.cookie);
  });
  const auto is_one = has_links() ? is_one_file : is_one_process;
  const Attach attach_one = [&](Places those) -> Result<Held> {
    if (has_links()) {
      DT_ASSIGN(Fd link, kernel.attach_uprobes(sites_of(those).front(), program));
      return Held(kernel::UprobeLink(std::move(link)));
    }
    DT_ASSIGN(auto event, kernel.attach_uprobe_event(sites_of(those), program));
    return Held(std::move(event));
  };
  std::vector<Held> links;
  for (std::size_t i = 0, end = 0; i < places.size(); i = end) {
    while (end < places.size() && is_one(places[end], places[i])) ++end;
    const auto those = Places(places).subspan(i, end - i);
    Result<Held> link = attach_one(those);
    // With pid*, some process of hundreds ends while we attach; that is no reason to refuse all
    // others.
    const bool is_one_of_many = places.front().pid != places.back().pid;
    if (!link.ok() && places[i].pid != 0) {
      if (auto fate = fate_of(places[i], link.error())) {
        if (is_one_of_many) continue;
        return std::move(*fate);
      }
    }
    if (!link.ok()) return name_refused(std::move(link.error()), those, attach_one);
    links.push_back(std::move(*link));
    if (places[i].pid != 0) {
      DT_TRY(check_installed(places[i].pid, places[i].path, places[i].site.offset));
    }
  }
  return std::unique_ptr<Attachment>(std::make_unique<Links>(std::move(links)));
}

std::shared_ptr<Uprobes> kernel_uprobes(kernel::Kernel& kernel, const types::Catalog& types) {
  return std::make_shared<Uprobes>(
      types, [&kernel](kernel::Feature feature) { return kernel::try_feature(kernel, feature); });
}

UprobePrologue::UprobePrologue(const std::vector<std::int32_t>& whose, const bpf::Machine& machine,
                               Uprobes& uprobes)
    : whose_(whose),
      machine_(machine),
      uprobes_(uprobes),
      asks_whose_(
          std::any_of(whose.begin(), whose.end(), [](std::int32_t one) { return one != kItsOwn; })),
      has_own_(whose.empty() || std::find(whose.begin(), whose.end(), kItsOwn) != whose.end()) {}

std::vector<std::uint8_t> UprobePrologue::table() const {
  std::vector<std::uint8_t> bytes = own_table();
  if (!asks_whose_) return bytes;
  const std::size_t start = bytes.size();
  bytes.resize(start + whose_.size() * sizeof(std::int32_t));
  std::memcpy(bytes.data() + start, whose_.data(), bytes.size() - start);
  return bytes;
}

// Only enabled probes are attached, so there is no firing of any other.
bool UprobePrologue::prepare(const Needs& needs) {
  needs_ = needs;
  return needs.only_key.has_value();
}

bpf::Reg UprobePrologue::whose_by_key(bpf::Emitter& emitter, bpf::Reg key, bpf::Label leave) const {
  const auto start = static_cast<std::uint32_t>(own_table().size());
  const bpf::Reg entry = emitter.map_value({bpf::MapKind::kRodata, 0}, table_at_ + start);
  const bpf::Reg offset = emitter.held_copy(key);
  emitter.jump_if_imm(bpf::Cond::kGe, offset, static_cast<std::int32_t>(whose_.size()), leave);
  emitter.alu_imm(bpf::Alu::kLsh, offset, 2);
  emitter.alu(bpf::Alu::kAdd, entry, offset);
  return emitter.load(4, entry, 0);
}

// Places of a file fire in all processes that have mapped it. dtrace itself has the C library
// mapped, too: its own calls would make records, and writing these would make more.
void UprobePrologue::leave_unless_ours(bpf::Emitter& emitter, bpf::Reg key,
                                       bpf::Label leave) const {
  const auto leave_if_dtrace = [&] {
    const bpf::Reg process = bpf::current_process(emitter, machine_);
    emitter.jump_if_imm(bpf::Cond::kEq, process, ::getpid(), leave);
  };
  if (needs_.only_key) {
    const std::int32_t whose = whose_[*needs_.only_key];
    if (whose == kEveryones) return leave_if_dtrace();
    return bpf::leave_unless_descends(emitter, machine_, emitter.imm(whose), leave);
  }
  const bpf::Label ours = emitter.label(), is_everyones = emitter.label();
  const bpf::Reg whose = whose_by_key(emitter, key, leave);
  emitter.jump_if_imm(bpf::Cond::kEq, whose, kItsOwn, ours);
  const bool follows = std::any_of(whose_.begin(), whose_.end(), [](std::int32_t one) {
    return one != kItsOwn && one != kEveryones;
  });
  if (follows) {
    emitter.jump_if_imm(bpf::Cond::kEq, whose, kEveryones, is_everyones);
    bpf::leave_unless_descends(emitter, machine_, whose, leave);
    emitter.jump(ours);
  }
  emitter.bind(is_everyones);
  leave_if_dtrace();
  emitter.bind(ours);
}

bpf::Reg UprobePrologue::find_cookie(bpf::Emitter& emitter, bpf::Reg context, bool asks,
                                     bpf::Label leave) const {
  if (!uprobes_.has_links()) return find_event_cookie(emitter, asks, leave);
  if (!asks) return {};
  const bpf::Reg cookie = emitter.reg();
  emitter.mov(cookie, emitter.call(BPF_FUNC_get_attach_cookie, {context}));
  return cookie;
}

// Without uprobe.multi there are no cookies for events of tracefs: the numbers come from the
// event's own definition, by following the kernel's structures.
bpf::Reg UprobePrologue::find_event_cookie(bpf::Emitter& emitter, bool asks,
                                           bpf::Label leave) const {
  const UprobeEventOffsets& at = uprobes_.event_offsets();
  const bool asks_process = needs_.only_key ? whose_[*needs_.only_key] == kItsOwn : has_own_;
  if (!asks && !asks_process) return {};
  // Where they are not known, program_spec() refuses the program.
  if (!at.are_known()) return emitter.imm(0);
  const bpf::Reg task = emitter.call(BPF_FUNC_get_current_task_btf, {});
  const bpf::Reg utask = emitter.load(8, task, at.task_utask);
  const bpf::Reg dispatch = emitter.load(8, utask, at.utask_dispatch);
  const auto word = [&](bpf::Reg base, std::int32_t offset) {
    return bpf::fetch_word(emitter, emitter.stack(8), base, offset, 8);
  };
  const bpf::Reg event = word(dispatch, at.dispatch_event);
  const auto bytes = static_cast<std::uint32_t>(at.argument_bytes) + 8;
  const bpf::StackSlot slot = emitter.stack(bytes);
  bpf::copy_kernel(emitter, emitter.stack_address(slot), event, at.event_arguments, bytes);
  const bpf::Reg arguments = emitter.stack_address(slot);
  const bpf::Reg first = emitter.load(8, arguments, 0);
  const bpf::Reg second = emitter.load(8, arguments, at.argument_bytes);
  bpf::Reg cookie;
  if (asks) cookie = word(first, at.constant);
  if (!asks_process) return cookie;
  const bpf::Label is_ours = emitter.label();
  const bpf::Reg process = word(second, at.constant);
  emitter.jump_if_imm(bpf::Cond::kEq, process, 0, is_ours);
  emitter.jump_if(bpf::Cond::kNe, bpf::current_process(emitter, machine_), process, leave);
  emitter.bind(is_ours);
  return cookie;
}

// Only what the clauses need is found out: with a single probe and no filter by process, the
// prologue is empty.
bpf::Reg UprobePrologue::enter(bpf::Emitter& emitter, bpf::Reg context, bpf::Label leave) {
  const bool asks_key = needs_.key && !needs_.only_key;
  const bool asks_whose = needs_.only_key ? whose_[*needs_.only_key] != kItsOwn : asks_whose_;
  const bool asks_whose_by_key = asks_whose && !needs_.only_key;
  const bool asks_number = needs_.arguments && uses_site_number();
  bpf::Reg key;
  cookie_ = find_cookie(emitter, context, asks_key || asks_whose_by_key || asks_number, leave);
  if (asks_key || asks_whose_by_key) {
    key = emitter.reg();
    emitter.mov32(key, cookie_);
  }
  if (asks_whose) leave_unless_ours(emitter, key, leave);
  return asks_key ? key : bpf::Reg();
}

// The cookie has two halves: the key of the probe in the lower one, the number of its site in the
// upper.
bpf::Reg UprobePrologue::site_number(bpf::Emitter& emitter) const {
  const bpf::Reg number = emitter.reg();
  emitter.mov(number, cookie_);
  emitter.alu_imm(bpf::Alu::kArsh, number, 32);
  return number;
}

bpf::Reg UprobePrologue::load_user(bpf::Emitter& emitter, bpf::Reg address) const {
  const bpf::StackSlot slot = emitter.stack(8);
  emitter.store_imm(8, emitter.stack_address(slot), 0, 0);
  read_user(emitter.stack_address(slot), emitter.imm(8), address);
  return emitter.load(8, emitter.stack_address(slot), 0);
}

}  // namespace dt::provider
