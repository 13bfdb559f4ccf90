// See uprobe.h.

#include "provider/uprobe.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <thread>
#include <tuple>

#include "bpf/current_process.h"
#include "bpf/follow.h"
#include "kernel/bpf_call.h"

namespace dt::provider {
namespace {

constexpr std::int32_t kGetAttachCookie = 174;  // BPF helper

constexpr std::size_t kNamed = 8;
constexpr std::size_t kWaiters = 16;

// Each descriptor is a link, which detaches when it is closed. The kernel then waits
// until nobody runs the program any more, some 20 ms; several wait together.
class Links : public Attachment {
 public:
  explicit Links(std::vector<Fd> links) : links_(std::move(links)) {}
  ~Links() override {
    const std::size_t waiters = std::min(links_.size(), kWaiters);
    if (waiters < 2) return;
    std::vector<std::jthread> threads;
    for (std::size_t first = 0; first < waiters; ++first) {
      try {
        threads.emplace_back([this, first, waiters] {
          for (std::size_t i = first; i < links_.size(); i += waiters) links_[i].reset();
        });
      } catch (const std::system_error&) {
        return;  // no more threads: the others are closed one after another
      }
    }
  }

 private:
  std::vector<Fd> links_;
};

kernel::UprobeSites sites_of(std::span<const UprobePlace> places) {
  kernel::UprobeSites sites{places[0].path, places[0].pid, {}};
  for (const UprobePlace& place : places) sites.sites.push_back(place.site);
  return sites;
}

bool is_one_link(const UprobePlace& a, const UprobePlace& b) {
  return a.pid == b.pid && a.path == b.path;
}

// The probes of the sites that the kernel refuses, found by halving: a link is made
// of all of its sites or not at all. Stops at kNamed of them.
void find_refused(std::span<const UprobePlace> places, const Fd& program, kernel::Kernel& kernel,
                  std::vector<std::string>& names) {
  if (names.size() == kNamed) return;
  const bool is_refused = !kernel.attach_uprobes(sites_of(places), program).ok();
  if (!is_refused) return;
  if (places.size() > 1) {
    find_refused(places.first(places.size() / 2), program, kernel, names);
    find_refused(places.subspan(places.size() / 2), program, kernel, names);
    return;
  }
  const std::string name = probe::to_string(places[0].probe->description);
  if (names.empty() || names.back() != name) names.push_back(name);
}

// The process has ended since its objects were looked at, as of all that there are some will: it
// has no program any more.
bool is_gone(pid_t pid, const Error& error) {
  char program[1];
  return (error.code == ENOENT || error.code == ESRCH) &&
         ::readlink(fmt::format("/proc/{}/exe", pid).c_str(), program, sizeof program) < 0;
}

Error name_refused(Error error, std::span<const UprobePlace> places, const Fd& program,
                   kernel::Kernel& kernel) {
  if (error.code != kernel::kNotSupported) return error;
  std::vector<std::string> names;
  find_refused(places, program, kernel, names);
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  if (names.size() == kNamed) all += ", ...";
  return std::move(error).with(all);
}

}  // namespace

kernel::ProgramSpec uprobe_program(const std::string& program) {
  kernel::ProgramSpec spec;
  spec.name = program;
  spec.type = BPF_PROG_TYPE_KPROBE;
  spec.expected_attach = kernel::kUprobeMulti;
  return spec;
}

Result<std::unique_ptr<Attachment>> attach_uprobes(std::vector<UprobePlace> places,
                                                   const Fd& program, kernel::Kernel& kernel) {
  std::sort(places.begin(), places.end(), [](const UprobePlace& a, const UprobePlace& b) {
    return std::tie(a.pid, a.path, a.site.offset, a.site.cookie) <
           std::tie(b.pid, b.path, b.site.offset, b.site.cookie);
  });
  std::vector<Fd> links;
  for (std::size_t i = 0, end = 0; i < places.size(); i = end) {
    while (end < places.size() && is_one_link(places[end], places[i])) ++end;
    const auto those = std::span<const UprobePlace>(places).subspan(i, end - i);
    Result<Fd> link = kernel.attach_uprobes(sites_of(those), program);
    const bool is_one_of_many = places.front().pid != places.back().pid;
    if (!link.ok() && is_one_of_many && is_gone(places[i].pid, link.error())) continue;
    if (!link.ok()) return name_refused(std::move(link.error()), those, program, kernel);
    links.push_back(std::move(*link));
  }
  return std::unique_ptr<Attachment>(std::make_unique<Links>(std::move(links)));
}

UprobePrologue::UprobePrologue(const std::vector<std::int32_t>& whose, const bpf::Machine& machine)
    : whose_(whose),
      machine_(machine),
      asks_whose_(std::any_of(whose.begin(), whose.end(),
                              [](std::int32_t one) { return one != kItsOwn; })) {}

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

bpf::Reg UprobePrologue::enter(bpf::Emitter& emitter, bpf::Reg context, bpf::Label leave) {
  const bool asks_key = needs_.key && !needs_.only_key;
  const bool asks_whose = needs_.only_key ? whose_[*needs_.only_key] != kItsOwn : asks_whose_;
  const bool asks_whose_by_key = asks_whose && !needs_.only_key;
  bpf::Reg key;
  if (asks_key || asks_whose_by_key || (needs_.arguments && uses_site_number())) {
    cookie_ = emitter.reg();
    emitter.mov(cookie_, emitter.call(kGetAttachCookie, {context}));
  }
  if (asks_key || asks_whose_by_key) {
    key = emitter.reg();
    emitter.mov32(key, cookie_);
  }
  if (asks_whose) leave_unless_ours(emitter, key, leave);
  return asks_key ? key : bpf::Reg();
}

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
