// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes a flight recorder's memory persistent over crashes, and saves
 * its contents afterwards.
 */
#include "cli/flight_persist.h"

#include <limits.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/units.h"
#include "session/boot/persist.h"
#include "cli/run_session.h"
#include "session/crash.h"
#include "session/flight.h"

#define PERSIST_DEFAULT_BYTES (16U << 20)

static int show(struct cli *c, const struct cli_persist_opts *o, const char *params)
{
	uint64_t kept;
	_cleanup_(kft_host_closep) struct kft_host *host = NULL;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf size = {};
	int r = kft_host_open(NULL, &host, &c->err);

	if (r < 0)
		return r;
	r = kft_crash_kept_bytes(host, o->session, &kept, NULL);
	if (r == 0)
		kft_strbuf_add_bytes(&size, kept);
	if (o->where.quiet)
		return 0;
	if (r == 0)
		cli_print_note(
			"this kernel keeps %s of session '%s' over a reboot: 'kft "
			"flight start' records there, after saving the events of an "
			"earlier boot",
			kft_strbuf_cstr(&size), o->session);
	else
		cli_print_note("this kernel was booted without these parameters: session "
			       "'%s' does not survive a crash yet",
			       o->session);
	if (!o->install)
		cli_print_note("'--install' writes them to /%s, '--parameters FILE' to a "
			       "file for another bootloader; '--remove' takes that back",
			       o->where.files->grub);
	return 0;
}

int cli_flight_persist(struct cli *c, const struct cli_persist_opts *o)
{
	uint64_t bytes = o->bytes ? o->bytes : PERSIST_DEFAULT_BYTES;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf params = {};
	_cleanup_(kft_host_closep) struct kft_host *host = NULL;

	if (o->remove)
		return cli_boot_remove(c, &o->where) < 0 ? CLI_FAILED : CLI_OK;
	kft_persist_params(o->session, bytes, &params);
	int r = kft_host_open(o->where.root, &host, &c->err);
	/* The tree of another machine has no running kernel to check. */
	if (r == 0 && !o->where.root)
		r = kft_persist_check(host, bytes, &c->err);
	if (r == 0)
		r = show(c, o, kft_strbuf_cstr(&params));
	if (r == 0 && o->install)
		r = cli_boot_install(c, &o->where, kft_strbuf_cstr(&params));
	if (r < 0)
		return CLI_FAILED;
	kft_strbuf_addf(&c->out.sb, "%s\n", kft_strbuf_cstr(&params));
	return CLI_OK;
}

int cli_flight_save_crash(struct cli *c, const char *session, const char *dir)
{
	_cleanup_(kft_host_closep) struct kft_host *host = NULL;
	struct kft_tracedat_recovered done;
	char file[PATH_MAX];
	int r = kft_host_open(NULL, &host, &c->err);

	if (r < 0 || !kft_crash_survived(host, session))
		return r;
	(void)mkdir(dir, 0755);
	r = kft_flight_file(dir, session, "crash", file, sizeof(file));
	if (r < 0)
		return kft_err_sys(&c->err, r, "cannot write to '%s'", dir);
	r = kft_crash_recover(host, session, file, &cli_run_notify, &done, &c->err);
	if (r == 0)
		cli_print_note("'%s' has events of an earlier boot", file);
	return r;
}
