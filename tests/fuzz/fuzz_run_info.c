// SPDX-License-Identifier: GPL-2.0-only
/* A trace's information on its KFT run is read, written, and read again. */
#include "fuzz.h"

#include "model/run_info.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct kft_blob blob = {(const char *)data, size};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	static struct kft_run_info info;
	static struct kft_run_info again;

	struct kft_run_windows windows;

	if (kft_run_windows_parse(&blob, &windows) == 0) {
		(void)kft_run_windows_cut(&windows, 1, size);
		kft_run_windows_finish(&windows);
	}
	if (kft_run_info_parse(&blob, &info) < 0)
		return 0;
	FUZZ_ASSERT(info.started[0] && info.stopped[0]);
	kft_run_info_format(&info, &text);
	const struct kft_blob back = {kft_strbuf_cstr(&text), text.len};

	FUZZ_ASSERT(kft_run_info_parse(&back, &again) == 0);
	FUZZ_ASSERT(again.start_ns == info.start_ns && again.stop_ns == info.stop_ns);
	FUZZ_ASSERT(!memcmp(again.filtered, info.filtered, sizeof(info.filtered)));
	return 0;
}
