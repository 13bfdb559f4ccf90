// Records of processes, whole and cut off anywhere.

#include "kernel/process_events.h"

#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <sys/sysmacros.h>

#include <cstring>

namespace dt::kernel {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Kind = ProcessEvent::Kind;

template <typename... T>
Bytes record(std::uint32_t type, std::uint16_t misc, T... fields) {
  Bytes out(sizeof(perf_event_header));
  const auto add = [&](auto field) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(&field);
    out.insert(out.end(), bytes, bytes + sizeof field);
  };
  (add(fields), ...);
  const perf_event_header header{type, misc, static_cast<std::uint16_t>(out.size())};
  std::memcpy(out.data(), &header, sizeof header);
  return out;
}

struct Path {
  char text[16];
};

Bytes mapping(std::uint32_t protection) {
  return record(PERF_RECORD_MMAP2, 0, 10, 11, std::uint64_t{0x1000}, std::uint64_t{0x2000},
                std::uint64_t{0x300}, std::uint32_t{8}, std::uint32_t{1}, std::uint64_t{77},
                std::uint64_t{9}, protection, std::uint32_t{2}, Path{"/lib/x.so"},
                std::uint64_t{555});
}

TEST(ProcessEvents, AreForksExecsMapsAndEnds) {
  ProcessEvent event;
  ASSERT_TRUE(parse_process_event(
      record(PERF_RECORD_FORK, 0, 20, 10, 20, 11, std::uint64_t{1}, std::uint64_t{5}), event));
  EXPECT_EQ(event.kind, Kind::kFork);
  EXPECT_EQ(event.pid, 20);
  EXPECT_EQ(event.parent, 10);
  EXPECT_EQ(event.time, 5U);
  ASSERT_TRUE(parse_process_event(
      record(PERF_RECORD_EXIT, 0, 20, 10, 20, 11, std::uint64_t{1}, std::uint64_t{6}), event));
  EXPECT_EQ(event.kind, Kind::kExit);
  ASSERT_TRUE(parse_process_event(
      record(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, 20, 20, Path{"sh"}, std::uint64_t{7}),
      event));
  EXPECT_EQ(event.kind, Kind::kExec);
  EXPECT_EQ(event.pid, 20);
  ASSERT_TRUE(parse_process_event(mapping(5), event));
  EXPECT_EQ(event.kind, Kind::kMap);
  EXPECT_EQ(event.pid, 10);
  EXPECT_EQ(event.begin, 0x1000U);
  EXPECT_EQ(event.end, 0x3000U);
  EXPECT_EQ(event.file_offset, 0x300U);
  EXPECT_EQ(event.device, makedev(8, 1));
  EXPECT_EQ(event.inode, 77U);
  EXPECT_EQ(event.generation, 9U);
  EXPECT_EQ(event.path, "/lib/x.so");
  EXPECT_EQ(event.time, 555U);
}

TEST(ProcessEvents, ThreadsNamesAndDataAreNone) {
  ProcessEvent event;
  EXPECT_FALSE(parse_process_event(
      record(PERF_RECORD_FORK, 0, 10, 10, 12, 11, std::uint64_t{1}, std::uint64_t{5}), event));
  EXPECT_FALSE(parse_process_event(
      record(PERF_RECORD_EXIT, 0, 10, 10, 12, 11, std::uint64_t{1}, std::uint64_t{5}), event));
  EXPECT_FALSE(parse_process_event(
      record(PERF_RECORD_COMM, 0, 20, 20, Path{"renamed"}, std::uint64_t{7}), event));
  EXPECT_FALSE(parse_process_event(mapping(1), event)) << "not to be executed";
  EXPECT_FALSE(parse_process_event(
      record(PERF_RECORD_THROTTLE, 0, std::uint64_t{0}, std::uint64_t{7}), event));
}

TEST(ProcessEvents, DamagedRecordsAreNone) {
  const Bytes whole = mapping(5);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    ProcessEvent event;
    const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    if (parse_process_event(cut, event)) {
      EXPECT_LE(event.path.size(), 16U);  // the time is taken from the path's bytes
    }
  }
}

}  // namespace
}  // namespace dt::kernel
