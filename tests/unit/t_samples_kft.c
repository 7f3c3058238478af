// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <fcntl.h>
#include <glob.h>
#include <stdlib.h>

#include "base/io.h"
#include "config.h"

/* Every configuration in samples/ is one: the directory comes from the build. */
static void samples_parse(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf pattern = {};
	const char *root = getenv("KFT_SOURCE_ROOT");
	glob_t found;

	assert_non_null(root);
	kft_strbuf_addf(&pattern, "%s/samples/kft/*.conf", root);
	assert_int_equal(glob(kft_strbuf_cstr(&pattern), 0, NULL, &found), 0);
	assert_true(found.gl_pathc >= 8);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
		_cleanup_(kft_config_finish) struct kft_config c = {};

		assert_int_equal(kft_read_at(AT_FDCWD, found.gl_pathv[i], 65536, &text),
				 0);
		t_config_parse(kft_strbuf_cstr(&text), &c);
		assert_true(c.runs.len > 0);
	}
	globfree(&found);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(samples_parse),
};

T_MAIN(tests)
