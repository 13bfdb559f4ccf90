// See debuginfod.h.

#include "symbol/process/debuginfod.h"

#include <dlfcn.h>
#include <fmt/core.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "support/fd.h"

namespace dt::symbol {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxPaths = 16384;
// How long nothing may come, and how long a file may take in all.
constexpr auto kMostSilence = std::chrono::seconds(15);
constexpr auto kMostWait = std::chrono::seconds(180);
constexpr auto kFirstWord = std::chrono::seconds(2), kNextWord = std::chrono::seconds(10);

struct Client;  // debuginfod_client
using Progress = int (*)(Client*, long, long);

}  // namespace

// libdebuginfod, as far as it is called (elfutils/debuginfod.h). The library is opened at run time,
// and only if a server is set: it brings curl and a TLS library along, which no other use of dtrace
// needs.
struct Debuginfod::Library {
  void* handle = nullptr;
  Client* (*begin)() = nullptr;
  int (*find)(Client*, const unsigned char* build_id, int size, char** path) = nullptr;
  void (*set_progress)(Client*, Progress) = nullptr;
  void (*end)(Client*) = nullptr;
  Client* client = nullptr;

  template <typename Function>
  bool load(Function& to, const char* name) {
    to = reinterpret_cast<Function>(::dlsym(handle, name));
    return to != nullptr;
  }
  bool open() {
    handle = ::dlopen("libdebuginfod.so.1", RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr || !load(begin, "debuginfod_begin") ||
        !load(find, "debuginfod_find_debuginfo") ||
        !load(set_progress, "debuginfod_set_progressfn") || !load(end, "debuginfod_end")) {
      return false;
    }
    client = begin();
    return client != nullptr;
  }
  ~Library() {
    if (client != nullptr) end(client);
    // It stays mapped: curl, which it uses, cannot be unloaded.
  }
};

// One request, whose progress is reported.
struct Debuginfod::Wait {
  const ServerCallbacks& callbacks;
  std::string name;
  int interruptions = 0;
  Clock::time_point begin = Clock::now(), changed = begin, next_word = begin + kFirstWord;
  long received = 0;
  std::string why = {};  // it was ended

  // Called by the client a few times a second while it waits, so it is also where a Ctrl-C is
  // noticed. Nonzero ends the wait. `got` of `all` bytes have come; before the first one, the two
  // are other numbers.
  int look(long got, long all) {
    const auto now = Clock::now();
    if (got != received) {
      received = got;
      changed = now;
    }
    if (callbacks.interruptions() != interruptions) {
      why = "interrupted";
    } else if (now - changed > kMostSilence) {
      why = fmt::format("nothing came for {} seconds", kMostSilence.count());
    } else if (now - begin > kMostWait) {
      why = fmt::format("it took more than {} seconds", kMostWait.count());
    } else if (now >= next_word) {
      next_word = now + kNextWord;
      constexpr long kMega = 1 << 20;
      callbacks.say(all > 0 && got >= 0
                        ? fmt::format("debuginfod: the debug file of {}: {} of {} MB", name,
                                      got / kMega, (all + kMega - 1) / kMega)
                        : fmt::format("debuginfod: waiting for the debug file of {}", name));
    }
    return why.empty() ? 0 : 1;
  }
};

Debuginfod::Debuginfod(ServerCallbacks callbacks) : callbacks_(std::move(callbacks)) {}
Debuginfod::~Debuginfod() = default;

std::unique_ptr<Debuginfod> Debuginfod::configured(ServerCallbacks callbacks) {
  const char* const urls = std::getenv("DEBUGINFOD_URLS");
  if (urls == nullptr || std::strspn(urls, " \t") == std::strlen(urls)) return nullptr;
  return std::unique_ptr<Debuginfod>(new Debuginfod(std::move(callbacks)));
}

void Debuginfod::stop(const std::string& why) {
  is_over_ = true;
  callbacks_.say(fmt::format("debuginfod: {}; no more debug files are asked for", why));
}

std::string Debuginfod::ask(const std::string& build_id, const std::string& name) {
  if (library_ == nullptr) {
    library_ = std::make_unique<Library>();
    if (!library_->open()) {
      stop("DEBUGINFOD_URLS is set, but there is no libdebuginfod.so.1 (package libdebuginfod1)");
      return {};
    }
  }
  Wait wait{callbacks_, name, callbacks_.interruptions()};
  // The function is given no context.
  static thread_local Wait* asking = nullptr;
  asking = &wait;
  library_->set_progress(library_->client,
                         [](Client*, long got, long all) { return asking->look(got, all); });
  char* path = nullptr;
  const auto* const id = reinterpret_cast<const unsigned char*>(build_id.c_str());
  const int found = library_->find(library_->client, id, 0, &path);  // 0: in hexadecimal
  const Fd fd(found);
  const std::unique_ptr<char, void (*)(void*)> freed(path, std::free);
  if (fd.valid()) return path == nullptr ? std::string() : std::string(path);
  if (!wait.why.empty() || found != -ENOENT) {
    stop(fmt::format("the debug file of {}: {}", name,
                     wait.why.empty() ? std::strerror(-found) : wait.why));
  }
  return {};
}

std::optional<ElfFile> Debuginfod::fetch(const std::string& build_id, const std::string& name) {
  if (build_id.empty()) return std::nullopt;
  auto known = paths_.find(build_id);
  if (known == paths_.end()) {
    if (is_over_) return std::nullopt;
    if (paths_.size() >= kMaxPaths) paths_.clear();
    known = paths_.emplace(build_id, ask(build_id, name)).first;
  }
  if (known->second.empty()) return std::nullopt;
  Result<ElfFile> file = ElfFile::open(known->second);
  return file.ok() && file->build_id() == build_id ? std::optional(std::move(*file)) : std::nullopt;
}

}  // namespace dt::symbol
