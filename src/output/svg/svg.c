// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes elements of SVG pictures. */
#include "output/svg/svg.h"

#include <string.h>

void kft_svg_text(struct kft_strbuf *sb, const char *text)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf safe = {};

	kft_strbuf_add_escaped(&safe, text, strlen(text));
	sb->failed |= safe.failed;
	for (size_t i = 0; i < safe.len; i++) {
		switch (safe.buf[i]) {
		case '<':
			kft_strbuf_adds(sb, "&lt;");
			break;
		case '>':
			kft_strbuf_adds(sb, "&gt;");
			break;
		case '&':
			kft_strbuf_adds(sb, "&amp;");
			break;
		case '"':
			kft_strbuf_adds(sb, "&quot;");
			break;
		default:
			kft_strbuf_addc(sb, safe.buf[i]);
		}
	}
}

void kft_svg_number(struct kft_strbuf *sb, double v)
{
	uint64_t hundredths = (uint64_t)((v < 0 ? -v : v) * 100 + 0.5);

	if (v < 0 && hundredths)
		kft_strbuf_addc(sb, '-');
	kft_strbuf_addu(sb, hundredths / 100, 1);
	if (hundredths % 100)
		kft_strbuf_addc(sb, '.');
	if (hundredths % 100 && hundredths % 10)
		kft_strbuf_addu(sb, hundredths % 100, 2);
	else if (hundredths % 100)
		kft_strbuf_addu(sb, hundredths % 100 / 10, 1);
}

void kft_svg_begin(struct kft_strbuf *sb, unsigned int width, unsigned int height,
		   const char *title, const char *style)
{
	kft_strbuf_addf(
		sb,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
		"viewBox=\"0 0 %u %u\" role=\"img\" tabindex=\"0\">\n<title>",
		width, height, width, height);
	kft_svg_text(sb, title);
	kft_strbuf_adds(sb, "</title>\n<style>");
	kft_strbuf_adds(sb, style);
	kft_strbuf_adds(sb, "</style>\n"
			    "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
}

void kft_svg_end(struct kft_strbuf *sb)
{
	kft_strbuf_adds(sb, "</svg>\n");
}

static void add_attribute(struct kft_strbuf *sb, const char *name, double v)
{
	kft_strbuf_addf(sb, " %s=\"", name);
	kft_svg_number(sb, v);
	kft_strbuf_addc(sb, '"');
}

void kft_svg_rect(struct kft_strbuf *sb, double x, double y, double width, double height,
		  const char *class, const char *about)
{
	kft_strbuf_addf(sb, "<rect class=\"%s\"", class);
	add_attribute(sb, "x", x);
	add_attribute(sb, "y", y);
	add_attribute(sb, "width", width);
	add_attribute(sb, "height", height);
	if (!about) {
		kft_strbuf_adds(sb, "/>\n");
		return;
	}
	kft_strbuf_adds(sb, "><title>");
	kft_svg_text(sb, about);
	kft_strbuf_adds(sb, "</title></rect>\n");
}

void kft_svg_label(struct kft_strbuf *sb, double x, double y, const char *class,
		   const char *text)
{
	kft_strbuf_addf(sb, "<text class=\"%s\"", class);
	add_attribute(sb, "x", x);
	add_attribute(sb, "y", y);
	kft_strbuf_addc(sb, '>');
	kft_svg_text(sb, text);
	kft_strbuf_adds(sb, "</text>\n");
}
