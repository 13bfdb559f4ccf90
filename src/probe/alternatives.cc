#include "probe/alternatives.h"

#include <algorithm>
#include <cctype>
#include <span>
#include <utility>

#include "support/nearest.h"

namespace dt::probe {
namespace {

constexpr std::size_t kLeastPart = 4;   // letters of a name that others may contain
constexpr std::size_t kLeastStart = 2;  // letters before a pattern's first wildcard

struct Known {
  std::string_view name, hint;
};

std::string_view hint_of(std::string_view provider, std::span<const Known> all) {
  if (!is_literal(provider) && provider.find_first_of("*?[\\") < kLeastStart) return {};
  for (const Known& one : all) {
    if (glob_match(provider, one.name)) return one.hint;
  }
  return {};
}

Pattern pattern_of(std::string provider, std::string module, std::string function,
                   std::string name) {
  return {std::move(provider), std::move(module), std::move(function), std::move(name), ""};
}

// A number behind a provider's name is that of a process; the alternative has none.
bool may_be_provider(std::string_view word) {
  return !word.empty() && std::isalpha(static_cast<unsigned char>(word.front())) != 0 &&
         std::isdigit(static_cast<unsigned char>(word.back())) == 0 && is_literal(word);
}

std::string changed(std::string_view word, int (*change)(int)) {
  std::string out(word);
  std::transform(out.begin(), out.end(), out.begin(),
                 [change](unsigned char c) { return static_cast<char>(change(c)); });
  return out;
}

// profile:hz:99, as another tracer says it; the units are D's but for hz.
void add_rate(const std::string& kind, const std::string& unit, const std::string& number,
              std::vector<Pattern>& out) {
  if (kind == "profile" || kind == "tick") {
    out.push_back(pattern_of("profile", "", "", kind + "-" + number + (unit == "hz" ? "" : unit)));
  }
}

// The words of a description without a provider, the first of which may be one.
void add_with_provider(const std::string& first, const std::string& second, const std::string& name,
                       std::vector<Pattern>& out) {
  add_rate(first, second, name, out);
  if (!may_be_provider(first)) {
    return;
  }
  if (!second.empty()) {
    out.push_back(pattern_of(first, "", second, name));
    out.push_back(pattern_of(first, second, "", name));
    return;
  }
  out.push_back(pattern_of(first, "", "", name));
  out.push_back(pattern_of(first, "", name, name.empty() ? "" : "entry"));
  out.push_back(pattern_of("sdt", first, "", name));
}

std::string_view synonym(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"enter", "entry"},  {"begin", "entry"}, {"call", "entry"}, {"exit", "return"},
      {"leave", "return"}, {"ret", "return"},  {"end", "return"}};
  for (const auto& [word, meant] : kNames) {
    if (word == name) return meant;
  }
  return {};
}

}  // namespace

std::vector<Pattern> alternatives(const Pattern& p) {
  std::vector<Pattern> out;
  const std::string capitals = changed(p.name, std::toupper);
  const bool is_name_alone = p.provider.empty() && p.module.empty() && p.function.empty();
  if (capitals == "BEGIN" || capitals == "END" || capitals == "ERROR") {
    Pattern one = pattern_of(is_name_alone ? "" : "dtrace", "", "", capitals);
    if (is_name_alone) one.text = capitals;
    out.push_back(std::move(one));
  }
  if (is_name_alone) {
    if (may_be_provider(p.name)) {
      out.push_back(pattern_of(p.name, "", "", ""));
      out.push_back(pattern_of("syscall", "", p.name, "entry"));
    }
  } else if (p.provider.empty() && !p.module.empty()) {
    add_with_provider(p.module, p.function, p.name, out);
  } else if (p.provider.empty()) {
    add_with_provider(p.function, "", p.name, out);
  } else if (may_be_provider(p.provider)) {
    const std::string provider = changed(p.provider, std::tolower);
    add_rate(provider, p.module.empty() ? p.function : p.module, p.name, out);
    out.push_back(pattern_of(provider, p.module, p.function, p.name));
    if (!p.module.empty()) {
      out.push_back(pattern_of(provider, "", p.function, p.name));
      if (p.function.empty()) out.push_back(pattern_of(provider, "", p.module, p.name));
    }
    if (p.function.empty() && !p.name.empty()) {
      out.push_back(pattern_of(provider, "", p.name, "entry"));
      out.push_back(pattern_of("sdt", p.module.empty() ? provider : p.module, "", p.name));
    }
  }
  // macOS has two names for a call that can wait.
  constexpr std::string_view kTwin = "_nocancel";
  if (p.provider == "syscall" && p.function.ends_with(kTwin)) {
    const std::string call = p.function.substr(0, p.function.size() - kTwin.size());
    out.push_back(pattern_of(p.provider, "", call, p.name));
  }
  // The same with D's word for the name, behind all that keeps it.
  const std::string meant(synonym(p.name));
  const std::size_t count = meant.empty() ? 0 : out.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (out[i].name == p.name) {
      out.push_back(pattern_of(out[i].provider, out[i].module, out[i].function, meant));
    }
  }
  std::erase_if(out, [&](const Pattern& one) {
    return one.provider == p.provider && one.module == p.module && one.function == p.function &&
           one.name == p.name;
  });
  return out;
}

