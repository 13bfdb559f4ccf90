// See sink.h.

#include "dwatch/sink.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "dwatch/script.h"

namespace dt::dwatch {
namespace {

// Of the rows that -R adds, " -+= 00012 0.0 sh -c ls"; the others have their names in the program's
// place.
Parts parts_of_row(std::string_view row) {
  Parts parts;
  const std::size_t mark = row.find("= ");
  if (mark == std::string_view::npos) return parts;
  row.remove_prefix(std::min(row.find_first_not_of('0', mark + 2), row.size()));
  parts.pid = row.substr(0, row.find(' '));
  row.remove_prefix(std::min(parts.pid.size() + 1, row.size()));
  const std::size_t point = row.find('.'), blank = row.find(' ');
  if (point == std::string_view::npos || blank == std::string_view::npos || point > blank)
    return {};
  parts.user = row.substr(0, point);
  parts.group = row.substr(point + 1, blank - point - 1);
  parts.program = row.substr(blank + 1);
  return parts;
}

// The process of an event, and those above it where -R shows them.
std::vector<Parts> people_of(std::string_view event, bool has_tree) {
  std::vector<Parts> people = {parts_of(event)};
  while (event.ends_with('\n')) event.remove_suffix(1);
  for (int i = 0; has_tree && i < kGenerations; ++i) {
    const std::size_t end = event.rfind('\n');
    if (end == std::string_view::npos) break;
    people.push_back(parts_of_row(event.substr(end + 1)));
    event = event.substr(0, end);
  }
  return people;
}

// Options for events, where there are none.
Status check_events(const Request& request) {
  if (request.most_events != 0) {
    return Error::of("-N: this profile prints tables, and no events", "-T ends it after a time");
  }
  if (!request.process_pattern.empty()) {
    return Error::of("-z: this profile prints tables, and no events", "-k NAME chooses programs");
  }
  const auto is_pattern = [](char letter, const std::vector<std::string>& values) {
    const Result<Identities> found = identities(letter, values);
    return found.ok() && !found->pattern.empty();
  };
  const std::pair<bool, char> kShows[] = {{request.is_flow, 'F'},
                                          {request.has_tree, 'R'},
                                          {request.has_probe_id, 'x'},
                                          {is_pattern('u', request.users), 'u'},
                                          {is_pattern('g', request.groups), 'g'},
                                          {is_pattern('p', request.pids), 'p'}};
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

bool Pattern::matches(std::string_view text) const {
  return compiled_ == nullptr ||
         ::regexec(compiled_.get(), std::string(text).c_str(), 0, nullptr, 0) == 0;
}

std::string without_mark(std::string_view event) {
  std::string text(event);
  if (const std::size_t mark = text.find(kEndOfProgram); mark != std::string::npos) {
    text.erase(mark, 1);
  }
  return text;
}

// Anybody may give a program a name such as "cat[1]: x": it ends where the mark is, which %S writes
// as an escape where a name has it.
Parts parts_of(std::string_view event) {
  constexpr int kWordsOfDate = 4;
  const std::size_t mark = event.find(kEndOfProgram);
  if (mark == std::string_view::npos) return {};
  std::size_t at = 0;
  for (int word = 0; word < kWordsOfDate; ++word) {
    at = std::min(event.find(' ', at), event.size());
    at = std::min(event.find_first_not_of(' ', at), event.size());
  }
  const std::size_t point = event.find('.', at), blank = event.find(' ', at);
  const std::size_t bracket = mark + 1, end = event.find("]: ", bracket);
  if (at == 0 || blank > mark || point > blank || end == std::string_view::npos) return {};
  constexpr std::size_t kBehindPid = 3;
  const std::string_view rest = event.substr(end + kBehindPid);
  return {.date = event.substr(0, at - 1),
          .user = event.substr(at, point - at),
          .group = event.substr(point + 1, blank - point - 1),
          .program = event.substr(blank + 1, mark - blank - 1),
          .pid = event.substr(bracket + 1, end - bracket - 1),
          .details = rest.substr(0, rest.find('\n'))};
}

// SGR sequences of ECMA-48: 2 is faint, 1 is bold; without a number, all is reset.
std::string in_colours(std::string_view event) {
  const Parts parts = parts_of(event);
  if (parts.date.empty()) return without_mark(event);
  const auto program = static_cast<std::size_t>(parts.program.data() - event.data());
  return fmt::format("\x1b[2m{}\x1b[m{}\x1b[1m{}\x1b[m{}", parts.date,
                     event.substr(parts.date.size(), program - parts.date.size()), parts.program,
                     event.substr(program + parts.program.size() + 1));
}

Result<Sink> Sink::make(const Request& request, bool has_events, Write write,
                        std::function<void()> end) {
  Sink sink;
  if (!has_events) {
    DT_TRY(check_events(request));
  }
  DT_ASSIGN(sink.block_, Pattern::compile('r', request.block_pattern));
  DT_ASSIGN(sink.process_, Pattern::compile('z', request.process_pattern));
  const auto identify = [](Pattern& pattern, char letter,
                           const std::vector<std::string>& values) -> Status {
    DT_ASSIGN(const Identities found, identities(letter, values));
    DT_ASSIGN(pattern, Pattern::compile(letter, found.pattern));
    return {};
  };
  DT_TRY(identify(sink.users_, 'u', request.users));
  DT_TRY(identify(sink.groups_, 'g', request.groups));
  DT_TRY(identify(sink.pids_, 'p', request.pids));
  sink.has_tree_ = request.has_tree;
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
  if (!is_over && (!block_.is_given() || block_.matches(without_mark(event))) && is_wanted(event)) {
    write(event);
  }
}

// Each option may find another one of the processes.
bool Sink::is_wanted(const std::string& event) const {
  if (!process_.is_given() && !users_.is_given() && !groups_.is_given() && !pids_.is_given()) {
    return true;
  }
  const std::vector<Parts> people = people_of(event, has_tree_);
  const auto has_one = [&people](const Pattern& pattern, std::string_view Parts::*part) {
    return std::any_of(people.begin(), people.end(), [&](const Parts& one) {
      return !(one.*part).empty() && pattern.matches(one.*part);
    });
  };
  const auto fits = [&](const Pattern& pattern, std::string_view Parts::*part) {
    return !pattern.is_given() || has_one(pattern, part);
  };
  return fits(process_, &Parts::program) && fits(users_, &Parts::user) &&
         fits(groups_, &Parts::group) && fits(pids_, &Parts::pid);
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
