#include "kernel/configuration.h"

#include <gtest/gtest.h>
#include <sys/utsname.h>

#include <string>

namespace dt::kernel {
namespace {

TEST(Configuration, HasTheValuesOfWhatIsSet) {
  const auto known = Configuration::from_text(
      "#\n# Linux\n#\nCONFIG_HZ=250\n# CONFIG_KASAN is not set\nCONFIG_9P_FS=m\nCONFIG_X=\"a b\"");
  EXPECT_TRUE(known.is_known());
  EXPECT_EQ(known.value("CONFIG_HZ"), "250");
  EXPECT_EQ(known.value("CONFIG_9P_FS"), "m");
  EXPECT_EQ(known.value("CONFIG_X"), "\"a b\"");
  EXPECT_EQ(known.value("CONFIG_KASAN"), std::nullopt);
  EXPECT_EQ(known.value("CONFIG_9P"), std::nullopt);
}

TEST(Configuration, TheTicksOfTheClockAreThoseOfTheFile) {
  utsname system{};
  ASSERT_EQ(::uname(&system), 0);
  const auto known = Configuration::of(system.release);
  const std::int64_t ticks = ticks_per_second();
  EXPECT_EQ(known.value("CONFIG_HZ").value_or(std::to_string(ticks)), std::to_string(ticks));
  EXPECT_TRUE(ticks >= 100 && ticks <= 1000) << ticks;
}

TEST(Configuration, OfNoFileNothingIsKnown) {
  EXPECT_FALSE(Configuration::from_text("").is_known());
}

}  // namespace
}  // namespace dt::kernel
