// SPDX-License-Identifier: GPL-2.0-only
/* Makes most system calls, with arguments that are shown in forms of their own. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <netinet/in.h>
#include <sys/wait.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <signal.h>
#include <unistd.h>
#include <sys/sysinfo.h>
#include <sys/resource.h>
#include <sys/times.h>
#include <sys/statfs.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/select.h>
#include <sys/timerfd.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/mman.h>
#include <sys/xattr.h>
#include <time.h>
#include <string.h>
#include <sys/utsname.h>

static int e, p[2], s, c, f, n;
static char b[100];
static struct sockaddr_in a;
static socklen_t l;
static sigset_t ss;
static struct timespec ts;
static struct rusage ru;

static void wait_for_events(void)
{
	e = epoll_create1(EPOLL_CLOEXEC);
	pipe(p);
	struct epoll_event ev = {.events = EPOLLIN | EPOLLET, .data.fd = p[0]};
	epoll_ctl(e, EPOLL_CTL_ADD, p[0], &ev);
	write(p[1], "hello\n\001\0019", 9);
	epoll_wait(e, &ev, 1, 0);
	epoll_ctl(e, EPOLL_CTL_DEL, p[0], 0);
	struct pollfd pf[2] = {{p[0], POLLIN}, {p[1], POLLOUT}};
	poll(pf, 2, 10);
	poll(0, 0, 1);
	fd_set r;
	FD_ZERO(&r);
	FD_SET(p[0], &r);
	struct timeval tv = {1, 0};
	select(10, &r, 0, 0, &tv);
}

static void talk(void)
{
	s = socket(AF_INET, SOCK_STREAM, 0);
	a = (struct sockaddr_in){AF_INET, htons(0), {htonl(INADDR_LOOPBACK)}};
	bind(s, (void *)&a, sizeof a);
	l = sizeof a;
	getsockname(s, (void *)&a, &l);
	listen(s, 5);
	int one = 1;
	setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &one, 4);
	l = 4;
	getsockopt(s, SOL_SOCKET, SO_ERROR, &one, &l);
	c = socket(AF_INET, SOCK_STREAM, 0);
	connect(c, (void *)&a, sizeof a);
	l = sizeof a;
	int d = accept(s, (void *)&a, &l);
	send(c, "abc", 3, MSG_NOSIGNAL);
	recv(d, b, 100, 0);
	struct iovec iv = {"xyz", 3};
	struct msghdr m = {.msg_iov = &iv, .msg_iovlen = 1};
	sendmsg(c, &m, 0);
	struct iovec iv2 = {b, 100};
	m.msg_iov = &iv2;
	recvmsg(d, &m, 0);
	struct sockaddr_un u = {AF_UNIX, "/no/sock"};
	int us = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	connect(us, (void *)&u, sizeof u);
	int sv[2];
	socketpair(AF_UNIX, SOCK_STREAM, 0, sv);
}

static void ask(void)
{
	struct termios t;
	ioctl(p[0], TCGETS, &t);
	struct winsize w;
	ioctl(p[0], TIOCGWINSZ, &w);
	ioctl(p[0], FIONREAD, &n);
	struct sysinfo si;
	sysinfo(&si);
	getrusage(RUSAGE_SELF, &ru);
	struct tms tm;
	times(&tm);
	struct statfs sf;
	statfs("/tmp", &sf);
	fstatfs(0, &sf);
	struct stat st;
	stat("/dev/null", &st);
	struct statx sx;
	statx(AT_FDCWD, "/tmp", 0, STATX_BASIC_STATS, &sx);
	cpu_set_t cs;
	sched_getaffinity(0, sizeof cs, &cs);
	struct utsname un;
	uname(&un);
}

static void set_timers(void)
{
	int tf = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	struct itimerspec its = {{0, 0}, {1, 2}};
	timerfd_settime(tf, 0, &its, 0);
	eventfd(0, EFD_NONBLOCK);
	int in = inotify_init1(IN_CLOEXEC);
	inotify_add_watch(in, "/tmp", IN_CREATE | IN_DELETE);
	struct itimerval it = {{0, 0}, {5, 0}};
	setitimer(ITIMER_REAL, &it, 0);
	getitimer(ITIMER_REAL, &it);
	clock_gettime(CLOCK_REALTIME, &ts);
	clock_getres(CLOCK_MONOTONIC, &ts);
	ts.tv_sec = 0;
	ts.tv_nsec = 1000;
	nanosleep(&ts, &ts);
	struct timespec t2[2] = {{1, 0}, {0, UTIME_NOW}};
	utimensat(AT_FDCWD, "./x", t2, 0);
	utimensat(AT_FDCWD, "./x", 0, 0);
}

static void block_signals(void)
{
	sigemptyset(&ss);
	sigaddset(&ss, SIGUSR1);
	sigaddset(&ss, SIGRTMIN + 3);
	sigprocmask(SIG_BLOCK, &ss, 0);
	signalfd(-1, &ss, SFD_CLOEXEC);
	sigfillset(&ss);
	sigprocmask(SIG_SETMASK, &ss, &ss);
	sigemptyset(&ss);
	sigprocmask(SIG_SETMASK, &ss, 0);
	prctl(PR_SET_NAME, "myname");
	char nm[16];
	prctl(PR_GET_NAME, nm);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
}

static void control_descriptors(void)
{
	fcntl(s, F_GETFL);
	fcntl(s, F_SETFL, O_NONBLOCK | O_RDWR);
	fcntl(s, F_GETFD);
	fcntl(s, F_SETFD, FD_CLOEXEC);
	struct flock fl = {F_RDLCK, SEEK_SET, 0, 10};
	f = open("./x", O_RDWR | O_CREAT, 0644);
	fcntl(f, F_SETLK, &fl);
	fcntl(f, F_GETLK, &fl);
	fcntl(f, F_DUPFD_CLOEXEC, 10);
}

static void map_memory(void)
{
	int *pp = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, f, 0);
	msync(pp, 4096, MS_SYNC);
	mremap(pp, 4096, 8192, MREMAP_MAYMOVE);
	madvise(pp, 4096, MADV_DONTNEED);
}

static void change_attributes(void)
{
	char xb[10];
	getxattr("./x", "user.a", xb, 10);
	setxattr("./x", "user.a", "v\0", 2, 0);
	getxattr("./x", "user.a", xb, 10);
	listxattr("./x", xb, 10);
	struct rlimit rl;
	getrlimit(RLIMIT_NOFILE, &rl);
	setrlimit(RLIMIT_NOFILE, &rl);
	stack_t sk = {b, 0, 100};
	sigaltstack(&sk, 0);
}

static void move_bytes(void)
{
	writev(p[1], (struct iovec[]){{"a", 1}, {"bc", 2}}, 2);
	readv(p[0], (struct iovec[]){{b, 3}, {b + 10, 20}}, 2);
	splice(p[0], 0, p[1], 0, 10, SPLICE_F_NONBLOCK);
}

static void change_files(void)
{
	dup2(1, 20);
	dup3(1, 21, O_CLOEXEC);
	getcwd(b, 100);
	chdir(".");
	umask(022);
	mkdir("./d", 0777);
	rmdir("./d");
	symlink("a", "./l");
	readlink("./l", b, 99);
	unlink("./l");
	truncate("./x", 100);
	fallocate(f, 0, 0, 10);
	flock(f, LOCK_EX | LOCK_NB);
}

static void start_children(void)
{
	kill(0, 0);
	if (!fork()) {
		raise(SIGTERM);
	}
	int wst;
	wait4(-1, &wst, 0, &ru);
	siginfo_t inf;
	if (!fork())
		_exit(3);
	waitid(P_ALL, 0, &inf, WEXITED);
}

static void check_permissions(void)
{
	faccessat(AT_FDCWD, "/tmp", R_OK | X_OK, 0);
	access("/xx\n\"y", F_OK);
	getpriority(PRIO_PROCESS, 0);
	getpgid(0);
	getgroups(0, 0);
	setuid(0);
	getresuid(&n, &n, &n);
	sched_yield();
	sched_getscheduler(0);
	struct sched_param sp;
	sched_getparam(0, &sp);
}

static void change_file(void)
{
	sync_file_range(f, 0, 0, 0);
	posix_fadvise(f, 0, 0, POSIX_FADV_SEQUENTIAL);
	ftruncate(f, 5);
	pread(f, b, 5, 0);
	pwrite(f, b, 5, 0);
	lseek(f, -3, SEEK_END);
	link("./x", "./y");
	rename("./y", "./z");
	chmod("./z", 0600);
	chown("./z", 0, -1);
	unlinkat(AT_FDCWD, "./z", 0);
	mlock(b, 10);
	memfd_create("n", MFD_CLOEXEC);
	sendfile(1, f, 0, 3);
	alarm(3);
}

int main(void)
{
	wait_for_events();
	talk();
	ask();
	block_signals();
	control_descriptors();
	set_timers();
	map_memory();
	change_attributes();
	move_bytes();
	change_files();
	start_children();
	check_permissions();
	change_file();
	return 0;
}
