// Modules of the kernel: split BTF, variables and functions.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "types/btf_test.h"
#include "types/type.h"

namespace dt::types {
namespace {

// A directory as /sys/kernel/btf, with a vmlinux and two modules.
class Modules : public testing::Test {
 protected:
  void SetUp() override {
    char path[] = "/tmp/dt_types_test_XXXXXX";
    ASSERT_NE(::mkdtemp(path), nullptr);
    directory_ = path;
    BtfWriter vmlinux;
    const auto integer = vmlinux.type("int", 1, 0, 4, {1u << 24 | 32});
    const auto file = vmlinux.type("file", 4, 1, 4, {vmlinux.string("flags"), integer, 0});
    const auto proto = vmlinux.type("", 13, 1, integer, {vmlinux.string("file"), file});
    vmlinux.type("open_file", 12, 1, proto);
    const auto variable = vmlinux.type("runs", 14, 0, integer, {1});
    vmlinux.type("plain", 14, 0, integer, {1});
    vmlinux.type(".data..percpu", 15, 1, 64, {variable, 16, 4});
    write("vmlinux", vmlinux.bytes());

    BtfWriter ext(vmlinux);
    const auto pointer = ext.type("", 2, 0, file);
    const auto inode = ext.type("ext_inode", 4, 2, 16,
                                {ext.string("file"), pointer, 0, ext.string("nr"), integer, 64});
    ext.type("ext_inode_t", 8, 0, inode);
    ext.type("ext_count", 14, 0, inode, {1});
    ext.type("ext_state", 6, 1, 4, {ext.string("EXT_ON"), 1});
    const auto many = ext.string("EXT_MANY");
    ext.type("", 19, 2, 8, {ext.string("EXT_FEW"), 1, 0, many, 7, 2});
    ext.type("", 6, 1, 4, {many, static_cast<std::uint32_t>(-3)}, true);
    ext.type("shared", 4, 1, 4, {ext.string("a"), integer, 0});
    write("ext", ext.bytes());

    BtfWriter net(vmlinux);
    net.type("shared", 4, 1, 8, {net.string("b"), integer, 32});
    write("net", net.bytes());
    add_kernel_types(catalog_, directory_);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  void write(const std::string& name, const std::vector<std::uint8_t>& bytes) {
    std::ofstream(directory_ + "/" + name, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }
  std::string type_name(std::string_view object, std::string_view module) {
    const auto found = catalog_.find_object(object, module);
    return found ? catalog_.name(found->type) : "(absent)";
  }

  std::string directory_;
  Catalog catalog_;
};

TEST_F(Modules, AreAskedWhenTheyAreNamed) {
  EXPECT_FALSE(catalog_.find(Tag::kStruct, "ext_inode").has_value());
  const auto inode = catalog_.find(Tag::kStruct, "ext_inode", "ext");
  ASSERT_TRUE(inode.has_value()) << catalog_.errors();
  EXPECT_EQ(catalog_.at(*inode).size, 16u);
  const auto number = catalog_.member(*inode, "nr");
  ASSERT_TRUE(number.has_value());
  EXPECT_EQ(number->bit_offset, 64u);
  EXPECT_EQ(catalog_.name(number->type), "int");
  EXPECT_TRUE(catalog_.find(Tag::kNone, "ext_inode_t", "ext").has_value());
  EXPECT_TRUE(catalog_.find(Tag::kEnum, "ext_state", "ext").has_value());
  EXPECT_FALSE(catalog_.find(Tag::kStruct, "ext_inode", "net").has_value());
  EXPECT_FALSE(catalog_.find(Tag::kStruct, "ext_inode", "nosuch").has_value());
}

TEST_F(Modules, AreSearchedForEnumerators) {
  const auto state = catalog_.find_enumerators("EXT_ON", "ext");
  ASSERT_EQ(state.size(), 1u) << catalog_.errors();
  EXPECT_EQ(state[0].enumeration, *catalog_.find(Tag::kEnum, "ext_state", "ext"));
  EXPECT_EQ(state[0].value, 1);
  // Every enumeration that has the name; of 8 bytes, and negative in 4.
  const auto many = catalog_.find_enumerators("EXT_MANY", "ext");
  ASSERT_EQ(many.size(), 2u);
  EXPECT_EQ(many[0].value, (std::int64_t{2} << 32) + 7);
  EXPECT_EQ(many[1].value, -3);
  EXPECT_TRUE(catalog_.find_enumerators("EXT_ON", "vmlinux").empty());
  EXPECT_TRUE(catalog_.find_enumerators("EXT_ON", "nosuch").empty());
  EXPECT_TRUE(catalog_.find_enumerators("ext_state", "ext").empty());
  EXPECT_TRUE(catalog_.find_enumerators("", "ext").empty());
  EXPECT_EQ(catalog_.enumerator_names("ext"),
            (std::vector<std::string_view>{"EXT_ON", "EXT_FEW", "EXT_MANY", "EXT_MANY"}));
  EXPECT_TRUE(catalog_.enumerator_names("nosuch").empty());
}

TEST_F(Modules, ShareTheTypesOfTheKernel) {
  const auto inode = catalog_.find(Tag::kStruct, "ext_inode", "ext");
  ASSERT_TRUE(inode.has_value());
  const TypeId file = catalog_.at(catalog_.member(*inode, "file")->type).target;
  EXPECT_EQ(file, *catalog_.find(Tag::kStruct, "file", "vmlinux"));
  EXPECT_TRUE(catalog_.member(file, "flags").has_value());
  // A module's own types only: those of the kernel are the kernel's.
  EXPECT_FALSE(catalog_.find(Tag::kStruct, "file", "ext").has_value());
}

TEST_F(Modules, DescribeVariablesAndFunctions) {
  EXPECT_EQ(type_name("open_file", "vmlinux"), "int (struct file)");
  EXPECT_EQ(type_name("ext_count", "ext"), "struct ext_inode");
  EXPECT_EQ(type_name("nothing", "ext"), "(absent)");
  EXPECT_EQ(type_name("open_file", "ext"), "(absent)");
  EXPECT_TRUE(catalog_.find_object("runs", "vmlinux")->is_per_cpu);
  EXPECT_FALSE(catalog_.find_object("plain", "vmlinux")->is_per_cpu);
}

TEST_F(Modules, AreAllAskedForANameWithoutAModule) {
  const auto one = catalog_.find_in_modules(Tag::kStruct, "ext_inode");
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].module, "ext");
  EXPECT_EQ(catalog_.find_in_modules(Tag::kStruct, "shared").size(), 2u);
  EXPECT_EQ(catalog_.find_in_modules(Tag::kStruct, "nosuch").size(), 0u);
}

TEST_F(Modules, AreListedForSuggestions) {
  EXPECT_TRUE(catalog_.has_module("ext"));
  EXPECT_TRUE(catalog_.has_module("vmlinux"));
  EXPECT_TRUE(catalog_.has_module("D"));
  EXPECT_FALSE(catalog_.has_module("exd"));
  EXPECT_FALSE(catalog_.has_module("../vmlinux"));
  EXPECT_EQ(catalog_.module_names(), (std::vector<std::string>{"vmlinux", "ext", "net"}));
  EXPECT_EQ(catalog_.type_names(Tag::kStruct, "ext"),
            (std::vector<std::string>{"ext_inode", "shared"}));
}

TEST_F(Modules, SayWhatIsWrongWithTheirFiles) {
  write("ext", {1, 2, 3});
  EXPECT_FALSE(catalog_.find(Tag::kStruct, "ext_inode", "ext").has_value());
  EXPECT_EQ(catalog_.errors(), directory_ + "/ext: BTF: too short for a header");
}

}  // namespace
}  // namespace dt::types
