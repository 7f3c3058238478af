/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include "base/strbuf.h"
#include "doctor/doctor.h"
#include "model/result.h"

/* Prints the report of kft doctor, as text and as a result (docs/formats/doctor.md). */

/* Whether kft record can work: tracefs, instances and events do. */
bool doctor_can_record(const struct kft_doctor_report *r);

void doctor_text(const struct kft_doctor_report *r, size_t width, struct kft_strbuf *sb);
void doctor_result(const struct kft_doctor_report *r, struct kft_result *ret);
