// dtrace --tools.

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/report.h"
#include "cli/script_help.h"
#include "cli/tools.h"
#include "dtrace/script.h"
#include "support/nearest.h"

namespace dt::cli {
namespace {

std::string small(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

struct Row {
  std::string name, shows;
  std::string about;  // its first comment
};

// Words that people bring, and the word that the tools use for it.
constexpr struct {
  std::string_view word, ours;
} kOtherWords[] = {{"mutex", "lock"},
                   {"contention", "lock"},
                   {"deadlock", "lock"},
                   {"heap", "memory that"},
                   {"malloc", "memory that"},
                   {"database", "queries"},
                   {"query", "queries"},
                   {"http", "tls"},
                   {"https", "tls"},
                   {"network", "tcp"},
                   {"net", "tcp"},
                   {"hang", "wait"},
                   {"blocked", "wait"},
                   {"fork", "processes"},
                   {"jvm", "java"},
                   {"ram", "memory"},
                   {"io", "disk"},
                   {"hotspot", "spend the time"},
                   {"systemd", "service"},
                   {"boot", "service"},
                   {"program", "command"},
                   {"docker", "container"},
                   {"podman", "container"},
                   {"pod", "container"},
                   {"db", "database"},
                   {"sqlite", "sql"},
                   {"request", "query"},
                   {"hot", "compute"},
                   {"app", "program"},
                   {"application", "program"},
                   {"lost", "dropped"},
                   {"lose", "dropped"},
                   {"loss", "dropped"},
                   {"log", "file"},
                   {"folder", "directory"},
                   {"iowait", "disk"},
                   {"stuck", "wait"},
                   {"freeze", "wait"},
                   {"frozen", "wait"},
                   {"stall", "wait"},
                   {"throttled", "runnable"},
                   {"throttling", "runnable"},
                   {"goroutine", "go"},
                   {"fds", "fd"},
                   {"kubernetes", "container"},
                   {"lag", "latency"},
                   {"spike", "latency"},
                   {"spikes", "latency"},
                   {"shutdown", "reboots"},
                   {"ssh", "login"},
                   {"logged", "login"},
                   {"library", "libraries"},
                   {"nodejs", "node"},
                   {"javascript", "node"}};

// What is not a tool, but done with any of them.
constexpr struct {
  std::string_view words, hint;
} kWithAnyTool[] = {
    {" container containers docker podman pod kubernetes cgroup lxc zone ",
     "--zone behind a tool traces a container, by its name or number or by a "
     "process in it: dtrace -s opensnoop --zone web; --cgroup a service"},
    {" stuck uninterruptible hung frozen ",
     "tracing shows threads that go on; one that is stuck now: ps -eLo pid,tid,stat,wchan:32,comm "
     "has D for it, and /proc/PID/stack shows where"},
    {" boot booting startup reboot ",
     "-A saves what is traced from the next boot on, and -ae prints it then; a boot "
     "that is over: systemd-analyze blame, journalctl -b"}};

// Commands of other collections and systems, and what answers their questions here.
constexpr struct {
  std::string_view words, hint;
} kCommands[] = {
    {" lsof fuser ",
     "/proc/PID/fd has the files that are open; dtrace -s opensnoop shows those that are opened"},
    {" tcpdump wireshark tshark ngrep ",
     "who sends how much, and to whom: dtrace -s tcptop, dtrace -s tcplife; each packet: dtrace -n "
     "'ip:::send, ip:::receive { trace(args[2]->ip_daddr); }'"},
    {" netstat ss ",
     "dtrace -s tcpstates, tcpconnect and tcpaccept show connections as they change; dtrace -s "
     "netqtop shows devices"},
    {" nethogs iftop tcpsubnet ", "dtrace -s tcptop"},
    {" iostat blktrace btrace blkparse ",
     "dtrace -s biotop 5 shows requests and KiB by program, dtrace -s biolatency how long they "
     "take, dtrace -s biosnoop each of them"},
    {" iotop ", "dtrace -s biotop"},
    {" htop atop ",
     "dtrace -s profile shows which code computes, dtrace -s cpudist how long threads "
     "are on a CPU"},
    {" ps pgrep pidof pstree ",
     "processes as they start and end: dtrace -s execsnoop, dtrace -s exitsnoop; which programs "
     "compute: dtrace -n 'profile-97 { @[execname, pid] = count(); }'"},
    {" pidstat ",
     "by process: the CPU: dtrace -n 'profile-97 { @[execname, pid] = count(); }'; the disk: "
     "dtrace -s biotop; page faults: dtrace -s pagefaults; why it waits: dtrace -s offcputime"},
    {" mpstat ",
     "CPUs: dtrace -s cpuwalk shows which programs run on each, dtrace -s hardirqs and softirqs "
     "their interrupts, dtrace -s runqlen who waits for them"},
    {" vmstat sar dstat nmon collectl ",
     "queues of CPUs: dtrace -s runqlen; files: dtrace -s vfsstat; page faults: dtrace -s "
     "pagefaults; memory that is reclaimed: dtrace -s drsnoop; disks: dtrace -s biotop"},
    {" free slabtop numastat ",
     "memory of the kernel: dtrace -s slabratetop; that is reclaimed: dtrace -s drsnoop; of a "
     "program: dtrace -s memleak -p PID; what is available: dtrace -s loads"},
    {" pmap smem ",
     "dtrace -s memleak -p PID shows which code asked for memory, dtrace -s pagefaults which code "
     "touches it"},
    {" uptime w ", "dtrace -s loads"},
    {" dmesg journalctl ",
     "what the kernel prints: dtrace -n 'sdt:printk::console { printf(\"%s %S\", execname, "
     "stringof(args[0])); }'"},
    {" perf perf-top ",
     "perf top and record: dtrace -s profile; stat: dtrace -s perfstat; trace: dtrace -s syscost; "
     "sched: dtrace -s runqlat; lock: dtrace -s klockstat"},
    {" ftrace trace-cmd kernelshark ",
     "functions of the kernel: dtrace -s funccount, dtrace -s trace; as a tree: dtrace -F -n "
     "'fbt::vfs_read:entry, fbt::vfs_read:return'"},
    {" gdb lldb pstack gstack eu-stack ",
     "without stopping the program: dtrace -s trace -U -p PID 'pid$target:a.out:FUNCTION:entry' "
     "shows calls and stacks, dtrace -s offcputime -p PID where it waits"},
    {" jstack jmap jstat jcmd async-profiler ",
     "dtrace -s profile -j -p PID has the functions of Java, dtrace -s ugc its collections of "
     "garbage, dtrace -s ustat its objects and threads"},
    {" py-spy rbspy cprofile phpspy ",
     "dtrace -s profile -j -p PID has the functions of the program, dtrace -s ucalls counts calls"},
    {" bpftrace bcc bpfcc sysdig ply ",
     "dtrace -n 'syscall:::entry { @[execname] = count(); }' is a line of D; docs/coming-from.md "
     "shows the same jobs in both, and tools have the names that bcc's have"},
    {" stap systemtap ",
     "stap is installed beside dtrace and runs scripts of SystemTap: stap -e 'probe begin { "
     "println(\"hello\"); exit() }'"},
    {" ping traceroute mtr ",
     "dtrace -s tcprtt shows round-trip times of connections, dtrace -s tcpretrans segments that "
     "are lost"},
    {" ethtool ifconfig ", "dtrace -s netqtop -n DEVICE shows packets of a network device"},
    {" dig nslookup host ",
     "dtrace -s gethostlatency shows what programs look up, and how long it takes"},
    {" latencytop powertop turbostat ",
     "what threads wait for: dtrace -s offcputime; what wakes CPUs: dtrace -s wakeuptime, dtrace "
     "-s hardirqs"},
    {" last who ", "dtrace -s setuids shows processes that change their user"},
    {" uflow ", "dtrace -s funcgraph main -c COMMAND shows the functions of a program"},
    {" valgrind heaptrack massif ", "dtrace -s memleak -p PID"},
    {" inotifywait fatrace auditd auditctl ",
     "dtrace -s opensnoop -P PATH, dtrace -s filegone, dtrace -s execsnoop"},
    {" truss ktrace dtruss ", "dtrace -s syscost -f -c COMMAND; each call: dtrace --tools strace"},
    {" btrfsslower nfsslower xfsslower zfsslower ", "dtrace -s fsslower"},
    {" btrfsdist ext4dist nfsdist xfsdist zfsdist ", "dtrace -s fsdist"},
    {" dbstat ", "dtrace -s dbslower -m 0"},
    {" uobjnew uthreads ustacks ", "dtrace -s ustat counts objects and threads"},
    {" vfscount dcsnoop dcstat mdflush readahead ",
     "dtrace -n 'fbt::vfs_*:entry { @[probefunc] = count(); }' counts functions of the kernel"}};

std::string hint_for_command(std::string_view word) {
  for (const auto& [words, hint] : kCommands) {
    if (!word.empty() && words.find(fmt::format(" {} ", word)) != std::string_view::npos) {
      return std::string(hint);
    }
  }
  return "";
}

std::string_view our_word(std::string_view word) {
  for (const auto& [theirs, ours] : kOtherWords) {
    if (theirs == word) return ours;
  }
  return word;
}

std::string hint_with_any_tool(std::string_view word) {
  for (const auto& [words, hint] : kWithAnyTool) {
    if (!word.empty() && words.find(fmt::format(" {} ", word)) != std::string_view::npos) {
      return std::string(hint);
    }
  }
  return "";
}

// Whether a word of the text begins so: "script" is not in "description". A word of two letters is
// a whole one: "ss" is not in "sshd".
bool has_word(std::string_view text, std::string_view word) {
  const auto is_letter = [&](std::size_t i) {
    return i < text.size() && std::isalnum(static_cast<unsigned char>(text[i])) != 0;
  };
  constexpr std::size_t kWhole = 2;
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !is_letter(at - 1);
    if (begins && (word.size() > kWhole || !is_letter(at + word.size()))) return true;
  }
  return false;
}

// The words of names and of what tools show that are like this word, such as "memory" for "memry".
std::string near_words(const std::string& word, const std::vector<Row>& all) {
  std::set<std::string> words;
  for (const Row& row : all) {
    words.insert(row.name);
    std::string one;
    for (const char c : small(row.shows) + ' ') {
      if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
        one += c;
      } else {
        if (one.size() > 2) words.insert(one);
        one.clear();
      }
    }
  }
  constexpr std::size_t kMost = 4;
  std::vector<std::string_view> left(words.begin(), words.end());
  std::string near;
  for (std::size_t i = 0; i < kMost; ++i) {
    const std::string found = support::nearest(small(word), left);
    if (found.empty()) break;
    near += (near.empty() ? "" : ", ") + found;
    left.erase(std::find(left.begin(), left.end(), found));
  }
  return near;
}

// What people write around the words that they mean.
constexpr std::string_view kSmallWords =
    " a an the who which what why how when where is are am was were be been being do does did "
    "doing "
    "done my me i it its it's this that these those there here in on of to for with by from at as "
    "and or not no much many long most so very some someone something any anything all can could "
    "should would will has have had get gets getting find see show tell if than then into out up "
    "per s re ve whom whose too using used going gone wrong happens happening happened high keep "
    "keeps "
    "kept seem seems every each during after before now always again ";  // what's, they're, I've

// Several words that mean one.
constexpr struct {
  std::string_view theirs, ours;
} kPhrases[] = {{"out of memory", "oom"},
                {"file system", "filesystem"},
                {"file descriptor", "descriptor"},
                {"virtual machine", "vm"}};

bool is_address(std::string_view word) {
  return word.find_first_not_of("0123456789.") == std::string_view::npos;
}

// The words of a request, in small letters; those that only make it a sentence count if there are
// no others. A path is a file; a number and an address may be any.
std::vector<std::string> words_of(const std::vector<std::string>& arguments) {
  std::string text;
  for (const std::string& argument : arguments) {
    text += small(argument) + ' ';
  }
  for (const auto& [theirs, ours] : kPhrases) {
    if (const std::size_t at = text.find(theirs); at != std::string::npos) {
      text.replace(at, theirs.size(), ours);
    }
  }
  std::vector<std::string> words, small_words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \t\n?!,;:\"'()", at), text.size());
    std::string one = text.substr(at, end - at);
    at = end + 1;
    while (one.ends_with('.')) one.pop_back();
    if (one.empty()) continue;
    if (one[0] == '/' && one.size() > 1) one = "file";
    const bool is_small =
        is_address(one) || kSmallWords.find(' ' + one + ' ') != std::string_view::npos;
    (is_small ? small_words : words).push_back(std::move(one));
  }
  return words.empty() ? small_words : words;
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) {
    out += (out.empty() ? "" : " ") + word;
  }
  return out;
}

