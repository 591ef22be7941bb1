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


    def refusal(self, *arguments):
        """What a rehearsal refuses before its program runs, beside a torch that does nothing."""
        (self.folder / "torch.py").write_text("__version__ = '2.11.0'\n")
        status, said, error = run(sys.executable, RECIPE, *arguments,
                                  env={"PYTHONPATH": str(self.folder)})
        self.assertEqual((status, said), (1, ""), error)
        self.assertEqual(error.count("\n"), 1, error)
        return error

    def test_finds_before_the_program_runs_that_it_cannot_write(self):
        program, other = self.folder / "train.py", self.folder / "notes.pickle"
        program.write_text("import torch\n")
        other.write_bytes(b"\x80\x04notes")
        for out, why in ((program, "is not a recording"), (other, "is not a recording"),
                         (self.folder, "is a folder"),
                         (self.folder / "none/out.pickle", "none does not exist")):
            self.assertIn(why, self.refusal("--out", out, "--", program))
        link = self.folder / "link.pickle"
        link.symlink_to(program)
        self.assertIn("is not a recording", self.refusal("--out", link, "--", program))
        self.assertEqual(program.read_text(), "import torch\n")
        self.assertEqual(other.read_bytes(), b"\x80\x04notes")
        self.assertIn("the folder does not exist", self.refusal("--out", self.folder / "out.pickle",
                                                     "--let-write", self.folder / "none", "--",
                                                     program))

    def test_writes_over_recordings_alone(self):
        out = self.folder / "out.pickle"
        for state in ({"segments": [], "device_traces": [[]]},
                      {"segments": [], "rehearsed": {"ended": "x"}}):
            out.write_bytes(pickle.dumps(state))
            self.assertEqual(recipe.checked_out(out), os.path.realpath(out))
            self.assertEqual(recipe.is_whole(out), "rehearsed" not in state)
        out.write_bytes(b"")
        recipe.checked_out(out)
        recipe.checked_out(os.devnull)

    def test_a_recording_that_cannot_be_written_leaves_the_old_one(self):
        out = self.folder / "out.pickle"
        out.write_bytes(b"old")

        def full(file):
            file.write(b"half")
            raise OSError(28, "No space left on device")

        with self.assertRaises(OSError):
            recipe.write_whole(str(out), full)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["out.pickle"])
        self.assertEqual(out.read_bytes(), b"old")
        recipe.write_whole(str(out), lambda file: file.write(b"new"))
        self.assertEqual(out.read_bytes(), b"new")

    def test_takes_decisions_as_it_is_bidden(self):
        for text, others, lines in (("", None, {}), ("yes", True, {}), ("a.py:3=no", None,
                                    {"a.py:3": False}), ("no, b/a.py:3=yes", False,
                                                         {"b/a.py:3": True})):
            answers = recipe.Answers(text)
            self.assertEqual((answers.others, answers.of_lines), (others, lines))
        for wrong in ("maybe", "a.py=yes", "yes,", "a.py:3"):
            with self.assertRaises(recipe.Refused):
                recipe.Answers(wrong)

    def test_finds_who_waits_for_an_error_of_memory(self):
        handlers = recipe.handlers_around(str(pathlib.Path(recipe.__file__)), 1)
        self.assertEqual(handlers, [])
        program = self.folder / "train.py"
        program.write_text("try:\n    step()\nexcept (KeyError, MemoryError) as error:\n    pass\n"
                           "try:\n    step()\nexcept:\n    batch //= 2\n")
        (kinds, text), = recipe.handlers_around(str(program), 2)
        self.assertEqual(eval(kinds), (KeyError, MemoryError))
        (kinds, text), = recipe.handlers_around(str(program), 6)
        self.assertEqual((kinds, "batch" in text), (None, True))
        self.assertEqual(recipe.handlers_around(str(program), 4), [])


