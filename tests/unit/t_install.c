// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "session/boot/install.h"
#include "fake.h"

#define UNIT	  "etc/systemd/system/kft-boot.service"
#define UNIT_LINK "etc/systemd/system/multi-user.target.wants/kft-boot.service"
#define PARAMS	  "ftrace=function_graph kprobe_event=p:a,b;r:c,d kft.boot=x"

static struct kft_err e;

static int install_as(struct fake *f, const char *file, const char *kft)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf said = {};
	const struct kft_boot_install_opts o = {
		.files = &kft_boot_files_run, .params = PARAMS, .file = file, .kft = kft};

	e = (struct kft_err){};
	int r = kft_boot_install(f->host, &o, &said, &e);
	assert_int_equal(e.code, r);
	return r;
}

static int install(struct fake *f, const char *file)
{
	return install_as(f, file, "/usr/bin/kft");
}

static int take_back(struct fake *f)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf said = {};

	e = (struct kft_err){};
	return kft_boot_remove(f->host, &kft_boot_files_run, &said, &e);
}

static unsigned int mode_of(const struct fake *f, const char *path)
{
	char full[256];
	struct stat st = {};

	(void)snprintf(full, sizeof(full), "%s/%s", f->root, path);
	assert_int_equal(lstat(full, &st), 0);
	return st.st_mode;
}

static void assert_has(struct fake *f, const char *path, const char *text)
{
	const char *got = fake_read(f, path);

	assert_non_null(got);
	if (!strstr(got, text))
		fail_msg("'%s' is not in %s: %s", text, path, got);
}

static void grub_and_systemd(void **state)
{
	struct fake *f = *state;

	fake_write(f, "etc/default/grub", "GRUB_TIMEOUT=5\n");
	fake_mkdir(f, "usr/lib/systemd/system");
	assert_int_equal(install(f, NULL), 0);
	/* The shell keeps the backslash, and GRUB then takes the semicolon literally. */
	assert_has(f, KFT_BOOT_GRUB,
		   "\nGRUB_CMDLINE_LINUX_DEFAULT=\"$GRUB_CMDLINE_LINUX_DEFAULT "
		   "ftrace=function_graph "
		   "kprobe_event=p:a,b\\;r:c,d kft.boot=x\"\n");
	assert_has(f, UNIT,
		   "ExecStart=\"/usr/bin/kft\" save --boot -o /var/lib/kft/boot.dat\n");
	assert_true(S_ISLNK(mode_of(f, UNIT_LINK)));
	assert_int_equal(mode_of(f, KFT_BOOT_GRUB), S_IFREG | 0644);
	assert_int_equal(mode_of(f, UNIT), S_IFREG | 0644);
	assert_int_equal(mode_of(f, KFT_BOOT_MANIFEST), S_IFREG | 0600);
	assert_int_equal(take_back(f), 0);
	assert_false(fake_exists(f, KFT_BOOT_GRUB));
	assert_false(fake_exists(f, "etc/default/grub.d"));
	assert_false(fake_exists(f, "etc/systemd"));
	assert_false(fake_exists(f, KFT_BOOT_STATE));
	assert_string_equal(fake_read(f, "etc/default/grub"), "GRUB_TIMEOUT=5\n");
	assert_int_equal(take_back(f), -ENOENT);
}

static void a_file_and_init_scripts(void **state)
{
	struct fake *f = *state;

	fake_mkdir(f, "etc/init.d");
	fake_mkdir(f, "etc/rc2.d");
	assert_int_equal(install(f, "/boot/kft.txt"), 0);
	assert_string_equal(fake_read(f, "boot/kft.txt"), PARAMS "\n");
	assert_has(f, "etc/init.d/kft-boot",
		   "exec '/usr/bin/kft' save --boot -o /var/lib/kft/boot.dat\n");
	assert_int_equal(mode_of(f, "etc/init.d/kft-boot"), S_IFREG | 0755);
	assert_true(S_ISLNK(mode_of(f, "etc/rc2.d/S99kft-boot")));
	assert_false(fake_exists(f, KFT_BOOT_GRUB));
	assert_int_equal(take_back(f), 0);
	assert_false(fake_exists(f, "boot"));
	assert_false(fake_exists(f, "etc/init.d/kft-boot"));
	assert_false(fake_exists(f, "etc/rc5.d"));
	assert_true(fake_exists(f, "etc/rc2.d"));
}

