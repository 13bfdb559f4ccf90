// Kernel symbols and scoped types in scripts: what they are, and the errors about
// those that do not exist.

#include <gtest/gtest.h>

#include "symbol/kernel/kallsyms.h"
#include "testing/d/fake_world.h"

namespace dt::d {
namespace {

constexpr const char* kKallsyms =
    "0000000000000000 A __per_cpu_start\n"
    "000000000001f000 A counters\n"
    "0000000000030000 A __per_cpu_end\n"
    "ffffffff81001000 T vfs_read\n"
    "ffffffff81001100 t helper\n"
    "ffffffff81001200 t helper\n"
    "ffffffff82000000 D jiffies\n"
    "ffffffff82000100 D mystery\n"
    "ffffffff82000200 D __per_cpu_offset\n"
    "ffffffffc0001000 t ext_read\t[ext]\n"
    "ffffffffc0002000 t both\t[ext]\n"
    "ffffffffc0003000 t both\t[net]\n";

// What the kernel and its modules are made of here.
class FakeSource : public types::Source {
 public:
  FakeSource(std::string module, types::Tag tag, std::string name, std::uint32_t size)
      : module_(std::move(module)), tag_(tag), name_(std::move(name)), size_(size) {}
  std::string_view module() const override { return module_; }
  std::optional<types::TypeId> find(types::Catalog& catalog, types::Tag tag,
                                    std::string_view name) override {
    if (tag != tag_ || name != name_) return std::nullopt;
    types::Type type;
    type.kind = types::Kind::kStruct;
    type.name = name_;
    type.size = size_;
    type.members.push_back({"n", catalog.integer(4, true), 0, 0});
    return catalog.add(type);
  }
  std::optional<types::Object> find_object(types::Catalog& catalog,
                                           std::string_view name) override {
    if (name == "counters") return types::Object{catalog.integer(4, true), true};
    return std::nullopt;
  }
  std::vector<std::string> names(types::Tag tag) override {
    return tag == tag_ ? std::vector<std::string>{name_} : std::vector<std::string>();
  }
  void complete(types::Catalog&, types::TypeId) override {}

