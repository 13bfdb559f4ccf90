// The catalogue over providers: ids, look-up, creation, suggestions.

#include <gtest/gtest.h>

#include <set>

#include "bpf/layout/prologue.h"
#include "provider/kernel/syscall_table.h"
#include "provider/mechanism/providers.h"
#include "provider/near.h"
#include "testing/kernel/fake.h"

namespace dt::provider {
namespace {

const types::Catalog kNoTypes;

std::vector<std::unique_ptr<Provider>> providers(bool ia32 = true) {
  std::vector<std::unique_ptr<Provider>> all;
  all.push_back(dtrace_provider());
  all.push_back(syscall_provider(ia32, kNoTypes));
  all.push_back(profile_provider());
  return all;
}

class Catalogue : public testing::Test {
 protected:
  std::vector<probe::Probe> match(std::string_view text) const {
    return catalog_.match(*probe::parse_pattern(text));
  }
  std::vector<std::string> near(std::string_view text, std::size_t count = 3) const {
    const auto pattern = *probe::parse_pattern(text);
    std::vector<std::string> texts;
    for (const auto& description : catalog_.near(pattern, count)) {
      texts.push_back(probe::to_string(description));
    }
    return texts;
  }
  ProviderCatalog catalog_{providers()};
};

TEST_F(Catalogue, GivesTheProbesOfTracingTheFirstIds) {
  const struct {
    const char* name;
    std::uint32_t id;
  } table[] = {{"BEGIN", 1}, {"END", 2}, {"ERROR", 3}};
  for (const auto& expected : table) {
    const auto probes = match(expected.name);
    ASSERT_EQ(probes.size(), 1u) << expected.name;
    EXPECT_EQ(probes[0].id.value, expected.id);
    EXPECT_EQ(probe::to_string(probes[0].description), std::string("dtrace:::") + expected.name);
    EXPECT_EQ(probes[0].binding.program, std::string("dtrace:") + expected.name);
  }
}

TEST_F(Catalogue, NumbersEveryProbeOnceInListingOrder) {
  const auto probes = match(":::");
  std::uint32_t id = 0;
  for (const probe::Probe& probe : probes) {
    EXPECT_EQ(probe.id.value, ++id);
    const auto found = catalog_.find(probe.id);
    ASSERT_TRUE(found.has_value()) << id;
    EXPECT_EQ(found->description, probe.description);
  }
  EXPECT_EQ(probes[3].description, (probe::Description{"syscall", "vmlinux", "read", "entry"}));
  EXPECT_EQ(probes.back().description.name, "tick-5000");
  EXPECT_FALSE(catalog_.find(ProbeId(0)).has_value());
  EXPECT_FALSE(catalog_.find(ProbeId(id + 1)).has_value());
}

TEST_F(Catalogue, GivesTheSameIdsWhateverIsAskedFirst) {
  const auto tick = match("tick-10");
  ProviderCatalog other(providers());
  for (const char* text : {"BEGIN", "syscall::read:entry", "profile:::", "tick-10"}) {
    other.match(*probe::parse_pattern(text));
  }
  EXPECT_EQ(other.match(*probe::parse_pattern("tick-10"))[0].id, tick[0].id);
}

TEST_F(Catalogue, MatchesEveryKindOfPattern) {
  const std::size_t calls = native_syscalls().size() + i386_only_syscalls().size() + 1;
  // Asked more than once: later answers come from the indices.
  for (int round = 0; round < 6; ++round) {
    EXPECT_EQ(match("syscall:::entry").size(), calls);
    EXPECT_EQ(match("syscall:::").size(), 2 * calls);
    EXPECT_EQ(match("syscall::read:entry").size(), 1u);
    EXPECT_EQ(match("read:entry").size(), 1u);
    EXPECT_EQ(match("syscall::read:").size(), 2u);
    EXPECT_EQ(match("syscall::*read*:entry").size(), [] {
      std::size_t count = 0;
      for (const Syscall& call : native_syscalls()) {
        count += std::string_view(call.name).find("read") != std::string_view::npos;
      }
      for (const Syscall& call : i386_only_syscalls()) {
        count += std::string_view(call.name).find("read") != std::string_view::npos;
      }
      return count;
    }());
    EXPECT_EQ(match("syscall:ext4::").size(), 0u);
    EXPECT_EQ(match("syscall::nonsense:entry").size(), 0u);
    EXPECT_EQ(match("dtrace:::").size(), 3u);
  }
}

TEST_F(Catalogue, CreatesRatesOnDemandFarBehindAllThatIsListed) {
  const std::size_t listed = match(":::").size();
  const auto first = match("profile-123hz");
  ASSERT_EQ(first.size(), 1u);
  EXPECT_EQ(first[0].id.value, 500001u);
  const auto second = match("profile:::tick-10ms");
  ASSERT_EQ(second.size(), 1u);
  EXPECT_EQ(second[0].id.value, 500002u);
  EXPECT_EQ(match("profile-123hz")[0].id, first[0].id);
  EXPECT_EQ(catalog_.find(first[0].id)->binding.program, "profile:profile-123hz");
  // Listed ones are not made again, and what was made matches globs.
  EXPECT_EQ(match("profile-97").size(), 1u);
  EXPECT_LE(match("profile-97")[0].id.value, listed);
  EXPECT_EQ(match("profile:::*-123hz").size(), 1u);
  EXPECT_TRUE(match("syscall:::profile-5hz").empty());
  EXPECT_TRUE(match("vmlinux::profile-5hz").empty());
}

TEST_F(Catalogue, SaysWhyARateIsRefused) {
  const auto why = [&](const char* text) { return catalog_.why_not(*probe::parse_pattern(text)); };
  EXPECT_EQ(why("tick-100us"), "100us is too often: the shortest interval is 200us (5000hz)");
  EXPECT_EQ(why("profile:::profile-6000"),
            "6000 is too often: the shortest interval is 200us (5000hz)");
  EXPECT_EQ(why("tick-0"), "a rate of zero never fires (as in 97hz, 10ms, 1s)");
  EXPECT_EQ(why("tick-5fortnights"),
            "'fortnights' is no unit of a rate (the units are ns, us, ms, s, m, h, d and hz)");
  EXPECT_EQ(why("tick-"), "a rate is a number and a unit, not '' (as in 97hz, 10ms, 1s)");
  EXPECT_EQ(why("tick-1001d"), "the interval 1001d is longer than 1000 days");
  EXPECT_EQ(why("tick-99999999999999999999s"), "the rate 99999999999999999999s is too large");
  EXPECT_EQ(why("syscall::nonsense:entry"), "");
  EXPECT_TRUE(match("tick-100us").empty());
}

TEST(AllProviders, AreNotAskedForNamesThatTheyCannotHave) {
  const auto pattern = *probe::parse_pattern("tick-1s");
  std::set<std::string_view> asked;
  kernel::FakeKernel kernel;
  for (const auto& provider : all_providers(kernel, kNoTypes)) {
    if (provider->concerns(pattern)) asked.insert(provider->name());
  }
  // Lists of these cost nothing; those of others open events, or read files.
  EXPECT_EQ(asked, (std::set<std::string_view>{"dtrace", "profile", "syscall"}));
}

// Has one probe, and counts how often it is listed.
class CountedProvider : public Provider {
 public:
  explicit CountedProvider(int* lists) : lists_(lists) {}
  std::string_view name() const override { return "counted"; }
  probe::ProviderAttributes attributes() const override { return {}; }
  std::vector<probe::Description> list() const override {
    ++*lists_;
    return {{"counted", "", "", "probe"}};
  }
  probe::Binding binding(const probe::Description&) const override { return {"counted:probe"}; }
  std::unique_ptr<bpf::Prologue> prologue(const std::string&, const bpf::Machine&) const override {
    return nullptr;
  }
  Result<kernel::ProgramSpec> program_spec(const std::string&) const override {
    return Error::of("has no program");
  }
  std::string source(const std::string&) const override { return "nothing"; }
  Result<std::unique_ptr<Attachment>> attach(const std::string&, std::span<const probe::Probe>,
                                             const Fd&, kernel::Kernel&) const override {
    return Error::of("cannot be attached");
  }