# What a program does to files that are there, and finds afterwards.
CHANGES = r"""
import bz2, gzip, io, os, pathlib, shutil, sqlite3, subprocess, sys, tempfile

def text(path):
    with open(path) as file:
        return file.read()

def put(path, mode, what):
    with open(path, mode) as file:
        file.write(what)

os.chmod("old/1/state", 0o600)
for again in ("x", "xb"):
    try:
        open("target", again)
    except FileExistsError:
        pass
    else:
        raise AssertionError
try:
    os.open("target", os.O_WRONLY | os.O_CREAT | os.O_EXCL)
except FileExistsError:
    pass
else:
    raise AssertionError
put("kept", "a", " more")
assert text("kept") == "kept more"
put("kept", "w", "new")
assert text("kept") == "new" and os.stat("kept").st_size == 3
put("link", "w", "by link")
assert text("target") == "by link"
with open("target", "r+") as file:
    file.write("B")
assert text("link") == "By link"
os.truncate("target", 1)
assert text("target") == "B"
os.remove("kept")
assert not os.path.exists("kept") and "kept" not in os.listdir()
for gone in (lambda: open("kept"), lambda: os.remove("kept"), lambda: os.rename("kept", "x"),
             lambda: put("none/x", "w", "")):
    try:
        gone()
    except FileNotFoundError as error:
        assert "rehearsal-" not in str(error), error
    else:
        raise AssertionError
shutil.rmtree("old")
assert not os.path.exists("old/1") and not pathlib.Path("old").exists()
os.makedirs("old/2")
pathlib.Path("old/2/state").write_text("2")
assert os.listdir("old") == ["2"] and [p.name for p in pathlib.Path("old").glob("*/*")] == ["state"]
for made in ("old/2", "data"):
    try:
        os.mkdir(made)
    except FileExistsError:
        pass
    else:
        raise AssertionError
try:
    os.rmdir("data")
except OSError:
    pass
else:
    raise AssertionError
os.rename("data", "moved")
assert text("moved/x") == "x" and not os.path.exists("data")
put("moved/x", "a", "y")
assert text("moved/x") == "xy"
os.replace("old/2", "old/3")
shutil.copytree("old", "copy")
shutil.move("copy", "moved/copy")
assert sorted(os.listdir("moved")) == ["copy", "x"]
assert [(e.name, e.is_dir(), e.is_file()) for e in sorted(os.scandir("moved"), key=str)] == [
    ("copy", True, False), ("x", False, True)]
before = os.getcwd()
os.chdir("moved/copy")
assert os.getcwd() == os.path.join(before, "moved/copy")
put("here", "x", "here")
os.chdir(before)
assert text("moved/copy/here") == "here"
os.symlink("3/state", "old/last")
assert text("old/last") == "2" and os.readlink("old/last") == "3/state"
os.symlink(os.path.abspath("target"), "absolute")
put("absolute", "w", "through")
os.link("target", "hard")
os.symlink(os.path.abspath("folder"), "folders")
put("folders/inside", "w", "through")
assert text("folder/inside") == "through"
os.chmod("target", 0o777)
os.utime("target", (0, 0))
with tempfile.NamedTemporaryFile("w", dir="folder", delete=False) as file:
    file.write("t")
os.replace(file.name, "folder/inside")
assert text("folder/inside") == "t"
with tempfile.NamedTemporaryFile("w", delete=False) as file:
    file.write("u")
os.replace(file.name, "folder/inside")
assert text("folder/inside") == "u" and not os.path.exists("") and not os.path.exists(file.name)
with bz2.open("packed", "wt") as file:
    file.write("p")
descriptor = os.open("target", os.O_WRONLY | os.O_TRUNC)
os.write(descriptor, b"d")
os.close(descriptor)
sqlite3.connect("data.db").execute("create table t (a)")
try:
    io.FileIO("target", "w")
except PermissionError:
    pass
else:
    raise AssertionError
"""