static void without_grub_a_file_is_needed(void **state)
{
	assert_int_equal(install(*state, NULL), -ENOENT);
	assert_non_null(strstr(e.hint, "--parameters"));
	assert_false(fake_exists(*state, KFT_BOOT_STATE));
}

static void once_more_replaces_what_is_ours(void **state)
{
	struct fake *f = *state;

	fake_mkdir(f, "etc/default/grub.d");
	assert_int_equal(install(f, NULL), 0);
	assert_int_equal(install(f, "a/b"), 0);
	assert_false(fake_exists(f, KFT_BOOT_GRUB));
	assert_true(fake_exists(f, "a/b"));
	assert_int_equal(take_back(f), 0);
	assert_true(fake_exists(f, "etc/default/grub.d"));
	assert_false(fake_exists(f, "a"));
}

/* An installation that meets a file of another program installs nothing. */
static void files_of_others_stay(void **state)
{
	struct fake *f = *state;

	fake_mkdir(f, "etc/default/grub.d");
	fake_mkdir(f, "usr/lib/systemd/system");
	fake_write(f, UNIT, "mine\n");
	assert_int_equal(install(f, NULL), -EEXIST);
	assert_non_null(strstr(e.msg, "'/" UNIT "'"));
	assert_string_equal(fake_read(f, UNIT), "mine\n");
	assert_false(fake_exists(f, KFT_BOOT_GRUB));
	assert_false(fake_exists(f, KFT_BOOT_MANIFEST));
}

static void what_was_changed_stays(void **state)
{
	struct fake *f = *state;

	fake_mkdir(f, "etc/default/grub.d");
	fake_mkdir(f, "usr/lib/systemd/system");
	assert_int_equal(install(f, NULL), 0);
	fake_write(f, KFT_BOOT_GRUB, "mine\n");
	assert_int_equal(install(f, NULL), -EEXIST);
	assert_string_equal(fake_read(f, KFT_BOOT_GRUB), "mine\n");
	assert_int_equal(take_back(f), -EEXIST);
	assert_non_null(strstr(e.msg, "'/" KFT_BOOT_GRUB "' is not as kft wrote it"));
	assert_string_equal(fake_read(f, KFT_BOOT_GRUB), "mine\n");
	assert_false(fake_exists(f, UNIT));
	/* Taking back can be continued once the other program's file is gone. */
	fake_remove(f, KFT_BOOT_GRUB);
	assert_int_equal(take_back(f), 0);
	assert_false(fake_exists(f, KFT_BOOT_STATE));
}

static void links_are_not_followed(void **state)
{
	struct fake *f = *state;

	fake_mkdir(f, "elsewhere");
	fake_link(f, "boot", "elsewhere");
	assert_true(install(f, "boot/kft.txt") < 0);
	assert_false(fake_exists(f, "elsewhere/kft.txt"));
	fake_write(f, "target", "mine\n");
	fake_link(f, "kft.txt", "target");
	assert_int_equal(install(f, "kft.txt"), -EEXIST);
	assert_string_equal(fake_read(f, "target"), "mine\n");
	assert_true(install(f, "a/../b") < 0);
	assert_int_equal(install(f, "kft"), 0);
	fake_remove(f, "kft");
	fake_write(f, "same", PARAMS "\n");
	fake_link(f, "kft", "same");
	assert_int_equal(take_back(f), -EEXIST);
	assert_true(fake_exists(f, "kft") && fake_exists(f, "same"));
}

static void a_damaged_manifest_removes_nothing(void **state)
{
	struct fake *f = *state;

	fake_write(f, "etc/passwd", "root\n");
	fake_write(f, KFT_BOOT_MANIFEST,
		   "file 0000000000000001 etc/passwd\nfile etc/passwd\n"
		   "dir 0 ../etc\nfile 1 /etc/passwd\nunknown 1 etc/passwd\n");
	assert_true(take_back(f) < 0);
	assert_string_equal(fake_read(f, "etc/passwd"), "root\n");
}

