#!/usr/bin/env python3
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes weight files with the packages that define them, and what they hold.

record.py VRAMSCOPE_CLI

Into tests/data/weight_files: types.csv, block sizes of gguf.constants.GGML_QUANT_SIZES; headers of files that
gguf.GGUFWriter and safetensors.numpy.save_file wrote (their data left out); totals.csv, what gguf.GGUFReader and
safetensors.safe_open read of the whole files. Then compares `VRAMSCOPE_CLI weights FILE --json` with them, whole
files and headers, and ends with 1 where anything differs. Needs gguf 0.19.0, safetensors 0.6.2 and numpy.
"""
import csv, json, pathlib, subprocess, sys, tempfile

import gguf
import numpy
import safetensors
from gguf.constants import GGML_QUANT_SIZES, GGMLQuantizationType as Type
from safetensors.numpy import save_file

OUT = pathlib.Path(__file__).resolve().parents[2] / "data" / "weight_files"
NAMES = {numpy.dtype("float32"): "F32", numpy.dtype("float16"): "F16", numpy.dtype("int64"): "I64",
         numpy.dtype("int8"): "I8", numpy.dtype("uint8"): "U8", numpy.dtype("bool"): "BOOL"}


def packed(kind, rows, columns):
    block, size = GGML_QUANT_SIZES[kind]
    return numpy.zeros((rows, columns // block * size), dtype=numpy.uint8)


def write_gguf(path, architecture, tensors, align=None, keys=()):
    w = gguf.GGUFWriter(str(path), architecture)
    if align:
        w.add_custom_alignment(align)
    w.add_block_count(2)
    w.add_context_length(4096)
    w.add_embedding_length(256)
    w.add_head_count(4)
    w.add_head_count_kv([2, 2])
    w.add_token_list(["t%d" % i for i in range(64)])
    for add in keys:
        add(w)
    for name, data, kind in tensors:
        w.add_tensor(name, data, raw_dtype=kind)
    w.write_header_to_file()
    w.write_kv_data_to_file()
    w.write_tensors_to_file()
    w.close()


def dense(kinds, layers=2):
    tensors = [("token_embd.weight", packed(kinds[0], 64, 256), kinds[0]), ("output_norm.weight", numpy.ones(256, numpy.float32), None)]
    for i in range(layers):
        tensors += [("blk.%d.attn_norm.weight" % i, numpy.ones(256, numpy.float32), None)]
        tensors += [("blk.%d.%s.weight" % (i, part), packed(kinds[(i + k) % len(kinds)], 512, 256), kinds[(i + k) % len(kinds)])
                    for k, part in enumerate(("attn_q", "attn_k", "ffn_up", "ffn_gate"))]
    return tensors


def ggufs(folder):
    write_gguf(folder / "dense.gguf", "llama", dense([Type.Q6_K, Type.Q4_K]))
    write_gguf(folder / "aligned.gguf", "qwen3", dense([Type.IQ4_NL, Type.Q8_0, Type.IQ3_S]), align=256)
    experts = [("blk.0.ffn_%s_exps.weight" % part, numpy.zeros((4, 128, 256 // 256 * 144), numpy.uint8), Type.Q4_K) for part in ("gate", "up", "down")]
    write_gguf(folder / "experts.gguf", "qwen3moe", dense([Type.BF16]) [:2] + experts, keys=[lambda w: w.add_expert_count(4), lambda w: w.add_expert_used_count(2)])
    # one tensor of each type that the package sizes as ggml does (Q8_1: see tst_gguf.cpp)
    every = [("blk.%d.ffn_up.weight" % i, packed(kind, 3, 512), kind) for i, kind in enumerate(k for k in GGML_QUANT_SIZES if k != Type.Q8_1)]
    every = [(n, d if GGML_QUANT_SIZES[k][0] > 1 or k == Type.BF16 else d.view({Type.F32: "f4", Type.F16: "f2", Type.F64: "f8", Type.I8: "i1", Type.I16: "i2", Type.I32: "i4", Type.I64: "i8"}[k]),
              k if GGML_QUANT_SIZES[k][0] > 1 or k == Type.BF16 else None) for n, d, k in every]
    write_gguf(folder / "every_type.gguf", "llama", every)


def safes(folder):
    save_file({"model.layers.%d.w.weight" % i: numpy.zeros((64, 32), numpy.float16) for i in range(3)} | {"model.norm.weight": numpy.ones(32, numpy.float32)},
              folder / "layers.safetensors", metadata={"format": "np"})
    save_file({"a": numpy.zeros((0, 7), numpy.float32), "b": numpy.zeros((), numpy.int64), "c": numpy.zeros(5, numpy.bool_), "d": numpy.zeros((3, 3), numpy.int8)},
              folder / "scalars.safetensors")


def truth(path):
    types, elements, count = {}, 0, 0
    if path.suffix == ".gguf":
        reader = gguf.GGUFReader(path)
        for tensor in reader.tensors:
            name = tensor.tensor_type.name
            types[name] = types.get(name, 0) + int(tensor.n_bytes)
            elements += int(tensor.n_elements)
        count, header = len(reader.tensors), int(reader.data_offset)
    else:
        with safetensors.safe_open(path, "np") as file:
            for key in file.keys():
                data = file.get_tensor(key)
                name = NAMES[data.dtype]
                types[name] = types.get(name, 0) + data.nbytes
                elements += data.size
                count += 1
        header = 8 + int.from_bytes(path.read_bytes()[:8], "little")
    return [path.name, count, elements, sum(types.values()), " ".join(sorted("%s=%d" % each for each in types.items()))], header


def stated(cli, path):
    read = json.loads(subprocess.run([cli, "weights", str(path), "--json"], check=True, capture_output=True, text=True).stdout)
    return [path.name, read["tensors"], read["elements"], read["bytes"], " ".join(sorted("%s=%d" % (t["type"], t["bytes"]) for t in read["by_type"]))]


def main():
    cli, failures, rows = sys.argv[1], 0, []
    OUT.mkdir(parents=True, exist_ok=True)
    with open(OUT / "types.csv", "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["number", "name", "block", "bytes"])
        out.writerows([k.value, k.name, *GGML_QUANT_SIZES[k]] for k in GGML_QUANT_SIZES)
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        ggufs(folder)
        safes(folder)
        for path in sorted(folder.iterdir()):
            row, header = truth(path)
            rows.append(row)
            (OUT / path.name).write_bytes(path.read_bytes()[:header])
            for file in (path, OUT / path.name):
                if stated(cli, file) != row:
                    failures += 1
                    print("differs:", file, stated(cli, file), row)
    with open(OUT / "totals.csv", "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["file", "tensors", "elements", "bytes", "types"])
        out.writerows(rows)
    print("%d files, %d types, %d differences" % (len(rows), len(GGML_QUANT_SIZES), failures))
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
