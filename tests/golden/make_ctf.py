# SPDX-License-Identifier: GPL-2.0-only
"""CTF traces with what no tracer at hand writes: bit fields, big endian, alignments.

make(directory, big, header, align) writes one. Values are random with a fixed seed; bits
are put one by one, with nothing of kft's.
"""
import os
import random
import struct

HEADERS = {
    # LTTng's two, for machines that align
    "compact": """struct {
    enum : integer { size = 5; align = 1; } { compact = 0 ... 30, extended = 31 } id;
    variant <id> {
        struct { integer { size = 27; align = 1; map = clock.c.value; } timestamp; } compact;
        struct { integer { size = 32; align = %(a32)d; } id;
            integer { size = 64; align = %(a64)d; map = clock.c.value; } timestamp; } extended;
    } v; } align(%(a32)d)""",
    "large": """struct {
    enum : integer { size = 16; align = %(a16)d; } { compact = 0 ... 65534, extended = 65535 } id;
    variant <id> {
        struct { integer { size = 32; align = %(a32)d; map = clock.c.value; } timestamp; } compact;
        struct { integer { size = 32; align = %(a32)d; } id;
            integer { size = 64; align = %(a64)d; map = clock.c.value; } timestamp; } extended;
    } v; } align(%(a16)d)""",
    "plain": """struct { integer { size = 8; align = 8; } id;
    integer { size = 64; align = %(a64)d; map = clock.c.value; } timestamp; } align(8)""",
    "odd": """struct { integer { size = 3; align = 1; } id;
    integer { size = 43; align = 1; map = clock.c.value; } timestamp; }""",
}

METADATA = """/* CTF 1.8 */
typealias integer { size = 8; align = 8; encoding = UTF8; } := char;
typealias integer { size = 16; align = %(a16)d; } := u16;
typealias integer { size = 32; align = %(a32)d; signed = true; } := s32;
typealias integer { size = 64; align = %(a64)d; base = hex; } := x64;
trace { major = 1; minor = 8; byte_order = %(order)s;
    packet.header := struct { integer { size = 32; align = 8; } magic;
        integer { size = 32; align = 8; } stream_id; }; };
clock { name = c; freq = 1000000000; offset_s = 7; };
stream { id = 0;
    event.header := %(header)s;
    packet.context := struct {
        integer { size = 64; align = 8; map = clock.c.value; } timestamp_begin;
        integer { size = 64; align = 8; map = clock.c.value; } timestamp_end;
        integer { size = 64; align = 8; } content_size;
        integer { size = 64; align = 8; } packet_size;
        integer { size = 32; align = 8; } cpu_id; };
    event.context := struct { s32 _tid; integer { size = 8; align = 8; } prio; };
};
event { name = "bits"; id = 1; stream_id = 0; fields := struct { %(bits)s }; };
event { name = "kinds"; id = 2; stream_id = 0; context := struct { u16 extra; };
    fields := struct {
        string s; char text[7]; u16 n; u16 numbers[n]; s32 three[3]; x64 x;
        floating_point { exp_dig = 8; mant_dig = 24; align = %(a32)d; } f;
        floating_point { exp_dig = 11; mant_dig = 53; align = %(a64)d; } d;
        integer { size = 8; align = 8; } len; char name[len];
        enum : u16 { ONE = 1, TWO = 2, MANY = 3 ... 9 } kind;
        struct { u16 a; struct { integer { size = 4; align = 1; signed = 1; } b;
            integer { size = 4; align = 1; } c; } in; } outer;
        integer { size = 16; align = 8; byte_order = be; } big;
        integer { size = 32; align = 8; byte_order = le; } little; }; };
event { name = "sched:sched_switch"; id = 3; stream_id = 0; fields := struct {
        char _prev_comm[16]; s32 _prev_pid; s32 _prev_prio;
        integer { size = 64; align = %(a64)d; signed = 1; } _prev_state;
        string _next_comm; s32 _next_pid; s32 _next_prio; }; };
"""