 private:
  std::string module_;
  types::Tag tag_;
  std::string name_;
  std::uint32_t size_;
};

class FakeModules : public types::Library {
 public:
  std::unique_ptr<types::Source> open(std::string_view module) override {
    if (module == "ext")
      return std::make_unique<FakeSource>("ext", types::Tag::kStruct, "inode", 8);
    if (module == "net")
      return std::make_unique<FakeSource>("net", types::Tag::kStruct, "inode", 4);
    if (module == "fs") return std::make_unique<FakeSource>("fs", types::Tag::kStruct, "only", 12);
    return nullptr;
  }
  std::vector<std::string> modules() const override { return {"ext", "fs", "net"}; }
  bool is_kernel() const override { return true; }
};

class FakeProgram : public types::Library {
 public:
  std::unique_ptr<types::Source> open(std::string_view module) override {
    if (module != "a.out") return nullptr;
    return std::make_unique<FakeSource>("a.out", types::Tag::kStruct, "mine", 4);
  }
  std::vector<std::string> modules() const override { return {"a.out"}; }
  bool is_kernel() const override { return false; }
};

struct SymbolWorld : FakeWorld {
  SymbolWorld() {
    types.add_source(std::make_unique<FakeSource>("vmlinux", types::Tag::kStruct, "task", 64));
    types.add_library(std::make_unique<FakeModules>());
    types.add_library(std::make_unique<FakeProgram>());
    world.kallsyms = &kallsyms;
  }
  symbol::Kallsyms kallsyms = symbol::Kallsyms::from_text(kKallsyms);
};

std::string typed(const std::string& statement) {
  SymbolWorld fake;
  front::Dump dump;
  dump.want_typed = true;
  if (!fake.compile("BEGIN { " + statement + " }", &dump)) return fake.errors();
  return dump.typed;
}

std::string error_of(const std::string& statement) {
  SymbolWorld fake;
  fake.compile("BEGIN { " + statement + " }");
  const std::string errors = fake.errors();
  // The tag and text, and the hint; the excerpt is the renderer's business.
  const std::size_t hint = errors.find("hint: ");
  std::string text = errors.substr(0, errors.find('\n'));
  if (hint != std::string::npos)
    text += " | " + errors.substr(hint, errors.find('\n', hint) - hint);
  return text;
}

TEST(KernelSymbol, AFunctionIsItsAddress) {
  EXPECT_NE(typed("x = `vfs_read;").find("18446744071578849280 : void * constant"),
            std::string::npos)
      << typed("x = `vfs_read;");
  EXPECT_NE(typed("x = (uint64_t)&vmlinux`vfs_read;").find("18446744071578849280 : uint64_t"),
            std::string::npos)
      << typed("x = (uint64_t)&vmlinux`vfs_read;");
  EXPECT_NE(typed("x = &`ext_read;").find("constant"), std::string::npos);
}

TEST(KernelSymbol, AVariableHasTheTypeThatTheKernelGivesIt) {
  SymbolWorld fake;
  front::Dump dump;
  dump.want_ir = true;
  ASSERT_TRUE(fake.compile("BEGIN { trace(`jiffies); }", &dump)) << fake.errors();
  EXPECT_NE(dump.ir.find("load_kernel"), std::string::npos) << dump.ir;
  EXPECT_NE(dump.ir.find("-2113929216"), std::string::npos) << dump.ir;
}

TEST(KernelSymbol, APerCpuVariableIsThatOfThisCpu) {
  SymbolWorld fake;
  front::Dump dump;
  dump.want_ir = true;
  ASSERT_TRUE(fake.compile("BEGIN { trace(`counters); }", &dump)) << fake.errors();
  EXPECT_NE(dump.ir.find("builtin cpu"), std::string::npos) << dump.ir;
  EXPECT_NE(dump.ir.find("126976"), std::string::npos) << dump.ir;  // 0x1f000
}

TEST(KernelSymbol, OneWithoutATypeIsAnAddress) {
  SymbolWorld fake;
  EXPECT_TRUE(fake.compile("BEGIN { trace(*(int *)&`mystery); trace(&`mystery); }"))
      << fake.errors();
}

TEST(KernelSymbol, ErrorsSayWhatIsWrong) {
  struct Case {
    const char* statement;
    const char* error;
  };
  const Case cases[] = {
      {"trace(`mystery);",
       "[D_SYM_NOTYPES] line 1: no symbolic type information is available for "
       "vmlinux`mystery | hint: its address can be given a type, as in *(int *)&`mystery"},
      {"trace(`jifies);",
       "[D_IDENT_UNDEF] line 1: failed to resolve `jifies: Unknown symbol name | hint: "
       "did you mean '`jiffies'?"},
      {"trace(ext`vfs_read);",
       "[D_IDENT_UNDEF] line 1: failed to resolve ext`vfs_read: Unknown symbol name | "
       "hint: did you mean 'vmlinux`vfs_read'?"},
      {"trace(`allproc);",
       "[D_IDENT_UNDEF] line 1: failed to resolve `allproc: Unknown symbol name | hint: a script "
       "sees the process of a probe, curpsinfo, not the list of all"},
      {"trace(`wombats_everywhere);",
       "[D_IDENT_UNDEF] line 1: failed to resolve `wombats_everywhere: Unknown symbol name | hint: "
       "this kernel tells where its functions are, not its variables (no CONFIG_KALLSYMS_ALL)"},
      {"trace(exd`vfs_read);",
       "[D_IDENT_UNDEF] line 1: failed to resolve exd`vfs_read: Unknown module name | "
       "hint: did you mean 'ext`vfs_read'?"},
      {"trace(a.out`main);",
       "[D_SYM_BADREF] line 1: symbol a.out`main may not be referenced: a.out is part of "
       "a user program, and only its types can be named"},
      {"trace(`helper);",
       "[D_IDENT_AMBIG] line 1: `helper is ambiguous: the kernel has 2 symbols of that "
       "name"},
      {"trace(`both);",
       "[D_IDENT_AMBIG] line 1: `both is ambiguous: the kernel has 2 symbols of that name "
       "| hint: name the module, as in 'ext`both'"},
      {"`jiffies = 1;", "[D_OP_WRITE] line 1: operator = cannot write to kernel memory"},
      {"trace(sizeof(struct ext`inod));",
       "[D_TYPE_ERR] line 1: failed to resolve type struct ext`inod: Unknown type name | "
       "hint: did you mean 'struct ext`inode'?"},
      {"trace(sizeof(union nex`inode));",
       "[D_TYPE_ERR] line 1: failed to resolve type union nex`inode: Unknown module name "
       "| hint: did you mean 'union net`inode'?"},
      {"trace(sizeof(struct inode));",
       "[D_IDENT_AMBIG] line 1: type struct inode is ambiguous: modules ext and net have "
       "different ones | hint: name the module, as in 'struct ext`inode'"},
  };
  for (const Case& test : cases) {
    EXPECT_EQ(error_of(test.statement), test.error) << test.statement;
  }
}

TEST(KernelSymbol, HiddenAddressesAreSaid) {
  SymbolWorld fake;
  fake.kallsyms = symbol::Kallsyms::from_text("0000000000000000 T vfs_read\n");
  EXPECT_FALSE(fake.compile("BEGIN { trace(`vfs_read); }"));
  EXPECT_EQ(fake.errors(),
            "[D_SYM_BADREF] line 1: kernel symbol `vfs_read may not be referenced: the "
            "addresses of the kernel's symbols are hidden from this process (/proc/kallsyms shows "
            "zeros)\n"
            "x.d:1:15: error: kernel symbol `vfs_read may not be referenced: the addresses of the "
            "kernel's symbols are hidden from this process (/proc/kallsyms shows zeros) "
            "[D_SYM_BADREF]\n"
            "BEGIN { trace(`vfs_read); }\n"
            "              ^~~~~~~~~\n"
            "hint: set kernel.kptr_restrict to 1 or run with CAP_SYSLOG\n");
}

TEST(ScopedType, IsThatOfItsModule) {
  SymbolWorld fake;
  front::Dump dump;
  dump.want_ir = true;
  ASSERT_TRUE(
      fake.compile("BEGIN { trace(sizeof(struct ext`inode)); trace(sizeof(struct net`inode));"
                   " trace(sizeof(struct only)); trace(sizeof(struct a.out`mine)); }",
                   &dump))
      << fake.errors();
}

}  // namespace
}  // namespace dt::d
