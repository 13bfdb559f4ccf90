// What is said about the machine.

#include "runtime/machine.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "kernel/fake.h"

namespace dt::runtime {
namespace {

types::TypeId add_struct(types::Catalog& catalog, const char* name,
                         std::vector<types::Member> members) {
  types::Type type;
  type.kind = types::Kind::kStruct;
  type.name = name;
  type.size = 4096;
  type.members = std::move(members);
  const types::TypeId id = catalog.add(std::move(type));
  catalog.declare(types::Tag::kStruct, name, id);
  return id;
}

TEST(Machine, LeavesTheTaskUnknownWhenNotAsked) {
  kernel::FakeKernel kernel(4);
  const bpf::Machine machine = describe_machine(kernel, nullptr);
  EXPECT_EQ(machine.cpus, 4U);
  EXPECT_TRUE(machine.has_cpu_v4);
  EXPECT_EQ(machine.task_comm, -1);
  EXPECT_EQ(machine.task_status, -1);
}

TEST(Machine, SeesThatTheKernelRefusesNewInstructions) {
  kernel::FakeKernel kernel(1);
  kernel.fail(kernel::FakeKernel::Call::kLoadProgram, 1, EINVAL);
  EXPECT_FALSE(describe_machine(kernel, nullptr).has_cpu_v4);
}

TEST(Machine, FindsTheMembersOfTheTask) {
  types::Catalog catalog;
  const types::TypeId number = catalog.integer(4, true);
  const types::TypeId info =
      add_struct(catalog, "thread_info", {{"flags", number, 0, 0}, {"status", number, 128, 0}});
  add_struct(catalog, "task_struct",
             {{"thread_info", info, 64, 0}, {"pid", number, 800, 0}, {"comm", number, 1600, 0}});
  kernel::FakeKernel kernel(1);
  const bpf::Machine machine = describe_machine(kernel, &catalog);
  EXPECT_EQ(machine.task_pid, 100);
  EXPECT_EQ(machine.task_comm, 200);
  EXPECT_EQ(machine.task_status, 24);
  EXPECT_EQ(machine.task_real_parent, -1);
}

}  // namespace
}  // namespace dt::runtime
