"""A ModelDef as no protobuf writer has it: wire.py IN OUT."""
import sys

with open(sys.argv[1], "rb") as f:
    data = f.read()
# Field 1, the name, comes again behind all others; a length in more bytes than
# it needs; fields that no schema knows; AttrDef's field 15 as a varint.
data += b"\x0a\x83\x80\x00net" + b"\xfa\x3e\x02hi" + b"\xd8\x3e\x07"
data += b"\x5a\x09" + b"\x0a\x03dt!" + b"\x12\x02" + b"\x78\x05"
with open(sys.argv[2], "wb") as f:
    f.write(data)
