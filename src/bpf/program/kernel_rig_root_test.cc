// KernelRig: see kernel_rig_test.h. Maps are made from Memory alone, as the
// runtime does.

#include <bpf/libbpf.h>
#include <fmt/core.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "bpf/program/kernel_rig_test.h"
#include "ir/ir.h"
#include "kernel/btf.h"
#include "kernel/nudge.h"

namespace dt::bpf {
namespace {

constexpr std::uint32_t kRingBytes = 1 << 20;

std::uint32_t possible_cpus() {
  static const int count = libbpf_num_possible_cpus();
  return static_cast<std::uint32_t>(count);
}

std::int32_t member_offset(const btf* btf, const char* name) {
  const int id = btf__find_by_name_kind(btf, "task_struct", BTF_KIND_STRUCT);
  if (id < 0) return -1;
  const btf_type* type = btf__type_by_id(btf, static_cast<std::uint32_t>(id));
  const btf_member* members = btf_members(type);
  for (std::uint16_t i = 0; i < btf_vlen(type); ++i) {
    if (std::strcmp(btf__name_by_offset(btf, members[i].name_off), name) == 0) {
      return static_cast<std::int32_t>(btf_member_bit_offset(type, i) / 8);
    }
  }
  return -1;
}

}  // namespace

std::string why_no_bpf() {
  if (geteuid() != 0) return "loading programs needs root";
  const bpf_insn insns[] = {{BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0},
                            {BPF_JMP | BPF_EXIT, 0, 0, 0, 0}};
  const Fd fd(bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "dt_try", "GPL", insns, 2, nullptr));
  return fd.valid() ? "" : fmt::format("bpf(BPF_PROG_LOAD): {}", std::strerror(errno));
}

Machine running_machine() {
  static const Machine machine = [] {
    Machine m;
    m.cpus = possible_cpus();
    btf* btf = btf__parse("/sys/kernel/btf/vmlinux", nullptr);
    if (libbpf_get_error(btf) != 0) return m;
    m.task_comm = member_offset(btf, "comm");
    m.task_tgid = member_offset(btf, "tgid");
    m.task_pid = member_offset(btf, "pid");
    m.task_real_parent = member_offset(btf, "real_parent");
    m.task_start_time = member_offset(btf, "start_time");
    btf__free(btf);
    return m;
  }();
  return machine;
}

void KernelRig::fail(const std::string& what) {
  if (error_.empty()) error_ = fmt::format("{}: {}", what, std::strerror(errno));
}

