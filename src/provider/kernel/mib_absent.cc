// See mib_absent.h. Names are without the protocol's, which stands before them.

#include "provider/kernel/mib_absent.h"

#include <string>

namespace dt::provider {

namespace {

constexpr const char* kNone = "the kernel has no tracepoint that fires just where it counts that";

constexpr const char* kIcmp[] = {
    "InAddrMaskReps",  "InAddrMasks",      "InBadRedirects", "InCksumErrs",     "InDestUnreachs",
    "InEchoReps",      "InEchos",          "InErrors",       "InFragNeeded",    "InMsgs",
    "InOverflows",     "InParmProbs",      "InRedirects",    "InSrcQuenchs",    "InTimeExcds",
    "InTimestampReps", "InTimestamps",     "InUnknowns",     "OutAddrMaskReps", "OutAddrMasks",
    "OutDrops",        "OutEchoReps",      "OutEchos",       "OutErrors",       "OutMsgs",
    "OutSrcQuenchs",   "OutTimestampReps", "OutTimestamps"};

constexpr const char* kIp[] = {
    "ForwDatagrams", "ForwProhibits", "FragCreates",     "FragFails",       "FragOKs",
    "InAddrErrors",  "InDelivers",    "InDiscards",      "InErrs",          "InHdrErrors",
    "InIPv6",        "InReceives",    "InUnknownProtos", "OutDiscards",     "OutIPv6",
    "OutNoRoutes",   "OutRequests",   "OutSwitchIPv6",   "ReasmDuplicates", "ReasmFails",
    "ReasmOKs",      "ReasmPartDups", "ReasmReqds",      "ReasmTimeout",    "RoutingDiscards"};

constexpr const char* kIpsec[] = {"InFailed", "InSucceeded"};

constexpr const char* kRawip[] = {"InCksumErrs", "InDatagrams",  "InErrors",
                                  "InOverflows", "OutDatagrams", "OutErrors"};

constexpr const char* kTcp[] = {"AttemptFails",
                                "HalfOpenDrop",
                                "InAckBytes",
                                "InAckSegs",
                                "InAckUnsent",
                                "InClosed",
                                "InDataDupBytes",
                                "InDataDupSegs",
                                "InDataInorderBytes",
                                "InDataInorderSegs",
                                "InDataPartDupBytes",
                                "InDataPartDupSegs",
                                "InDataPastWinBytes",
                                "InDataPastWinSegs",
                                "InDataUnorderBytes",
                                "InDataUnorderSegs",
                                "InDupAck",
                                "InErrs",
                                "InSegs",
                                "InWinProbe",
                                "InWinUpdate",
                                "ListenDrop",
                                "ListenDropQ0",
                                "OutAck",
                                "OutAckDelayed",
                                "OutControl",
                                "OutDataBytes",
                                "OutDataSegs",
                                "OutFastRetrans",
                                "OutSackRetransSegs",
                                "OutSegs",
                                "OutUrg",
                                "OutWinProbe",
                                "OutWinUpdate",
                                "RttNoUpdate",
                                "RttUpdate",
                                "TimKeepalive",
                                "TimKeepaliveDrop",
                                "TimKeepaliveProbe",
                                "TimRetrans",
                                "TimRetransDrop"};

constexpr const char* kUdp[] = {"InCksumErrs", "InErrors", "OutErrors"};

// Both fire at network interfaces.
constexpr const char* kDataSent =
    "use tcp:::send, where args[2]->ip_plength - args[4]->tcp_offset is the data of a segment, "
    "also of one that is sent again";
constexpr const char* kDataReceived =
    "use tcp:::receive, where args[2]->ip_plength - args[4]->tcp_offset is the data of a segment, "
    "also of one that has come before";

// Those for which there is a probe of another provider that comes near.
struct Near {
  const char* name;
  const char* why;
};
constexpr Near kNear[] = {
    {"tcpInSegs", "use tcp:::receive, which fires at network interfaces"},
    {"tcpOutSegs", "use tcp:::send, which fires at network interfaces"},
    {"tcpOutDataBytes", kDataSent},
    {"tcpOutDataSegs", kDataSent},
    {"tcpInDataInorderBytes", kDataReceived},
    {"tcpInDataInorderSegs", kDataReceived},
    {"ipInReceives", "use ip:::receive, which fires at network interfaces"},
    {"ipOutRequests", "use ip:::send, which fires at network interfaces"},
};

const char* near_of(const std::string& name) {
  for (const Near& one : kNear) {
    if (name == one.name) return one.why;
  }
  return nullptr;
}

}  // namespace

std::vector<AbsentProbe> absent_counters() {
  std::vector<AbsentProbe> absent;
  const auto add = [&absent](const char* protocol, const auto& names) {
    for (const char* name : names) {
      std::string full = std::string(protocol) + name;
      const char* const near = near_of(full);
      std::string why = near == nullptr ? kNone : std::string(kNone) + ": " + near;
      absent.push_back({std::move(full), std::move(why)});
    }
  };
  add("icmp", kIcmp);
  add("ip", kIp);
  add("ipsec", kIpsec);
  add("rawip", kRawip);
  add("tcp", kTcp);
  add("udp", kUdp);
  return absent;
}

}  // namespace dt::provider
