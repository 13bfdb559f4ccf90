#!/usr/sbin/dtrace -s
/* Which programs send and receive most by TCP, and to which ends, in each interval: the bytes that they write and read
   themselves. What programs pass with sendfile(), splice() or io_uring is not seen. Source: the system calls read(),
   write(), send(), recv() and their relatives, and the kernel's structures of sockets. */
#pragma D summary which programs send and receive most by TCP
#pragma D flag p process process only those of this process
#pragma D flag 4 ipv4 bool only those of IPv4
#pragma D flag 6 ipv6 bool only those of IPv6
#pragma D flag S nosummary bool do not show the load before each report
#pragma D flag C keep bool do not clear the terminal before a report
#pragma D argument interval period=1s the time between two reports
#pragma D argument count count how many reports
#pragma D example tcptop 5 -- a report each five seconds
#pragma D option quiet
#pragma D option refresh
#pragma D option aggsortrev

inline int IS_WANTED[int version] = $ipv4 == $ipv6 || (version == 6 ? $ipv6 : $ipv4);
inline int IS_SOCKET[int fd] = getf(fd) != NULL && (getf(fd)->f_inode->i_mode & 0170000) == 0140000;
inline struct sock *SOCK[int fd] = ((struct socket *)getf(fd)->private_data)->sk;
inline int IS_INET[int family] = family == 2 || family == 10;	/* AF_INET, AF_INET6 */

BEGIN { printf("Bytes of TCP are counted... Ctrl-C ends it.\n"); if ($keep) setopt("refresh", "no"); }

syscall::read:entry, syscall::readv:entry, syscall::recvfrom:entry, syscall::recvmsg:entry,
syscall::write:entry, syscall::writev:entry, syscall::sendto:entry, syscall::sendmsg:entry
/(!$process || pid == $process) && IS_SOCKET[(int)arg0]/
{
	self->sock = (uintptr_t)SOCK[(int)arg0];
}

syscall::read:return, syscall::readv:return, syscall::recvfrom:return, syscall::recvmsg:return,
syscall::write:return, syscall::writev:return, syscall::sendto:return, syscall::sendmsg:return
/self->sock && !errno && ((struct sock *)self->sock)->sk_protocol == IPPROTO_TCP &&
    IS_INET[((struct sock *)self->sock)->__sk_common.skc_family] &&
    IS_WANTED[tcp_is_inet6[&((struct sock *)self->sock)->__sk_common] ? 6 : 4]/
{
	this->common = &((struct sock *)self->sock)->__sk_common;
	this->in = probefunc == "read" || probefunc == "readv" || probefunc == "recvfrom" || probefunc == "recvmsg";
	@received[pid, execname, tcp_local_address[this->common], this->common->skc_num, tcp_remote_address[this->common],
	    tcp_remote_port[this->common]] = sum(this->in ? arg1 : 0);
	@sent[pid, execname, tcp_local_address[this->common], this->common->skc_num, tcp_remote_address[this->common],
	    tcp_remote_port[this->common]] = sum(this->in ? 0 : arg1);
}

syscall::read:return, syscall::readv:return, syscall::recvfrom:return, syscall::recvmsg:return,
syscall::write:return, syscall::writev:return, syscall::sendto:return, syscall::sendmsg:return { self->sock = 0; }

tick-$interval, END
/!$count || reports++ < $count/
{
	if (!$nosummary)
		printf("\n%Y  load %{load1}.2f %{load5}.2f %{load15}.2f  available %{memavailable,MiB}d MiB\n", walltimestamp);
	printf("%-8s %-16s %-20s %5s %-20s %5s %12s %12s\n", "PID", "COMMAND", "LADDR", "LPORT", "RADDR",
	    "RPORT", "RECEIVED", "SENT");
	printa("%-8d %-16S %-20s %5d %-20s %5d %@12d %@12d\n", @received, @sent);
	trunc(@received); trunc(@sent);
}
tick-$interval /$count && reports == $count/ { exit(0); }
