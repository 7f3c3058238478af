/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "model/class.h"

/* Describes the arguments and results of system calls, for readable output. */
#define KFT_CALL_ARGS 6

enum kft_arg_kind {
	KFT_ARG_NUMBER, /* decimal, or hexadecimal if very large */
	KFT_ARG_INT, /* signed, 32 bits: the rest of the register is ignored */
	KFT_ARG_POINTER,
	KFT_ARG_STRING, /* a pointer, or the text if it was recorded */
	KFT_ARG_OCTAL,
	KFT_ARG_SIGNAL,
	KFT_ARG_SET, /* names of bits or constants */
};

/*
 * For a bit, mask is equal to value. For one of several exclusive values,
 * mask covers all of their bits.
 */
struct kft_arg_name {
	uint32_t mask;
	uint32_t value;
	const char *name;
};

/*
 * Forms of arguments: X(name, kind, when). A report has only the value of an argument and shows it by
 * its kind; kft trace reads the memory of the task and shows the form. The moment is one of
 * IN: known when the call begins;
 * OUT: written by a call that succeeds;
 * LATE: shown when the call ends, also when it fails;
 * TAIL: as LATE, and it writes its own comma.
 */
#define KFT_ARG_FORMS(X)                                                                \
	X(arch_prctl_arg, POINTER, LATE)                                                \
	X(buffer_in, POINTER,                                                           \
	  IN) /* its length is the next argument, as for the next ones */               \
	X(buffer_out, POINTER, OUT)                                                     \
	X(bytes_out, POINTER, LATE)                                                     \
	X(bytes_out_hex, POINTER, OUT)                                                  \
	X(cap_data_in, POINTER, IN)                                                     \
	X(cap_data_out, POINTER, OUT)                                                   \
	X(cap_header, POINTER, IN)                                                      \
	X(clone3_args, POINTER, IN)                                                     \
	X(clone3_tail, NUMBER, TAIL)                                                    \
	X(clone_tail, POINTER, TAIL)                                                    \
	X(cpus_in, POINTER, IN)                                                         \
	X(cpus_out, POINTER, OUT)                                                       \
	X(creat_mode, OCTAL, IN) /* only if the flags before it make a file */          \
	X(dev, NUMBER, IN)                                                              \
	X(dirents_old_out, POINTER, OUT)                                                \
	X(dirents_out, POINTER, OUT)                                                    \
	X(environ, POINTER, IN)                                                         \
	X(epoll_event_in, POINTER, IN)                                                  \
	X(epoll_events_out, POINTER, OUT)                                               \
	X(fcntl_arg, NUMBER, LATE)                                                      \
	X(fd, INT, IN)                                                                  \
	X(fd_anonymous, INT, IN)                                                        \
	X(fds_out, POINTER, OUT)                                                        \
	X(fdset, POINTER, IN)                                                           \
	X(futex_addr2, POINTER, IN)                                                     \
	X(futex_timeout, POINTER, IN)                                                   \
	X(futex_timeout64, POINTER, IN)                                                 \
	X(futex_value, NUMBER, IN)                                                      \
	X(futex_value3, NUMBER, IN)                                                     \
	X(hex, NUMBER, IN)                                                              \
	X(hex32, INT, IN)                                                               \
	X(hex_pages, NUMBER, IN)                                                        \
	X(hidden, NUMBER, IN)                                                           \
	X(id, INT, IN)                                                                  \
	X(id_out, POINTER, OUT)                                                         \
	X(ids_in, POINTER, IN)                                                          \
	X(ids_out, POINTER, OUT)                                                        \
	X(int64_out, POINTER, OUT)                                                      \
	X(int_out, POINTER, OUT)                                                        \
	X(ioctl_arg, POINTER, LATE)                                                     \
	X(ioctl_cmd, POINTER, IN)                                                       \
	X(ioprio, INT, IN)                                                              \
	X(iovec_addresses, POINTER, IN)                                                 \
	X(iovec_in, POINTER, IN)                                                        \
	X(iovec_out, POINTER, LATE)                                                     \
	X(ipc_get, NUMBER, IN)                                                          \
	X(itimerspec_in, POINTER, IN)                                                   \
	X(itimerspec_out, POINTER, OUT)                                                 \
	X(itimerval_in, POINTER, IN)                                                    \
	X(itimerval_out, POINTER, OUT)                                                  \
	X(key, NUMBER, IN)                                                              \
	X(list_out, POINTER, OUT)                                                       \
	X(long, NUMBER, IN)                                                             \
	X(message_in, POINTER, IN)                                                      \
	X(message_out, POINTER, OUT)                                                    \
	X(mknod_dev, NUMBER, IN)                                                        \
	X(mknod_mode, OCTAL, IN)                                                        \
	X(mmsghdr_in, POINTER, IN)                                                      \
	X(mmsghdr_out, POINTER, OUT)                                                    \
	X(mount_attr_in, POINTER, IN)                                                   \
	X(mremap_to, POINTER, IN)                                                       \
	X(msghdr_in, POINTER, IN)                                                       \
	X(msghdr_out, POINTER, LATE)                                                    \
	X(offset64_moved, POINTER, LATE)                                                \
	X(offset_high, NUMBER, IN)                                                      \
	X(offset_inout, POINTER, IN)                                                    \
	X(offset_moved, POINTER, LATE)                                                  \
	X(offset_pair, NUMBER, IN) /* two registers of 32 bits */                       \
	X(open_how_in, POINTER, IN)                                                     \
	X(param_in, POINTER, IN)                                                        \
	X(param_out, POINTER, OUT)                                                      \
	X(path, STRING, IN)                                                             \
	X(pid, INT, IN)                                                                 \
	X(pointer_out, POINTER, OUT)                                                    \
	X(pollfds, POINTER, IN)                                                         \
	X(prctl_arg, STRING, LATE)                                                      \
	X(protocol, INT, IN)                                                            \
	X(restart, NUMBER, IN)                                                          \
	X(rlimit64_in, POINTER, IN)                                                     \
	X(rlimit64_out, POINTER, OUT)                                                   \
	X(rlimit_in, POINTER, IN)                                                       \
	X(rlimit_out, POINTER, OUT)                                                     \
	X(rusage_out, POINTER, OUT)                                                     \
	X(sembufs_in, POINTER, IN)                                                      \
	X(shm_get, NUMBER, IN)                                                          \
	X(sigaction_in, POINTER, IN)                                                    \
	X(sigaction_out, POINTER, OUT)                                                  \
	X(sigevent_in, POINTER, IN)                                                     \
	X(siginfo_in, POINTER, IN)                                                      \
	X(siginfo_out, POINTER, OUT)                                                    \
	X(sigmask6, POINTER, IN)                                                        \
	X(sigreturn, NUMBER, IN)                                                        \
	X(sigset_in, POINTER, IN)                                                       \
	X(sigset_out, POINTER, OUT)                                                     \
	X(size, NUMBER, IN)                                                             \
	X(sockaddr_in, POINTER, IN)                                                     \
	X(sockaddr_out, POINTER, LATE)                                                  \
	X(socklen, POINTER, LATE)                                                       \
	X(sockopt_in, POINTER, IN)                                                      \
	X(sockopt_name, INT, IN)                                                        \
	X(sockopt_out, POINTER, OUT)                                                    \
	X(stack_in, POINTER, IN)                                                        \
	X(stack_out, POINTER, OUT)                                                      \
	X(stat64_out, POINTER, OUT)                                                     \
	X(stat_out, POINTER, OUT)                                                       \
	X(statfs64_out, POINTER, OUT)                                                   \
	X(statfs_out, POINTER, OUT)                                                     \
	X(statx_out, POINTER, OUT)                                                      \
	X(string_maybe, POINTER, IN)                                                    \
	X(string_out, POINTER, OUT)                                                     \
	X(strings, POINTER, IN)                                                         \
	X(sysinfo_out, POINTER, OUT)                                                    \
	X(time_out, POINTER, OUT)                                                       \
	X(timespec64_in, POINTER, IN)                                                   \
	X(timespec64_left, POINTER, LATE)                                               \
	X(timespec64_out, POINTER, OUT)                                                 \
	X(timespec_in, POINTER, IN)                                                     \
	X(timespec_left, POINTER, LATE)                                                 \
	X(timespec_out, POINTER, OUT)                                                   \
	X(timespecs64_in, POINTER, IN)                                                  \
	X(timespecs_in, POINTER, IN)                                                    \
	X(timeval_in, POINTER, IN)                                                      \
	X(timeval_out, POINTER, OUT)                                                    \
	X(timevals_in, POINTER, IN)                                                     \
	X(timezone_in, POINTER, IN)                                                     \
	X(timezone_out, POINTER, OUT)                                                   \
	X(tms_out, POINTER, OUT)                                                        \
	X(uname_out, POINTER, OUT)                                                      \
	X(unsigned, INT, IN)                                                            \
	X(user_desc_in, POINTER, IN)                                                    \
	X(user_desc_out, POINTER, OUT)                                                  \
	X(value_in, POINTER, IN) /* of an attribute: one NUL at its end is not shown */ \
	X(value_out, POINTER, OUT)                                                      \
	X(utimbuf_in, POINTER, IN)                                                      \
	X(wstatus, POINTER, LATE)

