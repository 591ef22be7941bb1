#!/usr/bin/env python3
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of the recipe that rehearses a program: python3 tests/measure/test_rehearse.py VRAMSCOPE_CLI.
They need no torch; where one can be imported a whole rehearsal runs as well. The last line says
which ran."""

import json
import os
import pathlib
import pickle
import py_compile
import re
import subprocess
import sys
import tempfile
import unittest

CLI = pathlib.Path(sys.argv.pop(1)).resolve()
RECIPE = pathlib.Path(__file__).resolve().parents[2] / "resources/recipes/vramscope_rehearse.py"
sys.dont_write_bytecode = True
sys.path.insert(0, str(RECIPE.parent))
import vramscope_rehearse as recipe

PROGRAM = """
import sys
import torch
from torch import nn
model = nn.Sequential(nn.Linear(256, 1024), nn.GELU(), nn.Linear(1024, 256)).to("cuda")
optimizer = torch.optim.AdamW(model.parameters())
for step in range(3):
    x = torch.randn(64, 256).to("cuda")
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = model(x).square().mean()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad()
    print("loss", loss.item(), torch.cuda.max_memory_allocated())
    if "--decide" in sys.argv and loss.item() > 0:  # line 16
        break
    if "--scaled" in sys.argv:
        scaler, scaled = torch.amp.GradScaler("cuda"), torch.optim.SGD(model.parameters(), momentum=.9)
        for _ in range(2):
            scaler.scale(model(x).square().mean()).backward()
            scaler.step(scaled)
            scaler.update()
            print("scale", scaler.get_scale(), "states", len(scaled.state))
        break
    if "--exit" in sys.argv:
        sys.exit(3)
"""


def run(*arguments, env=None):
    done = subprocess.run([str(a) for a in arguments], capture_output=True, text=True,
                          env={**os.environ, **(env or {})})
    return done.returncode, done.stdout, done.stderr


class Alone(unittest.TestCase):
    """Without torch."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def with_torch(self, text):
        """The error of a rehearsal beside a module torch of that text."""
        (self.folder / "torch.py").write_text(text)
        (self.folder / "train.py").write_text("import torch\n")
        status, _, error = run(sys.executable, RECIPE, "--out", self.folder / "out.pickle", "--",
                               self.folder / "train.py", env={"PYTHONPATH": str(self.folder)})
        self.assertEqual(status, 1)
        self.assertFalse((self.folder / "out.pickle").exists())
        self.assertEqual(error.count("\n"), 1, error)
        return error

    def test_is_printed_and_compiles(self):
        status, printed, _ = run(CLI, "recipe", "rehearse")
        self.assertEqual(status, 0)
        self.assertTrue(printed.endswith(RECIPE.read_text()))
        file = self.folder / "vramscope_rehearse.py"
        file.write_text(printed)
        py_compile.compile(str(file), doraise=True, cfile=str(self.folder / "compiled"))

    def test_says_that_there_is_no_torch(self):
        error = self.with_torch("raise ImportError('none')")
        self.assertIn("needs PyTorch 2.4 or later, and this Python", error)
        self.assertIn("pip install torch", error)

    def test_says_that_torch_is_too_old(self):
        error = self.with_torch("__version__ = '2.3.1+cu121'")
        self.assertIn("this Python has 2.3.1+cu121", error)

    def test_names_the_gpus_that_it_knows(self):
        self.assertEqual(recipe.gpu_named("24GiB")[0], 24 << 30)
        self.assertEqual(recipe.gpu_named("H100"), recipe.GPUS["h100"])
        for wrong in ("h300", "-1GiB", "GiB", ""):
            with self.assertRaises(recipe.Refused) as caught:
                recipe.gpu_named(wrong)
            self.assertIn("rtx4090", str(caught.exception))

    def test_counts_virtual_functions(self):
        self.assertEqual(recipe.entries_of("""
            // a comment on virtual calls
            struct Hooks {
              virtual ~Hooks() = default;
              virtual bool isBuilt() const { return false; }
              virtual Stream getStream(
                  Device) const = 0;
            };"""), {"~Hooks": 0, "isBuilt": 2, "getStream": 3, "": 4})

    def test_allocates_as_pytorch_does(self):
        events = []
        allocator = recipe.Allocator(1 << 40, lambda action, address, size, *_: events.append(
            (action, size)) or {})
        small, _ = allocator.allocate(1, 0, [], "")
        self.assertEqual((small.size, allocator.reserved), (512, 2 << 20))
        large, _ = allocator.allocate((1 << 20) + 1, 0, [], "")
        self.assertEqual((large.size, allocator.reserved), ((1 << 20) + 512, 22 << 20))
        whole, _ = allocator.allocate((10 << 20) + 1, 0, [], "")
        self.assertEqual((whole.size, allocator.reserved), ((10 << 20) + 512, 22 << 20))
        huge, _ = allocator.allocate((25 << 20) + 1, 0, [], "")  # a rest of less than 1 MiB stays
        self.assertEqual((huge.size, allocator.reserved), (26 << 20, 48 << 20))
        other, _ = allocator.allocate(1, 7, [], "")  # another stream has blocks of its own
        self.assertEqual(allocator.reserved, 50 << 20)
        for block in (large, whole, small, huge, other):
            allocator.release(block, [])
        self.assertEqual(allocator.allocated, 0)
        for segment in allocator.snapshot(0):
            self.assertEqual([b["state"] for b in segment["blocks"]], ["inactive"])
            self.assertEqual(segment["blocks"][0]["size"], segment["total_size"])
        allocator.release_cached([])
        self.assertEqual((allocator.reserved, allocator.snapshot(0)), (0, []))
        self.assertEqual([e for e in events if e[0] == "segment_free"].__len__(), 4)

    def test_addresses_are_those_of_a_driver(self):
        """As an H100 gave them; tst_driver_addresses holds more of them."""
        addresses = recipe.Addresses()
        first = addresses.take(64 * recipe.MIB)

        def place(size):
            return (addresses.take(size * recipe.MIB) - first) // recipe.MIB
        self.assertEqual([place(64) for _ in range(7)], [-64, -128, -192, -256, -320, -384, -448])
        for at in (-128, -192):  # one gap, too narrow for 128 MiB
            addresses.give_back(first + at * recipe.MIB, 64 * recipe.MIB)
        self.assertEqual([place(128), place(64)], [-576, -128])
        addresses.give_back(first - 320 * recipe.MIB, 64 * recipe.MIB)
        self.assertEqual([place(32), place(32)], [-160, -288])
        self.assertEqual([place(20), place(12), place(2)], [-608, -588, -640])

    def test_goes_on_beyond_the_device_and_says_so(self):
        allocator = recipe.Allocator(30 << 20, lambda *_: {})
        first, _ = allocator.allocate(20 << 20, 0, [], "")
        allocator.release(first, [])
        allocator.allocate(24 << 20, 0, [], "")  # what is cached is given back first
        self.assertEqual((allocator.reserved, allocator.lacked), (24 << 20, 0))
        allocator.allocate(16 << 20, 0, [], "")
        self.assertEqual(allocator.lacked, 10 << 20)


