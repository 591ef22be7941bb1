#!/usr/bin/env python3
"""Compares what vramscope-cli says of profiler traces with what a reference says, field by field.

    compare_profiles.py --cli CLI --oracle PROGRAM [--diff PROGRAM] FILE|FOLDER|A,B…
    compare_profiles.py --oracle PROGRAM --golden FOLDER FILE|FOLDER…

PROGRAM is a Python program that prints one JSON object: of a file or a folder of ranks (--oracle), of two files (--diff, for
operands "A,B"). Differing fields are listed, at most ten an operand. Exit status 1 where any differs.
With --golden, writes what the tests keep of the reference: a hash over all of its figures, and the first rows of its tables.
"""
import argparse, hashlib, json, os, subprocess, sys


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        raise SystemExit("%s: %s" % (" ".join(command), done.stderr.decode("utf-8", "replace").strip()[-500:]))
    return json.loads(done.stdout)


def differences(a, b, path=""):
    if type(a) is not type(b):
        yield path, a, b
    elif isinstance(a, dict):
        for key in list(a) + [key for key in b if key not in a]:
            yield from differences(a.get(key, "(no such key)"), b.get(key, "(no such key)"), path + "." + key)
    elif isinstance(a, list):
        if len(a) != len(b):
            yield path + ".length", len(a), len(b)
        for at, (x, y) in enumerate(zip(a, b)):
            yield from differences(x, y, "%s[%d]" % (path, at))
    elif a != b:
        yield path, a, b


def compare(name, expected, found):
    listed = list(differences(expected, found))
    print("%s: %s" % (name, "%d fields differ" % len(listed) if listed else "equal"))
    for path, a, b in listed[:10]:
        print("    %s: %s, not %s" % (path, str(a)[:120], str(b)[:120]))
    return not listed


def shortened(value):
    """Fractions as texts: the tests must write them the same."""
    if isinstance(value, dict):
        return {key: shortened(each) for key, each in value.items()}
    if isinstance(value, list):
        return [shortened(each) for each in value]
    return "%.6g" % value if isinstance(value, float) else value


def golden(folder, path, result):
    name = os.path.basename(path.rstrip("/"))
    text = json.dumps(shortened(result), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    kept = {"recording": name, "sha256": hashlib.sha256(text.encode()).hexdigest()}
    if "folder" not in result:
        kept["first"] = {**result, "kernels": result["kernels"][:5], "operators": result["operators"][:5]}
    with open(os.path.join(folder, name.split(".")[0] + ".json"), "w") as file:
        json.dump(kept, file, separators=(",", ":"))
        file.write("\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("operands", nargs="+")
    for name in ("cli", "oracle", "diff", "golden"):
        parser.add_argument("--" + name)
    options = parser.parse_args()
    python, same = sys.executable, True
    for operand in options.operands:
        if "," in operand:
            pair = operand.split(",")
            for step in ("median", "all"):
                expected = run([python, options.diff] + pair + ["--step", step])
                found = run([options.cli, "diff", "--json", "--step", step] + pair)
                same &= compare(" and ".join(map(os.path.basename, pair)) + ", " + step, expected, found)
            continue
        expected = run([python, options.oracle, operand])
        if options.golden:
            golden(options.golden, operand, expected)
        else:
            same &= compare(os.path.basename(operand.rstrip("/")), expected, run([options.cli, "profile", "--json", operand]))
    print("equal" if same else "not equal")
    sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()
