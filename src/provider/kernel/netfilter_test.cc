// The netfilter provider: which hooks its programs are attached to, and with which priorities.

#include "kernel/netfilter.h"

#include <gtest/gtest.h>
#include <linux/netfilter.h>

#include <cerrno>
#include <limits>

#include "provider/mechanism/providers.h"
#include "testing/kernel/fake.h"
#include "types/type.h"

namespace dt::provider {
namespace {

using kernel::FakeKernel;

struct Tracer {
  FakeKernel kernel;
  types::Catalog types;
  std::unique_ptr<Provider> provider = netfilter_provider(types);

  Fd load(const std::string& program) {
    const auto spec = provider->program_spec(program);
    EXPECT_TRUE(spec.ok());
    EXPECT_EQ(spec->expected_attach, kernel::kNetfilterAttach);
    auto fd = kernel.load_program(*spec, {}, false);
    EXPECT_TRUE(fd.ok());
    return std::move(*fd);
  }
};

constexpr int kFirst = std::numeric_limits<int>::min() + 1;

TEST(Netfilter, AttachesAProgramToItsHook) {
  Tracer tracer;
  const Fd fd = tracer.load("netfilter:ip6:local-out");
  const auto made = tracer.provider->attach("netfilter:ip6:local-out", {}, fd, tracer.kernel);
  ASSERT_TRUE(made.ok()) << made.error().text;
  EXPECT_EQ(tracer.kernel.calls().back(),
            fmt::format("attach_netfilter {} {} {} dt_netfilter", static_cast<int>(NFPROTO_IPV6),
                        static_cast<int>(NF_INET_LOCAL_OUT), kFirst));
}

TEST(Netfilter, TakesTheNextPriorityBehindAnotherTracer) {
  Tracer tracer;
  const Fd fd = tracer.load("netfilter:ip:pre-routing");
  tracer.kernel.fail(FakeKernel::Call::kAttachNetfilter, 1, EBUSY);
  tracer.kernel.fail(FakeKernel::Call::kAttachNetfilter, 2, EBUSY);
  const auto made = tracer.provider->attach("netfilter:ip:pre-routing", {}, fd, tracer.kernel);
  ASSERT_TRUE(made.ok()) << made.error().text;
  EXPECT_EQ(tracer.kernel.calls().back(),
            fmt::format("attach_netfilter {} {} {} dt_netfilter", static_cast<int>(NFPROTO_IPV4),
                        static_cast<int>(NF_INET_PRE_ROUTING), kFirst + 2));
}

TEST(Netfilter, SaysAnotherRefusalAtOnce) {
  Tracer tracer;
  const Fd fd = tracer.load("netfilter:ip:forward");
  tracer.kernel.fail(FakeKernel::Call::kAttachNetfilter, 1, EPERM);
  EXPECT_FALSE(tracer.provider->attach("netfilter:ip:forward", {}, fd, tracer.kernel).ok());
  EXPECT_EQ(tracer.kernel.count(FakeKernel::Call::kAttachNetfilter), 1U);
  EXPECT_EQ(tracer.kernel.open_descriptors(), 1U);  // the program
}

TEST(Netfilter, IsAbsentWhereTheKernelHasNoSuchLinks) {
  const Tracer tracer;
  EXPECT_TRUE(tracer.provider->list().empty());
  probe::Pattern pattern;
  pattern.provider = "netfilter";
  EXPECT_NE(tracer.provider->why_not(pattern).find("CONFIG_NETFILTER_BPF_LINK"), std::string::npos);
}

}  // namespace
}  // namespace dt::provider
