// See socket_names.h.

#include "stap/events/socket_names.h"

#include <linux/netlink.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "stap/events/word.h"

namespace dt::stap {
namespace {

#define W(name) \
  { static_cast<std::uint64_t>(name), #name }

constexpr Word kSocketOptions[] = {
    W(SO_DEBUG),     W(SO_REUSEADDR),  W(SO_TYPE),         W(SO_ERROR),         W(SO_DONTROUTE),
    W(SO_BROADCAST), W(SO_SNDBUF),     W(SO_RCVBUF),       W(SO_KEEPALIVE),     W(SO_OOBINLINE),
    W(SO_PRIORITY),  W(SO_LINGER),     W(SO_REUSEPORT),    W(SO_PASSCRED),      W(SO_PEERCRED),
    W(SO_RCVLOWAT),  W(SO_SNDLOWAT),   W(SO_BINDTODEVICE), W(SO_ATTACH_FILTER), W(SO_DETACH_FILTER),
    W(SO_PEERNAME),  W(SO_ACCEPTCONN), W(SO_PEERSEC),      W(SO_SNDBUFFORCE),   W(SO_RCVBUFFORCE),
    W(SO_PASSSEC),   W(SO_MARK),       W(SO_PROTOCOL),     W(SO_DOMAIN),        W(SO_RXQ_OVFL),
    W(SO_PEEK_OFF),  W(SO_BUSY_POLL),  W(SO_INCOMING_CPU), W(SO_COOKIE),        W(SO_PEERGROUPS),
    W(SO_ZEROCOPY)};
// Long names, and those that headers lack or write without the size of time_t.
constexpr Word kOtherSocketOptions[] = {W(SO_NO_CHECK),
                                        W(SO_BSDCOMPAT),
                                        W(SO_WIFI_STATUS),
                                        W(SO_NOFCS),
                                        W(SO_LOCK_FILTER),
                                        W(SO_SELECT_ERR_QUEUE),
                                        W(SO_MAX_PACING_RATE),
                                        W(SO_BPF_EXTENSIONS),
                                        W(SO_ATTACH_BPF),
                                        W(SO_ATTACH_REUSEPORT_CBPF),
                                        W(SO_ATTACH_REUSEPORT_EBPF),
                                        W(SO_CNX_ADVICE),
                                        W(SO_MEMINFO),
                                        W(SO_INCOMING_NAPI_ID),
                                        W(SO_TXTIME),
                                        W(SO_BINDTOIFINDEX),
                                        W(SO_DETACH_REUSEPORT_BPF),
                                        {20, "SO_RCVTIMEO_OLD"},
                                        {21, "SO_SNDTIMEO_OLD"},
                                        {29, "SO_TIMESTAMP_OLD"},
                                        {35, "SO_TIMESTAMPNS_OLD"},
                                        {37, "SO_TIMESTAMPING_OLD"},
                                        {63, "SO_TIMESTAMP_NEW"},
                                        {64, "SO_TIMESTAMPNS_NEW"},
                                        {65, "SO_TIMESTAMPING_NEW"},
                                        {66, "SO_RCVTIMEO_NEW"},
                                        {67, "SO_SNDTIMEO_NEW"},
                                        {69, "SO_PREFER_BUSY_POLL"},
                                        {70, "SO_BUSY_POLL_BUDGET"},
                                        {71, "SO_NETNS_COOKIE"},
                                        {72, "SO_BUF_LOCK"},
                                        {73, "SO_RESERVE_MEM"},
                                        {74, "SO_TXREHASH"},
                                        {75, "SO_RCVMARK"},
                                        {22, "SO_SECURITY_AUTHENTICATION"},
                                        {23, "SO_SECURITY_ENCRYPTION_TRANSPORT"},
                                        {24, "SO_SECURITY_ENCRYPTION_NETWORK"}};
constexpr Word kTcpOptions[] = {
    W(TCP_NODELAY), W(TCP_MAXSEG),   W(TCP_CORK),       W(TCP_KEEPIDLE),     W(TCP_KEEPINTVL),
    W(TCP_KEEPCNT), W(TCP_SYNCNT),   W(TCP_LINGER2),    W(TCP_DEFER_ACCEPT), W(TCP_WINDOW_CLAMP),
    W(TCP_INFO),    W(TCP_QUICKACK), W(TCP_CONGESTION), W(TCP_USER_TIMEOUT), W(TCP_FASTOPEN)};
constexpr Word kOtherTcpOptions[] = {W(TCP_MD5SIG),
                                     W(TCP_THIN_LINEAR_TIMEOUTS),
                                     W(TCP_THIN_DUPACK),
                                     W(TCP_REPAIR),
                                     W(TCP_REPAIR_QUEUE),
                                     W(TCP_QUEUE_SEQ),
                                     W(TCP_REPAIR_OPTIONS),
                                     W(TCP_TIMESTAMP),
                                     W(TCP_NOTSENT_LOWAT),
                                     W(TCP_CC_INFO),
                                     W(TCP_SAVE_SYN),
                                     W(TCP_SAVED_SYN),
                                     W(TCP_REPAIR_WINDOW),
                                     W(TCP_FASTOPEN_CONNECT),
                                     W(TCP_ULP),
                                     W(TCP_MD5SIG_EXT),
                                     W(TCP_FASTOPEN_KEY),
                                     W(TCP_FASTOPEN_NO_COOKIE),
                                     W(TCP_ZEROCOPY_RECEIVE),
                                     W(TCP_INQ),
                                     W(TCP_TX_DELAY),
                                     {15, "TCP_COOKIE_TRANSACTIONS"}};
constexpr Word kProtocols[] = {W(IPPROTO_IP),   W(IPPROTO_ICMP),   W(IPPROTO_TCP),  W(IPPROTO_UDP),
                               W(IPPROTO_IPV6), W(IPPROTO_ICMPV6), W(IPPROTO_SCTP), W(IPPROTO_RAW)};
constexpr Word kNetlink[] = {W(NETLINK_ROUTE),     W(NETLINK_USERSOCK),  W(NETLINK_SOCK_DIAG),
                             W(NETLINK_XFRM),      W(NETLINK_SELINUX),   W(NETLINK_AUDIT),
                             W(NETLINK_CONNECTOR), W(NETLINK_NETFILTER), W(NETLINK_KOBJECT_UEVENT),
                             W(NETLINK_GENERIC),   W(NETLINK_RDMA),      W(NETLINK_CRYPTO)};
#undef W

}  // namespace

std::optional<std::string> socket_option(std::int64_t level, std::int64_t option) {
  const auto bits = static_cast<std::uint64_t>(option);
  if (level == SOL_SOCKET) {
    const auto known = one_of(kSocketOptions, bits);
    return known ? known : one_of(kOtherSocketOptions, bits);
  }
  if (level == IPPROTO_TCP) {
    const auto known = one_of(kTcpOptions, bits);
    return known ? known : one_of(kOtherTcpOptions, bits);
  }
  return std::nullopt;
}

std::optional<std::string> protocol_name(std::int64_t family, std::int64_t protocol) {
  if (family == AF_NETLINK) return one_of(kNetlink, static_cast<std::uint64_t>(protocol));
  if (family != AF_INET && family != AF_INET6) return std::nullopt;
  return one_of(kProtocols, static_cast<std::uint64_t>(protocol));
}

}  // namespace dt::stap
