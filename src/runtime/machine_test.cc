// The description of the machine.

#include "runtime/machine.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <memory>

#include "ir/parse.h"
#include "testing/kernel/fake.h"
#include "testing/types/fake_module.h"
#include "types/type.h"

namespace dt::runtime {
namespace {

TEST(Machine, LeavesTheTaskUnknownWhenNotAsked) {
  kernel::FakeKernel kernel(4);
  const bpf::Machine machine = describe_machine(kernel, nullptr);
  EXPECT_EQ(machine.cpus, 4U);
  EXPECT_TRUE(machine.target.has_cpu_v4);
  EXPECT_EQ(machine.task_comm, -1);
  EXPECT_EQ(machine.task_status, -1);
}

TEST(Machine, SeesThatTheKernelRefusesNewInstructions) {
  kernel::FakeKernel kernel(1);
  kernel.fail(kernel::FakeKernel::Call::kLoadProgram, 1, EINVAL);
  EXPECT_FALSE(describe_machine(kernel, nullptr).target.has_cpu_v4);
}

TEST(Machine, FindsTheMembersOfTheTask) {
  types::Catalog catalog;
  types::FakeModule& types = types::FakeModule::add_to(catalog);
  const types::TypeId number = catalog.integer(4, true);
  const types::TypeId info =
      types.add_struct("thread_info", {{"flags", number, 0, 0}, {"status", number, 128, 0}});
  types.add_struct(
      "task_struct",
      {{"thread_info", info, 64, 0}, {"pid", number, 800, 0}, {"comm", number, 1600, 0}});
  kernel::FakeKernel kernel(1);
  const bpf::Machine machine = describe_machine(kernel, &catalog);
  EXPECT_EQ(machine.task_pid, 100);
  EXPECT_EQ(machine.task_comm, 200);
  EXPECT_EQ(machine.task_status, 24);
  EXPECT_EQ(machine.task_real_parent, -1);
}

// The kernel's functions, by number.
class Functions : public types::Source {
 public:
  std::string_view module() const override { return "vmlinux"; }
  std::optional<types::TypeId> find(types::Catalog&, types::Tag, std::string_view) override {
    return std::nullopt;
  }
  std::uint32_t function_number(std::string_view name) override {
    return name == "bpf_preempt_disable"     ? 70
           : name == "bpf_preempt_enable"    ? 71
           : name == "bpf_rdonly_cast"       ? 72
           : name == "bpf_rcu_read_lock"     ? 73
           : name == "bpf_rcu_read_unlock"   ? 74
           : name == "bpf_local_irq_save"    ? 75
           : name == "bpf_local_irq_restore" ? 76
                                             : 0;
  }
  std::uint32_t number(types::Tag, std::string_view name) override {
    return name == "task_struct" ? 9 : 0;
  }
  void complete(types::Catalog&, types::TypeId) override {}
};

TEST(Machine, ProgramsThatMayBePreemptedSayThatTheyMayNot) {
  types::Catalog catalog;
  catalog.add_source(std::make_unique<Functions>());
  kernel::FakeKernel kernel(1);
  kernel.release_text = "6.18.44";
  EXPECT_EQ(describe_machine(kernel, &catalog).preempt_disable, 0U);
  kernel.release_text = "7.2.1+deb14-amd64";
  const bpf::Machine machine = describe_machine(kernel, &catalog);
  EXPECT_EQ(machine.preempt_disable, 70U);
  EXPECT_EQ(machine.preempt_enable, 71U);
  EXPECT_EQ(machine.irq_save, 75U);
  EXPECT_EQ(machine.irq_restore, 76U);
}

// One clause that loads a member of `bytes` bytes from the current thread.
ir::Program load_of_task(int bytes) {
  Result<ir::Program> program =
      ir::parse(fmt::format("program strsize=256\n"
                            "clause \"BEGIN\" {{\n"
                            "  record {{ trace int8u }}\n"
                            "  b0:\n"
                            "    %0 : u64 = builtin curthread #1\n"
                            "    %1 : u{} = load_kernel %0 #1\n"
                            "    emit %1 #1\n"
                            "    return\n"
                            "}}\n",
                            bytes * 8));
  EXPECT_TRUE(program.ok()) << program.error().text;
  return std::move(*program);
}

TEST(Machine, TheTaskIsCastWherePointersMayBeLoadedFromIt) {
  types::Catalog catalog;
  catalog.add_source(std::make_unique<Functions>());
  kernel::FakeKernel kernel(1);
  bpf::Machine machine;
  describe_needs(kernel, catalog, load_of_task(4), {}, machine);
  EXPECT_EQ(machine.task_cast, 0U);
  describe_needs(kernel, catalog, load_of_task(8), {}, machine);
  EXPECT_EQ(machine.task_cast, 72U);
  EXPECT_EQ(machine.task_type, 9U);
}

TEST(Machine, ProgramsThatMayWaitSayWhereTheyDoNot) {
  types::Catalog catalog;
  catalog.add_source(std::make_unique<Functions>());
  kernel::FakeKernel kernel(1);
  bpf::Machine machine;
  describe_needs(kernel, catalog, load_of_task(4), {}, machine);
  EXPECT_EQ(machine.rcu_lock, 0U);
  describe_needs(kernel, catalog, load_of_task(4), {.may_wait = true}, machine);
  EXPECT_EQ(machine.rcu_lock, 73U);
  EXPECT_EQ(machine.rcu_unlock, 74U);
}

TEST(Zone, WhatTheKernelLacksIsNamed) {
  types::Catalog catalog;
  types::FakeModule& types = types::FakeModule::add_to(catalog);
  const types::TypeId number = catalog.integer(4, true);
  types.add_struct("task_struct", {{"thread_pid", number, 64, 0}});
  types.add_struct("pid", {{"depth", number, 32, 0}});
  const Result<bpf::Zone> zone = find_zone(catalog, "global");
  ASSERT_FALSE(zone.ok());
  EXPECT_EQ(
      zone.error().text,
      "this kernel does not tell which container a thread is in: this kernel's struct pid has "
      "no member level");
}

// The namespace that the thread itself is in: nothing is asked of nsproxy, which a thread that
// exits does not have.
TEST(Zone, ANamespaceIsFoundByTheNumbersOfTheThread) {
  types::Catalog catalog;
  types::FakeModule& types = types::FakeModule::add_to(catalog);
  const types::TypeId number = catalog.integer(4, true);
  types.add_struct("task_struct", {{"thread_pid", number, 64, 0}});
  types.add_struct("pid", {{"level", number, 32, 0}, {"numbers", number, 768, 0}});
  types.add_struct("upid", {{"nr", number, 0, 0}, {"ns", number, 64, 0}}, 16);
  const types::TypeId common = types.add_struct("ns_common", {{"inum", number, 128, 0}}, 24);
  types.add_struct("pid_namespace", {{"ns", common, 960, 0}});
  const Result<bpf::Zone> zone = find_zone(catalog, "pid:[4026532500]");
  ASSERT_TRUE(zone.ok()) << zone.error().text;
  EXPECT_EQ(zone->space, 4026532500U);
  EXPECT_EQ(zone->task_pid, 8);
  EXPECT_EQ(zone->pid_level, 4);
  EXPECT_EQ(zone->pid_numbers, 96);
  EXPECT_EQ(zone->entry_bytes, 16);
  EXPECT_EQ(zone->entry_space, 8);
  EXPECT_EQ(zone->space_inode, 136);
  EXPECT_EQ(zone->task_spaces, -1);
  EXPECT_TRUE(zone->is_known());
}

TEST(Cgroup, WhatTheKernelLacksIsNamed) {
  types::Catalog catalog;
  types::FakeModule& types = types::FakeModule::add_to(catalog);
  const types::TypeId number = catalog.integer(4, true);
  types.add_struct("task_struct", {{"css_set", number, 64, 0}});
  const Result<bpf::Cgroup> cgroup = find_cgroup(catalog, "web.service");
  ASSERT_FALSE(cgroup.ok());
  EXPECT_EQ(cgroup.error().text,
            "this kernel does not tell which cgroup a thread is in: this kernel's struct "
            "task_struct has no member cgroups");
}

}  // namespace
}  // namespace dt::runtime
