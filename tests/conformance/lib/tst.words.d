/* @@options: -q
 * Words of other systems that published scripts use.
 */
struct timeval tv;
struct timespec ts;
timespec_t tt;

BEGIN
{
	printf("%d %d %d %d\n", AF_INET, AF_INET6, ARPHRD_ETHER, ARPHRD_INFINIBAND);
	printf("%s\n", inet_ntop(AF_INET, alloca(4)));
	printf("%d %d %d\n", PCAP_ETHER, PCAP_IP, PCAP_WIFI);
	printf("%d %d\n", TCPS_ESTABLISHED == TCP_STATE_ESTABLISHED, TCPS_SYN_RCVD == TCP_STATE_SYN_RECEIVED);
	printf("%d %d %d\n", sizeof (tv), sizeof (struct timespec), sizeof (tt));
	printf("%d %d\n", TRUE, B_FALSE);
	printf("%d\n", curlwpsinfo->pr_name == threadname);
	exit(0);
}
