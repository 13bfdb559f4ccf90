// D libraries: loaded for names that nothing else defines, and never a reason
// not to compile a program.

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "d/meaning/version.h"
#include "ir/print.h"
#include "support/diagnostics.h"
#include "testing/d/fake_world.h"

namespace dt::d {
namespace {

constexpr const char* kProc =
    "#pragma D depends_on library base.d\n"
    "struct task_struct { int tgid; char comm[16]; };\n"
    "typedef struct psinfo { int pr_pid; string pr_fname; int pr_gone; my_t pr_mine; } psinfo_t;\n"
    "translator psinfo_t < struct task_struct *T > {\n"
    "  pr_pid = T->tgid; pr_fname = T->comm; pr_gone = T->not_on_this_kernel; pr_mine = TWO;\n"
    "};\n"
    "inline psinfo_t *curpsinfo = xlate <psinfo_t *> (curthread);\n"
    "#pragma D attributes Stable/Stable/Common curpsinfo\n"
    "#pragma D binding \"1.5\" newer\n"
    "inline int newer = 5;\n"
    "enum { PS_A = 7, PS_B };\n";

// A world with libraries; `read` counts how often they are read.
class LibraryWorld : public FakeWorld {
 public:
  LibraryWorld() {
    files = {{"/lib/base.d", "typedef int my_t; inline my_t TWO = 2;\n"}, {"/lib/proc.d", kProc}};
    world.libraries = [this] {
      ++read;
      return files;
    };
    world.library_left_out = [this](const std::string&, const support::Diagnostic& why,
                                    const support::Sources& all) {
      left_out += support::headline(why, all, true) + "\n";
    };
    world.has_module = [](std::string_view name) { return name == "vmlinux"; };
  }
  std::vector<LibraryFile> files;
  int read = 0;
  std::string left_out;
};

std::string errors(const std::string& script) {
  LibraryWorld world;
  world.compile(script);
  return world.errors();
}

TEST(CheckLibrary, NothingIsReadForAProgramThatKnowsItsNames) {
  LibraryWorld world;
  EXPECT_TRUE(world.compile("BEGIN { x = pid; self->a = x + 1; @[execname] = count(); }"));
  EXPECT_EQ(world.read, 0);
}

TEST(CheckLibrary, AnInlineAndItsTypeAreFound) {
  LibraryWorld world;
  EXPECT_TRUE(world.compile("BEGIN { trace(curpsinfo->pr_pid); trace(curpsinfo->pr_mine); }"))
      << world.errors();
  EXPECT_EQ(world.read, 1);
}

TEST(CheckLibrary, ATypeIsFoundByTheParser) {
  LibraryWorld world;
  EXPECT_TRUE(
      world.compile("psinfo_t *p; BEGIN { trace(((psinfo_t *)arg0)->pr_pid); "
                    "trace(xlate <psinfo_t> (curthread).pr_fname); }"))
      << world.errors();
}

TEST(CheckLibrary, AnEnumeratorIsFound) {
  LibraryWorld world;
  EXPECT_TRUE(world.compile("BEGIN { trace(PS_B); }")) << world.errors();
}

TEST(CheckLibrary, AMemberThatTheKernelHasNotIsAnErrorOfItsUseOnly) {
  EXPECT_EQ(errors("BEGIN { trace(curpsinfo->pr_gone); }"),
            "[D_TYPE_MEMBER] \"/lib/proc.d\", line 5: not_on_this_kernel is not a member of struct "
            "task_struct\n"
            "/lib/proc.d:5:54: error: not_on_this_kernel is not a member of struct task_struct "
            "[D_TYPE_MEMBER]\n"
            "  pr_pid = T->tgid; pr_fname = T->comm; pr_gone = T->not_on_this_kernel; pr_mine = "
            "TWO;\n"
            "                                                     ^~~~~~~~~~~~~~~~~~\n"
            "x.d:1:15: note: used here\n"
            "BEGIN { trace(curpsinfo->pr_gone); }\n"
            "              ^~~~~~~~~~~~~~~~~~\n");
}

TEST(CheckLibrary, ABrokenFileIsNamedAndLeftOut) {
  LibraryWorld world;
  world.files.push_back({"/lib/broken.d", "inline int TWICE = = 2;\n"});
  EXPECT_FALSE(world.compile("BEGIN { trace(TWICE); }"));
  EXPECT_EQ(world.left_out, "[D_SYNTAX] \"/lib/broken.d\", line 1: syntax error near \"=\"\n");
  EXPECT_EQ(world.first_error(), "D_IDENT_UNDEF TWICE");
  EXPECT_EQ(world.diagnostics.all()[0].hint, "the library /lib/broken.d is left out");
}

TEST(CheckLibrary, ABrokenFileDoesNotKeepOthersFromBeingUsed) {
  LibraryWorld world;
  world.files.insert(world.files.begin(), {"/lib/a.d", "nosuch_t x; inline int curpsinfo = 5;\n"});
  EXPECT_TRUE(world.compile("BEGIN { trace(curpsinfo->pr_pid); }")) << world.errors();
  EXPECT_NE(world.left_out.find("\"/lib/a.d\", line 1: "), std::string::npos) << world.left_out;
}

TEST(CheckLibrary, APragmaOfWhatTheFileDoesNotDefineIsAnError) {
  for (const char* pragma : {"attributes Stable/Stable/Common", "binding \"1.5\""}) {
    LibraryWorld world;
    world.files.push_back(
        {"/lib/odd.d", fmt::format("#pragma D {0} ODD\ninline int ODD = 1;\n#pragma D {0} wombat\n"
                                   "#pragma D {0} pid\n",
                                   pragma)});
    EXPECT_FALSE(world.compile("BEGIN { trace(ODD); }"));
    EXPECT_EQ(world.left_out,
              "[D_PRAGMA_UNUSED] \"/lib/odd.d\", line 3: unused #pragma: the library does not "
              "define wombat\n");
  }
}

TEST(CheckLibrary, AFileWhoseModuleIsNotThereIsLeftOutInSilence) {
  LibraryWorld world;
  world.files.push_back({"/lib/zfs.d", "#pragma D depends_on module zfs\ninline int ZFS = 1;\n"});
  EXPECT_FALSE(world.compile("BEGIN { trace(ZFS); }"));
  EXPECT_EQ(world.left_out, "");
  EXPECT_EQ(world.diagnostics.all()[0].hint,
            "the library /lib/zfs.d may define it; it needs the module zfs, which is not there");
}

TEST(CheckLibrary, LibrariesThatDependOnEachOtherAreLeftOut) {
  LibraryWorld world;
  world.files = {{"/a.d", "#pragma D depends_on library b.d\ninline int AAA = 1;\n"},
                 {"/b.d", "#pragma D depends_on library a.d\ninline int BBB = AAA;\n"}};
  EXPECT_FALSE(world.compile("BEGIN { trace(BBB); }"));
  EXPECT_EQ(world.left_out,
            "[D_PRAGMA_DEPEND] \"/a.d\", line 1: libraries depend on each other in a circle: a.d "
            "and b.d\n");

  LibraryWorld alone;
  alone.files = {{"/a.d", "#pragma D depends_on library a.d\ninline int AAA = 1;\n"}};
  EXPECT_FALSE(alone.compile("BEGIN { trace(AAA); }"));
  EXPECT_NE(alone.left_out.find("in a circle: a.d and a.d"), std::string::npos) << alone.left_out;
}

TEST(CheckLibrary, ALibraryThatTwoOthersDependOnIsNoCircle) {
  LibraryWorld world;
  world.files = {{"/a.d",
                  "#pragma D depends_on library b.d\n#pragma D depends_on library c.d\n"
                  "inline int AAA = BBB + CCC;\n"},
                 {"/b.d", "#pragma D depends_on library c.d\ninline int BBB = CCC;\n"},
                 {"/c.d", "inline int CCC = 1;\n"}};
  EXPECT_TRUE(world.compile("BEGIN { trace(AAA); }")) << world.errors();
}

TEST(CheckLibrary, ANameWithinALibraryMayBeOfOneThatDependsOnIt) {
  LibraryWorld world;
  world.files = {{"/a.d", "inline int AAA = BBB;\n"},
                 {"/b.d", "#pragma D depends_on library a.d\ninline int BBB = 1;\n"}};
  EXPECT_TRUE(world.compile("BEGIN { trace(AAA); }")) << world.errors() << world.left_out;
}

TEST(CheckLibrary, TheProgramsOwnNamesComeFirst) {
  LibraryWorld world;
  EXPECT_TRUE(world.compile("int TWO; inline int PS = 1; BEGIN { TWO = 3; trace(TWO + PS); }"))
      << world.errors();
  EXPECT_EQ(world.read, 0);
}

TEST(CheckLibrary, WhatALaterVersionBringsIsHidden) {
  LibraryWorld world;
  world.world.version = *parse_version("1.4");
  EXPECT_FALSE(world.compile("BEGIN { trace(newer); }"));
  EXPECT_EQ(world.first_error(), "D_IDENT_UNDEF newer");
  EXPECT_EQ(world.diagnostics.all()[0].hint,
            "it came with a later version of D than -x version asks for");
}

TEST(CheckLibrary, BuiltInNamesOfALaterVersionAreHidden) {
  FakeWorld world;
  world.world.version = *parse_version("1.1");
  EXPECT_FALSE(world.compile("BEGIN { trace(ucaller); trace(ntohs(5)); }"));
  EXPECT_EQ(world.errors(),
            "[D_IDENT_UNDEF] line 1: failed to resolve ucaller: Unknown variable name\n"
            "x.d:1:15: error: failed to resolve ucaller: Unknown variable name [D_IDENT_UNDEF]\n"
            "BEGIN { trace(ucaller); trace(ntohs(5)); }\n"
            "              ^~~~~~~\n"
            "hint: it came with version 1.2 of D\n"
            "[D_FUNC_UNDEF] line 1: undefined function name: ntohs\n"
            "x.d:1:31: error: undefined function name: ntohs [D_FUNC_UNDEF]\n"
            "BEGIN { trace(ucaller); trace(ntohs(5)); }\n"
            "                              ^~~~~\n"
            "hint: it came with version 1.3 of D\n");
}

TEST(CheckLibrary, NamesOfALaterVersionAreFree) {
  for (const char* const script :
       {"int stddev; BEGIN { stddev = 1; trace(stddev); }", "BEGIN { strstr = 1; trace(strstr); }",
        "inline int llquantize = 3; BEGIN { trace(llquantize); }",
        "BEGIN { ucaller = 5; trace(ucaller); }"}) {
    FakeWorld world;
    world.world.version = *parse_version("1.0");
    EXPECT_TRUE(world.compile(script)) << world.errors();
  }
  FakeWorld world;
  world.world.version = *parse_version("1.5");
  EXPECT_FALSE(world.compile("BEGIN { @a = stddev(1); }"));
  EXPECT_EQ(world.first_error(), "D_FUNC_UNDEF stddev");
}

struct Case {
  const char* script;
  const char* headline;
};

TEST(CheckLibrary, PragmasAreChecked) {
  const Case cases[] = {
      {"#pragma D attributes Stable/Stable/Common\nBEGIN { }",
       "[D_PRAGMA_MALFORM] line 1: malformed #pragma attributes: two or more words must follow"},
      {"#pragma D attributes Stable/Wombat/Common x\nint x;",
       "[D_PRAGMA_INVAL] line 1: invalid attributes in #pragma attributes: Stable/Wombat/Common"},
      {"#pragma D attributes Stable/Stable/Common provider p\nBEGIN { }",
       "[D_PRAGMA_MALFORM] line 1: malformed #pragma attributes: provider <name> "
       "provider|module|function|name|args must follow"},
      {"#pragma D attributes Stable/Stable/Common provider p wombat\nBEGIN { }",
       "[D_PRAGMA_INVAL] line 1: invalid component wombat in #pragma attributes: it must be "
       "provider, module, function, name or args"},
      {"#pragma D attributes Stable/Stable/Common pid\nBEGIN { }",
       "[D_PRAGMA_SCOPE] line 1: #pragma cannot modify entity defined outside program scope: pid"},
      {"#pragma D attributes Stable/Stable/Common wombat\nBEGIN { }",
       "[D_PRAGMA_UNUSED] line 1: unused #pragma: the program does not define wombat"},
      {"#pragma D binding \"wombat\" x\nint x;",
       "[D_PRAGMA_INVAL] line 1: invalid version in #pragma binding: \"wombat\""},
      {"#pragma D depends_on module zfs\nBEGIN { }",
       "[D_PRAGMA_DEPEND] line 1: program requires module zfs, which is not there"},
      {"#pragma D depends_on provider zfs\nBEGIN { }",
       "[D_PRAGMA_DEPEND] line 1: program requires provider zfs, which is not there"},
      {"#pragma D depends_on library zfs.d\nBEGIN { }",
       "[D_PRAGMA_SCOPE] line 1: main program may not explicitly depend on a library"},
      {"#pragma D depends_on wombat zfs\nBEGIN { }",
       "[D_PRAGMA_INVAL] line 1: invalid class wombat specified by #pragma depends_on: it must be "
       "module, provider or library"},
  };
  for (const Case& one : cases) {
    LibraryWorld world;
    EXPECT_FALSE(world.compile(one.script)) << one.script;
    ASSERT_TRUE(world.diagnostics.any()) << one.script;
    EXPECT_EQ(support::headline(world.diagnostics.all()[0], world.sources, true), one.headline);
  }
}

TEST(CheckLibrary, PragmasThatHoldAreNoErrors) {
  const char* const scripts[] = {
      ("#pragma D depends_on module vmlinux\n#pragma D depends_on provider syscall\n"
       "BEGIN { }"),
      "int x;\n#pragma D attributes Stable/Stable/Common x\n#pragma D binding \"1.0\" x\nBEGIN { }",
      "#pragma ident \"a.d 1.2\"\n#ident \"a.d\"\nBEGIN { }",
  };
  for (const char* const script : scripts) {
    EXPECT_EQ(errors(script), "") << script;
  }
}

}  // namespace
}  // namespace dt::d
