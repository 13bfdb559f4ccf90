// The kernel's own BTF, as far as kernel/ needs it: the number of a function, by
// which a program names it. types/ is the reader of BTF for everybody else.

#include <linux/btf.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>

#include "kernel/bpf_call.h"
#include "kernel/btf.h"
#include "support/file.h"

namespace dt::kernel {
namespace {

constexpr std::uint32_t kEnum64 = 19;  // BTF_KIND_ENUM64, newer than some headers

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

// BTF objects have no names by which they could be opened: all of them are tried, those of other
// tracers' programs among them, which `kernel_btf` tells apart.
Result<Fd> open_kernel_btf(const std::string& object) {
  bpf_attr next = zero_attr();
  while (bpf_call(BPF_BTF_GET_NEXT_ID, next) == 0) {
    bpf_attr open = zero_attr();
    open.btf_id = next.next_id;
    Fd btf(bpf_call(BPF_BTF_GET_FD_BY_ID, open));
    next.start_id = next.next_id;
    if (!btf.valid()) {
      continue;  // it went away
    }
    std::array<char, 64> name = {};
    bpf_btf_info info = {};
    info.name = to_u64(name.data());
    info.name_len = name.size();
    if (bpf_info(btf.get(), &info, sizeof info) == 0 && info.kernel_btf != 0 &&
        object == name.data()) {
      return btf;
    }
  }
  return Error::of_code(fmt::format("the kernel has no type information of module '{}'", object),
                        ENOENT, "use a kernel built with CONFIG_DEBUG_INFO_BTF_MODULES");
}

// The first call finds the size, the second one copies the bytes.
Result<BtfBytes> kernel_btf_bytes(const std::string& object) {
  DT_ASSIGN(const Fd btf, open_kernel_btf(object));
  bpf_btf_info info = {};
  int result = bpf_info(btf.get(), &info, sizeof info);
  if (result < 0) return bpf_error(BPF_OBJ_GET_INFO_BY_FD, object, -result);
  BtfBytes bytes;
  bytes.size = info.btf_size;
  bytes.data = std::make_unique_for_overwrite<std::uint8_t[]>(bytes.size);
  info = {};
  info.btf = to_u64(bytes.data.get());
  info.btf_size = static_cast<std::uint32_t>(bytes.size);
  result = bpf_info(btf.get(), &info, sizeof info);
  if (result < 0) return bpf_error(BPF_OBJ_GET_INFO_BY_FD, object, -result);
  return bytes;
}

// The number of a type is its place in the sequence of records, from 1; number 0 is void. The
// records have different sizes, so there is no way to one but through all before it.
Result<std::uint32_t> kernel_function_id(std::string_view name) {
  // Only CAP_SYS_ADMIN may ask for objects of BTF; all may read the file, which takes longer.
  const Result<BtfBytes> known = kernel_btf_bytes("vmlinux");
  Result<std::string> file = std::string();
  if (!known.ok()) file = support::read_file("/sys/kernel/btf/vmlinux");
  if (!file.ok() && file.error().code != ENOENT) return file.error();
  const std::string_view bytes =
      known.ok()  ? std::string_view(reinterpret_cast<const char*>(known->data.get()), known->size)
      : file.ok() ? std::string_view(*file)
                  : std::string_view();
  btf_header header = {};
  if (bytes.size() >= sizeof header) {
    std::memcpy(&header, bytes.data(), sizeof header);
  }
  if (header.magic != BTF_MAGIC) {
    return Error::of_code("there is no type information of the kernel", ENOENT,
                          "use a kernel built with CONFIG_DEBUG_INFO_BTF");
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
  return Error::of_code(fmt::format("the kernel's BTF has no function '{}'", name), ENOENT);
}

}  // namespace dt::kernel
