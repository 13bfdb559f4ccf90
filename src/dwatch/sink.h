#pragma once
// What an event has printed goes on to the output, or does not: -r, -z and -N.

#include <regex.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "dwatch/request.h"
#include "support/result.h"

namespace dt::dwatch {

// An extended regular expression, of which ^ and $ are ends of lines; without a text, it matches
// everything.
class Pattern {
 public:
  static Result<Pattern> compile(char letter, const std::string& text);
  bool matches(std::string_view text) const;
  bool is_given() const { return compiled_ != nullptr; }

 private:
  struct Free {
    void operator()(regex_t* compiled) const {
      ::regfree(compiled);
      delete compiled;
    }
  };
  std::unique_ptr<regex_t, Free> compiled_;
};

// The parts of an event's first line, "2026 Nov 25 12:00:00 0.0 cat[7]: details", where
// kEndOfProgram is before "[7]". What is not found is empty.
struct Parts {
  std::string_view date, user, group, program, pid, details;
};
Parts parts_of(std::string_view event);

// The event as it is shown: without kEndOfProgram.
std::string without_mark(std::string_view event);

// The same with its date and its program in colours, as terminals do it.
std::string in_colours(std::string_view event);

// Takes text in any pieces, and gives whole events, without their separators but with the ends of
// their programs.
class Sink {
 public:
  using Write = std::function<void(std::string_view event)>;
  // `end` is called behind the last event that is wanted; the events after it are dropped. Without
  // events there are the lines of tables. An error is of an option that has no meaning for them.
  static Result<Sink> make(const Request& request, bool has_events, Write write,
                           std::function<void()> end);

  void take(std::string_view text);
  // What no separator has come for: the lines of END, or a last part.
  void finish();

 private:
  void take_event(const std::string& event);
  void take_line(const std::string& line);
  void write(const std::string& event);

  bool is_wanted(const std::string& event) const;

  Pattern block_, process_, users_, groups_, pids_;
  bool has_events_ = true, has_tree_ = false;
  std::uint64_t most_ = 0, written_ = 0;
  std::string rest_;
  Write write_;
  std::function<void()> end_;
};

}  // namespace dt::dwatch
