#include "dwatch/script.h"

#include <gtest/gtest.h>

namespace dt::dwatch {
namespace {

Profile of_probe(const std::string& probes) {
  Profile profile;
  profile.probes = probes;
  return profile;
}

TEST(DwatchScript, AnEventIsALineAndItsEnd) {
  EXPECT_EQ(*make_script({}, of_probe("syscall::open:entry")),
            "#pragma D option switchrate=10hz\n"
            "#pragma D option quiet\n"
            "\nsyscall::open:entry\n/pid != $pid/\n{\n"
            "\tprintf(\"%Y %d.%d %S\\037[%d]: \", walltimestamp, uid, gid, execname, pid);\n"
            "\tprintf(\"%S\", curpsinfo->pr_psargs);\n"
            "\tprintf(\"\\n\");\n"
            "\tprintf(\"\\036\");\n"
            "}\n");
}

TEST(DwatchScript, PathsOfProfilesAreShownWholeOrTheirLastDirectories) {
  Profile profile = of_probe("a");
  profile.details = "printf(\"%S %S\", PATH[names[0]], PATH[b]);";
  const std::string whole = *make_script({}, profile);
  EXPECT_NE(whole.find("printf(\"%S %S\", names[0], b);"), std::string::npos) << whole;
  Request request;
  request.most_directories = 64;
  EXPECT_EQ(*make_script(request, profile), whole);
  request.most_directories = 1;
  const std::string cut = *make_script(request, profile);
  EXPECT_NE(cut.find("inline string BEFORE[string path] = dirname(dirname(path));\n"),
            std::string::npos)
      << cut;
  EXPECT_NE(cut.find("printf(\"%S %S\", PATH[names[0]], PATH[b]);"), std::string::npos) << cut;
}

TEST(DwatchScript, CallsOfDwatchItselfAreShownIfTheUserNamesProcesses) {
  const auto has_test = [](const Request& request, const std::string& probes) {
    return make_script(request, of_probe(probes))->find("pid != $pid") != std::string::npos;
  };
  EXPECT_TRUE(has_test({}, "syscall::read:return, syscall::write:return"));
  EXPECT_FALSE(has_test({}, "::tcp_v4_rcv:entry"));  // may be called by an interrupt
  // Interrupts fire in any process.
  EXPECT_FALSE(has_test({}, "syscall::read:return, ip:::receive"));
  EXPECT_FALSE(has_test({}, "io:::done"));
  Request request;
  request.pids = {"7"};
  EXPECT_FALSE(has_test(request, "syscall::read:return"));
  request = {};
  request.names = {"dwatch"};
  EXPECT_FALSE(has_test(request, "syscall::read:return"));
}

TEST(DwatchScript, AScriptThatIsPrintedHasNoMarkBehindTheProgram) {
  Request request;
  request.shows_script = true;
  EXPECT_NE(make_script(request, of_probe("a"))->find("%S[%d]: "), std::string::npos);
}

TEST(DwatchScript, ListsAreChoicesAndAllMustAgree) {
  Request request;
  request.users = {"0", "root"};
  request.pids = {"7|8"};
  request.names = {"a", "b*", "*c", "*d*", "much-longer-than-a-name"};
  request.zones = {"we\"b", "db"};
  request.tests = {"arg0 > 1"};
  Profile profile = of_probe("a");
  profile.filter = "self->x";
  const std::string script = *make_script(request, profile);
  EXPECT_NE(
      script.find("/(self->x) && (uid == 0 || uid == 0) && (zonename == \"we\\\"b\" || zonename == "
                  "\"db\") && "
                  "(execname == \"a\" || strstr(execname, \"b\") == execname || "
                  "(strlen(execname) >= 1 && substr(execname, strlen(execname) - 1) == \"c\") || "
                  "strstr(execname, \"d\") != NULL || execname == \"much-longer-tha\") && "
                  "(pid == 7 || pid == 8) && (arg0 > 1)/\n"),
      std::string::npos)
      << script;
}

TEST(DwatchScript, AControlGroupIsAnOption) {
  Request request;
  request.cgroup = "nginx.service";
  const std::string script = *make_script(request, of_probe("a"));
  EXPECT_EQ(script.find("#pragma D option switchrate=10hz\n#pragma D option quiet\n"
                        "#pragma D option cgroup=nginx.service\n"),
            0U)
      << script;
}

TEST(DwatchScript, AZoneIsAnOption) {
  Request request;
  request.zones = {"web"};
  const std::string script = *make_script(request, of_probe("a"));
  EXPECT_NE(script.find("#pragma D option zone=web\n"), std::string::npos) << script;
  EXPECT_EQ(script.find("zonename"), std::string::npos) << script;
}

TEST(DwatchScript, CodeOfTheUserReplacesThatOfTheProfile) {
  Request request;
  request.details = {"trace(1)", "trace(2);\n"};
  request.commands = {"echo 5% \"x\""};
  request.duration = "5s";
  Profile profile = of_probe("a");
  profile.before = "b { }";
  profile.details = "trace(3);";
  profile.after = "c { }";
  const std::string script = *make_script(request, profile);
  EXPECT_NE(script.find("\ttrace(1);\n\ttrace(2);\n\n"), std::string::npos) << script;
  EXPECT_EQ(script.find("trace(3)"), std::string::npos) << script;
  // It is run for events that are shown, and in D where there are none.
  EXPECT_EQ(script.find("system("), std::string::npos) << script;
  profile.has_line = false;
  EXPECT_NE(make_script(request, profile)->find("\tsystem(\"echo 5%% \\\"x\\\"\");\n"),
            std::string::npos);
  EXPECT_NE(script.find("\nb { }\n\na\n{"), std::string::npos) << script;
  EXPECT_NE(script.find("}\n\nc { }\n\ntick-5s { exit(0); }\n"), std::string::npos) << script;
}

TEST(DwatchScript, WithATreeProcessesAboveAreAskedFor) {
  Request request;
  request.pids = {"7"};
  request.has_tree = true;
  const std::string script = *make_script(request, of_probe("a"));
  const std::string above = "curthread->group_leader->real_parent->group_leader";
  EXPECT_NE(script.find("/(pid == 7 || xlate<psinfo_t *>(" + above +
                        ")->pr_pid == 7 || xlate<psinfo_t *>(" + above +
                        "->real_parent->group_leader)->pr_pid == 7 || "),
            std::string::npos)
      << script;
}

TEST(DwatchScript, APatternOfNumbersIsNotForTheKernel) {
  const Result<Identities> mixed = identities('u', {"root|7", "^6[0-9]*$"});
  ASSERT_TRUE(mixed.ok());
  EXPECT_EQ(mixed->pattern, "^6[0-9]*$|^0$|^7$");
  Request request;
  request.users = {"root", "^6"};
  EXPECT_EQ(make_script(request, of_probe("a"))->find("uid =="), std::string::npos);
  EXPECT_EQ(identities('p', {"1x"}).error().text, "-p: '1x' is not the number of a process");
  EXPECT_EQ(identities('u', {"no-such-user|root"}).error().text,
            "-u: there is no user 'no-such-user'");
}

TEST(DwatchScript, AUserOrGroupThatDoesNotExistIsRefused) {
  Request request;
  request.users = {"no-such-user"};
  EXPECT_EQ(make_script(request, of_probe("a")).error().text,
            "-u: there is no user 'no-such-user'");
  request = {};
  request.groups = {"no-such-group"};
  EXPECT_EQ(make_script(request, of_probe("a")).error().text,
            "-g: there is no group 'no-such-group'");
}

}  // namespace
}  // namespace dt::dwatch
