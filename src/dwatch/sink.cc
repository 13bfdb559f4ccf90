// See sink.h.

#include "dwatch/sink.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "dwatch/script.h"

namespace dt::dwatch {
namespace {

// The name of the program in "2026 Nov 25 12:00:00 0.0 NAME[12]: ...", which may have brackets
// itself.
std::string program_of(const std::string& event) {
  constexpr std::size_t kWordsBefore = 5;
  std::size_t begin = 0;
  for (std::size_t word = 0; word < kWordsBefore && begin < event.size(); ++word) {
    begin = event.find_first_not_of(' ', std::min(event.find(' ', begin), event.size()));
    begin = std::min(begin, event.size());
  }
  const std::size_t end = event.find("]: ", begin);
  const std::size_t bracket = event.rfind('[', std::min(end, event.size()));
  return bracket == std::string::npos || bracket < begin ? ""
                                                         : event.substr(begin, bracket - begin);
}

// "  1  => openat ...": a line of -F, and not its heading or what -E has printed.
bool is_firing(const std::string& line) {
  const std::size_t number = line.find_first_not_of(' ');
  const std::size_t blank = line.find_first_not_of("0123456789", number);
  const std::size_t mark = line.find_first_not_of(' ', blank);
  if (number == std::string::npos || blank == number || mark == std::string::npos) return false;
  const std::string_view rest = std::string_view(line).substr(mark);
  return rest.starts_with("=> ") || rest.starts_with("<= ") || rest.starts_with("-> ") ||
         rest.starts_with("<- ") || rest.starts_with("| ");
}

// Options for events, where there are none.
Status check_events(const Request& request) {
  if (!request.process_pattern.empty()) {
    return Error::of(fmt::format("-z: the lines of {} do not begin with a program",
                                 request.is_flow ? "-F" : "this profile"),
                     "-k NAME chooses programs");
  }
  if (request.most_events != 0 && !request.is_flow) {
    return Error::of("-N: this profile prints tables, and no events", "-T ends it after a time");
  }
  return {};
}

}  // namespace

Result<Pattern> Pattern::compile(char letter, const std::string& text) {
  Pattern pattern;
  if (text.empty()) {
    return pattern;
  }
  auto compiled = std::make_unique<regex_t>();
  if (const int code =
          ::regcomp(compiled.get(), text.c_str(), REG_EXTENDED | REG_NOSUB | REG_NEWLINE);
      code != 0) {
    std::array<char, 200> why{};
    ::regerror(code, compiled.get(), why.data(), why.size());
    return Error::of(
        fmt::format("-{}: '{}' is no regular expression: {}", letter, text, why.data()));
  }
  pattern.compiled_.reset(compiled.release());
  return pattern;
}

bool Pattern::matches(const std::string& text) const {
  return compiled_ == nullptr || ::regexec(compiled_.get(), text.c_str(), 0, nullptr, 0) == 0;
}

Result<Sink> Sink::make(const Request& request, bool has_events, Write write,
                        std::function<void()> end) {
  Sink sink;
  if (!has_events) {
    DT_TRY(check_events(request));
  }
  DT_ASSIGN(sink.block_, Pattern::compile('r', request.block_pattern));
  DT_ASSIGN(sink.process_, Pattern::compile('z', request.process_pattern));
  sink.has_events_ = has_events;
  sink.is_flow_ = request.is_flow;
  sink.most_ = request.most_events;
  sink.write_ = std::move(write);
  sink.end_ = std::move(end);
  return sink;
}

void Sink::take(std::string_view text) {
  const char separator = has_events_ ? kEndOfEvent : '\n';
  rest_ += text;
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = rest_.find(separator, begin)) != std::string::npos;) {
    if (has_events_) {
      take_event(rest_.substr(begin, end - begin));
    } else {
      take_line(rest_.substr(begin, end + 1 - begin));
    }
    begin = end + 1;
  }
  rest_.erase(0, begin);
}

void Sink::finish() {
  if (!has_events_) {
    take_line(rest_);
  } else if (rest_.find_first_not_of('\n') != std::string::npos) {
    take_event(rest_);
  }
  rest_.clear();
}

void Sink::take_event(const std::string& event) {
  const bool is_over = most_ != 0 && written_ == most_;
  if (!is_over && block_.matches(event) && process_.matches(program_of(event))) {
    write(event);
  }
}

// The heading of -F, and what -E prints between its lines, is no event.
void Sink::take_line(const std::string& line) {
  const bool is_event = is_flow_ && is_firing(line);
  const bool is_over = most_ != 0 && written_ == most_;
  if (line.empty() || is_over || ((is_event || !is_flow_) && !block_.matches(line))) {
    return;
  }
  if (is_event) {
    write(line);
  } else {
    write_(line);
  }
}

void Sink::write(const std::string& event) {
  write_(event);
  if (++written_ == most_) {
    end_();
  }
}

}  // namespace dt::dwatch
