#!/usr/sbin/dtrace -s
/* How long data that TCP has received waits until a program reads it: a program that is busy reads late. The time is
   that of the oldest byte which the read takes. Source: the tracepoints tcp_probe and tcp_rcv_space_adjust. */
#pragma D summary how long data that TCP has received waits until a program reads it
#pragma D flag p process process only those that this process reads
#pragma D flag t thread process only those that this thread reads
#pragma D flag l local port only those of this local port
#pragma D flag r remote port only those of this remote port
#pragma D flag w histogram bool a histogram in microseconds instead of each
#pragma D argument least uint only those of at least this many microseconds
#pragma D example tcppktlat -l 80 1000 -- what a server at port 80 reads a millisecond late, or later
#pragma D option quiet
#pragma D option switchrate=10hz

BEGIN
{
	if ($histogram)
		printf("Data that has been received is timed... Ctrl-C ends it.\n");
	else
		printf("%-8s %-8s %-16s %-20s %5s %-20s %5s %12s\n", "PID", "TID", "COMMAND", "LADDR", "LPORT", "RADDR", "RPORT",
		    "LAT(ms)");
}

/* In the interrupt that receives: a packet with data, and the first one since the last read. */
sdt:tcp::tcp_probe
/!from[arg0] && args[1]->len > ((struct tcphdr *)args[1]->data)->doff * 4/
{
	from[arg0] = timestamp;
}

/* In the thread that has read. */
sdt:tcp::tcp_rcv_space_adjust
/from[arg0]/
{
	this->ns = timestamp - from[arg0];
	this->common = &args[0]->__sk_common;
	if (this->ns >= $least * 1000 && (!$process || pid == $process) && (!$thread || tid == $thread) &&
	    (!$local || this->common->skc_num == $local) && (!$remote || tcp_remote_port[this->common] == $remote)) {
		if ($histogram)
			@["us"] = quantize(this->ns / 1000);
		else
			printf("%-8d %-8d %-16S %-20s %5d %-20s %5d %{ms}12.3f\n", pid, tid, execname,
			    tcp_local_address[this->common], this->common->skc_num, tcp_remote_address[this->common],
			    tcp_remote_port[this->common], this->ns);
	}
	from[arg0] = 0;
}

sdt:tcp::tcp_destroy_sock { from[arg0] = 0; }