KernelRig::KernelRig(const Memory& memory, const ir::Program& program, std::uint32_t entries)
    : memory_(memory) {
  const std::uint32_t cpus = memory.machine.cpus;
  create({MapKind::kGlobals, 0}, BPF_MAP_TYPE_ARRAY, 4, memory.globals_bytes, 1, BPF_F_MMAPABLE);
  const auto rodata = std::max(static_cast<std::uint32_t>(memory.rodata.size()), 8u);
  create({MapKind::kRodata, 0}, BPF_MAP_TYPE_ARRAY, 4, rodata, 1, BPF_F_RDONLY_PROG);
  create({MapKind::kPercpu, 0}, BPF_MAP_TYPE_ARRAY, 4, memory.percpu_stride * cpus, 1,
         BPF_F_MMAPABLE);
  create({MapKind::kRing, 0}, BPF_MAP_TYPE_RINGBUF, 0, 0, kRingBytes, 0);
  if (memory.scratch_bytes > 0) {
    create({MapKind::kScratch, 0}, BPF_MAP_TYPE_ARRAY, 4, memory.scratch_bytes,
           cpus * kScratchLevels, 0);
  }
  if (memory.region_bytes > 0) {
    create({MapKind::kRegion, 0}, BPF_MAP_TYPE_ARRAY, 4, memory.region_bytes, cpus * kScratchLevels,
           0);
  }
  if (memory.tls_bytes > 0) {
    create({MapKind::kTls, 0}, BPF_MAP_TYPE_TASK_STORAGE, 4, memory.tls_bytes, 0,
           BPF_F_NO_PREALLOC);
  }
  for (std::uint32_t i = 0; i < program.aggregations.size(); ++i) {
    if (memory.aggs[i].key_bytes == 0) continue;
    create({MapKind::kAgg, i}, BPF_MAP_TYPE_HASH, memory.aggs[i].key_bytes,
           memory.aggs[i].value_bytes, entries, BPF_F_NO_PREALLOC);
  }
  for (std::uint32_t i = 0; i < memory.stacks.size(); ++i) {
    const HashMap element = memory.stacks[i].element();
    create({MapKind::kStacks, i}, BPF_MAP_TYPE_HASH, element.key_bytes, element.value_bytes,
           entries, BPF_F_NO_PREALLOC);
  }
  for (std::uint32_t i = 0; i < program.variables.size(); ++i) {
    if (memory.assocs[i].key_bytes == 0) continue;
    create({MapKind::kAssoc, i}, BPF_MAP_TYPE_HASH, memory.assocs[i].key_bytes,
           memory.assocs[i].value_bytes, entries, BPF_F_NO_PREALLOC);
  }
  if (!error_.empty()) return;
  const std::uint32_t zero = 0;
  if (!memory.rodata.empty() &&
      bpf_map_update_elem(fd({MapKind::kRodata, 0}), &zero, memory.rodata.data(), 0) != 0) {
    fail("rodata");
  }
  if (bpf_map_freeze(fd({MapKind::kRodata, 0})) != 0) fail("freeze rodata");
  set_state(State::kActive);
}

void KernelRig::create(MapRef ref, bpf_map_type type, std::uint32_t key, std::uint32_t value,
                       std::uint32_t entries, std::uint32_t flags) {
  bpf_map_create_opts opts = {};
  opts.sz = sizeof opts;
  opts.map_flags = flags;
  if (type == BPF_MAP_TYPE_TASK_STORAGE) {
    btf* btf = btf__new_empty();
    const int key_id = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
    const int byte_id = btf__add_int(btf, "char", 1, BTF_INT_SIGNED);
    const int value_id = btf__add_array(btf, key_id, byte_id, value);
    if (btf__load_into_kernel(btf) != 0) fail("BTF");
    btf_ = Fd(dup(btf__fd(btf)));
    btf__free(btf);
    opts.btf_fd = static_cast<std::uint32_t>(btf_.get());
    opts.btf_key_type_id = static_cast<std::uint32_t>(key_id);
    opts.btf_value_type_id = static_cast<std::uint32_t>(value_id);
  }
  Fd fd(bpf_map_create(type, "dt_test", key, value, entries, &opts));
  if (!fd.valid()) return fail(fmt::format("create {}", map_name(ref.kind)));
  sizes_[fd.get()] = {key, value};
  maps_.emplace_back(ref, std::move(fd));
}

int KernelRig::fd(MapRef ref) const {
  for (const auto& [name, fd] : maps_) {
    if (name == ref) return fd.get();
  }
  return -1;
}

