// Workloads of other programs: commands of a shell, and pages of a server.
#include <arpa/inet.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <map>
#include <mutex>
#include <stdexcept>
#include <system_error>

#include "workloads.h"

extern char** environ;

namespace load {
namespace {

// How often each command or page was asked for.
class Tally {
 public:
  void add(const std::string& what) {
    const std::lock_guard guard(mutex_);
    ++all_[what];
  }

  std::vector<Count> counts() const {
    std::vector<Count> list;
    for (const auto& [what, number] : all_) list.push_back({what, number});
    return list;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::uint64_t> all_;
};

// A shell that reads commands from one pipe, and says in another one when it is done.
class Shell {
 public:
  explicit Shell(const std::string& path) {
    std::array<int, 2> to{}, from{};
    if (pipe2(to.data(), O_CLOEXEC) != 0 || pipe2(from.data(), O_CLOEXEC) != 0) {
      throw std::system_error(errno, std::generic_category(), "pipe");
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, to[0], 0);
    posix_spawn_file_actions_adddup2(&actions, from[1], 1);
    std::string name = path;
    std::array<char*, 2> argv = {name.data(), nullptr};
    // Its commands end by SIGPIPE as those of any shell do, though the generator ignores it.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t usual;
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    const int error =
        posix_spawnp(&pid_, path.c_str(), &actions, &attributes, argv.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close(to[0]);
    close(from[1]);
    in_ = to[1];
    out_ = from[0];
    if (error != 0) throw std::system_error(error, std::generic_category(), path);
  }

  Shell(const Shell&) = delete;
  Shell& operator=(const Shell&) = delete;

  ~Shell() {
    close(in_);
    close(out_);
    waitpid(pid_, nullptr, 0);
  }

  void run(const std::string& command) {
    const std::string line = "{ " + command + "; } </dev/null >/dev/null 2>&1; echo\n";
    char end = 0;
    if (write(in_, line.data(), line.size()) != static_cast<ssize_t>(line.size()) ||
        read(out_, &end, 1) != 1) {
      throw std::runtime_error("the shell has ended");
    }
  }

 private:
  pid_t pid_ = 0;
  int in_ = -1, out_ = -1;
};

class ProcStarter : public Workload {
 public:
  ProcStarter(const std::string& shell, unsigned workers) {
    for (unsigned i = 0; i < workers; ++i) shells_.push_back(std::make_unique<Shell>(shell));
  }

  void serve(const nlohmann::json& request, unsigned worker) override {
    const std::string command = request.at("command").get<std::string>();
    shells_[worker]->run(command);
    commands_.add(command);
  }

  std::vector<Count> counts() const override { return commands_.counts(); }

 private:
  std::vector<std::unique_ptr<Shell>> shells_;
  Tally commands_;
};

class Http : public Workload {
 public:
  Http(const std::string& server, std::uint16_t port) {
    address_.sin_family = AF_INET;
    address_.sin_port = htons(port);
    if (inet_pton(AF_INET, server.c_str(), &address_.sin_addr) != 1) {
      throw std::runtime_error("server: not an IPv4 address: " + server);
    }
  }

  void serve(const nlohmann::json& request, unsigned) override {
    const std::string uri = request.at("uri").get<std::string>();
    pages_.add(get(uri) ? uri : uri + " (failed)");
  }

  std::vector<Count> counts() const override { return pages_.counts(); }

 private:
  // Whether the server has answered with status 200.
  bool get(const std::string& uri) const {
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) throw std::system_error(errno, std::generic_category(), "socket");
    const std::string text = "GET " + uri + " HTTP/1.0\r\n\r\n";
    std::string answer;
    if (connect(fd, reinterpret_cast<const sockaddr*>(&address_), sizeof address_) == 0 &&
        send(fd, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size())) {
      std::array<char, 4096> part{};
      for (ssize_t n = 0; (n = recv(fd, part.data(), part.size(), 0)) > 0;) {
        answer.append(part.data(), static_cast<std::size_t>(n));
      }
    }
    close(fd);
    return answer.rfind("HTTP/1.", 0) == 0 && answer.compare(8, 4, " 200") == 0;
  }

  sockaddr_in address_{};
  Tally pages_;
};

}  // namespace

std::unique_ptr<Workload> make_proc_starter(const nlohmann::json& params, unsigned workers) {
  // A shell that has ended is an error with a message.
  signal(SIGPIPE, SIG_IGN);
  return std::make_unique<ProcStarter>(params.value("shell", "/bin/sh"), workers);
}

std::unique_ptr<Workload> make_http(const nlohmann::json& params, unsigned) {
  return std::make_unique<Http>(params.value("server", "127.0.0.1"),
                                params.at("port").get<std::uint16_t>());
}

}  // namespace load
