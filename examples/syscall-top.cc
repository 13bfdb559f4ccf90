// The busiest system calls, each second: an aggregation that is read while it
// is filled.
//
//   c++ -std=c++20 syscall-top.cc $(pkg-config --cflags --libs dtrace) -o syscall-top
//   syscall-top [seconds [pid]]

#include <dtrace/tracer.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr std::size_t kShown = 10;

struct Line {
  std::string program, call;
  std::int64_t total = 0, now = 0;
};

// What has been added to each key since the table before.
std::vector<Line> read_lines(dtrace::Tracer& tracer, std::map<std::string, std::int64_t>& before) {
  std::vector<Line> lines;
  const dtrace::Status status = tracer.read("calls", [&](const dtrace::Row& row) {
    Line line{to_text(row.keys[0]), to_text(row.keys[1]), row.value, 0};
    line.now = line.total - std::exchange(before[line.program + '\t' + line.call], line.total);
    lines.push_back(std::move(line));
  });
  if (!status) {
    std::fprintf(stderr, "syscall-top: %s\n", status.error().text.c_str());
  }
  std::sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) { return a.now > b.now; });
  lines.resize(std::min(lines.size(), kShown));
  return lines;
}

}  // namespace

int main(int argc, char** argv) {
  const int seconds = argc > 1 ? std::atoi(argv[1]) : 5;
  std::string predicate;
  if (argc > 2) {
    predicate = std::string(" /pid == ") + argv[2] + "/";
  }
  dtrace::Tracer tracer;
  tracer.add({dtrace::Program::Kind::kName,
              "syscall:::entry" + predicate + " { @calls[execname, probefunc] = count(); }"});
  tracer.on_message([](const dtrace::Message& message) {
    std::fprintf(stderr, "syscall-top: %s\n", message.text.c_str());
  });
  tracer.end_on_signals();
  if (const dtrace::Status status = tracer.go(); !status) {
    std::fprintf(stderr, "syscall-top: %s\n%s", status.error().text.c_str(),
                 status.error().excerpt.c_str());
    return 1;
  }
  std::map<std::string, std::int64_t> before;
  for (int i = 0; i < seconds; ++i) {
    const dtrace::Result<bool> goes_on = tracer.poll(std::chrono::seconds(1));
    if (!goes_on || !*goes_on) {
      break;
    }
    std::printf("%-16s %-20s %10s %12s\n", "PROGRAM", "CALL", "PER SECOND", "TOTAL");
    for (const Line& line : read_lines(tracer, before)) {
      std::printf("%-16s %-20s %10lld %12lld\n", dtrace::escape_for_terminal(line.program).c_str(),
                  line.call.c_str(), static_cast<long long>(line.now),
                  static_cast<long long>(line.total));
    }
    std::printf("\n");
    std::fflush(stdout);
  }
  const dtrace::Status stopped = tracer.stop();
  if (!stopped) {
    std::fprintf(stderr, "syscall-top: %s\n", stopped.error().text.c_str());
  }
  return stopped ? tracer.exit_status() : 1;
}