@unittest.skipIf(recipe.torch is None, "no torch can be imported")
class WithTorch(unittest.TestCase):
    """Whole rehearsals of a small program."""

    def rehearse(self, *arguments, own=()):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        program, out = pathlib.Path(folder.name) / "train.py", pathlib.Path(folder.name) / "o.pickle"
        program.write_text(PROGRAM)
        status, said, error = run(sys.executable, RECIPE, "--device", "h100", "--out", out, *own,
                                  "--", program, *arguments)
        with open(out, "rb") as file:
            return status, said, error, pickle.load(file), out

    def test_is_read_and_replayed_exactly(self):
        status, said, error, snapshot, out = self.rehearse()
        self.assertEqual(status, 0, error)
        self.assertEqual(said.count("loss 1.0 "), 3)
        self.assertEqual(snapshot["rehearsed"]["ended"], "")
        _, text, _ = run(CLI, "replay", out)
        self.assertIn("device 0: exact, all", text)
        self.assertIn("Rehearsed, not recorded.", text)
        _, line, _ = run(CLI, "trace", "--json", out)
        device = json.loads(line)["devices"][0]
        self.assertEqual(device["findings"][0]["kind"], "rehearsed")
        states = [e for e in snapshot["device_traces"][0] if e.get("category") == "optimizer_state"
                  and e["size"] > 8]
        self.assertEqual(sum(e["size"] for e in states), 2 * 4 * (2 * 256 * 1024 + 1024 + 256))
        weights = [e for e in snapshot["device_traces"][0] if e.get("category") == "parameter"]
        self.assertEqual(sum(e["size"] for e in weights), 4 * (2 * 256 * 1024 + 1024 + 256))

    def test_needs_no_build_for_cuda(self):
        """What torch._C has for CUDA alone is not there, as in builds without."""
        with tempfile.TemporaryDirectory() as folder:
            program, out = pathlib.Path(folder) / "train.py", pathlib.Path(folder) / "o.pickle"
            program.write_text(PROGRAM)
            status, said, error = run(sys.executable, "-c", f"""if True:
                import runpy, sys, torch
                for name in dir(torch._C):
                    if name.startswith("_cuda") or name == "_storage_Use_Count":
                        delattr(torch._C, name)
                torch.version.cuda = None
                torch.backends.cuda.is_built = lambda: False
                sys.argv = [{str(RECIPE)!r}, "--out", {str(out)!r}, "--", {str(program)!r}]
                runpy.run_path(sys.argv[0], run_name="__main__")""")
            self.assertEqual(status, 0, error)
            self.assertEqual(said.count("loss 1.0 "), 3)
            with open(out, "rb") as file:
                without = pickle.load(file)["device_traces"][0]
        _, _, _, snapshot, _ = self.rehearse()
        def sizes(events):  # in no order: temporaries of one moment may go in any
            return sorted((e["action"], e["size"]) for e in events)
        self.assertEqual(sizes(without), sizes(snapshot["device_traces"][0]))

    def test_skips_the_steps_that_overflow(self):
        for own, states, assumption in (
                ((), [4, 4], "no gradient overflows under GradScaler"),
                (("--overflows", "1"), [0, 4], "the gradients of the first 1 steps overflow"),
                (("--overflows", "2"), [0, 0], "the gradients of the first 2 steps overflow")):
            status, said, error, snapshot, _ = self.rehearse("--scaled", own=own)
            self.assertEqual(status, 0, error)
            self.assertEqual([int(n) for n in re.findall(r"states (\d+)", said)], states)
            self.assertIn(assumption, " ".join(snapshot["rehearsed"]["assumed"]))

    def test_refuses_a_decision_and_keeps_what_there_is(self):
        status, _, error, snapshot, _ = self.rehearse("--decide")
        self.assertEqual(status, 1)
        self.assertIn("train.py:16 decides by a number from the GPU", error)
        self.assertIn("train.py:16", snapshot["rehearsed"]["ended"])
        self.assertGreater(len(snapshot["device_traces"][0]), 50)

    def test_keeps_the_recording_of_a_program_that_ends_itself(self):
        status, _, error, snapshot, _ = self.rehearse("--exit")
        self.assertEqual(status, 3)
        self.assertIn("the program ended itself with status 3", snapshot["rehearsed"]["ended"])


    def search(self, sizes, *arguments):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        program = pathlib.Path(folder.name) / "train.py"
        program.write_text(PROGRAM.replace("64, 256", "int(sys.argv[1]), 256"))
        out = pathlib.Path(folder.name) / "o.pickle"
        return *run(sys.executable, RECIPE, "--device", "24GiB", "--out", out, "--largest", sizes,
                    "--", program, *arguments), pathlib.Path(folder.name)

    def test_finds_the_largest_size_that_fits(self):
        status, said, error, folder = self.search("rows=5,10", "{rows}00000")
        self.assertEqual(status, 0, error)
        found = re.fullmatch(r"The largest rows that fits 24GiB is (\d+); (\d+) takes \d+\.\d\d GiB "
                             r"too much\. See .*-\1\.pickle\.\n", said)
        self.assertTrue(found, said)
        largest, more = int(found[1]), int(found[2])
        self.assertEqual(more, largest + 1)
        for size, lacks in ((largest, False), (more, True)):
            with open(folder / f"o-{size}.pickle", "rb") as file:
                rehearsed = pickle.load(file)["rehearsed"]
            self.assertEqual(rehearsed["lacked_bytes"] > 0, lacks)
            self.assertEqual(rehearsed["size"], {"name": "rows", "value": size})

    def test_searches_only_for_what_can_be_found(self):
        for sizes, argument, why in (("rows=4", "{rows}", "two sizes"),
                                     ("rows=4,4", "{rows}", "two sizes"),
                                     ("rows=4,8", "8", "no argument of the program has {rows}"),
                                     ("rows=4,x", "{rows}", "two sizes")):
            status, said, error, _ = self.search(sizes, argument)
            self.assertEqual((status, said), (1, ""))
            self.assertIn(why, error)
        status, _, error, _ = self.search("rows=4000,9000", "{rows}", "--exit")
        self.assertEqual(status, 1)
        self.assertIn("with rows 4000 the program did not run to its end: the program ended itself "
                      "with status 3", error)


if __name__ == "__main__":
    done = unittest.main(exit=False, verbosity=1)
    print("With torch " + str(recipe.torch.__version__) + ": whole rehearsals ran."
          if recipe.torch is not None else "Without torch: no whole rehearsal ran.")
    sys.exit(not done.result.wasSuccessful())
