// dt_recording_soak: damaged recordings, replayed by the library in every form.
//
//   dt_recording_soak [--seed N] [--count N] [--seconds N] [--jobs N] [--samples DIRECTORY]
//                     [--keep DIRECTORY]
//
// Recordings are made of those in the directory of samples; seeds are N, N + 1, ... A recording
// that crashes a worker, takes too long or too much memory, or fails without a message is reported
// with its seed and kept, and the rest goes on; the exit status is 1. Times are those of the
// processor, so a busy machine fails nothing; --seconds ends the whole, however many are done.

#include <dirent.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "damage.h"
#include "dtrace/tracer.h"
#include "support/check.h"
#include "support/fd.h"
#include "support/file.h"
#include "tests/workers.h"

namespace dt::hostile {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kMaxJobs = 64;
constexpr std::uint64_t kSpread = 0x9e3779b97f4a7c15;  // seeds that follow each other
// Of one recording: memory above what a worker has at its start, and work.
constexpr std::uint64_t kMemoryBytes = std::uint64_t{1} << 30;
constexpr long kWorkSeconds = 10;
constexpr unsigned kHangSeconds = 300;

constexpr std::array kForms = {"text",     "json",   "jsonl",    "csv",        "none",
                               "views",    "html",   "term",     "svg",        "folded",
                               "pprof",    "chrome", "ctf",      "speedscope", "perfscript",
                               "perfetto", "otlp",   "graphite", "prometheus"};
constexpr std::array kRanges = {"1s..2s", "..100ms", "50ms..", "0s..0s", "1..9223372036854775807"};

struct Options {
  std::uint64_t seed = 1, count = 1, seconds = 0, jobs = 1;
  std::string samples = DT_RECORDING_SAMPLES, keep = "/tmp";
};

// In memory that all processes share.
struct Shared {
  std::atomic<std::uint64_t> recordings, whole, refused, bytes, failures;
  std::atomic<std::uint64_t> current[kMaxJobs];
};

struct Campaign {
  Options options;
  Clock::time_point start = Clock::now();
  Shared* shared = nullptr;
  std::vector<Sample> samples;