using Rows = std::vector<std::pair<std::string, std::string>>;

Rows rows_with(const std::vector<Row>& all, const std::function<bool(const Row&)>& is_meant) {
  Rows found;
  for (const Row& row : all) {
    if (is_meant(row)) found.emplace_back(row.name, row.shows);
  }
  return found;
}

// No tool has the words in its name or in what it shows, and no question has them: those in whose
// descriptions they are, or words like them.
int print_descriptions_with(const std::vector<std::string>& words, const std::vector<Row>& all) {
  say(fmt::format("no tool has '{}' in its name or in what it shows", joined(words)));
  const Rows rows = rows_with(all, [&](const Row& row) {
    return std::all_of(words.begin(), words.end(),
                       [&](const std::string& word) { return has_word(small(row.about), word); });
  });
  if (rows.empty()) {
    const std::string near = words.size() == 1 ? near_words(words[0], all) : "";
    say_hint(near.empty() ? "dtrace --tools lists all of them"
                          : fmt::format("similar words that have tools: {}", near));
    return kError;
  }
  say_text("these have the word in their descriptions:\n");
  return print_text(two_columns(rows));
}

// "processes", "dropped" and "queries" without their endings, so that they are at the beginning of
// other forms.
std::string_view stem(std::string_view word) {
  constexpr std::size_t kLeast = 3;
  const auto take = [&](std::string_view ending, std::size_t least) {
    if (word.size() < least + ending.size() || !word.ends_with(ending)) return false;
    word.remove_suffix(ending.size());
    return true;
  };
  if (take("ies", kLeast)) return word;
  if (take("ing", kLeast) || take("ed", kLeast)) {
    const std::size_t size = word.size();
    if (size > kLeast && word[size - 1] == word[size - 2] && word.back() != 's') {
      word.remove_suffix(1);
    }
    return word;
  }
  const bool hisses = word.ends_with("sses") || word.ends_with("shes") || word.ends_with("ches") ||
                      word.ends_with("xes");
  if (hisses) {
    take("es", kLeast);
  } else if (!word.ends_with("ss")) {
    take("s", kLeast);
  }
  if (!take("e", kLeast + 1)) take("y", kLeast);
  return word;
}

