// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";

// The pages that the tests open, as `vramscope report` writes them.

const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

const kRoot = path.resolve(__dirname, "../..");
const kProgram = process.env.VRAMSCOPE_PROGRAM ?? path.join(kRoot, "build/release/bin/vramscope");
const kFolder = fs.mkdtempSync(path.join(os.tmpdir(), "vramscope-page-"));

/** A name that does harm wherever it is taken for markup, a script or an address. */
const kHostile = "</script></style>\"'><img src=http://a.invalid/x onerror=alert(1)>" +
    "<svg onload=alert(2)>]]><script>alert(3)</script>${alert(4)}&lt;\u202e";

/** A snapshot whose `count` allocations live for three more, each of 2 MiB in a place of its own. */
function snapshotOf(name, count = 60) {
    const kSize = 2 << 20;
    const frames = (at) => [{ name: name + at, filename: "/x/" + name + ".py", line: at + 1 },
        { name: "main", filename: "/x/train.py", line: 7 }];
    const events = [{ action: "segment_alloc", addr: 1 << 30, size: kSize * count, stream: 0, time_us: 1, frames: [] }];
    for (let at = 0; at < count; ++at) {
        events.push({ action: "alloc", addr: (1 << 30) + at * kSize, size: kSize, stream: 0, time_us: 10 * at + 2, frames: frames(at % 20) });
        for (const action of at < 3 ? [] : ["free_requested", "free_completed"])
            events.push({ action, addr: (1 << 30) + (at - 3) * kSize, size: kSize, stream: 0, time_us: 10 * at + 5, frames: [] });
    }
    const blocks = [...Array(count).keys()].map((at) => ({
        address: (1 << 30) + at * kSize, size: kSize, requested_size: at < count - 3 ? 0 : kSize,
        state: at < count - 3 ? "inactive" : "active_allocated", frames: at < count - 3 ? [] : frames(at % 20),
    }));
    return {
        segments: [{
            device: 0, address: 1 << 30, total_size: kSize * count, stream: 0, segment_type: "large", allocated_size: 3 * kSize,
            active_size: 3 * kSize, requested_size: 3 * kSize, blocks,
        }], device_traces: [events],
    };
}

/** @param {string} name @param {object} content */
function written(name, content) {
    const file = path.join(kFolder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, JSON.stringify(content));
    return file;
}

/** The address of the page of some files. @param {string} name @param {string[]} files @param {string[]} options */
function pageOf(name, files, options = []) {
    const out = path.join(kFolder, name + ".html");
    execFileSync(kProgram, ["report", "--out", out, ...options, "--", ...files],
        { cwd: kRoot, env: { ...process.env, QT_QPA_PLATFORM: "offscreen" } });
    return "file://" + out;
}

/** @param {string} name */
const resource = (name) => path.join(kRoot, "resources/examples", name);

const kTrace = path.join(kRoot, "tests/data/profiles/late/rank0.json.gz");
const kLog = path.join(kRoot, "tests/data/serving_logs/t3-vllm-0.8.5-l40s-llama31-8b.log");

/** One page of each kind. */
function pages() {
    fs.mkdirSync(path.join(kFolder, "run"));
    for (const [name, file] of Object.entries({ "server.log": kLog, "plan.vramplan": resource("training-out-of-memory-as-planned.vramplan"),
        "recording.pickle": resource("training-out-of-memory.pickle") }))
        fs.copyFileSync(file, path.join(kFolder, "run", name));
    for (const rank of [0, 1, 2, 3, 4, 5])
        written("ranks/rank" + rank + ".json", snapshotOf("step", 60 + 4 * rank));
    return {
        recording: pageOf("recording", [resource("training-out-of-memory.pickle")]),
        plan: pageOf("plan", [resource("llama-70b-8xh200.vramplan")]),
        comparison: pageOf("comparison", [resource("training-out-of-memory-as-planned.vramplan"), resource("training-out-of-memory.pickle")]),
        ranks: pageOf("ranks", [path.join(kFolder, "ranks")]),
        profile: pageOf("profile", [path.join(kRoot, "tests/data/profiles/late")]),
        log: pageOf("log", [kLog]),
        trace: pageOf("trace", [kTrace]),
        beforeAndAfter: pageOf("before-and-after", [resource("training-out-of-memory.pickle"), resource("training-expandable-segments.pickle")]),
        folder: pageOf("folder", [path.join(kFolder, "run")]),
    };
}

/** Pages in which every name is hostile. */
function hostilePages() {
    const plan = JSON.parse(fs.readFileSync(resource("gpt2-small-h100.vramplan"), "utf8"));
    plan.name = kHostile;
    const snapshot = written("<img src=x onerror=alert(5)>.json", snapshotOf(kHostile));
    return {
        recording: pageOf("hostile", [snapshot]),
        plan: pageOf("hostile-plan", [written("plan.vramplan", plan), snapshot]),
    };
}

module.exports = { kFolder, kHostile, kTrace, hostilePages, pageOf, pages, resource, snapshotOf, written };
