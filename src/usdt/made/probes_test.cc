// The library without anybody who looks; what those see is tested by conformance/usdt/tst.made.py.

#include "dtrace/probes.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "usdt/made/image.h"
#include "usdt/made/types.h"

namespace dt::usdt {
namespace {

dtrace_provider* provider(const char* name = "made", unsigned flags = DTRACE_PROVIDER_PRIVATE) {
  dtrace_provider* out = nullptr;
  EXPECT_EQ(dtrace_provider_create(name, flags, &out), 0);
  return out;
}

const dtrace_site* probe(dtrace_provider* of, const std::string& name, const char* types = "") {
  const dtrace_site* site = nullptr;
  EXPECT_EQ(dtrace_provider_probe(of, name.c_str(), nullptr, types, &site), 0);
  return site;
}

// The lines of /proc/self/maps with this in them.
int mappings(const std::string& text) {
  std::ifstream maps("/proc/self/maps");
  int count = 0;
  for (std::string line; std::getline(maps, line);) {
    count += line.find(text) != line.npos ? 1 : 0;
  }
  return count;
}

TEST(Made, FiresNothingWhereNobodyLooks) {
  dtrace_provider* const made = provider();
  const dtrace_site* const site = probe(made, "one", "int");
  const std::uint64_t value = 1;
  EXPECT_EQ(dtrace_site_fire(site, 1, &value), ENXIO);
  ASSERT_EQ(dtrace_provider_load(made), 0);
  EXPECT_EQ(mappings("/memfd:made.so."), 2);
  EXPECT_EQ(dtrace_site_enabled(site), 0);
  EXPECT_EQ(dtrace_site_fire(site, 1, &value), 0);
  EXPECT_EQ(dtrace_provider_free(made), 0);
  EXPECT_EQ(mappings("/memfd:made.so."), 0);
}

// As if a tracer looked: the code runs, and comes back.
TEST(Made, RunsItsCodeForEachNumberOfArguments) {
  dtrace_provider* const made = provider();
  std::vector<const dtrace_site*> sites;
  std::string types;
  for (int i = 0; i <= 10; ++i) {
    sites.push_back(probe(made, "of" + std::to_string(i) + "_", types.c_str()));
    types += (types.empty() ? "" : ",") + std::string("long");
  }
  ASSERT_EQ(dtrace_provider_load(made), 0);
  const std::uint64_t values[11] = {};
  for (std::size_t i = 0; i <= 10; ++i) {
    const_cast<dtrace_site*>(sites[i])->lookers = 1;
    EXPECT_EQ(dtrace_site_fire(sites[i], i, values), 0);
    EXPECT_EQ(dtrace_site_fire(sites[i], i + 1, values), EINVAL);
  }
  EXPECT_EQ(dtrace_provider_free(made), 0);
  EXPECT_EQ(dtrace_site_fire(sites[3], 3, values), ENXIO);
}

TEST(Made, TakesAsManyProbesAsPromised) {
  dtrace_provider* const made = provider();
  std::vector<const dtrace_site*> sites;
  for (unsigned i = 0; i < DTRACE_PROVIDER_MAX_PROBES; ++i) {
    sites.push_back(probe(made, "p" + std::to_string(i) + "_"));
    if (i % 5000 == 0) {
      ASSERT_EQ(dtrace_provider_load(made), 0);
    }
  }
  const dtrace_site* site = nullptr;
  EXPECT_EQ(dtrace_provider_probe(made, "more", nullptr, "", &site), E2BIG);
  ASSERT_EQ(dtrace_provider_load(made), 0);
  EXPECT_EQ(dtrace_provider_load(made), 0);
  for (const dtrace_site* one : sites) {
    EXPECT_EQ(dtrace_site_fire(one, 0, nullptr), 0);
  }
  EXPECT_EQ(dtrace_provider_free(made), 0);
  for (const dtrace_site* one : sites) {
    EXPECT_EQ(dtrace_site_fire(one, 0, nullptr), ENXIO);
  }
}

TEST(Made, RefusesWhatIsWrong) {
  const std::string longest(63, 'n'), long_probe(127, 'n'), long_type(300, 't');
  dtrace_provider* made = nullptr;
  EXPECT_EQ(dtrace_provider_create("made", 0, nullptr), EINVAL);
  EXPECT_EQ(dtrace_provider_create("made", 2, &made), EINVAL);
  for (const char* name : {static_cast<const char*>(nullptr), "", "9", "a-b", "a9", "pid", "a b"}) {
    EXPECT_EQ(dtrace_provider_create(name, 0, &made), EINVAL);
    EXPECT_EQ(made, nullptr);
  }
  EXPECT_EQ(dtrace_provider_create((longest + "n").c_str(), 0, &made), ENAMETOOLONG);
  made = provider(longest.c_str());
  const dtrace_site* site = nullptr;
  const auto refused = [&](const char* name, const char* function, const char* types) {
    site = nullptr;
    const int error = dtrace_provider_probe(made, name, function, types, &site);
    EXPECT_NE(site, nullptr);
    EXPECT_FALSE(DTRACE_SITE_ENABLED(site));
    EXPECT_EQ(dtrace_site_fire(site, 0, nullptr), ENXIO);
    return error;
  };
  EXPECT_EQ(dtrace_provider_probe(made, "a", nullptr, "", nullptr), EINVAL);
  EXPECT_EQ(refused(long_probe.c_str(), nullptr, ""), 0);
  EXPECT_EQ(refused((long_probe + "n").c_str(), nullptr, ""), ENAMETOOLONG);
  EXPECT_EQ(refused(nullptr, nullptr, ""), EINVAL);
  EXPECT_EQ(refused("a:b", nullptr, ""), EINVAL);
  EXPECT_EQ(refused("a", "b:c", ""), EINVAL);
  EXPECT_EQ(refused("a", std::string(256, 'f').c_str(), ""), ENAMETOOLONG);
  EXPECT_EQ(refused("a", nullptr, long_type.c_str()), ENAMETOOLONG);
  EXPECT_EQ(refused("a", nullptr, "int,int,int,int,int,int,int,int,int,int,int"), E2BIG);
  for (const char* types : {"float", "struct x", "int,", ",", "int x", "char *name", "int%", "*",
                            "long long long", "unsigned signed", "short char", "void, int"}) {
    EXPECT_EQ(refused("a", nullptr, types), EINVAL) << types;
  }
  EXPECT_EQ(refused("a", nullptr, nullptr), 0);
  EXPECT_EQ(refused("a", "", "int"), EEXIST);
  EXPECT_EQ(refused("a", "Class.method<int>()", "void"), 0);
  EXPECT_EQ(dtrace_provider_free(made), 0);
  EXPECT_EQ(dtrace_provider_free(made), EINVAL);
  EXPECT_EQ(dtrace_provider_free(nullptr), EINVAL);
  EXPECT_EQ(dtrace_provider_load(made), EINVAL);
  EXPECT_EQ(dtrace_provider_probe(made, "a", nullptr, "", &site), EINVAL);
  EXPECT_EQ(dtrace_site_fire(nullptr, 0, nullptr), EINVAL);
  EXPECT_EQ(dtrace_site_enabled(nullptr), 0);
}

TEST(Made, TypesAreOperandsOfTheirSizesAndSigns) {
  const struct {
    const char *types, *operands, *texts;
  } cases[] = {
      {"", "", ""},
      {" void", "", ""},
      {"int", "-4@%edi", "int|"},
      {"char,unsigned  char, const volatile short,unsigned", "-1@%dil 1@%sil -2@%dx 4@%ecx",
       "char|unsigned char|const volatile short|unsigned|"},
      {"long unsigned int, long long, uint16_t, size_t, bool, const char*, int16_t, struct x**",
       "8@%rdi -8@%rsi 2@%dx 8@%rcx 1@%r8b 8@%r9 -2@8(%rsp) 8@16(%rsp)",
       "long unsigned int|long long|uint16_t|size_t|bool|const char *|int16_t|struct x **|"}};
  for (const auto& one : cases) {
    made_probe probe = {};
    ASSERT_EQ(made_types(one.types, &probe), 0) << one.types;
    EXPECT_STREQ(probe.operands, one.operands);
    std::string texts(probe.types, probe.types_size - 1);
    for (char& c : texts) c = c == '\0' ? '|' : c;
    EXPECT_EQ(texts, one.texts);
    std::free(probe.operands);
    std::free(probe.types);
  }
}

TEST(Made, EqualProbesShareAFile) {
  const std::string name = "shared" + std::to_string(::getpid()) + "_";
  dtrace_provider* const one = provider(name.c_str(), 0);
  dtrace_provider* const other = provider(name.c_str(), 0);
  probe(one, "a", "int");
  probe(other, "a", "int");
  ASSERT_EQ(dtrace_provider_load(one), 0);
  ASSERT_EQ(dtrace_provider_load(other), 0);
  EXPECT_EQ(mappings("/" + name + ".so."), 4);
  std::ifstream maps("/proc/self/maps");
  std::string path;
  for (std::string line; std::getline(maps, line);) {
    const std::size_t at = line.find("/tmp/dtrace-probes-");
    if (at == line.npos || line.find(name) == line.npos) continue;
    EXPECT_TRUE(path.empty() || path == line.substr(at));
    path = line.substr(at);
  }
  EXPECT_EQ(dtrace_provider_free(one), 0);
  EXPECT_EQ(dtrace_provider_free(other), 0);
  // What is not the content that it is called by is not executed.
  EXPECT_EQ(::unlink(path.c_str()), 0);
  std::ofstream(path) << std::string(16384, '\xcc');
  dtrace_provider* const third = provider(name.c_str(), 0);
  const dtrace_site* const site = probe(third, "a", "int");
  ASSERT_EQ(dtrace_provider_load(third), 0);
  EXPECT_EQ(mappings("/memfd:" + name + ".so."), 2);
  const_cast<dtrace_site*>(site)->lookers = 1;
  const std::uint64_t value = 1;
  EXPECT_EQ(dtrace_site_fire(site, 1, &value), 0);
  EXPECT_EQ(dtrace_provider_free(third), 0);
  EXPECT_EQ(::unlink(path.c_str()), 0);
}

TEST(Made, IsFreedWhileThreadsFire) {
  for (int round = 0; round < 20; ++round) {
    dtrace_provider* const made = provider();
    const dtrace_site* const site = probe(made, "busy", "int");
    ASSERT_EQ(dtrace_provider_load(made), 0);
    const_cast<dtrace_site*>(site)->lookers = 1;
    std::atomic<int> fired = 0;
    std::atomic<bool> is_over = false;
    const auto fire = [&] {
      const std::uint64_t value = 1;
      while (!is_over) fired += dtrace_site_fire(site, 1, &value) == 0 ? 1 : 0;
    };
    std::thread first(fire), second(fire);
    while (fired < 100) std::this_thread::yield();
    EXPECT_EQ(dtrace_provider_free(made), 0);
    is_over = true;
    first.join();
    second.join();
  }
}

// As if a thread had stopped in a probe.
TEST(Made, IsNotFreedUnderAThreadThatStays) {
  dtrace_provider* const made = provider();
  const dtrace_site* const site = probe(made, "stays");
  ASSERT_EQ(dtrace_provider_load(made), 0);
  const_cast<dtrace_site*>(site)->lookers = 1;
  auto* const head =
      reinterpret_cast<made_head*>(reinterpret_cast<std::uintptr_t>(site) / kMadePage * kMadePage);
  EXPECT_EQ(head->inside, 0U);
  head->inside = 1;
  EXPECT_EQ(dtrace_provider_free(made), EBUSY);
  EXPECT_EQ(mappings("/memfd:made.so."), 2);
  EXPECT_EQ(dtrace_site_fire(site, 0, nullptr), ENXIO);
  EXPECT_EQ(head->inside, 1U);
  head->inside = 0;
  EXPECT_EQ(dtrace_provider_free(made), 0);
  EXPECT_EQ(mappings("/memfd:made.so."), 0);
}

TEST(Made, AChildGoesOn) {
  dtrace_provider* const made = provider();
  const dtrace_site* const site = probe(made, "forked", "int");
  ASSERT_EQ(dtrace_provider_load(made), 0);
  const_cast<dtrace_site*>(site)->lookers = 1;
  const pid_t child = ::fork();
  if (child == 0) {
    const std::uint64_t value = 1;
    const dtrace_site* other = nullptr;
    const bool is_good = dtrace_site_fire(site, 1, &value) == 0 &&
                         dtrace_provider_probe(made, "other", nullptr, "", &other) == 0 &&
                         dtrace_provider_load(made) == 0 && dtrace_provider_free(made) == 0;
    ::_exit(is_good ? 0 : 1);
  }
  int status = -1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(dtrace_provider_free(made), 0);
}

}  // namespace
}  // namespace dt::usdt
