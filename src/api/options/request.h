#pragma once
// What a Tracer was asked for, and its callbacks.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "api/options/options.h"
#include "dtrace/record.h"
#include "dtrace/tracer.h"

namespace dt::api {

struct Request {
  Options options;  // as they are before the programs are read
  std::vector<dtrace::Program> programs;
  std::vector<std::string> arguments;  // $1, $2, ...
  std::map<std::string, std::string> named_arguments;
  std::vector<std::string> commands;  // -c
  std::vector<std::int32_t> pids;     // -p
  bool unbuffered = false;            // -B
  bool wants_records = false;         // as values
};

inline bool is_script(const dtrace::Program& program) {
  return program.kind == dtrace::Program::Kind::kScript;
}

// Where the text goes: a descriptor and how messages call it, or a function, or
// nowhere.
struct Place {
  int fd = -1;
  std::string name;
  std::function<void(std::string_view)> take;
  bool replaces = false;  // a picture takes the place of what the file has held
};

// All of these run in the thread that called compile(), poll() or stop(), within that call. An
// empty one is not called.
struct Callbacks {
  std::function<void(const dtrace::Record&)> record;
  std::function<void(const dtrace::Drop&)> drop;
  std::function<void(const dtrace::Fault&)> fault;
  std::function<void(const dtrace::Message&)> message;
  std::function<void(const dtrace::Progress&)> progress;
  std::function<void(std::string_view)> dump;
  std::function<void(std::string_view line)> views;
  std::function<void(std::string_view text)> metrics;
  std::function<void(std::string_view message)> push;

  void say(std::string text, std::string excerpt = {}) const {
    if (message) {
      message(dtrace::Message{std::move(text), std::move(excerpt)});
    }
  }
  void begin(std::string_view stage) const {
    if (progress) {
      progress(dtrace::Progress{stage});
    }
  }
  void step(std::size_t number, std::size_t of) const {
    if (progress && of > 0) {
      progress(dtrace::Progress{{}, number, of});
    }
  }
  // Removes the progress line from the terminal, before other text is written to it.
  void stand_aside() const { begin({}); }
};

}  // namespace dt::api
