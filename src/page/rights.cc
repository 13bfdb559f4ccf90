// See rights.h.

#include "page/rights.h"

#include <fmt/core.h>
#include <grp.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "support/whole_number.h"

namespace dt::page {
namespace {

constexpr unsigned kNobody = 65534;
constexpr rlim_t kMemoryBytes = 512 << 20;
constexpr rlim_t kDescriptors = 64;

std::optional<unsigned> number_in(const char* variable) {
  const char* const text = std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  const auto number = support::whole_number<unsigned>(text);
  return number != 0U ? number : std::nullopt;
}

std::string why_refused(const char* what) {
  return fmt::format("{}: {}", what, std::strerror(errno));
}

// No path can be opened from here on. A kernel without Landlock (it came with 5.13, and can be left
// out) leaves what an ordinary user has.
void leave_files() {
  landlock_ruleset_attr all{};
  // All that the first version knows: later kernels have more, which needs an open file.
  all.handled_access_fs = (1ULL << 13) - 1;
  const long ruleset = ::syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0);
  if (ruleset < 0) return;
  static_cast<void>(::syscall(SYS_landlock_restrict_self, ruleset, 0));
  ::close(static_cast<int>(ruleset));
}

bool limit(int resource, rlim_t most) {
  rlimit now{};
  if (::getrlimit(static_cast<__rlimit_resource>(resource), &now) != 0) return false;
  const rlim_t hard = now.rlim_max == RLIM_INFINITY || now.rlim_max > most ? most : now.rlim_max;
  const rlimit next = {hard, hard};
  return ::setrlimit(static_cast<__rlimit_resource>(resource), &next) == 0;
}

}  // namespace

std::optional<Account> account_of_page() {
  if (::geteuid() != 0) return std::nullopt;
  const auto uid = number_in("SUDO_UID"), gid = number_in("SUDO_GID");
  if (uid && gid) return Account{*uid, *gid};
  return Account{kNobody, kNobody};
}

std::optional<std::string> give_up_rights(const std::function<void()>& last_look) {
  if (const std::optional<Account> account = account_of_page()) {
    if (::setgroups(0, nullptr) != 0) return why_refused("setgroups");
    if (::setresgid(account->gid, account->gid, account->gid) != 0) return why_refused("setresgid");
    if (::setresuid(account->uid, account->uid, account->uid) != 0) return why_refused("setresuid");
    if (::setuid(0) == 0) return "the process can become root again";
  }
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return why_refused("no_new_privs");
  // Other processes of that user cannot read its memory.
  if (::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return why_refused("dumpable");
  if (last_look) last_look();
  if (!limit(RLIMIT_AS, kMemoryBytes) || !limit(RLIMIT_NOFILE, kDescriptors) ||
      !limit(RLIMIT_NPROC, 0) || !limit(RLIMIT_FSIZE, 0) || !limit(RLIMIT_CORE, 0)) {
    return why_refused("setrlimit");
  }
  leave_files();
  return std::nullopt;
}

}  // namespace dt::page
