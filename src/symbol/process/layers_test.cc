#include "symbol/process/layers.h"

#include <gtest/gtest.h>
#include <sys/sysmacros.h>

namespace dt::symbol {
namespace {

constexpr const char* kMountinfo =
    "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard\n"
    "70 67 0:40 / /m rw,relatime shared:1 - overlay overlay "
    "rw,lowerdir=/a:/b,upperdir=/d,workdir=/w,uuid=on\n"
    "71 67 0:41 / /n rw,relatime - overlay overlay rw,lowerdir+=/e,lowerdir+=/f,xino=off\n"
    "72 67 0:42 / /o rw - tmpfs overlay rw,lowerdir=/g\n";

using Directories = std::vector<std::string>;

TEST(Layers, AreThoseOfTheOverlayWithTheDevice) {
  EXPECT_EQ(layer_directories(kMountinfo, makedev(0, 41)), (Directories{"/e", "/f"}));
  EXPECT_EQ(layer_directories(kMountinfo, makedev(254, 0)), Directories{});
  EXPECT_EQ(layer_directories(kMountinfo, makedev(0, 42)), Directories{});
  EXPECT_EQ(layer_directories(kMountinfo, makedev(0, 4)), Directories{});
  EXPECT_EQ(layer_directories("", makedev(0, 41)), Directories{});
}

// The kernel writes a blank in a path as \040, so that no blank stands in the options.
TEST(Layers, AreBelowAndAbove) {
  EXPECT_EQ(layer_directories("70 67 0:40 / /m rw - overlay overlay rw,lowerdir=/a:/b,upperdir=/d",
                              makedev(0, 40)),
            (Directories{"/a", "/b", "/d"}));
}

TEST(Layers, OfADiskThereAreNone) { EXPECT_TRUE(layer_devices(1, makedev(8, 1)).empty()); }

}  // namespace
}  // namespace dt::symbol
