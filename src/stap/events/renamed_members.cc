// See renamed_members.h.
//
// The table has members whose values mean the same. One that counts in another unit since then
// (tcp_sock.srtt), or that is another structure (task_struct.cred->uid), is not among them.

#include "stap/events/renamed_members.h"

#include <array>
#include <optional>
#include <string>

namespace dt::stap {
namespace {

constexpr std::size_t kMostNames = 2;
struct Renamed {
  std::string_view structure, was;
  std::array<std::string_view, kMostNames> is;
};
constexpr Renamed kRenamed[] = {
    {"task_struct", "state", {"__state"}},                   // 5.14
    {"task_struct", "cpu", {"thread_info", "cpu"}},          // 5.16
    {"task_struct", "real_start_time", {"start_boottime"}},  // 5.5
    {"bio", "bi_sector", {"bi_iter", "bi_sector"}},          // 3.14
    {"bio", "bi_size", {"bi_iter", "bi_size"}},              // 3.14
    {"bio", "bi_idx", {"bi_iter", "bi_idx"}},                // 3.14
    {"bio", "bi_rw", {"bi_opf"}},                            // 4.8
    {"bio", "bi_disk", {"bi_bdev", "bd_disk"}},              // 5.12
    {"request", "rq_disk", {"q", "disk"}},                   // 5.17
    {"file", "f_dentry", {"f_path", "dentry"}},              // 3.19
    {"file", "f_vfsmnt", {"f_path", "mnt"}},                 // 3.19
    {"inet_sock", "sport", {"inet_sport"}},                  // 2.6.33
    {"inet_sock", "num", {"inet_num"}},                      // 2.6.33
    {"sock", "sk_flags", {"__sk_common", "skc_flags"}},      // 3.14
    {"vm_fault", "virtual_address", {"address"}},            // 4.10
    {"mm_struct", "mmap_sem", {"mmap_lock"}},                // 5.8
    {"page", "_count", {"_refcount"}},                       // 4.6
    {"address_space", "page_tree", {"i_pages"}},             // 4.17
};

std::optional<types::TypeId> member_type(const types::Catalog& types, types::TypeId id,
                                         std::string_view name) {
  types::TypeId type = types.resolve(id);
  if (types.resolved(type).kind == types::Kind::kPointer) {
    type = types.resolve(types.resolved(type).target);
  }
  const types::Kind kind = types.resolved(type).kind;
  if (kind != types::Kind::kStruct && kind != types::Kind::kUnion) return std::nullopt;
  const auto found = types.member(type, name);
  return found ? std::optional(found->type) : std::nullopt;
}

}  // namespace

std::span<const std::string_view> renamed_member(const types::Catalog& types,
                                                 types::TypeId structure, std::string_view name) {
  constexpr std::string_view kStruct = "struct ";
  std::string of = types.name(types.resolve(structure));
  if (of.starts_with(kStruct)) of.erase(0, kStruct.size());
  for (const Renamed& one : kRenamed) {
    if (one.structure != of || one.was != name) continue;
    const std::size_t count = one.is[1].empty() ? 1 : one.is.size();
    std::optional<types::TypeId> at = structure;
    for (std::size_t i = 0; i < count && at; ++i) at = member_type(types, *at, one.is[i]);
    if (at) return std::span(one.is).first(count);
  }
  return {};
}

}  // namespace dt::stap