class Bits:
    def __init__(self, big):
        self.big = big
        self.bytes = bytearray()
        self.pos = 0

    def put(self, value, size, align=1, big=None):
        self.align(align)
        big = self.big if big is None else big
        self.bytes.extend(bytes((self.pos + size + 7) // 8 - len(self.bytes)))
        for i in range(size):
            bit = value >> (size - 1 - i if big else i) & 1
            pos = self.pos + i
            self.bytes[pos // 8] |= bit << (7 - pos % 8 if big else pos % 8)
        self.pos += size

    def align(self, n):
        self.pos = (self.pos + n - 1) // n * n
        self.bytes.extend(bytes((self.pos + 7) // 8 - len(self.bytes)))

    def text(self, data):
        for byte in data:
            self.put(byte, 8, 8)


class Maker:
    def __init__(self, big, header, aligned):
        self.random = random.Random(f"{big} {header} {aligned}")
        self.big = big
        self.header = header
        self.align = {n: n if aligned else 8 for n in (16, 32, 64)}
        self.sizes = [(self.random.randint(1, 64), self.random.choice((1, 1, 1, 4, 8)),
                       self.random.randint(0, 1)) for _ in range(60)]

    def metadata(self):
        bits = "".join(
            f"integer {{ size = {size}; align = {align}; signed = {signed}; }} b{i};\n"
            for i, (size, align, signed) in enumerate(self.sizes))
        words = {f"a{n}": align for n, align in self.align.items()}
        header = HEADERS[self.header] % words
        return METADATA % {**words, "order": "be" if self.big else "le",
                           "header": header, "bits": bits}

    def put_header(self, b, event, time, full):
        if self.header == "odd":
            b.put(event, 3)
            b.put(time & (1 << 43) - 1, 43)
            return
        if self.header == "plain":
            b.align(self.align[64])
            b.put(event, 8, 8)
            b.put(time, 64, self.align[64])
            return
        id_bits, time_bits = (5, 27) if self.header == "compact" else (16, 32)
        b.align(self.align[32 if id_bits == 5 else 16])
        if not full:
            b.put(event, id_bits)
            b.put(time & (1 << time_bits) - 1, time_bits,
                  1 if id_bits == 5 else self.align[32])
            return
        b.put((1 << id_bits) - 1, id_bits)
        b.align(max(self.align[32], self.align[64]))
        b.put(event, 32, self.align[32])
        b.put(time, 64, self.align[64])

    def number(self, size):
        return self.random.getrandbits(size)

    def word(self):
        n = self.random.randint(1, 12)
        return bytes(self.random.choice(b"abc xyz_\xc3\xa4"[:8]) for _ in range(n))

    def put_bits(self, b):
        for size, align, _ in self.sizes:
            b.put(self.number(size), size, align)

    def put_kinds(self, b):
        a = self.align
        b.put(self.number(16), 16, a[16])  # the context
        # Structs are aligned as the largest of what is in them.
        b.align(a[64])
        b.text(self.word() + b"\0")
        b.text(self.word().ljust(7, b"\0")[:7])
        n = self.random.randint(0, 5)
        b.put(n, 16, a[16])
        b.align(a[16])
        for _ in range(n):
            b.put(self.number(16), 16, a[16])
        for _ in range(3):
            b.put(self.number(32), 32, a[32])
        b.put(self.number(64), 64, a[64])
        for code, size in (("f", 32), ("d", 64)):
            value = round(self.random.uniform(-1000, 1000), 3) + 0.25
            b.put(int.from_bytes(struct.pack(">" + code, value), "big"), size, a[size])
        name = self.word()
        b.put(len(name), 8, 8)
        b.text(name)
        b.put(self.random.choice((1, 2, 5)), 16, a[16])
        b.put(self.number(16), 16, a[16])
        b.put(self.number(4), 4)
        b.put(self.number(4), 4)
        b.put(self.number(16), 16, 8, big=True)
        b.put(self.number(32), 32, 8, big=False)

    def put_switch(self, b):
        a = self.align
        b.align(a[64])
        b.text(self.word().ljust(16, b"\0"))
        b.put(self.number(15), 32, a[32])
        b.put(self.number(7), 32, a[32])
        b.put(1 << self.random.randint(0, 7), 64, a[64])
        b.text(self.word() + b"\0")
        b.put(self.number(15), 32, a[32])
        b.put(self.number(7), 32, a[32])

    def packet(self, begin, cpu):
        b = Bits(self.big)
        time = begin
        events = []
        for i in range(30):
            time += self.random.choice((1, 1000, 100_000_000, 5_000_000_000))
            events.append((self.random.randint(1, 3), time, i % 7 == 0))
        for value, size in ((0xc1fc1fc1, 32), (0, 32), (begin, 64), (time, 64), (0, 64),
                            (0, 64), (cpu, 32)):
            b.put(value, size, 8)
        last = begin
        for event, at, full in events:
            self.put_header(b, event, at, full or at - last > 1 << 26)
            b.align(self.align[32])  # the stream's event context
            b.put(self.number(15), 32, self.align[32])
            b.put(self.number(8), 8, 8)
            (None, self.put_bits, self.put_kinds, self.put_switch)[event](b)
            last = at
        content = b.pos
        b.align(8 * 64)
        order = ">QQ" if self.big else "<QQ"
        struct.pack_into(order, b.bytes, 24, content, b.pos)
        return bytes(b.bytes), time


def make(directory, big, header, aligned):
    maker = Maker(big, header, aligned)
    os.makedirs(directory)
    with open(os.path.join(directory, "metadata"), "w", encoding="ascii") as f:
        f.write(maker.metadata())
    for cpu in range(2):
        time = 1_000_000_000 + cpu
        with open(os.path.join(directory, f"own_{cpu}"), "wb") as f:
            for _ in range(4):
                data, time = maker.packet(time, cpu)
                f.write(data)