@unittest.skipUnless(os.name == "posix", "the scratch is made for POSIX")
class ProgramFiles(unittest.TestCase):
    """What a rehearsed program does with files; no torch is needed."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        for name in ("old/1", "data", "folder"):
            (self.folder / name).mkdir(parents=True)
        for name in ("kept", "target", "old/1/state", "data/x", "folder/inside"):
            (self.folder / name).write_text(pathlib.Path(name).name)
        (self.folder / "data.db").touch()
        (self.folder / "link").symlink_to("target")
        self.before = self.tree()

    def tree(self):
        return {path: (os.readlink(path) if path.is_symlink() else
                       path.is_file() and path.read_bytes(), path.lstat().st_mtime_ns,
                       path.lstat().st_mode) for path in sorted(self.folder.rglob("*"))}

    def work(self, program, until_exit, allowed=()):
        """What a program says, and what was held back."""
        text = f"""if True:
            import sys
            sys.dont_write_bytecode = True
            sys.path.insert(0, {str(RECIPE.parent)!r})
            import vramscope_rehearse as recipe
            files = recipe.Files({[str(each) for each in allowed]!r})
            files.begin({until_exit})
            exec(compile({program!r}, "program", "exec"), {{}})
            print(files.confined, files.held_back(), sep="\\n")
            if not {until_exit}:
                files.end()"""
        done = subprocess.run([sys.executable, "-c", text], cwd=self.folder, capture_output=True,
                              text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        return done.stdout.splitlines()

    def test_nothing_changes_and_the_program_does_not_notice(self):
        for until_exit in (False, True):
            *_, held = self.work(CHANGES, until_exit)
            self.assertEqual(self.tree(), self.before)
            self.assertRegex(held, r"^2 removals \(kept, old\), 1 rename \(data\), 1 replacement "
                                   r"\(folder/inside\), 1 change of mode or time \(old/1/state\), "
                                   r"14 writes \(kept, target, old/2/state, …\), "
                                   r"1 write by other code \(target\)$")

    def test_what_runs_when_the_process_ends_changes_nothing(self):
        self.work("import atexit, os\natexit.register(os.remove, 'kept')\n"
                  "atexit.register(lambda: open('target', 'w').close())\n", True)
        self.assertEqual(self.tree(), self.before)

    def test_other_programs_change_nothing(self):
        program = """if True:
            import subprocess
            try:
                done = subprocess.run("rm -r kept data; echo x > target; echo y > $TMPDIR/y && "
                                      "cat $TMPDIR/y", shell=True, capture_output=True, text=True)
                print(done.stdout.strip())
            except PermissionError as error:
                print("none:", error)
            """
        for until_exit in (False, True):
            said, confined, held = self.work(program, until_exit)
            self.assertEqual(self.tree(), self.before)
            if confined == "True":
                self.assertEqual((said, held), ("y", ""))
            else:
                self.assertIn("Landlock", said)
                self.assertTrue(held.startswith("1 start of a program"), held)

    def test_a_folder_may_be_allowed(self):
        program = """if True:
            import os, shutil
            open("data/new", "w").close()
            os.remove("data/x")
            open("temporary", "w").write("t")
            os.replace("temporary", "data/kept")
            open("target", "w").close()
            """
        for until_exit in (False, True):
            self.work(program, until_exit, ["data"])
            self.assertEqual(sorted(os.listdir(self.folder / "data")), ["kept", "new"])
            self.assertEqual((self.folder / "data/kept").read_text(), "t")
            self.assertEqual((self.folder / "target").read_text(), "target")
            self.assertFalse((self.folder / "temporary").exists())
            (self.folder / "data/x").write_text("x")

    def test_a_temporary_folder_is_left_behind_by_nobody(self):
        temporary = self.folder / "folder"
        program = "import tempfile; print(tempfile.mkdtemp()); open('/tmp/x y z', 'w').close()"
        os.environ["TMPDIR"] = str(temporary)
        self.addCleanup(os.environ.pop, "TMPDIR")
        for until_exit in (False, True):
            self.work(program, until_exit)
            self.assertEqual(os.listdir(temporary), ["inside"])
            self.assertFalse(os.path.exists("/tmp/x y z"))


@unittest.skipIf(recipe.torch is None, "no torch can be imported")
class ProgramsEnd(unittest.TestCase):
    """Programs as people write them, of tests/measure/rehearsed, where their libraries are there:
    they end, and what an earlier run left is as it was."""

    def rehearse(self, name, *arguments, own=(), status=0):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        here = pathlib.Path(folder.name)
        for old in ("checkpoint-900/model", "checkpoint-1000/model", "worker", "array.npy", "bytes",
                    "model.pt", "script.pt", "best.pt", "shards/__0_0.distcp", "shards/.metadata",
                    "state/model.safetensors", "model/model.safetensors"):
            (here / "old" / old).parent.mkdir(parents=True, exist_ok=True)
            (here / "old" / old).write_text("old")
        before = sorted(path for path in here.rglob("*"))
        program = pathlib.Path(__file__).resolve().parent / "rehearsed" / name
        done = subprocess.run([sys.executable, RECIPE, *own, "--out", "o.pickle", "--", program,
                               *arguments], cwd=here, capture_output=True, text=True)
        if (missing := re.search(r"No module named '([\w.]+)'", done.stderr)) is not None:
            self.skipTest(f"{name} needs {missing[1]}")
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(sorted(path for path in here.rglob("*")), sorted([*before,
                                                                          here / "o.pickle"]))
        for path in before:
            self.assertTrue(path.is_dir() or path.read_text() == "old", path)
        with open(here / "o.pickle", "rb") as file:
            return done.stdout, done.stderr, pickle.load(file)

    def test_programs_end(self):
        for name, held in (("rotation.py", "2 removals (old/checkpoint-"),
                           ("save_model.py", "writes (new/final/config.json"),
                           ("generate.py", ""), ("recurrent.py", ""),
                           ("writers.py", "removal"), ("accelerate_checkpoints.py", "writes"),
                           ("lightning_checkpoints.py", "writes")):
            with self.subTest(name):
                said, error, snapshot = self.rehearse(name)
                self.assertIn("ended\n", said)
                self.assertEqual(snapshot["rehearsed"]["ended"], "")
                self.assertIn(f"held back: {held}" if held.startswith("2") else held, error)

    def test_an_option_chooses_a_branch(self):
        _, error, _ = self.rehearse("best.py", status=1)
        self.assertIn("best.py:14 decides by a number from the GPU", error)
        self.assertIn("--values best.py:14=yes", error)
        for values, kept in (("yes", 3), ("no", 0), ("no,best.py:14=yes", 3),
                             ("yes,best.py:14=no", 0), ("best.py:14=yes", 3)):
            said, error, snapshot = self.rehearse("best.py", own=("--values", values))
            self.assertEqual(said, f"ended with {kept}\n")
            self.assertIn(f"best.py:14 decided by a number from the GPU: taken as "
                          f"{'yes' if kept else 'no'} (3 times)",
                          " ".join(snapshot["rehearsed"]["assumed"]))
        said, _, _ = self.rehearse("best.py", "--forever", own=("--values", "yes"))
        self.assertEqual(said, "ended with 1000\n")

    def test_a_program_that_halves_its_batch_gets_errors_of_memory(self):
        said, error, snapshot = self.rehearse("halving.py", own=("--device", "3GiB"))
        self.assertEqual(said, "ended with 512\n")
        self.assertNotIn("lacking", error)
        self.assertEqual([e["action"] for e in snapshot["device_traces"][0]].count("oom"), 1)
        said, _, _ = self.rehearse("halving.py")
        self.assertEqual(said, "ended with 1024\n")

    def test_the_search_ends_where_memory_grows_no_more(self):
        said, _, _ = self.rehearse("save_model.py", "{batch}", own=("--largest", "batch=2,8"))
        self.assertIn("No batch fills h100", said)


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

    def test_keeps_a_whole_recording_from_a_program_that_fails(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        here = pathlib.Path(folder.name)
        program, out = here / "train.py", here / "o.pickle"

        def rehearse(text):
            program.write_text(text)
            return run(sys.executable, RECIPE, "--out", out, "--", program)

        status, _, error = rehearse("import os, torch\nos.makedirs('else')\nos.chdir('else')\n"
                                    "torch.ones(4, device='cuda')\n")
        self.assertEqual(status, 0, error)
        good = out.read_bytes()
        status, _, error = rehearse("1 / 0\n")
        self.assertEqual((status, out.read_bytes()), (1, good))
        self.assertIn("there was nothing to record", error)
        status, _, error = rehearse("import torch\nx = torch.ones(8, device='cuda')\n1 / 0\n")
        self.assertEqual((status, out.read_bytes()), (1, good))
        self.assertIn("o-partial.pickle", error)
        self.assertEqual(sorted(os.listdir(here)), ["o-partial.pickle", "o.pickle", "train.py"])
        status, _, error = run(sys.executable, RECIPE, "--out", "/dev/full", "--", program)
        self.assertEqual(status, 1)
        self.assertIn("/dev/full was not written (No space left on device)", error)

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
