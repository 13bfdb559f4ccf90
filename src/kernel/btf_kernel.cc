// The kernel's own BTF, as far as kernel/ needs it: the number of a function, by
// which a program names it. types/ is the reader of BTF for everybody else.

#include <linux/btf.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

#include "kernel/btf.h"

namespace dt::kernel {
namespace {

constexpr const char* kPath = "/sys/kernel/btf/vmlinux";
constexpr std::uint32_t kEnum64 = 19;  // BTF_KIND_ENUM64, newer than some headers

std::string read_all(const char* path) {
  constexpr std::size_t kChunk = 1 << 20;
  std::string bytes;
  std::ifstream file(path, std::ios::binary);
  while (file) {
    const std::size_t size = bytes.size();
    bytes.resize(size + kChunk);
    file.read(bytes.data() + size, kChunk);
    bytes.resize(size + static_cast<std::size_t>(file.gcount()));
  }
  return bytes;
}

// The bytes that stand behind a type's record of three words.
std::size_t tail_bytes(std::uint32_t kind, std::uint32_t count) {
  switch (kind) {
    case BTF_KIND_INT:
    case BTF_KIND_VAR:
    case BTF_KIND_DECL_TAG:
      return 4;
    case BTF_KIND_ARRAY:
      return sizeof(btf_array);
    case BTF_KIND_STRUCT:
    case BTF_KIND_UNION:
    case BTF_KIND_DATASEC:
    case kEnum64:
      return std::size_t{count} * 12;
    case BTF_KIND_ENUM:
    case BTF_KIND_FUNC_PROTO:
      return std::size_t{count} * 8;
    default:
      return 0;
  }
}

}  // namespace

Result<std::uint32_t> kernel_function_id(std::string_view name) {
  const std::string bytes = read_all(kPath);
  btf_header header = {};
  if (bytes.size() >= sizeof header) {
    std::memcpy(&header, bytes.data(), sizeof header);
  }
  if (header.magic != BTF_MAGIC) {
    return Error{fmt::format("{}: there is no type information of the kernel", kPath), ENOENT,
                 "use a kernel built with CONFIG_DEBUG_INFO_BTF", ""};
  }
  std::size_t at = std::size_t{header.hdr_len} + header.type_off;
  const std::size_t end = std::min(bytes.size(), at + header.type_len);
  const std::size_t strings = std::size_t{header.hdr_len} + header.str_off;
  for (std::uint32_t id = 1; at + sizeof(btf_type) <= end; ++id) {
    btf_type type;
    std::memcpy(&type, bytes.data() + at, sizeof type);
    const std::uint32_t kind = BTF_INFO_KIND(type.info);
    const std::size_t text = strings + type.name_off;
    if (kind == BTF_KIND_FUNC && text + name.size() < bytes.size() &&
        std::string_view(bytes.data() + text, name.size()) == name &&
        bytes[text + name.size()] == '\0') {
      return id;
    }
    at += sizeof type + tail_bytes(kind, BTF_INFO_VLEN(type.info));
  }
  return Error{fmt::format("the kernel's BTF has no function '{}'", name), ENOENT, "", ""};
}

}  // namespace dt::kernel
