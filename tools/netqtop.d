#!/usr/sbin/dtrace -s
/* Packets that network devices send and receive, by queue of the device: how many, how many bytes, and how large. A
   device whose packets are all in one queue uses one CPU for them. Packets are counted as the driver passes them: one
   may be several on the wire. Source: the tracepoints net_dev_start_xmit and netif_receive_skb. */
#pragma D summary packets of network devices, by queue of the device
#pragma D flag n name device only those of this device, such as eth0
#pragma D flag t throughput bool packets and bytes per second, not in the interval
#pragma D flag C keep bool do not clear the terminal before a report
#pragma D argument interval period=1s the time between two reports
#pragma D argument count count how many reports
#pragma D example netqtop -n eth0 5 -- the queues of eth0 each five seconds
#pragma D option quiet
#pragma D option refresh

inline string NAME[struct sk_buff *skb] = stringof(skb->dev->name);

inline int UNITS = $throughput ? 1000 : 1;	/* sums are divided by milliseconds then */

BEGIN { begin = timestamp; printf("Packets are counted... Ctrl-C ends it.\n"); if ($keep) setopt("refresh", "no"); }

sdt:net::net_dev_start_xmit
/$name == "" || NAME[args[0]] == $name/
{
	@packets[NAME[args[0]], "send", args[0]->queue_mapping] = sum(UNITS);
	@bytes[NAME[args[0]], "send", args[0]->queue_mapping] = sum(args[0]->len * UNITS);
	@sizes[NAME[args[0]], "send", args[0]->queue_mapping] = avg(args[0]->len);
	@largest[NAME[args[0]], "send", args[0]->queue_mapping] = max(args[0]->len);
}

/* Where a driver says the queue, it is one more than the number: 0 is a device that has one. */
sdt:net::netif_receive_skb
/$name == "" || NAME[args[0]] == $name/
{
	this->queue = args[0]->queue_mapping ? args[0]->queue_mapping - 1 : 0;
	@packets[NAME[args[0]], "receive", this->queue] = sum(UNITS);
	@bytes[NAME[args[0]], "receive", this->queue] = sum(args[0]->len * UNITS);
	@sizes[NAME[args[0]], "receive", this->queue] = avg(args[0]->len);
	@largest[NAME[args[0]], "receive", this->queue] = max(args[0]->len);
}

tick-$interval, END
/!$count || reports++ < $count/
{
	printf("\n%Y\n", walltimestamp);
	this->ms = (timestamp - begin) / 1000000;
	begin = timestamp;
	if ($throughput) normalize(@packets, this->ms ? this->ms : 1);
	if ($throughput) normalize(@bytes, this->ms ? this->ms : 1);
	printf("%-16s %-8s %5s %12s %12s %10s %10s\n", "DEVICE", "WAY", "QUEUE", $throughput ? "PACKETS/s" : "PACKETS",
	    $throughput ? "BYTES/s" : "BYTES", "AVERAGE", "LARGEST");
	printa("%-16S %-8s %5d %@12u %@12u %@10u %@10u\n", @packets, @bytes, @sizes, @largest);
	trunc(@packets);
	trunc(@bytes);
	trunc(@sizes);
	trunc(@largest);
}
tick-$interval /$count && reports == $count/ { exit(0); }