// What may answer a request: a tool, or the command of a question.
struct Candidate {
  std::string left, right;          // as they are printed
  std::string name, shows, about;   // in small letters, as the words are
  std::vector<std::string> sought;  // tools/words
  bool is_question = false;
  double score = 0;
};

// How well a candidate is described by one word. A word that only its description has counts
// little: kNamed is the least that says what it shows.
constexpr double kInDescription = 1, kNamed = 1.5;

double match_one(const Candidate& of, std::string_view word) {
  constexpr double kIsName = 4, kShown = 3, kOfItsTool = 2, kLater = 0.02;
  constexpr std::size_t kSurely = 5;  // so long a part of a name is in it by intention
  if (!of.is_question && of.name == word) return kIsName;
  const bool in_name = !of.is_question && word.size() > 2 &&
                       (of.name.starts_with(word) || of.name.ends_with(word) ||
                        (word.size() >= kSurely && of.name.find(word) != std::string::npos));
  if (in_name || has_word(of.shows, word)) return kShown;
  for (std::size_t i = 0; i < of.sought.size(); ++i) {
    // The first words of a tool are those that it answers best.
    if (has_word(of.sought[i], word)) {
      return (of.is_question ? kOfItsTool : kShown) - kLater * static_cast<double>(i + 1);
    }
  }
  return has_word(of.about, word) ? kInDescription : 0;
}