  bool is_over() const {
    return options.seconds > 0 && Clock::now() - start >= std::chrono::seconds(options.seconds);
  }
};

struct Case {
  Damaged damaged;
  std::string form, range;
  bool lists = false;     // dtrace -l -r
  bool compares = false;  // -x base= with itself
  bool has_values = false;
  std::string text() const {
    return fmt::format("{}, {}{}{}{}", damaged.what, lists ? "listed" : "oformat=" + form,
                       range.empty() ? "" : " range=" + range, compares ? " base=" : "",
                       has_values ? " with values" : "");
  }
};

Case make(const Campaign& campaign, std::uint64_t number) {
  Random random((campaign.options.seed + number) * kSpread);
  Case out;
  out.damaged = damage(campaign.samples[random.below(campaign.samples.size())], random);
  out.form = kForms[random.below(kForms.size())];
  if (random.one_in(6)) out.range = kRanges[random.below(kRanges.size())];
  out.lists = random.one_in(20);
  out.compares = random.one_in(10);
  out.has_values = random.one_in(10);
  return out;
}

std::string recording_path(int fd) { return fmt::format("/proc/self/fd/{}", fd); }

Fd in_memory(std::string_view bytes) {
  Fd fd(::memfd_create("recording", MFD_CLOEXEC));
  DT_CHECK(fd.valid(), "{}", std::strerror(errno));
  DT_CHECK(::write(fd.get(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  return fd;
}

// What is wrong with how it was taken; "" when nothing is.
std::string replay(const Case& one, const fs::path& home, Shared& shared) {
  const Fd file = in_memory(one.damaged.bytes);
  const std::string path = recording_path(file.get());
  std::uint64_t bytes = 0, messages = 0;
  dtrace::Tracer tracer;
  DT_CHECK(tracer.set_option("oformat", one.form).ok());
  if (!one.range.empty()) DT_CHECK(tracer.set_option("range", one.range).ok());
  if (one.compares) DT_CHECK(tracer.set_option("base", path).ok());
  DT_CHECK(tracer.open(path).ok());
  tracer.on_message(
      [&](const dtrace::Message& message) { messages += message.text.empty() ? 0 : 1; });
  if (one.has_values)
    tracer.on_record([&](const dtrace::Record& record) { bytes += record.actions.size(); });
  const auto refused = [&](const dtrace::Error& error) {
    ++shared.refused;
    return error.text.empty() ? "refused without a message" : "";
  };
  if (one.lists) {
    const auto summary = tracer.summarize();
    return summary.ok() ? "" : refused(summary.error());
  }
  if (const dtrace::Status status = tracer.compile(); !status.ok()) return refused(status.error());
  fs::create_directories(home);
  const bool is_directory = one.form == "ctf";
  const Fd into(is_directory ? ::open(home.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1);
  if (is_directory) {
    tracer.write_to(into.get(), home.string());
  } else {
    tracer.write_to([&](std::string_view text) { bytes += text.size(); });
  }
  const dtrace::Status status = tracer.run();
  std::error_code ignored;
  fs::remove_all(home, ignored);
  shared.bytes += bytes;
  if (!status.ok()) return refused(status.error());
  if (tracer.exit_status() == 0) ++shared.whole;
  return "";
}

void limit_memory() {
#if !defined(DT_SANITIZED)  // which reserves terabytes
  std::FILE* const statm = std::fopen("/proc/self/statm", "r");
  unsigned long long pages = 0;
  DT_CHECK(statm != nullptr && std::fscanf(statm, "%llu", &pages) == 1);
  std::fclose(statm);
  const rlimit limit{pages * 4096 + kMemoryBytes, pages * 4096 + kMemoryBytes};
  DT_CHECK(::setrlimit(RLIMIT_AS, &limit) == 0, "{}", std::strerror(errno));
#endif
}

void limit_time(long seconds) {
  const itimerval work{{0, 0}, {seconds, 0}};
  ::setitimer(ITIMER_PROF, &work, nullptr);
  ::alarm(seconds == 0 ? 0 : kHangSeconds);
}

void keep(const Campaign& campaign, std::uint64_t number, const std::string& why) {
  const std::uint64_t seed = campaign.options.seed + number;
  const Case one = make(campaign, number);
  const std::string kept = fmt::format("{}/recording-{}.dtr", campaign.options.keep, seed);
  const Fd fd(::open(kept.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  const std::string& bytes = one.damaged.bytes;
  const bool is_kept = fd.valid() && ::write(fd.get(), bytes.data(), bytes.size()) ==
                                         static_cast<ssize_t>(bytes.size());
  fmt::print("seed {}: {} ({}); {} {}\n", seed, why, one.text(),
             is_kept ? "the recording is" : "not written:", kept);
  std::fflush(stdout);
  ++campaign.shared->failures;
}

// Every jobs-th recording from the `from`th on.
void work(const Campaign& campaign, std::size_t job, std::uint64_t from) {
  Shared& shared = *campaign.shared;
  const fs::path home = fs::temp_directory_path() / fmt::format("recording-soak-{}", ::getpid());
  limit_memory();
  for (std::uint64_t i = from; i < campaign.options.count && !campaign.is_over();
       i += campaign.options.jobs) {
    const Case one = make(campaign, i);
    shared.current[job] = i;
    limit_time(kWorkSeconds);
    const std::string flaw = replay(one, home, shared);
    limit_time(0);
    ++shared.recordings;
    if (!flaw.empty()) keep(campaign, i, flaw);
  }
}

// In the order of their names, so that seeds mean the same everywhere.
std::vector<Sample> load_samples(const std::string& directory) {
  std::vector<fs::path> paths;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(directory, ignored)) {
    if (entry.path().extension() == ".dtr") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<Sample> out;
  for (const fs::path& path : paths) {
    auto bytes = support::read_file(path.string());
    DT_CHECK(bytes.ok(), "{}", path.string());
    out.push_back(take_apart(path.filename().string(), std::move(*bytes)));
  }
  return out;
}

bool parse_options(int argc, char** argv, Options& options) {
  const std::array<std::pair<std::string_view, std::uint64_t*>, 4> numbers = {
      {{"--seed", &options.seed},
       {"--count", &options.count},
       {"--seconds", &options.seconds},
       {"--jobs", &options.jobs}}};
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 == argc) return false;
    const std::string_view name = argv[i], value = argv[i + 1];
    if (name == "--samples" || name == "--keep") {
      (name == "--keep" ? options.keep : options.samples) = value;
      continue;
    }
    const auto* const found = std::find_if(numbers.begin(), numbers.end(),
                                           [&](const auto& one) { return one.first == name; });
    if (found == numbers.end()) return false;
    const auto parsed = std::from_chars(value.data(), value.data() + value.size(), *found->second);
    if (value.empty() || parsed.ptr != value.data() + value.size()) return false;
  }
  return options.jobs > 0 && options.jobs <= kMaxJobs;
}

int run(const Options& options) {
  Campaign campaign;
  campaign.options = options;
  campaign.samples = load_samples(options.samples);
  if (campaign.samples.empty()) {
    fmt::print(stderr, "no recording in {}\n", options.samples);
    return 2;
  }
  void* const memory =
      ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  DT_CHECK(memory != MAP_FAILED, "mmap: {}", std::strerror(errno));
  campaign.shared = new (memory) Shared();
  tests::run_workers(
      campaign.options.jobs,
      [&](std::size_t job, std::uint64_t from) { work(campaign, job, from); },
      [&](std::size_t job, int status) {
        const std::uint64_t number = campaign.shared->current[job];
        ++campaign.shared->recordings;
        keep(campaign, number, tests::how_it_ended(status, kWorkSeconds, kHangSeconds));
        return number;
      });
  const Shared& shared = *campaign.shared;
  const std::chrono::duration<double> took = Clock::now() - campaign.start;
  fmt::print(
      "{} recordings of {} samples from seed {}: {} refused, {} whole, {} bytes of output, {} "
      "failed, {:.1f} s\n",
      shared.recordings.load(), campaign.samples.size(), options.seed, shared.refused.load(),
      shared.whole.load(), shared.bytes.load(), shared.failures.load(), took.count());
  return shared.failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace dt::hostile

int main(int argc, char** argv) {
  dt::hostile::Options options;
  if (!dt::hostile::parse_options(argc, argv, options)) {
    fmt::print(stderr,
               "usage: {} [--seed N] [--count N] [--seconds N] [--jobs N] [--samples DIRECTORY] "
               "[--keep DIRECTORY]\n",
               argv[0]);
    return 2;
  }
  return dt::hostile::run(options);
}
