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

// Options for events, where there are none.
Status check_events(const Request& request) {
  if (request.most_events != 0) {
    return Error::of("-N: this profile prints tables, and no events", "-T ends it after a time");
  }
  if (!request.process_pattern.empty()) {
    return Error::of("-z: this profile prints tables, and no events", "-k NAME chooses programs");
  }
  const std::pair<bool, char> kShows[] = {
      {request.is_flow, 'F'}, {request.has_tree, 'R'}, {request.has_probe_id, 'x'}};
  for (const auto& [is_given, letter] : kShows) {
    if (is_given) {
      return Error::of(fmt::format("-{}: this profile prints tables, and no events", letter));
    }
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

void Sink::take_line(const std::string& line) {
  if (!line.empty() && block_.matches(line)) {
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