std::vector<Description> suggestions(const Catalog& probes, const Pattern& pattern,
                                     std::size_t count, bool is_reason_known) {
  for (const Pattern& one : alternatives(pattern)) {
    if (!probes.match(one).empty()) return {{one.provider, one.module, one.function, one.name}};
  }
  std::vector<Description> out = probes.near(pattern, count);
  if (is_reason_known) {
    std::erase_if(out, [&pattern](const Description& one) {
      return one.provider != pattern.provider &&
             support::nearest(pattern.provider, {one.provider}).empty();
    });
    return out;
  }
  if (!out.empty() || pattern.name.size() < kLeastPart || !is_literal(pattern.name)) return out;
  if (!probes.match(pattern_of("", "", "", pattern.name)).empty())
    return out;  // another field is wrong
  for (const Probe& one : probes.match(pattern_of("", "", "", "*" + pattern.name + "*"))) {
    if (out.size() == count) break;
    out.push_back(one.description);
  }
  return out;
}

std::string_view absent_provider(std::string_view provider) {
  constexpr std::string_view kNfsServer =
      "tracepoints of the NFS server are sdt:nfsd:::, once its module is loaded";
  constexpr std::string_view kNfsClient =
      "tracepoints of the NFS client are sdt:nfs:::, once its module is loaded";
  constexpr std::string_view kSmb =
      "tracepoints of the SMB client are sdt:cifs:::, once its module is loaded";
  constexpr Known kProviders[] = {
      {"nfsv3", kNfsServer},
      {"nfsv4", kNfsServer},
      {"nfsclient", kNfsClient},
      {"nfscl", kNfsClient},
      {"nfsv3client", kNfsClient},
      {"nfsv4client", kNfsClient},
      {"nfs", kNfsClient},
      {"smb", kSmb},
      {"smb2", kSmb},
      {"zfs",
       "functions of OpenZFS are fbt:zfs::, where the kernel lets functions be traced, and "
       "its tracepoints sdt:zfs:::, if it was built with them"},
      {"iscsi", "tracepoints of iSCSI are sdt:iscsi::: and sdt:target:::"},
      {"fc", "tracepoints of SCSI are sdt:scsi:::"},
      {"srp", "tracepoints of SCSI are sdt:scsi:::"},
      {"xpv", "tracepoints of Xen are sdt:xen:::"},
      {"sctp", "tracepoints of SCTP are sdt:sctp:::"},
      {"vfs", "operations on files are fsinfo:::, and functions of the kernel fbt::vfs_*:"},
      {"dtmalloc", "memory of the kernel is sdt:kmem:::"},
      {"callout_execute", "timers of the kernel are sdt:timer:::"},
      {"vtrace", "system calls are syscall:::, and interrupts sdt:irq:::"},
      {"mach_trap", "system calls are syscall:::"},
      {"priv", "privileges are sdt:capability::cap_capable, from Linux 6.13 on"},
      {"fpuinfo", "it counts what SPARC processors do in software"},
  };
  return hint_of(provider, kProviders);
}

bool has_probes(const Catalog& probes, std::string_view provider) {
  return !probes.match(pattern_of(std::string(provider), "", "", "")).empty();
}

std::string_view provider_of_programs(std::string_view provider) {
  constexpr std::string_view kJvm =
      "a JVM has these probes if it was built with --enable-dtrace: hotspot$target:::, under -p or "
      "-c";
  constexpr std::string_view kObjectiveC =
      "methods of Objective-C are functions of the program: pid$target::?*:entry, under -p or -c";
  constexpr std::string_view kInterpreter =
      "interpreters have these probes if they were built with them (Python --with-dtrace, Ruby and "
      "PHP --enable-dtrace): start a program first, or wait for one with -Z";
  constexpr std::string_view kPostgres =
      "PostgreSQL has these probes if it was built with --enable-dtrace: start it first, or wait "
      "for "
      "it with -Z";
  constexpr std::string_view kMysql =
      "MySQL has these probes if it was built with -DENABLE_DTRACE, which ended with 8.0: its "
      "functions are pid$target:mysqld::entry, under -p";
  constexpr std::string_view kNode =
      "Node.js has no probes since version 13: jstack() has its functions, with --perf-basic-prof";
  constexpr Known kProviders[] = {{"hotspot", kJvm},        {"hotspot_jni", kJvm},
                                  {"hs_private", kJvm},     {"objc", kObjectiveC},
                                  {"python", kInterpreter}, {"ruby", kInterpreter},
                                  {"php", kInterpreter},    {"postgresql", kPostgres},
                                  {"mysql", kMysql},        {"node", kNode}};
  while (!provider.empty() && std::isdigit(static_cast<unsigned char>(provider.back())) != 0) {
    provider.remove_suffix(1);
  }
  return hint_of(provider, kProviders);
}

}  // namespace dt::probe