 private:
  int* lists_;
};

TEST(FindingAProbe, ListsNoProviderBehindIts) {
  int lists = 0;
  std::vector<std::unique_ptr<Provider>> all = providers();
  all.push_back(std::make_unique<CountedProvider>(&lists));
  const ProviderCatalog catalog(std::move(all));
  const auto matched = catalog.match(*probe::parse_pattern("syscall::write:entry"));
  ASSERT_EQ(matched.size(), 1u);
  EXPECT_EQ(catalog.find(matched[0].id)->description, matched[0].description);
  EXPECT_EQ(lists, 0);
  const auto last = catalog.match(*probe::parse_pattern("counted:::probe"));
  ASSERT_EQ(last.size(), 1u);
  EXPECT_EQ(catalog.find(last[0].id)->description.provider, "counted");
  EXPECT_EQ(catalog.find(ProbeId(last[0].id.value + 1)), std::nullopt);
  EXPECT_EQ(lists, 1);
}

// Has three places, of which the kernel serves the first and the last, and counts how often they
// are looked at.
class SparseProvider : public CountedProvider {
 public:
  explicit SparseProvider(int* lists) : CountedProvider(lists), lists_(lists) {}
  std::string_view name() const override { return "sparse"; }
  std::optional<std::uint32_t> places() const override { return 3; }
  std::optional<std::vector<Placed>> list_of(const probe::Pattern& pattern) const override {
    ++*lists_;
    std::vector<Placed> found;
    for (const std::uint32_t place : {0u, 2u}) {
      const std::string own = place == 0 ? "first" : "third";
      if (probe::field_matches(pattern.name, own))
        found.push_back({place, {"sparse", "", "", own}});
    }
    return found;
  }