static void limit_files(rlim_t bytes)
{
	const struct rlimit limit = {bytes, RLIM_INFINITY};

	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* Each file and each line of the manifest ends at each of these places once. */
static void a_full_disk_leaves_nothing(void **state)
{
	struct fake *f = *state;
	int r = -1;

	(void)signal(SIGXFSZ, SIG_IGN);
	fake_mkdir(f, "etc/default/grub.d");
	fake_mkdir(f, "usr/lib/systemd/system");
	for (rlim_t bytes = 0; r < 0; bytes += 7) {
		limit_files(bytes);
		r = install(f, NULL);
		limit_files(RLIM_INFINITY);
		if (r == 0)
			break;
		assert_int_equal(r, -EFBIG);
		assert_true(bytes < 4096);
		assert_false(fake_exists(f, KFT_BOOT_GRUB));
		assert_false(fake_exists(f, KFT_BOOT_GRUB ".kft-new"));
		assert_false(fake_exists(f, "etc/systemd"));
		assert_false(fake_exists(f, KFT_BOOT_STATE));
	}
	assert_int_equal(take_back(f), 0);
	assert_false(fake_exists(f, "etc/systemd"));
}

/* Killed on the way: before a line of the manifest was whole, and before a file was. */
static void what_was_begun_is_taken_back(void **state)
{
	struct fake *f = *state;

	fake_mkdir(f, "etc/default/grub.d");
	fake_write(f, KFT_BOOT_MANIFEST,
		   "file 0123456789abcdef " KFT_BOOT_GRUB "\nfile 0123456");
	fake_write(f, KFT_BOOT_GRUB ".kft-new", "GRUB_CMDLINE_LINUX_DEFAULT=\"$GR");
	assert_int_equal(take_back(f), 0);
	assert_false(fake_exists(f, KFT_BOOT_GRUB ".kft-new"));
	/* kft 0.1 left an empty file there. */
	fake_write(f, KFT_BOOT_MANIFEST, "file 0123456789abcdef " KFT_BOOT_GRUB "\n");
	fake_write(f, KFT_BOOT_GRUB, "");
	assert_int_equal(install(f, NULL), 0);
	assert_int_equal(take_back(f), 0);
	assert_false(fake_exists(f, KFT_BOOT_STATE));
	/* Another program's file has the name of kft's incomplete file. */
	fake_write(f, KFT_BOOT_GRUB ".kft-new", "mine\n");
	assert_int_equal(install(f, NULL), -EEXIST);
	assert_string_equal(fake_read(f, KFT_BOOT_GRUB ".kft-new"), "mine\n");
}

/* How systemd and sh split these words is tested in tests/vm/boot-guest.sh. */
static void programs_with_strange_paths(void **state)
{
	struct fake *f = *state;
	char command[256];

	fake_mkdir(f, "usr/lib/systemd/system");
	assert_int_equal(install_as(f, "p", "/o p/100%/a\"b\\c'/kft"), 0);
	assert_has(f, UNIT, "\nExecStart=\"/o p/100%%/a\\\"b\\\\c'/kft\" save --boot ");
	fake_remove(f, "usr/lib/systemd/system");
	fake_mkdir(f, "etc/init.d");
	assert_int_equal(install_as(f, "p", "/o p/100%/a\"b\\c'/kft"), 0);
	assert_has(f, "etc/init.d/kft-boot",
		   "\nexec '/o p/100%/a\"b\\c'\\''/kft' save --boot ");
	(void)snprintf(command, sizeof(command), "sh -n %s/etc/init.d/kft-boot", f->root);
	assert_int_equal(system(command), 0);
}

#define WITH_ROOT(test) cmocka_unit_test_setup_teardown(test, fake_setup, fake_teardown)

static const struct CMUnitTest tests[] = {
	WITH_ROOT(grub_and_systemd),
	WITH_ROOT(a_file_and_init_scripts),
	WITH_ROOT(without_grub_a_file_is_needed),
	WITH_ROOT(once_more_replaces_what_is_ours),
	WITH_ROOT(files_of_others_stay),
	WITH_ROOT(what_was_changed_stays),
	WITH_ROOT(links_are_not_followed),
	WITH_ROOT(a_damaged_manifest_removes_nothing),
	WITH_ROOT(a_full_disk_leaves_nothing),
	WITH_ROOT(what_was_begun_is_taken_back),
	WITH_ROOT(programs_with_strange_paths),
};

T_MAIN(tests)
