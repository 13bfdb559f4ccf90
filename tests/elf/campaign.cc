// See campaign.h.

#include "campaign.h"

#include <elf.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

#include "reading.h"
#include "support/check.h"
#include "support/fd.h"
#include "tests/workers.h"

namespace dt::elf {
namespace {

using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

constexpr std::uint64_t kMaxJobs = 64;
constexpr std::uint64_t kSpread = 0x9e3779b97f4a7c15;  // seeds that follow each other
// Of a worker: what it is allowed to take above what it has at its start, and for how long it
// may work on a file, or wait.
constexpr std::uint64_t kMemoryBytes = std::uint64_t{1} << 30;
constexpr long kWorkSeconds = 10;
constexpr unsigned kHangSeconds = 120;

#if defined(DT_SANITIZED)
constexpr bool kIsSanitized = true;  // which reserves terabytes
#else
constexpr bool kIsSanitized = false;
#endif

// What is known of the campaign, in memory that all its processes share.
struct Shared {
  std::atomic<std::uint64_t> files, functions, sites, notes, lines, failures;
  // By job: the number of its file, counted from 0, and whether it has begun one.
  std::atomic<std::uint64_t> current[kMaxJobs];
  std::atomic<bool> is_busy[kMaxJobs];
};

struct Campaign {
  Options options;
  std::uint64_t first = 1;  // seed
  std::uint64_t count = 1;
  Clock::time_point start = Clock::now();
  Shared* shared = nullptr;
  std::vector<Sample> samples;
  std::vector<std::vector<std::uint64_t>> sites;  // the true ones of each sample
  fs::path home;                                  // of workers, one directory each

  bool is_over() const {
    return options.seconds > 0 && Clock::now() - start >= std::chrono::seconds(options.seconds);
  }
};

Bytes read_bytes(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(in), {});
}

// In the order of their names, so that seeds mean the same everywhere.
void load_samples(Campaign& campaign) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(campaign.options.samples)) {
    if (entry.is_regular_file()) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths) {
    Sample sample{path.filename().string(), read_bytes(path)};
    if (sample.bytes.size() < SELFMAG || std::memcmp(sample.bytes.data(), ELFMAG, SELFMAG) != 0) {
      continue;
    }
    campaign.sites.push_back(instructions_of(path.string()));
    campaign.samples.push_back(std::move(sample));
  }
}

// What links of damaged files lead to, among it things that are no files, or lead back.
void make_neighbours(const Campaign& campaign, const fs::path& home) {
  fs::create_directories(home / ".debug");
  fs::create_directories(home / "directory");
  DT_CHECK(::mkfifo((home / "fifo").c_str(), 0600) == 0 || errno == EEXIST);
  std::error_code ignored;  // they are there when a worker takes another's place
  fs::create_symlink("loop", home / "loop", ignored);
  fs::create_symlink("self", home / "other.debug", ignored);
  fs::create_symlink("../self", home / ".debug" / "self", ignored);
  for (const Sample& sample : campaign.samples) {
    if (sample.name != "linked.debug") continue;
    std::ofstream(home / sample.name, std::ios::binary)
        .write(reinterpret_cast<const char*>(sample.bytes.data()),
               static_cast<std::streamsize>(sample.bytes.size()));
  }
}

// The one that was read before stays beside it: files may refer to each other.
void write_file(const fs::path& home, const Damaged& damaged) {
  const fs::path path = home / "self";
  ::rename(path.c_str(), (home / "other").c_str());
  const Fd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  DT_CHECK(fd.valid(), "{}: {}", path.string(), std::strerror(errno));
  const auto written = ::write(fd.get(), damaged.bytes.data(), damaged.bytes.size());
  DT_CHECK(written == static_cast<ssize_t>(damaged.bytes.size()));
  // Too large for the file system: as large as it is.
  static_cast<void>(::ftruncate(fd.get(), static_cast<off_t>(damaged.size)));
}

struct Made {
  std::size_t sample = 0;
  Damaged damaged;
};
Made make(const Campaign& campaign, std::uint64_t number) {
  Random random((campaign.first + number) * kSpread);
  const std::size_t sample = random.below(campaign.samples.size());
  return {sample, damage(campaign.samples[sample], random)};
}

void write_whole(const fs::path& path, const Damaged& damaged) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(damaged.bytes.data()),
             static_cast<std::streamsize>(damaged.bytes.size()));
  static_cast<void>(::truncate(path.c_str(), static_cast<off_t>(damaged.size)));
}

// Named by their seeds.
void write_programs(const Campaign& campaign) {
  for (std::uint64_t i = 0; i < campaign.count; ++i) {
    Random random((campaign.first + i) * kSpread);
    const Sample& sample = random.of(campaign.samples);
    const fs::path path = fs::path(campaign.options.write) / fmt::format("{}", campaign.first + i);
    write_whole(path, damage_unexecuted(sample, random));
    DT_CHECK(::chmod(path.c_str(), 0755) == 0, "{}: {}", path.string(), std::strerror(errno));
  }
}

