// See btf.h. Layout of a BTF blob: header, types, strings; a type is
// {name, info, size or type} and what its kind adds.

#include "kernel/btf.h"

#include <linux/btf.h>

#include <array>
#include <cstring>
#include <set>

#include "kernel/bpf_call.h"

namespace dt::kernel {
namespace {

// Offsets into the strings.
constexpr std::array<char, 11> kStrings = {'\0', 'i',  'n', 't', '\0', 'u',
                                           '8',  '\0', 'f', 'n', '\0'};
constexpr std::uint32_t kIntName = 1;
constexpr std::uint32_t kByteName = 5;
constexpr std::uint32_t kFunctionName = 8;

constexpr std::uint32_t info(std::uint32_t kind) { return kind << 24; }
constexpr std::uint32_t kSigned = std::uint32_t{BTF_INT_SIGNED} << 24;

Result<Fd> load(const std::string& object, std::span<const std::uint32_t> types) {
  const auto bytes = static_cast<std::uint32_t>(types.size_bytes());
  btf_header header = {};
  header.magic = BTF_MAGIC;
  header.version = BTF_VERSION;
  header.hdr_len = sizeof header;
  header.type_len = bytes;
  header.str_off = bytes;
  header.str_len = kStrings.size();
  std::vector<std::uint8_t> blob(sizeof header + bytes + kStrings.size());
  std::memcpy(blob.data(), &header, sizeof header);
  std::memcpy(blob.data() + sizeof header, types.data(), bytes);
  std::memcpy(blob.data() + sizeof header + bytes, kStrings.data(), kStrings.size());
  bpf_attr attr = zero_attr();
  attr.btf = to_u64(blob.data());
  attr.btf_size = static_cast<std::uint32_t>(blob.size());
  const int fd = bpf_call(BPF_BTF_LOAD, attr);
  if (fd < 0) {
    return bpf_error(BPF_BTF_LOAD, object, -fd);
  }
  return Fd(fd);
}

}  // namespace

Result<Fd> load_storage_btf(const std::string& map, std::uint32_t value_bytes) {
  constexpr std::uint32_t kByteType = 2;
  const std::array<std::uint32_t, 14> types = {
      kIntName, info(BTF_KIND_INT),   4, kSigned | 32, kByteName,       info(BTF_KIND_INT), 1, 8,
      0,        info(BTF_KIND_ARRAY), 0, kByteType,    kStorageKeyType, value_bytes};
  return load(map, types);
}

std::vector<std::uint32_t> function_starts(std::span<const bpf_insn> insns) {
  std::set<std::uint32_t> starts = {0};
  bool takes_address = false;
  for (std::uint32_t i = 0; i < insns.size(); ++i) {
    const bpf_insn& insn = insns[i];
    const bool is_call = insn.code == (BPF_JMP | BPF_CALL) && insn.src_reg == BPF_PSEUDO_CALL;
    const bool is_wide = insn.code == (BPF_LD | BPF_DW | BPF_IMM);
    const bool is_address = is_wide && insn.src_reg == BPF_PSEUDO_FUNC;
    if (is_call || is_address) {
      starts.insert(i + 1 + static_cast<std::uint32_t>(insn.imm));
    }
    takes_address = takes_address || is_address;
    i += is_wide ? 1 : 0;
  }
  return takes_address ? std::vector<std::uint32_t>(starts.begin(), starts.end())
                       : std::vector<std::uint32_t>();
}

Result<FunctionTypes> load_function_btf(const std::string& program,
                                        std::span<const bpf_insn> insns) {
  FunctionTypes out;
  const std::vector<std::uint32_t> starts = function_starts(insns);
  if (starts.empty()) {
    return out;
  }
  // int fn(): the verifier looks at what the code does, not at parameters, of
  // functions that are not global.
  constexpr std::uint32_t kPrototype = 2;
  std::vector<std::uint32_t> types = {kIntName, info(BTF_KIND_INT),        4, kSigned | 32,
                                      0,        info(BTF_KIND_FUNC_PROTO), 1};
  for (const std::uint32_t start : starts) {
    types.insert(types.end(), {kFunctionName, info(BTF_KIND_FUNC), kPrototype});
    out.functions.push_back(
        {start, kPrototype + 1 + static_cast<std::uint32_t>(out.functions.size())});
  }
  DT_ASSIGN(out.btf, load(program, types));
  return out;
}

}  // namespace dt::kernel
