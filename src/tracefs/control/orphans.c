// SPDX-License-Identifier: LGPL-2.1-or-later
/* Undoes the changes that killed recordings made in the kernel. */
#include "tracefs/control/orphans.h"

#include <errno.h>

#include "base/err.h"
#include "capture/rundir.h"
#include "tracefs/control/ledger.h"

struct orphans {
	struct kft_host *host;
	int (*each)(void *arg, const char *session);
	void *arg;
	struct kft_err *e;
};

static int undo(struct orphans *o, struct kft_rundir *dir)
{
	struct kft_ledger ledger;
	int r = kft_ledger_init(&ledger, o->host, dir->fd, o->e);

	if (r == 0)
		r = kft_ledger_undo(&ledger, o->e);
	return r == 0 ? kft_rundir_remove(dir, o->e) : r;
}

static int look(void *arg, const char *name)
{
	struct orphans *o = arg;
	const char *session = kft_rundir_attached(name);
	struct kft_rundir dir;

	if (!session)
		return 0;
	int r = kft_rundir_adopt(o->host, name, &dir);
	/* The session is alive, or its directory is gone by now. */
	if (r == -EWOULDBLOCK || r == -ENOENT)
		return 0;
	if (r < 0)
		return kft_err_sys(o->e, r, "cannot open /run/kft/%s", name);
	r = undo(o, &dir);
	kft_rundir_close(&dir);
	return r == 0 && o->each ? o->each(o->arg, session) : r;
}

int kft_orphans_undo(struct kft_host *host, int (*each)(void *arg, const char *session),
		     void *arg, struct kft_err *e)
{
	struct orphans o = {.host = host, .each = each, .arg = arg, .e = e};

	return kft_rundir_list(host, look, &o, e);
}
