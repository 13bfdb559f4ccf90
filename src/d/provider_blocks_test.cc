// Provider blocks as dtrace -h and -G take them.

#include "d/provider_blocks.h"

#include <gtest/gtest.h>

#include "testing/d/fake_world.h"

namespace dt::d {
namespace {

struct Read {
  FakeWorld world;
  std::optional<std::vector<usdt::Provider>> providers;
  explicit Read(std::string text) {
    const front::Input input{world.sources.add(Source("p.d", std::move(text))),
                             front::Input::Spec::kProgram};
    providers = read_providers(world.sources, std::span<const front::Input>(&input, 1), world.world,
                               world.diagnostics);
  }
};

// "name(types)", or "name(types) : (number type, ...)", one after another.
std::string shown(const std::string& text) {
  const Read read(text);
  if (!read.providers) {
    return read.world.errors();
  }
  std::string out;
  for (const usdt::Provider& provider : *read.providers) {
    for (const std::string& part : provider.stability) {
      out += "[" + part + "]";
    }
    for (const usdt::Probe& probe : provider.probes) {
      out += provider.name + ":" + probe.name + "(";
      for (std::size_t i = 0; i < probe.arguments.size(); ++i) {
        out += (i == 0 ? "" : ", ") + probe.arguments[i];
      }
      out += ")";
      for (const usdt::Translated& one : probe.translated) {
        out += fmt::format(" {}={}", one.source, one.type);
      }
      out += "\n";
    }
  }
  return out;
}

TEST(ProviderBlocks, AreReadAsTheyAreWritten) {
  EXPECT_EQ(
      shown("provider p {\n"
            "  probe a();\n"
            "  probe b__c(void);\n"
            "  probe d-e(int);\n"
            "  probe f(const char *string, unsigned long long n, int array[8], string s);\n"
            "  probe g(gboolean, struct nobody_knows *x, my_t **, enum e, void (*call)(int));\n"
            "};\n"
            "#pragma D attributes Evolving/Evolving/Common provider q name\n"
            "provider q { probe a(long); };\n"
            "provider p { probe h(); };\n"),
      "p:a()\np:b__c()\np:d__e(int)\n"
      "p:f(const char *, unsigned long long, int *, char *)\n"
      "p:g(gboolean, struct nobody_knows *, my_t **, enum e, void *)\n"
      "p:h()\n"
      "[Unstable Unstable Common][Private Private Unknown][Private Private Unknown]"
      "[Evolving Evolving Common][Unstable Unstable Common]q:a(long)\n");
  EXPECT_EQ(
      shown("provider p { probe a(struct b *b, int n) : (int n, struct c *b, struct b *); };"),
      "[D_PROV_PRARGLEN] line 1: probe a passes 2 arguments: there is none for argument #3\n"
      "p.d:1:65: error: probe a passes 2 arguments: there is none for argument #3 "
      "[D_PROV_PRARGLEN]\n"
      "provider p { probe a(struct b *b, int n) : (int n, struct c *b, struct b *); };\n"
      "                                                                ^~~~~~~~~~\n");
  EXPECT_EQ(shown("provider p { probe a(struct b *b, int n) : (int n, struct c *b); };"),
            "p:a(struct b *, int) 1=int 0=struct c *\n");
}

TEST(ProviderBlocks, PragmasSayHowStableTheProviderIs) {
  EXPECT_EQ(shown("#pragma D attributes Evolving/Evolving/Common provider p provider\n"
                  "#pragma D attributes Stable/Private/ISA provider p args\n"
                  "#pragma D attributes External/External/Group provider p args\n"
                  "provider p { probe a(); };\n"
                  "provider q { probe a(); };\n"),
            "[Evolving Evolving Common][Private Private Unknown][Private Private Unknown]"
            "[Unstable Unstable Common][External External Group]p:a()\nq:a()\n");
}

TEST(ProviderBlocks, WhatIsWrongIsShown) {
  const std::pair<const char*, const char*> cases[] = {
      {"provider p1 { probe a(); };", "D_PROV_BADNAME p1"},
      {"provider p { probe a(int); probe b(); probe a(int); };", "D_PROV_PRDUP a"},
      {"provider p { probe a__b(); probe a-b(); };", "D_PROV_PRDUP a-b"},
      {"provider p { probe a__b(); probe a_b(); };", "D_PROV_PRDUP a_b"},
      {"provider p { probe a__ENABLED(); probe a(); };", "D_PROV_PRDUP a"},
      {"provider pid { probe a(); };", "D_PROV_BADNAME pid"},
      {"provider p { probe a(struct b); };", "D_PROV_PRARGLEN struct b"},
      {"provider p { probe a(int, void); };", "D_DECL_PROTO_VOID void"},
      {"provider p { probe a(int i, char *i); };", "D_DECL_PROTO_NAME char *i"},
      {"provider p { probe a(int i, long j) : (int i, int i, char *j, int j); };", ""},
      {"provider p { probe a(int,int,int,int,int,int,int,int,int,int,int,int,int); };",
       "D_PROV_PRARGLEN a"},
      {"provider p { probe a(int,int,int,int,int,int,int,int,int,int,int l) : (int l); };",
       "D_PROV_PRARGLEN int l"},
      {"provider p { probe a(int) };", "D_SYNTAX }"},
      {"provider p { probe a(); }; BEGIN { exit(0); }", "D_PROV_CLAUSE BEGIN"},
      {"provider p { probe a(); };\n#pragma D attributes Stable/Stable/Common provider p",
       "D_PRAGMA_MALFORM #pragma D attributes Stable/Stable/Common provider p"},
      {"provider p { probe a(); };\n#pragma D attributes Stable/Stable/Common provider q args",
       "D_PRAGMA_UNUSED #pragma D attributes Stable/Stable/Common provider q args"},
      {"provider p { probe a(); };\n#pragma D attributes Stable/Wombat/Common provider p args",
       "D_PRAGMA_INVAL #pragma D attributes Stable/Wombat/Common provider p args"},
      {"provider p { probe a(); };\n#pragma D attributes Stable/Stable/Common provider p argument",
       "D_PRAGMA_INVAL #pragma D attributes Stable/Stable/Common provider p argument"},
      {"typedef int x;", "D_EMPTY "},
      {"", "D_EMPTY "},
  };
  for (const auto& [text, wanted] : cases) {
    EXPECT_EQ(Read(text).world.first_error(), wanted) << text;
  }
  EXPECT_EQ(Read("provider " + std::string(64, 'p') + " { };").world.first_error(),
            "D_PROV_BADNAME " + std::string(64, 'p'));
  EXPECT_EQ(Read("provider p { probe " + std::string(128, 'p') + "(); };").world.first_error(),
            "D_PROV_BADNAME " + std::string(128, 'p'));
}

}  // namespace
}  // namespace dt::d
