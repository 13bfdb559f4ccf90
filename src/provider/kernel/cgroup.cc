// The cgroup provider: control groups that are made, changed and removed, and the tasks that
// are moved between them.
//
//   mkdir rmdir release rename freeze unfreeze   { struct cgroup *, its path }
//   attach-task transfer-tasks                   { the new struct cgroup *, its path,
//                                                  struct task_struct *,
//                                                  whether its whole process is moved }
//   notify-populated notify-frozen               { struct cgroup *, its path, 0 or 1 }
//
// The raw arguments are those of the tracepoints. lib/cgroup.d translates arg0 and arg1. The path
// is in a buffer of the kernel that the next event overwrites: it is read while the probe fires.

#include "provider/mechanism/providers.h"
#include "provider/mechanism/stable.h"

namespace dt::provider {
namespace {

enum Word : std::uint32_t { kGroup, kPath, kSubject, kIsWhole };
constexpr std::uint32_t kWordsOfGroup = 2;

bpf::Reg word(StableCode& code, std::uint32_t n) { return code.word(n); }

}  // namespace

std::unique_ptr<Provider> cgroup_provider(const types::Catalog& types) {
  const probe::Argument group = {"cginfo_t *", false, "struct cgroup *", kGroup};
  const std::vector<probe::Argument> changed = {group};
  const std::vector<probe::Argument> moved = {
      group,
      {"lwpsinfo_t *", false, "struct task_struct *", kSubject},
      {"psinfo_t *", false, "struct task_struct *", kSubject},
      {"int", false, "int", kIsWhole}};
  const std::vector<probe::Argument> notified = {group, {"int", false, "int", kSubject}};
  return stable_provider(
      "cgroup", types,
      {
          {"attach-task", "cgroup_attach_task", nullptr, moved, word},
          {"freeze", "cgroup_freeze", nullptr, changed, word, kWordsOfGroup},
          {"mkdir", "cgroup_mkdir", nullptr, changed, word, kWordsOfGroup},
          {"notify-frozen", "cgroup_notify_frozen", nullptr, notified, word, 3},
          {"notify-populated", "cgroup_notify_populated", nullptr, notified, word, 3},
          {"release", "cgroup_release", nullptr, changed, word, kWordsOfGroup},
          {"rename", "cgroup_rename", nullptr, changed, word, kWordsOfGroup},
          {"rmdir", "cgroup_rmdir", nullptr, changed, word, kWordsOfGroup},
          {"transfer-tasks", "cgroup_transfer_tasks", nullptr, moved, word},
          {"unfreeze", "cgroup_unfreeze", nullptr, changed, word, kWordsOfGroup},
      });
}

}  // namespace dt::provider