bool KernelRig::load(const Object& object, std::uint32_t type) {
  if (!error_.empty()) return false;
  std::vector<bpf_insn> insns = object.insns;
  for (const Relocation& relocation : object.relocations) {
    bpf_insn& low = insns[relocation.insn];
    low.src_reg = relocation.is_value ? BPF_PSEUDO_MAP_VALUE : BPF_PSEUDO_MAP_FD;
    low.imm = fd(relocation.map);
    insns[relocation.insn + 1].imm = static_cast<std::int32_t>(relocation.offset);
  }
  // Not zeroed: the kernel writes a line into it, and to touch all of it would take an emulated
  // kernel longer than to load a program.
  constexpr std::uint32_t kLogBytes = 1 << 24;
  const std::unique_ptr<char[]> log(new char[kLogBytes]);
  log[0] = '\0';
  bpf_prog_load_opts opts = {};
  opts.sz = sizeof opts;
  opts.log_level = 4;
  opts.log_size = kLogBytes;
  opts.log_buf = log.get();
  const auto kind = static_cast<bpf_prog_type>(type);
  std::optional<kernel::FunctionTypes> types;
  const auto try_layout = [&](std::span<const bpf_insn> layout,
                              std::span<const kernel::Function> functions) {
    Result<kernel::FunctionTypes> loaded = kernel::load_function_btf("dt_test", layout, functions);
    if (!loaded.ok()) return -EINVAL;
    types = std::move(*loaded);
    if (types->btf.valid()) {
      opts.prog_btf_fd = static_cast<std::uint32_t>(types->btf.get());
      opts.func_info = types->functions.data();
      opts.func_info_cnt = static_cast<std::uint32_t>(types->functions.size());
      opts.func_info_rec_size = sizeof(kernel::FunctionInfo);
    }
    const int fd = bpf_prog_load(kind, "dt_test", "GPL", layout.data(), layout.size(), &opts);
    if (fd < 0 && std::strstr(log.get(), kernel::kJitFailed) != nullptr) {
      return -kernel::kNotSupported;
    }
    if (fd >= 0 && kernel::is_left_to_interpreter(fd)) {
      close(fd);
      return -kernel::kNotSupported;
    }
    return fd < 0 ? -errno : fd;
  };
  const int loaded = kernel::load_in_some_layout(insns, object.functions, try_layout);
  program_ = Fd(loaded);
  if (!program_.valid()) {
    const int refused = -loaded;
    opts.log_level = 1;
    const Fd again(bpf_prog_load(kind, "dt_test", "GPL", insns.data(), insns.size(), &opts));
    std::string text(log.get());
    if (text.size() > 6000) text = "..." + text.substr(text.size() - 6000);
    error_ = fmt::format("load: {}\n{}", std::strerror(refused), text);
    return false;
  }
  const std::string text(log.get());
  const std::size_t at = text.find("processed ");
  if (at != std::string::npos) verified_ = std::stoull(text.substr(at + 10));
  return true;
}

bool KernelRig::run(const std::vector<std::uint64_t>& words, int cpu, std::uint32_t times) {
  if (!error_.empty()) return false;
  std::vector<std::uint64_t> context = words;
  context.resize(12);
  bpf_test_run_opts opts = {};
  opts.sz = sizeof opts;
  opts.ctx_in = context.data();
  opts.ctx_size_in = 12 * 8;
  if (cpu >= 0) {
    opts.flags = BPF_F_TEST_RUN_ON_CPU;
    opts.cpu = static_cast<std::uint32_t>(cpu);
  }
  for (std::uint32_t i = 0; i < times; ++i) {
    if (bpf_prog_test_run_opts(program_.get(), &opts) != 0) {
      fail("run");
      return false;
    }
  }
  return true;
}

std::vector<std::uint8_t> KernelRig::globals() const {
  std::vector<std::uint8_t> value(memory_.globals_bytes);
  const std::uint32_t zero = 0;
  bpf_map_lookup_elem(fd({MapKind::kGlobals, 0}), &zero, value.data());
  return value;
}

void KernelRig::set_state(State state) {
  std::vector<std::uint8_t> value = globals();
  std::memcpy(value.data(), &state, sizeof state);
  const std::uint32_t zero = 0;
  if (bpf_map_update_elem(fd({MapKind::kGlobals, 0}), &zero, value.data(), 0) != 0) fail("state");
}

std::vector<std::uint64_t> KernelRig::keyless_on(std::uint32_t cpu, std::uint32_t agg,
                                                 std::uint32_t words) const {
  std::vector<std::uint8_t> value(std::size_t{memory_.percpu_stride} * memory_.machine.cpus);
  const std::uint32_t zero = 0;
  bpf_map_lookup_elem(fd({MapKind::kPercpu, 0}), &zero, value.data());
  std::vector<std::uint64_t> result(words);
  const std::size_t offset = agg == ir::kNone ? memory_.drops_offset : memory_.agg_offset[agg];
  std::memcpy(result.data(), value.data() + std::size_t{cpu} * memory_.percpu_stride + offset,
              words * 8);
  return result;
}

