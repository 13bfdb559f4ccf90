#pragma once
// Debug files that are nowhere on this machine, from servers (elfutils' debuginfod), where
// the person has named some in DEBUGINFOD_URLS. libdebuginfod asks them and keeps what it
// was given; it is opened at the first question, so that it need not be installed.

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "symbol/elf/file.h"
#include "symbol/process/value.h"

namespace dt::symbol {

class Debuginfod {
 public:
  // nullptr when no server is named.
  static std::unique_ptr<Debuginfod> configured(ServerCallbacks callbacks);
  ~Debuginfod();
  Debuginfod(const Debuginfod&) = delete;
  Debuginfod& operator=(const Debuginfod&) = delete;

  // What was stripped off the file `name`, by the identity that the linker gave it. Waits for
  // the answer, with limits. If a server does not answer, or the wait is interrupted, this is
  // reported once, and the server is not asked again.
  std::optional<ElfFile> fetch(const std::string& build_id, const std::string& name);

 private:
  struct Library;
  struct Wait;

  explicit Debuginfod(ServerCallbacks callbacks);
  // The path of the file; empty without one.
  std::string ask(const std::string& build_id, const std::string& name);
  void stop(const std::string& why);

  ServerCallbacks callbacks_;
  std::unique_ptr<Library> library_;
  bool is_over_ = false;
  std::unordered_map<std::string, std::string> paths_;  // by build id
};

}  // namespace dt::symbol