 private:
  int* lists_;
};

TEST(FindingAProbe, ListsNoProviderBeforeItsThatKnowsHowManyPlacesItHas) {
  int sparse = 0, lists = 0;
  std::vector<std::unique_ptr<Provider>> all = providers();
  all.push_back(std::make_unique<SparseProvider>(&sparse));
  all.push_back(std::make_unique<CountedProvider>(&lists));
  const ProviderCatalog catalog(std::move(all));
  const std::uint32_t last =
      catalog.match(*probe::parse_pattern("profile:::tick-5000"))[0].id.value;
  EXPECT_EQ(catalog.match(*probe::parse_pattern("counted:::probe"))[0].id.value, last + 4);
  EXPECT_EQ(sparse, 0);
  EXPECT_EQ(catalog.match(*probe::parse_pattern("sparse:::third"))[0].id.value, last + 3);
  EXPECT_EQ(catalog.find(ProbeId(last + 1))->description.name, "first");
  EXPECT_EQ(catalog.find(ProbeId(last + 2)), std::nullopt);
  EXPECT_EQ(catalog.find(ProbeId(last + 3))->description.name, "third");
  EXPECT_EQ(catalog.match(*probe::parse_pattern("sparse:::")).size(), 2u);
}

TEST_F(Catalogue, SuggestsWhatIsNear) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(near("syscall::opne:entry", 1), (Texts{"syscall::open:entry"}));
  EXPECT_EQ(near("syscal:::entry"), (Texts{"syscall:::entry"}));
  EXPECT_EQ(near("BEGN"), (Texts{":::BEGIN"}));
  EXPECT_EQ(near("syscall::read:enty", 1), (Texts{"syscall::read:entry"}));
  EXPECT_EQ(near("syscall::opena:entry", 2),
            (Texts{"syscall::open:entry", "syscall::openat:entry"}));
  EXPECT_EQ(near("syscall::q*z:entry"), Texts{});
  EXPECT_EQ(near("x:"), Texts{});  // no function is one letter from it
  EXPECT_EQ(near("fbt::vfs_read:entry"), Texts{});
  EXPECT_EQ(near("syscall::opne:entry", 0), Texts{});
}

TEST_F(Catalogue, KnowsWhoServesAProgram) {
  EXPECT_EQ(catalog_.of_program("syscall:entry").name(), "syscall");
  EXPECT_EQ(catalog_.of_program("profile:tick-1s").name(), "profile");
  EXPECT_EQ(catalog_.of_program("dtrace:END").name(), "dtrace");
}

TEST_F(Catalogue, TellsTheStabilityOfProviders) {
  EXPECT_EQ(probe::to_string(catalog_.attributes("dtrace").name), "Stable/Stable/Common");
  EXPECT_EQ(probe::to_string(catalog_.attributes("syscall").provider), "Evolving/Evolving/Common");
  EXPECT_EQ(probe::to_string(catalog_.attributes("nonsense").name), "Private/Private/Unknown");
}

}  // namespace
}  // namespace dt::provider
