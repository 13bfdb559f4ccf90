#include "kernel/containers.h"

#include <gtest/gtest.h>

#include <utility>

namespace dt::kernel {
namespace {

const std::string kOne = "3f2a51c0de12" + std::string(52, '0');
const std::string kTwo = "3f2a77777777" + std::string(52, 'a');

TEST(Containers, TheNumberIsInTheNamesThatEnginesGive) {
  for (const std::string& group :
       {kOne, "docker-" + kOne + ".scope", "libpod-" + kOne, "cri-containerd-" + kOne + ".scope",
        "crio-" + kOne + ".scope"}) {
    EXPECT_EQ(container_number(group), kOne) << group;
  }
  for (const std::string& group : {std::string("nginx.service"), std::string(),
                                   "libpod-conmon-" + kOne + ".scope", kOne + "0", "x" + kOne}) {
    EXPECT_EQ(container_number(group), "") << group;
  }
}

TEST(Containers, NamesAreThoseOfTheEnginesFiles) {
  std::vector<NamedContainer> named;
  add_docker(
      R"({"StreamConfig":{},"State":{"Running":true},"ID":")" + kOne +
          R"(","Config":{"Hostname":"x"},"MountPoints":{"/d":{"Name":"vol"}},"Name":"/web"})",
      named);
  add_docker(R"({"ID":"short","Name":"/bad"})", named);
  add_podman(R"([{"id":")" + kTwo + R"(","names":["db"],"image":""},{"id":"x","names":["bad"]}])",
             named);
  add_podman(R"([","names":["bad"])", named);
  add_kubelet("/var/log/containers/shop-7f9_default_app-" + kOne + ".log", named);
  add_kubelet("/var/log/containers/other.log", named);
  add_docker("", named);
  add_podman("", named);
  EXPECT_EQ(named, (std::vector<NamedContainer>{
                       {"web", kOne}, {"db", kTwo}, {"shop-7f9", kOne}, {"shop-7f9/app", kOne}}));
}

TEST(Containers, AUserNamesOnlyOwnContainers) {
  constexpr std::uint32_t kUser = 1000;
  const std::vector<NamedContainer> theirs = {{"db", kOne}, {"web", kTwo}, {"web", "none"}};
  const auto taken = [&](std::uint32_t user, std::set<std::uint32_t> of_one,
                         std::set<std::uint32_t> of_two, std::vector<NamedContainer> to = {}) {
    add_of_user(theirs, user, {{kOne, std::move(of_one)}, {kTwo, std::move(of_two)}}, to);
    return to;
  };
  using Named = std::vector<NamedContainer>;
  EXPECT_EQ(taken(kUser, {kUser}, {0}), (Named{{"db", kOne}})) << "root's";
  EXPECT_EQ(taken(kUser, {kUser}, {0, kUser}), (Named{{"db", kOne}})) << "a group of root's number";
  EXPECT_EQ(taken(kUser, {kUser}, {kUser}, {{"shop", kTwo}}), (Named{{"shop", kTwo}, {"db", kOne}}))
      << "it has a name";
  EXPECT_EQ(taken(0, {0}, {0}), Named{}) << "a link to a file of root's";
}

TEST(Containers, ABeginningOfTheNumberOrTheNameIsEnough) {
  const std::set<std::string> known = {"docker-" + kOne + ".scope", "docker-" + kTwo + ".scope"};
  const std::vector<NamedContainer> named = {{"web", kOne}, {"3f2a", kTwo}};
  using Numbers = std::set<std::string>;
  EXPECT_EQ(numbers_meant("web", named, known), Numbers{kOne});
  EXPECT_EQ(numbers_meant("3f2a51", {}, known), Numbers{kOne});
  EXPECT_EQ(numbers_meant("3f2a", {}, known), (Numbers{kOne, kTwo}));
  EXPECT_EQ(numbers_meant("3f2a", named, known), Numbers{kTwo}) << "a name comes first";
  EXPECT_EQ(numbers_meant("3f2", {}, known), Numbers{}) << "too short";
  EXPECT_EQ(numbers_meant("3F2A51", {}, known), Numbers{});
}

TEST(Containers, AServiceIsMeantWithoutItsEnding) {
  const std::set<std::string> known = {"nginx.service", "machine-my\\x2dbox.scope",
                                       "lxc.payload.guest", "docker-" + kOne + ".scope"};
  using Groups = std::set<std::string>;
  EXPECT_EQ(groups_meant("nginx", {}, known), Groups{"nginx.service"});
  EXPECT_EQ(groups_meant("my-box", {}, known), Groups{"machine-my\\x2dbox.scope"});
  EXPECT_EQ(groups_meant("guest", {}, known), Groups{"lxc.payload.guest"});
  EXPECT_EQ(groups_meant("web", {kOne}, known), Groups{"docker-" + kOne + ".scope"});
  EXPECT_EQ(groups_meant("ngin", {}, known), Groups{});
  EXPECT_EQ(groups_meant("web", {kTwo}, known), Groups{});
}

TEST(Containers, WhatIsShownIsWhatPeopleType) {
  const std::string group = "docker-" + kOne + ".scope";
  EXPECT_EQ(said_name(group, {}), "3f2a51c0de12");
  EXPECT_EQ(said_name(group, {{"web", kOne}}), "web");
  EXPECT_EQ(said_name(group, {{"shop", kOne}, {"shop/app", kOne}, {"shop", kTwo}}), "shop/app");
  EXPECT_EQ(said_name("nginx.service", {{"web", kOne}}), "nginx.service");
}

}  // namespace
}  // namespace dt::kernel
