// The BTF of the running kernel, compared with libbpf's reading of it.

#include <bpf/btf.h>
#include <gtest/gtest.h>

#include <map>

#include "machine/x86_64/registers.h"
#include "types/btf.h"
#include "types/file_bytes.h"
#include "types/place.h"
#include "types/type.h"

namespace dt::types {
namespace {

constexpr const char* kPath = "/sys/kernel/btf/vmlinux";

class RunningKernel : public testing::Test {
 protected:
  void SetUp() override {
    btf_ = btf__parse_raw(kPath);
    if (btf_ == nullptr) GTEST_SKIP() << "no readable " << kPath;
    catalog_.add_source(kernel_btf_source());
  }
  void TearDown() override { btf__free(btf_); }

  btf* btf_ = nullptr;
  Catalog catalog_;
};

TEST_F(RunningKernel, HasTheMembersThatLibbpfSees) {
  for (const char* name :
       {"task_struct", "file", "sock", "sk_buff", "mm_struct", "pt_regs", "tcp_sock", "bio"}) {
    const int id = btf__find_by_name_kind(btf_, name, BTF_KIND_STRUCT);
    const auto ours = catalog_.find(Tag::kStruct, name);
    ASSERT_EQ(id > 0, ours.has_value()) << name;
    if (!ours) continue;
    const btf_type* const type = btf__type_by_id(btf_, static_cast<std::uint32_t>(id));
    const Type& node = catalog_.at(*ours);
    EXPECT_EQ(node.size, type->size) << name;
    ASSERT_EQ(node.members.size(), btf_vlen(type)) << name;
    for (std::uint32_t i = 0; i < btf_vlen(type); ++i) {
      const Member& member = node.members[i];
      const btf_member& theirs = btf_members(type)[i];
      EXPECT_EQ(member.name, btf__name_by_offset(btf_, theirs.name_off)) << name;
      EXPECT_EQ(member.bit_offset, btf_member_bit_offset(type, i)) << name << '.' << member.name;
      EXPECT_EQ(member.bit_size, btf_member_bitfield_size(type, i)) << name << '.' << member.name;
      EXPECT_EQ(catalog_.size_of(member.type), btf__resolve_size(btf_, theirs.type))
          << name << '.' << member.name;
    }
  }
}

TEST_F(RunningKernel, GivesTheTypesOfTaskStruct) {
  const auto task = catalog_.find(Tag::kStruct, "task_struct");
  ASSERT_TRUE(task.has_value());
  const auto type_of = [&](const char* member) {
    const auto found = catalog_.member(*task, member);
    return found ? catalog_.name(found->type) : std::string("(absent)");
  };
  EXPECT_EQ(type_of("pid"), "pid_t");
  EXPECT_EQ(type_of("tgid"), "pid_t");
  EXPECT_EQ(type_of("comm"), "char [16]");
  EXPECT_EQ(type_of("real_parent"), "struct task_struct *");
  EXPECT_EQ(type_of("mm"), "struct mm_struct *");
  const auto info = catalog_.member(*task, "thread_info");
  ASSERT_TRUE(info.has_value());
  EXPECT_TRUE(catalog_.member(info->type, "status").has_value());
}

TEST_F(RunningKernel, GivesFunctionsTheIdsThatLibbpfGivesThem) {
  Catalog expecting;
  expecting.add_source(kernel_btf_source());
  for (const char* name : {"schedule", "vfs_read", "no_function_of_this_name"}) {
    const int id = btf__find_by_name_kind(btf_, name, BTF_KIND_FUNC);
    const auto wanted = id > 0 ? static_cast<std::uint32_t>(id) : 0;
    EXPECT_EQ(catalog_.function_number(name, "vmlinux"), wanted) << name;
    // One is looked for beforehand, in a thread; the others as before.
    expecting.expect_function(name, "vmlinux");
    EXPECT_EQ(expecting.function_number(name, "vmlinux"), wanted) << name;
    EXPECT_EQ(expecting.function_number(name, "vmlinux"), wanted) << name << ", asked again";
  }
}

TEST_F(RunningKernel, HasTheSameTypesInAnIndex) {
  const Result<FileBytes> file = FileBytes::open(kPath);
  ASSERT_TRUE(file.ok()) << file.error().text;
  const Btf walked = *Btf::parse(file->bytes());
  std::optional<std::string> bytes = walked.make_index();
  ASSERT_TRUE(bytes.has_value());
  const auto index = BtfIndex::of(std::move(*bytes));
  ASSERT_TRUE(index.has_value());
  Btf indexed = *Btf::parse(file->bytes());
  indexed.use(*index);
  ASSERT_EQ(indexed.type_count(), walked.type_count());
  std::map<std::pair<BtfKind, std::string_view>, std::uint32_t> first;
  for (std::uint32_t id = 1; id < walked.type_count(); ++id) {
    const Btf::Record mine = indexed.at(id), theirs = walked.at(id);
    ASSERT_EQ(mine.entries, theirs.entries) << id;
    const std::string_view name = walked.string(theirs.name);
    if (!name.empty()) first.try_emplace({theirs.kind, name}, id);
  }
  for (const auto& [key, id] : first) {
    const auto of_kind = [wanted = key.first](BtfKind kind) { return kind == wanted; };
    const auto found = indexed.find(key.second, of_kind);
    ASSERT_EQ(found, id) << key.second;
  }
}

TEST_F(RunningKernel, GivesTypedefsTheIdsThatLibbpfGivesThem) {
  const std::string_view names[] = {"btf_trace_sys_enter", "no_such_t", "pid_t", "task_struct"};
  const auto number = [&](std::size_t i) {
    return catalog_.number(Tag::kNone, names[i], "vmlinux");
  };
  for (const std::size_t i : {0u, 2u}) {
    const int theirs =
        btf__find_by_name_kind(btf_, std::string(names[i]).c_str(), BTF_KIND_TYPEDEF);
    ASSERT_GT(theirs, 0) << names[i];
    EXPECT_EQ(number(i), static_cast<std::uint32_t>(theirs)) << names[i];
  }
  EXPECT_EQ(number(1), 0u);
  EXPECT_EQ(number(3), 0u) << "a struct";
}

TEST_F(RunningKernel, SavesRegistersWhereProgramsReadThem) {
  const std::pair<const char*, machine::SavedRegister> registers[] = {
      {"r15", machine::kSavedR15},       {"r14", machine::kSavedR14},
      {"r13", machine::kSavedR13},       {"r12", machine::kSavedR12},
      {"bp", machine::kSavedBp},         {"bx", machine::kSavedBx},
      {"r11", machine::kSavedR11},       {"r10", machine::kSavedR10},
      {"r9", machine::kSavedR9},         {"r8", machine::kSavedR8},
      {"ax", machine::kSavedAx},         {"cx", machine::kSavedCx},
      {"dx", machine::kSavedDx},         {"si", machine::kSavedSi},
      {"di", machine::kSavedDi},         {"ip", machine::kSavedIp},
      {"cs", machine::kSavedCs},         {"sp", machine::kSavedSp},
      {"ss", machine::kSavedSs},         {"flags", machine::kSavedFlags},
      {"orig_ax", machine::kSavedOrigAx}};
  for (const auto& [name, offset] : registers) {
    EXPECT_EQ(offset_or_none(catalog_, "pt_regs", name), offset) << name;
  }
}

}  // namespace
}  // namespace dt::types
