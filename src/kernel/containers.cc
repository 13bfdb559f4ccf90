// See containers.h.
//
// The files are written by the engines' own encoders of JSON, without blanks between the tokens,
// and names have no character that JSON escapes ([a-zA-Z0-9_.-]): the text that is looked for is
// found as it is. A file with another form gives no names, and the number is still understood.

#include "kernel/containers.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "support/fd.h"
#include "support/file.h"

namespace dt::kernel {

namespace {

constexpr std::size_t kNumberLength = 64;
// What is shown, and the least that counts as a number: Docker takes fewer, but "db" is a name.
constexpr std::size_t kShownLength = 12, kLeastLength = 4;
constexpr std::string_view kDigits = "0123456789abcdef";

bool is_number(std::string_view text) {
  return text.size() == kNumberLength && text.find_first_not_of(kDigits) == text.npos;
}

// The value of a member whose value is a text: `"name":"`.
std::string_view json_text(std::string_view text, std::string_view member, std::size_t from = 0) {
  const std::string begin = fmt::format("\"{}\":\"", member);
  const std::size_t at = text.find(begin, from);
  if (at == text.npos) return {};
  const std::string_view value = text.substr(at + begin.size());
  return value.substr(0, value.find('"'));
}

struct Content {
  std::string text;
  std::uint32_t owner = 0;
};

constexpr std::size_t kMostOfUser = 4UL << 20;

// Users may have put anything instead of a file of theirs, and a fifo would be waited for. A file
// with more than `most` bytes is not read.
Content content_of(const std::string& path, std::size_t most = support::kMaxFileBytes) {
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat status {};
  if (!fd.valid() || ::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  Content content = {.text = "", .owner = status.st_uid};
  std::array<char, 65536> buffer;
  for (ssize_t n = 0; (n = ::read(fd.get(), buffer.data(), buffer.size())) > 0;) {
    content.text.append(buffer.data(), static_cast<std::size_t>(n));
    if (content.text.size() > most) return {};
  }
  return content;
}

std::vector<std::string> files_like(const char* pattern) {
  glob_t found{};
  std::vector<std::string> files;
  if (::glob(pattern, GLOB_NOSORT, nullptr, &found) == 0) {
    files.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  }
  ::globfree(&found);
  return files;
}

// Those that users run without root.
void add_users(ContainerOwners (*owners)(), std::vector<NamedContainer>& to) {
  ContainerOwners known;
  for (const std::string& file :
       files_like("/home/*/.local/share/containers/storage/*-containers/containers.json")) {
    const Content content = content_of(file, kMostOfUser);
    std::vector<NamedContainer> of_user;
    add_podman(content.text, of_user);
    if (!of_user.empty() && known.empty()) known = owners();
    add_of_user(of_user, content.owner, known, to);
  }
}

}  // namespace

std::string_view container_number(std::string_view cgroup) {
  if (cgroup.find("conmon") != cgroup.npos) return {};
  if (cgroup.ends_with(".scope")) cgroup.remove_suffix(std::string_view(".scope").size());
  const std::string_view last = cgroup.substr(cgroup.rfind('-') + 1);
  return is_number(last) ? last : std::string_view();
}

// Docker's own name of a container begins with "/", that of a volume or a policy does not.
void add_docker(std::string_view text, std::vector<NamedContainer>& to) {
  const std::string_view number = json_text(text, "ID");
  for (std::size_t at = 0; (at = text.find("\"Name\":\"/", at)) != text.npos; ++at) {
    const std::string_view name = json_text(text, "Name", at).substr(1);
    if (is_number(number) && !name.empty()) {
      to.push_back({std::string(name), std::string(number)});
      return;
    }
  }
}

void add_podman(std::string_view text, std::vector<NamedContainer>& to) {
  constexpr std::string_view kNames = "\",\"names\":[\"";
  for (std::size_t at = 0; (at = text.find(kNames, at)) != text.npos; ++at) {
    const std::string_view number =
        at < kNumberLength ? std::string_view() : text.substr(at - kNumberLength, kNumberLength);
    const std::string_view name = text.substr(at + kNames.size());
    if (is_number(number))
      to.push_back({std::string(name.substr(0, name.find('"'))), std::string(number)});
  }
}

void add_kubelet(std::string_view file_name, std::vector<NamedContainer>& to) {
  file_name.remove_prefix(file_name.rfind('/') + 1);
  if (!file_name.ends_with(".log")) return;
  file_name.remove_suffix(std::string_view(".log").size());
  const std::string_view number = container_number(file_name);
  if (number.empty()) return;
  const std::string pod(file_name.substr(0, file_name.find('_')));
  file_name.remove_suffix(1 + number.size());
  to.push_back({pod, std::string(number)});
  to.push_back(
      {pod + '/' + std::string(file_name.substr(file_name.rfind('_') + 1)), std::string(number)});
}

// Root's files are not in the homes of others: one that is found there is a link to any text.
void add_of_user(const std::vector<NamedContainer>& of_user, std::uint32_t user,
                 const ContainerOwners& owners, std::vector<NamedContainer>& to) {
  if (user == 0) return;
  std::set<std::string> have;
  for (const NamedContainer& each : to) have.insert(each.number);
  for (const NamedContainer& each : of_user) {
    const auto owner = owners.find(each.number);
    const bool is_own = owner != owners.end() && owner->second == std::set<std::uint32_t>{user};
    if (is_own && have.insert(each.number).second) to.push_back(each);
  }
}

std::vector<NamedContainer> named_containers(ContainerOwners (*owners)()) {
  std::vector<NamedContainer> named;
  for (const std::string& file : files_like("/var/lib/docker/containers/*/config.v2.json")) {
    add_docker(content_of(file).text, named);
  }
  constexpr std::array kPodman = {
      "/var/lib/containers/storage/*-containers/containers.json",
      "/root/.local/share/containers/storage/*-containers/containers.json"};
  for (const char* pattern : kPodman) {
    for (const std::string& file : files_like(pattern)) add_podman(content_of(file).text, named);
  }
  for (const std::string& file : files_like("/var/log/containers/*.log")) add_kubelet(file, named);
  add_users(owners, named);
  return named;
}

std::set<std::string> numbers_meant(std::string_view said, const std::vector<NamedContainer>& named,
                                    const std::set<std::string>& known_groups) {
  std::set<std::string> numbers;
  for (const NamedContainer& each : named) {
    if (each.name == said) numbers.insert(each.number);
  }
  if (!numbers.empty() || said.size() < kLeastLength ||
      said.find_first_not_of(kDigits) != said.npos) {
    return numbers;
  }
  for (const std::string& group : known_groups) {
    const std::string_view number = container_number(group);
    if (number.starts_with(said)) numbers.emplace(number);
  }
  return numbers;
}

// systemd-nspawn and libvirt have machine-NAME.scope, in which "-" is escaped; LXC
// lxc.payload.NAME.
std::set<std::string> groups_meant(const std::string& said, const std::set<std::string>& numbers,
                                   const std::set<std::string>& known_groups) {
  std::string escaped;
  for (const char c : said) escaped += c == '-' ? std::string("\\x2d") : std::string(1, c);
  for (const std::string& name :
       {said, said + ".service", said + ".scope", said + ".slice",
        fmt::format("machine-{}.scope", escaped), "lxc.payload." + said}) {
    if (known_groups.contains(name)) return {name};
  }
  std::set<std::string> meant;
  for (const std::string& group : known_groups) {
    if (numbers.contains(std::string(container_number(group)))) meant.insert(group);
  }
  return meant;
}

std::string said_name(const std::string& group, const std::vector<NamedContainer>& named) {
  const std::string number(container_number(group));
  if (number.empty()) return group;
  // The last one is the name that no other container has.
  const auto known = std::find_if(named.rbegin(), named.rend(),
                                  [&](const auto& each) { return each.number == number; });
  return known != named.rend() ? known->name : number.substr(0, kShownLength);
}

}  // namespace dt::kernel
