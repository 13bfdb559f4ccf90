/* Names of the libraries, without anything that asks for them. */
#pragma D option quiet

struct record { processorid_t where; zoneid_t zone; offset_t at; };

BEGIN
{
	printf("%d %d %d %d\n", ENOENT, SIGKILL, O_CREAT, CLD_KILLED);
	printf("%d %d %d\n", IPPROTO_TCP, TH_SYN | TH_ACK, TCP_STATE_LISTEN);
	printf("%s %s\n", tcp_state_string[TCP_STATE_ESTABLISHED], tcp_state_string[99]);
	printf("%d %d %d\n", true, false, B_READ);
	printf("%s %s\n", tcp_state_string[TCP_STATE_BOUND], tcp_state_string[TCP_STATE_IDLE]);
	printf("%d %d %d\n", R_OK, SEEK_END, STDERR_FILENO);
	started = (hrtime_t)timestamp;
	addresses = (ipaddr_t *)alloca(4);
	printf("%d %s %d\n", started > 0, inet_ntoa(addresses), (file_t *)NULL == getf(-1));
	printf("%d %d %d\n", (pri_t)70000, sizeof(struct record), sizeof(major_t));
	printf("%d %d %d %d\n", sizeof(user_addr_t), sizeof(socklen_t), sizeof(in_port_t), sizeof(caddr32_t));
}

BEGIN
{
	x = *(int *)16;
}

ERROR
{
	printf("%d\n", arg4 == DTRACEFLT_BADADDR);
	exit(0);
}