std::vector<std::uint64_t> KernelRig::keyless(std::uint32_t agg, std::uint32_t words) const {
  std::vector<std::uint64_t> sum(words, 0);
  for (std::uint32_t cpu = 0; cpu < memory_.machine.cpus; ++cpu) {
    const std::vector<std::uint64_t> part = keyless_on(cpu, agg, words);
    for (std::uint32_t i = 0; i < words; ++i) sum[i] += part[i];
  }
  return sum;
}

std::uint64_t KernelRig::drops(record::Drop what) const {
  return keyless(ir::kNone, record::kDropCounters)[static_cast<std::size_t>(what)];
}

std::vector<std::uint8_t> KernelRig::thread_storage() const {
  const Fd self(static_cast<int>(syscall(SYS_pidfd_open, gettid(), 0)));
  std::vector<std::uint8_t> value(memory_.tls_bytes);
  const int pidfd = self.get();
  if (memory_.tls_bytes == 0 ||
      bpf_map_lookup_elem(fd({MapKind::kTls, 0}), &pidfd, value.data()) != 0) {
    return {};
  }
  return value;
}

std::uint64_t KernelRig::busy_frames() const {
  std::uint64_t busy = 0;
  if (memory_.scratch_bytes == 0) return 0;
  for (std::uint32_t i = 0; i < memory_.machine.cpus * kScratchLevels; ++i) {
    std::vector<std::uint64_t> frame(memory_.scratch_bytes / 8 + 1);
    bpf_map_lookup_elem(fd({MapKind::kScratch, 0}), &i, frame.data());
    busy += frame[0] != 0 ? 1 : 0;
  }
  return busy;
}

void KernelRig::take_frames(std::uint32_t count) {
  for (std::uint32_t i = 0; i < memory_.machine.cpus * kScratchLevels; ++i) {
    std::vector<std::uint64_t> frame(memory_.scratch_bytes / 8 + 1);
    frame[0] = i % kScratchLevels < count ? 1 : 0;
    bpf_map_update_elem(fd({MapKind::kScratch, 0}), &i, frame.data(), 0);
  }
}

Fd KernelRig::attach(const std::string& name) {
  Fd link(bpf_raw_tracepoint_open(name.c_str(), program_.get()));
  if (!link.valid()) fail("attach " + name);
  return link;
}

std::map<std::string, std::vector<std::uint64_t>> KernelRig::elements(MapRef ref) const {
  std::map<std::string, std::vector<std::uint64_t>> result;
  const int map = fd(ref);
  const auto [key_bytes, value_bytes] = sizes_.at(map);
  std::vector<char> key(key_bytes), next(key_bytes);
  bool first = true;
  while (bpf_map_get_next_key(map, first ? nullptr : key.data(), next.data()) == 0) {
    first = false;
    key = next;
    std::vector<std::uint64_t> value(value_bytes / 8);
    if (bpf_map_lookup_elem(map, key.data(), value.data()) != 0) continue;
    result[std::string(key.data(), key.size())] = value;
  }
  return result;
}

std::vector<std::vector<std::uint8_t>> KernelRig::records() {
  std::vector<std::vector<std::uint8_t>> result;
  ring_buffer* ring = ring_buffer__new(
      fd({MapKind::kRing, 0}),
      [](void* to, void* data, std::size_t size) {
        const auto* bytes = static_cast<std::uint8_t*>(data);
        static_cast<std::vector<std::vector<std::uint8_t>>*>(to)->emplace_back(bytes, bytes + size);
        return 0;
      },
      &result, nullptr);
  if (ring == nullptr) {
    fail("ring");
    return result;
  }
  ring_buffer__consume(ring);
  ring_buffer__free(ring);
  return result;
}

}  // namespace dt::bpf
