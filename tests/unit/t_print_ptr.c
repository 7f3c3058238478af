// SPDX-License-Identifier: GPL-2.0-only
#include "printing.h"

static struct printing p;

static int finish(void **state)
{
	printing_finish(&p);
	p = (struct printing){};
	return 0;
}

#define BYTES(n) "\tfield:u8 b[" n "];\toffset:8;\tsize:" n ";\tsigned:0;\n"

static void expect(const char *fields, const char *fmt, const char *want)
{
	printing_class(&p, "sys", "ev", fields, fmt, 8);
	assert_string_equal(printing_info(&p), want);
	finish(NULL);
}

static void put(const char *bytes, size_t n)
{
	memcpy(p.record + 8, bytes, n);
	p.size = 8 + n;
}

static void mac_addresses(void **state)
{
	put("\x00\x1b\x2c\xff\x04\x05", 6);
	expect(BYTES("6"),
	       "\"%pM %pm %pMF %pMR %pmR\", REC->b, REC->b, REC->b, REC->b, REC->b",
	       "00:1b:2c:ff:04:05 001b2cff0405 00-1b-2c-ff-04-05 05:04:ff:2c:1b:00 "
	       "0504ff2c1b00");
	expect(BYTES("4"), "\"%pM\", REC->b", "(einval)");
}

static void uuids(void **state)
{
	put("\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f", 16);
	expect(BYTES("16"),
	       "\"%pU %pUb %pUB %pUl %pUL\", REC->b, REC->b, REC->b, REC->b, REC->b",
	       "00010203-0405-0607-0809-0a0b0c0d0e0f 00010203-0405-0607-0809-0a0b0c0d0e0f "
	       "00010203-0405-0607-0809-0A0B0C0D0E0F 03020100-0504-0706-0809-0a0b0c0d0e0f "
	       "03020100-0504-0706-0809-0A0B0C0D0E0F");
}

static void ip4_addresses(void **state)
{
	put("\xc0\xa8\x01\x02", 4);
	expect(BYTES("4"),
	       "\"%pI4 %pi4 %pI4l %pI4b %20pI4|\", REC->b, REC->b, REC->b, REC->b, REC->b",
	       "192.168.1.2 192.168.001.002 2.1.168.192 192.168.1.2          192.168.1.2|");
}

static void ip6(const char *bytes, const char *want)
{
	put(bytes, 16);
	expect(BYTES("16"), "\"%pI6c\", REC->b", want);
}

static void ip6_addresses_are_shortened(void **state)
{
	put("\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x01", 16);
	expect(BYTES("16"), "\"%pI6 %pi6\", REC->b, REC->b",
	       "2001:0db8:0000:0000:0000:0000:0000:0001 20010db8000000000000000000000001");
	ip6("\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x01", "2001:db8::1");
	ip6("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "::");
	ip6("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01", "::1");
	ip6("\0\x01\0\0\0\0\0\x02\0\0\0\0\0\0\0\0", "1:0:0:2::");
	ip6("\0\x01\0\0\0\x02\0\x03\0\x04\0\x05\0\x06\0\x07", "1:0:2:3:4:5:6:7");
	ip6("\0\0\0\0\0\0\0\0\0\0\xff\xff\x01\x02\x03\x04", "::ffff:1.2.3.4");
	ip6("\xfe\x80\0\0\0\0\0\0\0\0\x5e\xfe\x01\x02\x03\x04", "fe80::5efe:1.2.3.4");
}

static void socket_addresses(void **state)
{
	uint16_t inet = 2;
	uint16_t inet6 = 10;
	uint32_t scope = 7;

	put("xx\x00\x50\x7f\x00\x00\x01\0\0\0\0\0\0\0\0", 16);
	memcpy(p.record + 8, &inet, 2);
	expect("\tfield:__u8 b[28];\toffset:8;\tsize:28;\tsigned:0;\n",
	       "\"%pIS %pISpc\", REC->b, REC->b", "127.0.0.1 127.0.0.1:80");
	put("xx\x01\xbb\x00\x01\x02\x03\x20\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\x01xxxx", 28);
	memcpy(p.record + 8, &inet6, 2);
	memcpy(p.record + 32, &scope, 4);
	expect(BYTES("28"),
	       "\"%pISc %pISpc %pISpsfc %pIS\", REC->b, REC->b, REC->b, REC->b",
	       "2001::1 [2001::1]:443 [2001::1]:443/66051%7 "
	       "2001:0000:0000:0000:0000:0000:0000:0001");
	put("\0\0\0\0\0\0\0\0", 8);
	expect(BYTES("8"), "\"%pISpc\", REC->b", "(einval)");
}

static void physical_addresses_are_as_wide_as_their_field(void **state)
{
	printing_put(&p, 8, 0x1234, 8);
	printing_put(&p, 16, 0x5678, 4);
	expect("\tfield:dma_addr_t d;\toffset:8;\tsize:8;\tsigned:0;\n"
	       "\tfield:phys_addr_t q;\toffset:16;\tsize:4;\tsigned:0;\n",
	       "\"%pad %pap\", &REC->d, &REC->q", "0x0000000000001234 0x00005678");
}

static void bytes_in_hexadecimal(void **state)
{
	put("\x01\x02\x03\x04", 4);
	expect(BYTES("4"),
	       "\"%4ph|%2phC|%*phN|%ph|%9phD|%*ph\", REC->b, REC->b, 3, REC->b, REC->b, REC->b, -2, REC->b",
	       "01 02 03 04|01:02|010203||01-02-03-04|01 02");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_teardown(mac_addresses, finish),
	cmocka_unit_test_teardown(uuids, finish),
	cmocka_unit_test_teardown(ip4_addresses, finish),
	cmocka_unit_test_teardown(ip6_addresses_are_shortened, finish),
	cmocka_unit_test_teardown(socket_addresses, finish),
	cmocka_unit_test_teardown(physical_addresses_are_as_wide_as_their_field, finish),
	cmocka_unit_test_teardown(bytes_in_hexadecimal, finish),
};

T_MAIN(tests)
