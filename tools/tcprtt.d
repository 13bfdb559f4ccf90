#!/usr/sbin/dtrace -s
/* The smoothed round-trip times of established connections of TCP, at each segment that arrives for one.
   Source: the tracepoint tcp_probe, and srtt_us of the kernel's struct tcp_sock. */
#pragma D summary round-trip times of connections of TCP
#pragma D flag p local port only those whose own port is this
#pragma D flag P remote port only those whose other port is this
#pragma D flag a own string only those whose own address is this
#pragma D flag A other string only those whose other address is this
#pragma D flag 4 ipv4 bool only those of IPv4
#pragma D flag 6 ipv6 bool only those of IPv6
#pragma D flag b by_local bool separately for each own address
#pragma D flag B by_remote bool separately for each other address
#pragma D flag m milliseconds bool in milliseconds instead of microseconds
#pragma D flag T timestamps bool the time of day before each report
#pragma D flag i interval period=365d the time between two reports
#pragma D flag d duration period=365d ends after this time
#pragma D example tcprtt -B -m -d 10 -- which machines are far away
#pragma D option quiet

inline int IS_WANTED[int version] = $ipv4 == $ipv6 || (version == 6 ? $ipv6 : $ipv4);
inline string UNIT = $milliseconds ? "ms" : "us";

BEGIN { printf("Round-trip times are read... Ctrl-C ends it.\n"); }

sdt:tcp::tcp_probe
{
	this->common = &((struct sock *)arg0)->__sk_common;
}

sdt:tcp::tcp_probe
/(!$local || this->common->skc_num == $local) && (!$remote || tcp_remote_port[this->common] == $remote) &&
    ($own == "" || tcp_local_address[this->common] == $own) &&
    IS_WANTED[tcp_is_inet6[this->common] ? 6 : 4] &&
    ($other == "" || tcp_remote_address[this->common] == $other)/
{
	@[$by_local ? tcp_local_address[this->common] : $by_remote ? tcp_remote_address[this->common] : "all addresses",
	    UNIT] = quantize((((struct tcp_sock *)arg0)->srtt_us >> 3) / ($milliseconds ? 1000 : 1));
}

tick-$interval, END
{
	if ($timestamps) printf("%Y\n", walltimestamp);
	printa("  %s, %s%@d\n", @);
	trunc(@);
}
tick-$duration { exit(0); }
