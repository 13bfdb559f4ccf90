#include "kernel/configuration.h"

#include <gtest/gtest.h>

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

TEST(Configuration, OfNoFileNothingIsKnown) {
  EXPECT_FALSE(Configuration::from_text("").is_known());
}

}  // namespace
}  // namespace dt::kernel
