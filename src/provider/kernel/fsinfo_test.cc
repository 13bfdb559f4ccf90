// The fsinfo provider: what is listed on which kernel, and why the rest is not.

#include <gtest/gtest.h>

#include <cerrno>
#include <set>

#include "provider/mechanism/functions.h"
#include "provider/mechanism/providers.h"
#include "testing/kernel/fake.h"
#include "types/type.h"

namespace dt::provider {
namespace {

// BTF that knows `vfs_read(struct file *, void *)` and `iterate_dir(void *)`, and what their
// probes read of a file, but for the members that it `lacks`.
class FileTypes : public types::Source {
 public:
  explicit FileTypes(std::string lacks) : lacks_(std::move(lacks)) {}

  std::string_view module() const override { return "vmlinux"; }
  std::optional<types::TypeId> find(types::Catalog& catalog, types::Tag tag,
                                    std::string_view name) override {
    if (tag != types::Tag::kStruct) return std::nullopt;
    const types::TypeId word = catalog.integer(8, false);
    if (name == "path") return add(catalog, "path", {{"mnt", word}, {"dentry", word, 64}});
    if (name == "mount") return add(catalog, "mount", {{"mnt", word, 256}});
    if (name != "file") return std::nullopt;
    const types::TypeId path = *find(catalog, tag, "path");
    return add(catalog, "file", {{"f_path", path}, {"f_pos", word, 128}, {"f_flags", word, 192}});
  }
  void complete(types::Catalog&, types::TypeId) override {}
  std::uint32_t function_number(std::string_view) override { return 7; }
  std::optional<types::Object> find_object(types::Catalog& catalog,
                                           std::string_view name) override {
    types::Type function, file;
    function.kind = types::Kind::kFunction;
    function.target = catalog.integer(8, true);
    file.kind = types::Kind::kStruct;
    file.name = "file";
    if (name == "vfs_read") {
      function.members.push_back({"file", catalog.pointer_to(catalog.add(std::move(file)))});
    } else if (name != "iterate_dir") {
      return std::nullopt;
    }
    function.members.push_back({"to", catalog.pointer_to(catalog.void_type())});
    return types::Object{catalog.add(std::move(function))};
  }

 private:
  types::TypeId add(types::Catalog& catalog, const char* name, std::vector<types::Member> members) {
    types::Type type;
    type.kind = types::Kind::kStruct;
    type.name = name;
    type.size = 64;
    std::erase_if(members, [this](const types::Member& member) { return member.name == lacks_; });
    type.members = std::move(members);
    return catalog.add(std::move(type));
  }

  std::string lacks_;
};

class FsinfoTest : public ::testing::Test {
 protected:
  std::unique_ptr<Provider> make(std::set<kernel::Feature> ways, std::string lacks = {}) {
    types_.add_source(std::make_unique<FileTypes>(std::move(lacks)));
    KernelFunctions::Source source;
    source.functions = [] { return Result<std::string>("iterate_dir\nvfs_read\nvfs_mkdir\n"); };
    source.try_feature = [ways](kernel::Feature feature) {
      return ways.contains(feature) ? Status() : Status(Error::of_code("not here", EPERM));
    };
    source.kernel = &kernel_;
    return fsinfo_provider(types_, std::make_shared<KernelFunctions>(source));
  }

  types::Catalog types_;
  kernel::FakeKernel kernel_;
};

probe::Pattern named(const char* name) {
  probe::Pattern pattern;
  pattern.provider = "fsinfo";
  pattern.name = name;
  return pattern;
}

TEST_F(FsinfoTest, ListsFunctionsThatCanBeTracedAndPassWhatIsNeeded) {
  const auto provider = make({kernel::Feature::kFentry});
  EXPECT_EQ(provider->list(),
            (std::vector<probe::Description>{{"fsinfo", "vmlinux", "vfs_read", "read"}}));
  EXPECT_EQ(provider->why_not(named("readdir")),
            "this kernel does not let these be traced: iterate_dir");
  EXPECT_EQ(provider->why_not(named("rename")),
            "this kernel does not let these be traced: vfs_rename");
  const std::string program = provider->binding(provider->list()[0]).program;
  EXPECT_EQ(provider->source(program), "fexit of vfs_read");
  EXPECT_EQ(provider->program_spec(program)->attach_btf_id, 7U);
}

TEST_F(FsinfoTest, WhatAnOperationReadsAndTheKernelLacksIsNamed) {
  const auto provider = make({kernel::Feature::kFentry}, "f_pos");
  EXPECT_TRUE(provider->list().empty());
  EXPECT_EQ(
      provider->why_not(named("read")),
      "this kernel does not let these be traced: __kernel_read, vfs_iter_read, vfs_read (this "
      "kernel's struct file has no member f_pos), vfs_readv");
}

TEST_F(FsinfoTest, IsEmptyWhereNoProgramRunsAtReturns) {
  const auto provider = make({kernel::Feature::kKprobe});
  EXPECT_TRUE(provider->list().empty());
  EXPECT_EQ(provider->why_not(named("read")),
            "this kernel runs no programs where its functions return: not here");
  EXPECT_EQ(make({})->why_not(named("read")),
            "this kernel does not let its functions be traced: fentry: not here; kprobe.multi: not "
            "here; kprobes: not here");
}

TEST_F(FsinfoTest, WhatLinuxDoesNotHaveIsRefusedByName) {
  const auto provider = make({kernel::Feature::kFentry});
  EXPECT_EQ(provider->why_not(named("vnevent")), "file systems of Linux have no such operation");
  EXPECT_EQ(provider->why_not(named("nonsense")), "");
}

}  // namespace
}  // namespace dt::provider