double match(const Candidate& of, const std::string& word) {
  constexpr double kOtherWord = 0.8;
  const std::string_view ours = our_word(word);
  return std::max(match_one(of, stem(word)), ours == word ? 0 : kOtherWord * match_one(of, ours));
}

std::vector<Candidate> candidates(const std::vector<Row>& all) {
  std::vector<Candidate> out;
  const std::vector<ToolWords> words = read_words();
  const auto of_tool = [&](std::string_view name) {
    const auto found = std::find_if(words.begin(), words.end(),
                                    [&](const ToolWords& one) { return one.tool == name; });
    return found == words.end() ? std::vector<std::string>() : found->words;
  };
  for (const Row& row : all) {
    out.push_back({row.name, row.shows, row.name, small(row.shows), small(row.about),
                   of_tool(row.name), false, 0});
  }
  for (const Question& one : read_questions()) {
    constexpr std::string_view kScript = "-s ";
    const std::size_t at = one.command.find(kScript);
    const std::string name =
        at == std::string::npos
            ? ""
            : one.command.substr(at + kScript.size(),
                                 one.command.find(' ', at + kScript.size()) - at - kScript.size());
    out.push_back(
        {one.text, one.command, name, small(one.text), small(one.command), of_tool(name), true, 0});
  }
  return out;
}

