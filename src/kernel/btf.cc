// See btf.h. Layout of a BTF blob: header, types, strings; a type is
// {name, info, size or type} and what its kind adds.

#include "kernel/btf.h"

#include <linux/btf.h>

#include <cstring>
#include <set>

#include "kernel/bpf_call.h"
#include "kernel/insn.h"
#include "support/check.h"

namespace dt::kernel {
namespace {

// The word `info` of a type: the kind in bits 24-28, the number of members or parameters in bits
// 0-15.
constexpr std::uint32_t info(std::uint32_t kind, std::uint32_t length = 0) {
  return kind << 24 | length;
}
constexpr std::uint32_t kSigned = std::uint32_t{BTF_INT_SIGNED} << 24;

class Blob {
 public:
  // Each returns the number of the type.
  // The word behind an integer: its encoding in bits 24-27, its first bit in 16-23, its size in
  // bits in 0-7.
  std::uint32_t integer(const char* name, std::uint32_t bytes, bool is_signed) {
    return add({string(name), info(BTF_KIND_INT), bytes, (is_signed ? kSigned : 0) | bytes * 8});
  }
  std::uint32_t array(std::uint32_t element, std::uint32_t index, std::uint32_t count) {
    return add({0, info(BTF_KIND_ARRAY), 0, element, index, count});
  }
  std::uint32_t pointer(std::uint32_t to) { return add({0, info(BTF_KIND_PTR), to}); }
  // The parameters of a function must have names, or the kernel refuses the blob.
  std::uint32_t prototype(std::uint32_t result, const std::vector<std::uint32_t>& parameters) {
    std::vector<std::uint32_t> words = {
        0, info(BTF_KIND_FUNC_PROTO, static_cast<std::uint32_t>(parameters.size())), result};
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const char name[] = {'p', static_cast<char>('1' + i), '\0'};
      words.push_back(string(name));
      words.push_back(parameters[i]);
    }
    return add(words);
  }
  std::uint32_t function(const std::string& name, std::uint32_t prototype, bool is_global) {
    return add({string(name), info(BTF_KIND_FUNC, is_global ? BTF_FUNC_GLOBAL : BTF_FUNC_STATIC),
                prototype});
  }

  Result<Fd> load(const std::string& object) const {
    btf_header header = {};
    header.magic = BTF_MAGIC;
    header.version = BTF_VERSION;
    header.hdr_len = sizeof header;
    header.type_len = static_cast<std::uint32_t>(types_.size() * sizeof types_[0]);
    header.str_off = header.type_len;
    header.str_len = static_cast<std::uint32_t>(strings_.size());
    std::vector<std::uint8_t> blob(sizeof header + header.type_len + header.str_len);
    std::memcpy(blob.data(), &header, sizeof header);
    std::memcpy(blob.data() + sizeof header, types_.data(), header.type_len);
    std::memcpy(blob.data() + sizeof header + header.str_off, strings_.data(), header.str_len);
    bpf_attr attr = zero_attr();
    attr.btf = to_u64(blob.data());
    attr.btf_size = static_cast<std::uint32_t>(blob.size());
    const int fd = bpf_call(BPF_BTF_LOAD, attr);
    if (fd < 0) {
      return bpf_error(BPF_BTF_LOAD, object, -fd);
    }
    return Fd(fd);
  }

 private:
  std::uint32_t add(const std::vector<std::uint32_t>& words) {
    types_.insert(types_.end(), words.begin(), words.end());
    return ++count_;
  }
  std::uint32_t string(const std::string& text) {
    if (text.empty()) {
      return 0;
    }
    const auto offset = static_cast<std::uint32_t>(strings_.size());
    strings_.insert(strings_.end(), text.begin(), text.end());
    strings_.push_back('\0');
    return offset;
  }

  std::vector<std::uint32_t> types_;
  // The kernel requires that the strings begin with an empty one: offset 0 means "no name".
  std::vector<char> strings_ = {'\0'};
  std::uint32_t count_ = 0;
};

// Of functions whose address a program takes, when it tells nothing of them.
std::vector<Function> untold_functions(std::span<const bpf_insn> insns) {
  std::vector<Function> functions;
  for (const std::uint32_t start : function_starts(insns)) {
    functions.push_back({.insn = start, .name = {}});
  }
  return functions;
}

}  // namespace

// The kernel creates a map of task storage only with types of its key and of its value.
Result<Fd> load_storage_btf(const std::string& map, std::uint32_t value_bytes) {
  Blob blob;
  const std::uint32_t key = blob.integer("int", 4, true);
  const std::uint32_t byte = blob.integer("u8", 1, false);
  const std::uint32_t value = blob.array(byte, key, value_bytes);
  DT_CHECK(key == kStorageKeyType && value == kStorageValueType, "{} {}", key, value);
  return blob.load(map);
}

// The verifier accepts the address of a function (BPF_PSEUDO_FUNC, for bpf_loop) only in a program
// that describes all of its functions (func_info). Programs with calls alone need no description.
std::vector<std::uint32_t> function_starts(std::span<const bpf_insn> insns) {
  std::set<std::uint32_t> starts = {0};
  bool takes_address = false;
  for (std::uint32_t i = 0; i < insns.size(); ++i) {
    const bpf_insn& insn = insns[i];
    const bool is_call = insn.code == (BPF_JMP | BPF_CALL) && insn.src_reg == BPF_PSEUDO_CALL;
    const bool is_wide = insn::is_wide(insn);
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

// For a program without global functions, names and prototypes are placeholders: the verifier does
// not compare them with the code.
Result<FunctionTypes> load_function_btf(const std::string& program, std::span<const bpf_insn> insns,
                                        std::span<const Function> functions) {
  FunctionTypes out;
  std::vector<Function> untold;
  if (functions.empty()) {
    untold = untold_functions(insns);
    functions = untold;
  }
  if (functions.empty()) {
    return out;
  }
  Blob blob;
  const std::uint32_t result = blob.integer("int", 4, true);
  const std::uint32_t scalar = blob.integer("u64", 8, false);
  const std::uint32_t byte = blob.integer("u8", 1, false);
  const std::uint32_t no_parameters = blob.prototype(result, {});
  for (const Function& function : functions) {
    // The verifier looks at what the code does, not at parameters, of
    // functions that are not global.
    std::uint32_t prototype = no_parameters;
    if (function.is_global) {
      std::vector<std::uint32_t> parameters;
      for (const Parameter& parameter : function.parameters) {
        parameters.push_back(parameter.kind == Parameter::Kind::kScalar
                                 ? scalar
                                 : blob.pointer(blob.array(byte, result, parameter.bytes)));
      }
      prototype = blob.prototype(result, parameters);
    }
    const std::string& name = function.insn == 0 ? program : function.name;
    out.functions.push_back(
        {function.insn, blob.function(name.empty() ? "fn" : name, prototype, function.is_global)});
  }
  DT_ASSIGN(out.btf, blob.load(program));
  return out;
}

}  // namespace dt::kernel
