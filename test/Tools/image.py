"""Writes an image of 3 rows and 2 columns: image.py OUT.{ppm,bmp,png,pgm,jpg}.

Pixel (y, x) is (10*(2*y+x), 100, 200), red first; in a .pgm and a .jpg, which
has 8 rows and columns, all are 200.
"""
import struct
import sys
import zlib

path = sys.argv[1]
H, W = 3, 2
rows = [[(10 * (2 * y + x), 100, 200) for x in range(W)] for y in range(H)]


def png():
    def chunk(tag, data):
        return struct.pack(">I", len(data)) + tag + data + struct.pack(">I", zlib.crc32(tag + data))

    raw = b"".join(b"\0" + bytes(v for p in row for v in p) for row in rows)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", W, H, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b""))


def bmp():
    data = b"".join(bytes(v for p in row for v in p[::-1]) + b"\0\0" for row in rows[::-1])
    head = struct.pack("<IiiHHIIiiII", 40, W, H, 1, 24, 0, len(data), 0, 0, 0, 0)
    return b"BM" + struct.pack("<IHHI", 14 + len(head) + len(data), 0, 0, 14 + len(head)) + head + data


def jpg():
    # One block with a DC coefficient of 8*(200 - 128), over a quantization step
    # of 8. The Huffman tables have one code each, a single 0.
    def segment(marker, data):
        return bytes([0xff, marker]) + struct.pack(">H", len(data) + 2) + data

    one_code = bytes([1] + [0] * 15)
    bits = "0" + format(200 - 128, "07b") + "0"
    bits += "1" * (-len(bits) % 8)
    return (b"\xff\xd8" + segment(0xdb, bytes([0] + [8] * 64)) +
            segment(0xc0, struct.pack(">BHHB", 8, 8, 8, 1) + bytes([1, 0x11, 0])) +
            segment(0xc4, bytes([0]) + one_code + bytes([7])) +
            segment(0xc4, bytes([0x10]) + one_code + bytes([0])) +
            segment(0xda, bytes([1, 1, 0, 0, 63, 0])) +
            int(bits, 2).to_bytes(len(bits) // 8, "big") + b"\xff\xd9")


def ppm():
    return b"P6\n%d %d\n255\n" % (W, H) + bytes(v for row in rows for p in row for v in p)


def pgm():
    return b"P5\n%d %d\n255\n" % (W, H) + bytes([200] * W * H)


kind = path.rsplit(".", 1)[1].lower()
with open(path, "wb") as f:
    f.write({"png": png, "bmp": bmp, "jpg": jpg, "ppm": ppm, "pgm": pgm}[kind]())