// What the request found, the best first.
struct Found {
  Rows tools, questions;
  bool has_all = false;      // one of them has all of the words
  bool is_question = false;  // the best of all
};

// A word that few candidates have says more than one that many have.
Found search(std::vector<Candidate> all, const std::vector<std::string>& words) {
  std::vector<std::size_t> with_words(all.size());
  for (const std::string& word : words) {
    std::vector<double> matches;
    for (const Candidate& one : all) {
      const double found = match(one, word);
      matches.push_back(words.size() == 1 && found < kNamed ? 0 : found);
    }
    const auto with_it =
        std::count_if(matches.begin(), matches.end(), [](double m) { return m > 0; });
    const double rarity =
        std::log2(1 + static_cast<double>(all.size()) / static_cast<double>(std::max(with_it, 1L)));
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i].score += matches[i] * rarity;
      if (matches[i] > 0) ++with_words[i];
    }
  }
  Found found;
  for (std::size_t i = 0; i < all.size(); ++i) {
    found.has_all |= with_words[i] == words.size();
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
  found.is_question = all.front().is_question;
  // Of a sentence, the best half; of one word, all that it names.
  constexpr std::size_t kMostTools = 10, kMostQuestions = 6;
  const bool is_sentence = words.size() > 1;
  const double least = is_sentence ? all.front().score / 2 : 0;
  for (Candidate& one : all) {
    if (one.score <= 0 || one.score < least) break;
    Rows& rows = one.is_question ? found.questions : found.tools;
    if (is_sentence && rows.size() == (one.is_question ? kMostQuestions : kMostTools)) continue;
    rows.emplace_back(std::move(one.left), std::move(one.right));
  }
  return found;
}

// The best comes first.
int print_found(const Found& found) {
  const std::string tools = two_columns(found.tools), questions = two_columns(found.questions);
  const char* const between = tools.empty() || questions.empty() ? "" : "\n";
  return print_text(found.is_question ? questions + between + tools : tools + between + questions);
}

// One of the tools, as an example of how they are run.
void say_how_to_run(const std::string& name) {
  say_hint(fmt::format("dtrace -s {} runs one; dtrace -s {} -h prints its options and examples",
                       name, name));  // no name
}

}  // namespace

int list_tools(const std::vector<std::string>& arguments) {
  const Result<std::vector<Tool>> tools = read_tools();
  if (!tools.ok()) {
    say(tools.error().text);
    return kError;
  }
  std::vector<Row> all;
  for (const Tool& tool : *tools) {
    dtrace::ScriptUsage usage = dtrace::script_usage(tool.text);
    const std::string& shows = usage.summary.empty() ? usage.comment : usage.summary;
    all.push_back({tool.name, shows, usage.comment});
  }
  const std::vector<std::string> words = words_of(arguments);
  // A word such as "ss" is in many descriptions by chance.
  if (const std::string command = words.size() == 1 ? hint_for_command(words[0]) : "";
      !command.empty()) {
    say(fmt::format("no tool is called '{}'", words[0]));
    say_hint(command);
    return kError;
  }
  if (words.empty()) {
    const int printed = print_text(two_columns(rows_with(all, [](const Row&) { return true; })));
    if (printed == kSuccess) {
      if (!all.empty()) say_how_to_run(all.front().name);
      say_hint("dtrace --tools slow lists what answers a question with this word, too");
    }
    return printed;
  }
  const Found found = search(candidates(all), words);
  std::string hint;
  for (const std::string& word : words) {
    if (hint.empty()) hint = hint_with_any_tool(word);
  }
  if (found.tools.empty() && found.questions.empty()) {
    if (hint.empty()) return print_descriptions_with(words, all);
    say(fmt::format("no tool is about '{}' alone", words[0]));
    say_hint(hint);
    return kError;
  }
  if (!found.has_all) {
    say(fmt::format("no tool has all of '{}' in its name or in what it shows", joined(words)));
    say_text("these come nearest, the best first:\n");
  }
  const int printed = print_found(found);
  if (printed == kSuccess) {
    if (!found.tools.empty()) say_how_to_run(found.tools.front().first);
    if (!hint.empty()) say_hint(hint);
  }
  return printed;
}

}  // namespace dt::cli