void limit_memory() {
  if (kIsSanitized) return;  // it has options for that
  std::ifstream in("/proc/self/statm");
  std::uint64_t pages = 0;
  in >> pages;
  const std::uint64_t most = pages * 4096 + kMemoryBytes;
  const rlimit limit{most, most};
  DT_CHECK(::setrlimit(RLIMIT_AS, &limit) == 0, "{}", std::strerror(errno));
}

void limit_time() {
  const itimerval work{{0, 0}, {kWorkSeconds * (kIsSanitized ? 6 : 1), 0}};
  ::setitimer(ITIMER_PROF, &work, nullptr);
  ::alarm(kHangSeconds);
}

// Every jobs-th file from the `from`th on.
void work(const Campaign& campaign, std::size_t job, std::uint64_t from) {
  const fs::path home = campaign.home / fmt::format("{}", job);
  make_neighbours(campaign, home);
  limit_memory();
  Shared& shared = *campaign.shared;
  for (std::uint64_t i = from; i < campaign.count && !campaign.is_over();
       i += campaign.options.jobs) {
    const Made made = make(campaign, i);
    write_file(home, made.damaged);
    shared.current[job] = i;
    shared.is_busy[job] = true;
    limit_time();
    const bool is_checked = made.damaged.only_lies && !campaign.sites[made.sample].empty();
    const Read read = read_everything((home / "self").string(),
                                      is_checked ? &campaign.sites[made.sample] : nullptr);
    shared.is_busy[job] = false;
    ++shared.files;
    shared.functions += read.functions;
    shared.sites += read.sites;
    shared.notes += read.notes;
    shared.lines += read.lines;
  }
  const itimerval none{};
  ::setitimer(ITIMER_PROF, &none, nullptr);
  ::alarm(0);
}

// The file is kept as the worker had it, with its holes.
void report(const Campaign& campaign, std::size_t job, const std::string& why) {
  Shared& shared = *campaign.shared;
  const std::uint64_t number = shared.current[job];
  const fs::path kept =
      fs::path(campaign.options.keep) / fmt::format("elf-{}", campaign.first + number);
  const Damaged damaged = make(campaign, number).damaged;
  write_whole(kept, damaged);
  fmt::print("seed {}: {} ({}); the file is {}\n", campaign.first + number, why, damaged.what,
             kept.string());
  std::fflush(stdout);
  ++shared.files;
  ++shared.failures;
  shared.is_busy[job] = false;
}

Shared* share() {
  void* memory =
      ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  DT_CHECK(memory != MAP_FAILED, "mmap: {}", std::strerror(errno));
  return new (memory) Shared();
}

fs::path make_home() {
  std::string path = (fs::temp_directory_path() / "elf-soak-XXXXXX").string();
  DT_CHECK(::mkdtemp(path.data()) != nullptr, "{}: {}", path, std::strerror(errno));
  return path;
}

}  // namespace

int run_campaign(const Options& options) {
  Campaign campaign;
  campaign.options = options;
  campaign.options.jobs = std::min(options.jobs, kMaxJobs);
  const bool timed = options.seconds > 0 && options.count == 0;
  if (options.seed != 0) {
    campaign.first = options.seed;
  } else if (timed) {
    campaign.first = std::random_device()() * std::uint64_t{1'000'000};
  }
  campaign.count = timed ? UINT64_MAX - campaign.first : std::max<std::uint64_t>(options.count, 1);
  load_samples(campaign);
  if (campaign.samples.empty()) {
    fmt::print(stderr, "no ELF file in {}\n", options.samples);
    return 2;
  }
  if (!options.write.empty()) {
    write_programs(campaign);
    return 0;
  }
  campaign.shared = share();
  campaign.home = make_home();
  tests::run_workers(
      campaign.options.jobs,
      [&](std::size_t job, std::uint64_t from) { work(campaign, job, from); },
      [&](std::size_t job, int status) {
        const std::string why = tests::how_it_ended(status, kWorkSeconds, kHangSeconds);
        DT_CHECK(campaign.shared->is_busy[job], "a worker has ended: {}", why);
        report(campaign, job, why);
        return campaign.shared->current[job].load();
      });
  fs::remove_all(campaign.home);
  const Shared& shared = *campaign.shared;
  const std::chrono::duration<double> took = Clock::now() - campaign.start;
  fmt::print(
      "{} files of {} samples from seed {}: {} functions, {} places, {} notes, {} lines, {} "
      "failed, {:.1f} s\n",
      shared.files.load(), campaign.samples.size(), campaign.first, shared.functions.load(),
      shared.sites.load(), shared.notes.load(), shared.lines.load(), shared.failures.load(),
      took.count());
  return shared.failures == 0 ? 0 : 1;
}

}  // namespace dt::elf
