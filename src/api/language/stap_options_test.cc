#include "api/language/stap_options.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace dt::api {
namespace {

constexpr std::string_view kNames[] = {
#define DT_OPTION(name, ...) #name,
#define DT_UNUSED(name, ...)
#include "api/options/options.def"
#undef DT_OPTION
#undef DT_UNUSED
};

TEST(StapOptions, EveryOptionIsUsedOrRefusedWithAReasonOfItsOwn) {
  int used = 0;
  for (const std::string_view name : kNames) {
    Request request;
    request.options.given.emplace(name);
    const Status status = check_stap_request(request, {});
    used += status.ok() ? 1 : 0;
    if (status.ok()) continue;
    EXPECT_NE(status.error().text.find(std::string(name)), std::string::npos);
    EXPECT_FALSE(status.error().text.ends_with("it is of D")) << name;
  }
  EXPECT_EQ(used, 25);
}

}  // namespace
}  // namespace dt::api
