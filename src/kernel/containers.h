#pragma once
// What people call a container or a service, and which control groups are meant: the number that
// `docker ps` prints, the name that an engine has for it, a service without ".service".
//
// An engine names a container's control group after its number, which has 64 hexadecimal digits:
// "docker-3f2a....scope", "libpod-3f2a...", "cri-containerd-3f2a....scope", or the number alone.
// People see the first 12 digits, or a name that only files of the engine have.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace dt::kernel {

// The number in the name of a control group; empty where there is none, and for the groups in which
// engines watch over a container ("libpod-conmon-...").
std::string_view container_number(std::string_view cgroup);

// A container, and what people call it: "web"; in Kubernetes the name of its pod, which several may
// share, and "pod/web".
struct NamedContainer {
  std::string name;
  std::string number;  // all digits
  bool operator==(const NamedContainer&) const = default;
};

// By the number of a container: the users who own the directories of its control groups.
using ContainerOwners = std::map<std::string, std::set<std::uint32_t>>;

// Those of Docker, Podman and the kubelet, also of the ones that do not run now. `owners`, such as
// container_owners() in zones.h, is called if there is a file of a user without rights.
std::vector<NamedContainer> named_containers(ContainerOwners (*owners)());

// What a file of theirs says: config.v2.json of one container of Docker, containers.json of Podman,
// and the name of a file in /var/log/containers, POD_NAMESPACE_CONTAINER-NUMBER.log.
void add_docker(std::string_view text, std::vector<NamedContainer>& to);
void add_podman(std::string_view text, std::vector<NamedContainer>& to);
void add_kubelet(std::string_view file_name, std::vector<NamedContainer>& to);

// What a file says that a user without rights may have written, who must not give names to the
// containers of others: of its containers, those without a name so far whose control groups are all
// owned by this user.
void add_of_user(const std::vector<NamedContainer>& of_user, std::uint32_t user,
                 const ContainerOwners& owners, std::vector<NamedContainer>& to);

// The numbers that begin so, or whose containers have this name.
std::set<std::string> numbers_meant(std::string_view said, const std::vector<NamedContainer>& named,
                                    const std::set<std::string>& known_groups);

// Of the names of control groups, those that are meant: the one of this name, the service, or those
// with one of the numbers. Of several, the name is ambiguous; none: it is not known.
std::set<std::string> groups_meant(const std::string& said, const std::set<std::string>& numbers,
                                   const std::set<std::string>& known_groups);

// A name that people understand: "web", "pod/web" or "3f2a51c0de12" for the group of a container.
std::string said_name(const std::string& group, const std::vector<NamedContainer>& named);

}  // namespace dt::kernel