#define KFT_ARG_FORM_ID(name, kind, when) KFT_FORM_##name,
enum kft_arg_form { KFT_FORM_none, KFT_ARG_FORMS(KFT_ARG_FORM_ID) KFT_N_FORMS };
#undef KFT_ARG_FORM_ID

enum kft_arg_when { KFT_ARG_IN, KFT_ARG_OUT, KFT_ARG_LATE, KFT_ARG_TAIL };

struct kft_arg_type {
	enum kft_arg_kind kind;
	bool is_long; /* all bits of the register count */
	bool is_int; /* values without a name are signed numbers, not bits */
	uint8_t form; /* enum kft_arg_form */
	uint8_t when; /* enum kft_arg_when */
	const struct kft_arg_name *names; /* the last entry has no name */
};

struct kft_plain_signature {
	const char *name;
	const struct kft_arg_type *args[KFT_CALL_ARGS]; /* ends at the first NULL */
	/* the activity of a task that sleeps in the call; NULL: not described */
	const char *waits;
	bool gives_pointer;
	const struct kft_arg_type *result; /* NULL: a signed number, or a pointer */
	const char *machine; /* prefix of the machine's name; NULL: any other machine */
};

/* Types for calls that are not in the table. */
extern const struct kft_arg_type kft_arg_number;
extern const struct kft_arg_type kft_arg_int;
extern const struct kft_arg_type kft_arg_pointer;
extern const struct kft_arg_type kft_arg_string;

/*
 * machine as in uname; NULL: not known. Returns NULL when the call is not in the table.
 */
const struct kft_plain_signature *kft_plain_signature_find(const char *name,
							   const char *machine);

/* For a field of the call's own event (syscalls:sys_enter_NAME). */
bool kft_arg_is(const struct kft_field *f);
const struct kft_arg_type *kft_arg_type_of(const struct kft_field *f);

/* Appends the names of all bits of a set, also of those above 32. */
void kft_arg_add_set(const struct kft_arg_type *type, uint64_t value,
		     struct kft_strbuf *sb);

/* text: of a KFT_ARG_STRING if it was recorded, else NULL. */
void kft_arg_add(const struct kft_arg_type *type, uint64_t value, const char *text,
		 size_t text_len, struct kft_strbuf *sb);
