// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";

// What a reader does on a page, in a real browser. `packaging/test.sh page` installs what it needs.

const assert = require("node:assert/strict");
const fs = require("node:fs");
const { after, before, describe, test } = require("node:test");
const { chromium } = require("playwright-core");
const made = require("./pages");

const kBrowser = process.env.VRAMSCOPE_BROWSER ?? "/usr/bin/chromium";

let browser;
let pages;
before(async () => {
    pages = made.pages();
    browser = await chromium.launch({ executablePath: kBrowser, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
});
after(async () => {
    await browser?.close();
    fs.rmSync(made.kFolder, { recursive: true });
});

/** A page that must do nothing but show itself; `faults` collects what else it does. */
async function opened(address, options = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const page = await context.newPage();
    const faults = [];
    page.on("request", (request) => request.url() === address || request.url().startsWith("data:") || faults.push("request " + request.url()));
    page.on("dialog", (dialog) => { faults.push("dialog " + dialog.message()); dialog.dismiss(); });
    page.on("pageerror", (error) => faults.push("error " + error));
    page.on("console", (message) => message.type() === "error" && faults.push("console " + message.text()));
    await page.goto(address);
    if (options.javaScriptEnabled !== false)
        await page.waitForFunction(() => [...document.querySelectorAll("script.data")].length === 0);
    return { page, faults };
}

/** A page with the timeline of a recording, drawn. */
async function timelineOf(address, options) {
    const { page, faults } = await opened(address, options);
    await page.waitForSelector(".answering .plot[data-drawn]");
    const plot = page.locator(".plot").first();
    await plot.scrollIntoViewIfNeeded();
    const box = await plot.boundingBox();
    const settled = () => page.waitForTimeout(250);
    const view = () => page.evaluate(() => ({ ...document.querySelector(".plot").closest("figure").made.view }));
    return { page, faults, plot, box, settled, view };
}

/** The figure at the end of a caption, in its unit. */
const cellValueOf = (caption) => Number(/([\d.]+) [KMG]iB$/.exec(caption)[1]);

/** Where the longest slice whose name begins so is in the plot of lanes. */
const placeOf = (page, name) => page.evaluate((name) => {
    const lanes = document.querySelector(".plot").closest("figure").made;
    const found = [...lanes.start.keys()].filter((at) => lanes.names[lanes.name[at]].startsWith(name));
    const slice = found.sort((one, other) => lanes.lengthOf(other) - lanes.lengthOf(one))[0];
    return { x: lanes.xOf((lanes.start[slice] + lanes.end[slice]) / 2), y: lanes.yOf(lanes.count - lanes.rowOf(slice) - 0.5) };
}, name);

describe("every kind of page", () => {
    for (const kind of ["recording", "plan", "comparison", "beforeAndAfter", "ranks", "profile", "trace", "folder", "log"]) {
        test(kind, async () => {
            const { page, faults } = await opened(pages[kind]);
            assert.deepEqual(faults, []);
            assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, "at 1280 pixels");
            const unnamed = await page.evaluate(() => [...document.querySelectorAll("button, input, select, [tabindex]")].filter((one) =>
                !(one.getAttribute("aria-label") || one.textContent.trim() || one.closest("label"))).map((one) => one.outerHTML));
            assert.deepEqual(unnamed, []);
            await page.setViewportSize({ width: 400, height: 800 });
            await page.waitForTimeout(100);
            assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, "at 400 pixels");
            for (const caption of await page.locator("caption:visible").all())
                assert.ok((await caption.boundingBox()).height < 120, "a caption has the width of its table");
            await page.context().close();
        });
    }

    test("shows its pictures without script and in print", async () => {
        const still = await opened(pages.recording, { javaScriptEnabled: false });
        assert.equal(await still.page.locator("figure .picture.large.light").first().isVisible(), true);
        assert.equal(await still.page.locator(".tools").count(), 0);
        await still.page.context().close();
        const { page } = await timelineOf(pages.recording);
        for (const colorScheme of ["dark", "light"]) {
            await page.emulateMedia({ colorScheme });
            assert.equal(await page.locator(".answering .picture:visible").count(), 0, colorScheme);
        }
        await page.emulateMedia({ media: "print" });
        assert.equal(await page.locator(".answering .picture:visible").count(), 1);
        assert.equal(await page.locator(".plot").isVisible(), false);
        assert.equal(await page.locator(".tools:visible").count(), 0);
        await page.context().close();
    });

    test("follows the colours of its reader's system", async () => {
        const background = () => getComputedStyle(document.querySelector(".plot")).backgroundColor;
        const { page } = await timelineOf(pages.recording, { colorScheme: "dark" });
        const dark = await page.evaluate(background);
        await page.emulateMedia({ colorScheme: "light" });
        assert.notEqual(await page.evaluate(background), dark);
        await page.context().close();
    });
});

test("hostile names are text, and cause neither a dialog nor a request", async () => {
    for (const address of Object.values(made.hostilePages())) {
        const { page, faults, plot, box } = await timelineOf(address);
        await page.mouse.move(box.x + box.width / 2, box.y + box.height - 30);
        await page.locator(".tip").waitFor();
        await page.mouse.down();
        await page.mouse.up();
        for (const part of await page.locator(".track button").all())
            await part.focus();
        await page.getByLabel(/^Search stacks/).fill("onerror");
        await plot.press("ArrowUp");
        assert.match(await page.locator(".details li").first().textContent(), /<img src=http:\/\/a.invalid\/x onerror=alert\(1\)>/);
        assert.match(await page.locator("table.live tbody").last().textContent(), /<svg onload=alert\(2\)>/);
        for (const button of await page.locator("th button:visible").all())
            await button.click();
        await page.waitForTimeout(200);
        assert.equal(await page.locator("main img:not(.picture img), main svg:not(.picture svg), main script:not(.data)").count(), 0);
        assert.deepEqual(faults, []);
        await page.context().close();
    }
});

test("hostile names of a trace, its steps and its threads are text as well", async () => {
    const event = (cat, more) => ({ ph: "X", cat, name: made.kHostile, ts: 1, dur: 2000, ...more });
    const trace = made.written("hostile-trace.json", { traceEvents: [
        event("kernel", { pid: 0, tid: 7, args: { device: 0, stream: 7 } }), event("cpu_op", { pid: 1, tid: 1 }),
        event("user_annotation", { pid: 1, tid: 1, name: "ProfilerStep#1" + made.kHostile }),
        { ph: "M", name: "thread_name", pid: 1, tid: 1, args: { name: made.kHostile } },
    ] });
    const { page, faults, plot, box } = await timelineOf(made.pageOf("hostile-trace", [trace]));
    const at = await placeOf(page, "</script>");
    await page.mouse.move(box.x + at.x, box.y + at.y);
    assert.match(await page.locator(".tip").textContent(), /<img src=http:\/\/a.invalid\/x onerror=alert\(1\)>/);
    await page.mouse.down();
    await page.mouse.up();
    await plot.press("+");
    await page.waitForTimeout(300);
    assert.match(await page.locator("table.live tbody").textContent(), /<svg onload=alert\(2\)>/);
    assert.equal(await page.locator("main img:not(.picture img), main svg:not(.picture svg), main script:not(.data)").count(), 0);
    assert.deepEqual(faults, []);
    await page.context().close();
});

test("the policy of the page refuses scripts, styles and connections that are not its own", async () => {
    const { page } = await opened(pages.plan);
    const done = await page.evaluate(async () => {
        const script = document.createElement("script");
        script.textContent = "window.ran = true";
        document.body.append(script);
        const style = document.createElement("style");
        style.textContent = "body { margin: 77px }";
        document.head.append(style);
        const connected = await fetch("data:text/plain,x").then(() => true, () => false);
        // In a function of the page's own: the driver's may evaluate.
        const evaluated = await new Promise((resolve) => setTimeout(() => {
            try { resolve((0, eval)("true")); } catch { resolve(false); }
        }));
        return [window.ran ?? false, getComputedStyle(document.body).margin === "77px", connected, evaluated];
    });
    assert.deepEqual(done, [false, false, false, false]);
    await page.context().close();
});

describe("the timeline of a recording", () => {
    test("says what is under the pointer, and pins it with its stack", async () => {
        const { page, box } = await timelineOf(pages.recording);
        await page.mouse.move(box.x + box.width / 2, box.y + box.height * 0.8);
        const tip = page.locator(".tip");
        assert.match(await tip.textContent(), /^[\d.]+ MiB \([\d,]+ bytes\)Optimizer states_init_group.*event [\d,]+ → the end \(≥ /);
        await page.mouse.down();
        await page.mouse.up();
        assert.match(await page.locator(".details").textContent(), /Optimizer states · event/);
        assert.match(await page.locator(".details li").first().textContent(), /CUDACachingAllocator/);
        await page.mouse.move(box.x + 5, box.y - 40);
        assert.equal(await tip.isVisible(), false);
        await page.getByRole("button", { name: "Release" }).click();
        assert.equal(await page.locator(".details").isVisible(), false);
        await page.context().close();
    });

    test("lists what is in use at the cursor", async () => {
        const { page, box } = await timelineOf(pages.recording);
        const caption = page.locator("table.live caption");
        assert.match(await caption.textContent(), /^In use at event 3,938 \(.*\): 21\.7 GiB in \d+ blocks$/); // the peak
        await page.mouse.move(box.x + 76, box.y + box.height - 40);
        await page.waitForTimeout(100);
        assert.match(await caption.textContent(), /: \d{3} MiB in \d+ blocks$/);
        assert.match(await page.locator("table.live tbody").textContent(), /__init__.*model\.py/);
        await page.context().close();
    });

    test("zooms with wheel, keys and buttons, and pans by dragging", async () => {
        const { page, plot, box, settled, view } = await timelineOf(pages.recording);
        const whole = await view();
        await page.mouse.move(box.x + box.width / 2, box.y + 100);
        await page.mouse.wheel(0, -300);
        await settled();
        assert.deepEqual(await view(), whole, "the page scrolls until the timeline has the focus");
        await page.evaluate(() => scrollTo(0, 0));
        await plot.focus();
        await page.mouse.wheel(0, -300);
        await settled();
        const zoomed = await view();
        assert.ok(zoomed.hi - zoomed.lo < (whole.hi - whole.lo) * 0.6);
        const top = (await plot.boundingBox()).y;
        await page.mouse.move(box.x + box.width / 2, top + 200);
        await page.mouse.down();
        await page.mouse.move(box.x + box.width / 2 + 100, top + 200, { steps: 4 });
        await page.mouse.up();
        const panned = await view();
        assert.ok(panned.lo < zoomed.lo && Math.abs(panned.hi - panned.lo - zoomed.hi + zoomed.lo) < 1e-6);
        assert.equal(await page.locator(".details").isVisible(), false, "dragging pins nothing");
        await page.keyboard.press("0");
        assert.deepEqual(await view(), whole);
        await page.keyboard.press("+");
        assert.ok((await view()).hi - (await view()).lo < whole.hi - whole.lo);
        await page.getByRole("button", { name: "Show everything" }).click();
        await page.getByRole("button", { name: "Zoom in" }).click();
        assert.ok((await view()).hi - (await view()).lo < whole.hi - whole.lo);
        await page.context().close();
    });

    test("is used with the keyboard alone, and speaks", async () => {
        const { page, plot } = await timelineOf(pages.recording);
        assert.match(await plot.getAttribute("aria-label"), /^Memory in use over time\. Arrow keys/);
        await page.getByLabel(/^Search stacks/).focus();
        for (let tabs = 0; tabs < 10 && await page.evaluate(() => !document.activeElement.matches(".plot")); ++tabs)
            await page.keyboard.press("Tab");
        const spoken = page.locator(".spoken");
        await page.keyboard.press("Home");
        assert.equal(await spoken.textContent(), "0 B in use at before the first event");
        for (let steps = 0; steps < 40; ++steps)
            await page.keyboard.press("ArrowRight");
        assert.match(await spoken.textContent(), /^[\d.]+ [KMG]iB in use at event \d/);
        await page.keyboard.press("ArrowUp");
        await page.keyboard.press("Enter");
        assert.match(await spoken.textContent(), /Pinned: .* bytes\), Parameters, __init__/);
        assert.equal(await page.locator(".details").isVisible(), true);
        await page.keyboard.press("Escape");
        assert.equal(await page.locator(".details").isVisible(), false);
        await page.context().close();
    });

    test("outlines only what is under the pointer or pinned", async () => {
        const { page, box } = await timelineOf(pages.recording);
        const outlined = () => page.evaluate(() => {
            const { raster, overlay } = document.querySelector("figure.answering").made;
            const { data } = overlay.getContext("2d").getImageData(0, 60, overlay.width, 300);
            return data.filter((value, at) => at % 4 === 3 && value > 60 && value < 255).length / raster.samples.length;
        });
        assert.ok(await outlined() < 20, "nothing at first");
        await page.mouse.move(box.x + box.width / 2, box.y + box.height * 0.85);
        await page.waitForTimeout(100);
        await page.mouse.down();
        await page.mouse.up();
        await page.mouse.move(box.x + box.width / 2, box.y + 30);
        await page.waitForTimeout(100);
        assert.ok(await outlined() < 60, "not the empty space above");
        await page.context().close();
    });

    test("finds stacks by their frames", async () => {
        const { page, settled } = await timelineOf(pages.recording);
        await page.getByLabel(/^Search stacks/).fill("adamw");
        await settled();
        assert.match(await page.locator(".found").first().textContent(), /^\d+ stacks? match$/);
        assert.match(await page.locator("table.live caption").textContent(), /that match$/);
        for (const site of await page.locator("table.live .site").allTextContents())
            assert.match(site, /adamw/);
        const faint = await page.evaluate(() => {
            const { raster, colors, recording } = document.querySelector("figure.answering").made;
            return [...raster.colorOf].filter((color) => color === colors.length).length / recording.count;
        });
        assert.ok(faint > 0.2 && faint < 1);
        await page.context().close();
    });

    test("has time for its axis, and places for its colours", async () => {
        const { page, view } = await timelineOf(pages.recording);
        await page.getByLabel("Axis").selectOption("time");
        assert.ok((await view()).hi > 10_000); // microseconds
        assert.ok(await page.locator(".legend span").count() > 4);
        await page.getByLabel("Colours").selectOption("place");
        assert.equal(await page.locator(".legend").isVisible(), false);
        await page.context().close();
    });

    // The stack and the raster of each column, computed again in the simplest way.
    test("shows in each pixel the allocation with its lowest byte", async () => {
        const few = made.pageOf("few", [made.resource("training-expandable-segments.pickle")], ["--largest", "300"]);
        for (const address of [pages.recording, few]) {
            const { page } = await timelineOf(address);
            const wrong = await page.evaluate(() => {
                const { recording, raster, axis, view } = document.querySelector("figure.answering").made;
                const whole = view.hi - view.lo;
                const faults = [];
                let looked = 0;
                for (const [from, length, yLo, share] of [[0, 1, 0, 1], [0.3, 0.2, 0, 1], [0.7, 0.01, 0.3, 0.2], [0.05, 0.4, 0.1, 0.5]]) {
                    const part = { lo: from * whole, hi: (from + length) * whole, yLo: yLo * view.yHi, yHi: (yLo + share) * view.yHi };
                    raster.fill(axis, part, 1);
                    for (let x = 0; x < raster.width; x += 7) {
                        const begin = part.lo + x * (part.hi - part.lo) / raster.width;
                        const end = begin + (part.hi - part.lo) / raster.width;
                        const within = [...axis.keys()].filter((at) => axis[at] >= begin && axis[at] < end && at <= recording.last);
                        const before = Math.max(0, Math.min(recording.last, [...axis].filter((at) => at < end).length - 1));
                        const moment = within.reduce((best, at) => recording.total[at] > recording.total[best] ? at : best, within[0] ?? before);
                        const live = [...Array(recording.count).keys()].filter((at) => recording.birth[at] <= moment && recording.death[at] > moment);
                        for (let row = 0; row < raster.height; row += 11) {
                            let byte = part.yLo + row * (part.yHi - part.yLo) / raster.height - (recording.others?.[moment] ?? 0);
                            let expected = byte < 0 ? kOthers : kNone;
                            for (const at of byte < 0 ? [] : live) {
                                if (byte < recording.size[at]) {
                                    expected = at;
                                    break;
                                }
                                byte -= recording.size[at];
                            }
                            ++looked;
                            if (raster.at(x, row) !== expected)
                                faults.push([x, row, raster.at(x, row), expected]);
                        }
                    }
                }
                return looked > 10000 ? faults.slice(0, 5) : "too few";
            });
            assert.deepEqual(wrong, []);
            await page.context().close();
        }
    });

    test("says what it leaves out", async () => {
        const { page } = await timelineOf(made.pageOf("left", [made.resource("training-out-of-memory.pickle")], ["--largest", "100"]));
        assert.match(await page.locator(".aside").textContent(), /^The page has the \d+ largest allocations of [\d,]+\. The grey band .* of [\d,]+ smaller ones\.$/);
        assert.match(await page.locator("table.live").textContent(), /21\.7 GiB in .* and smaller ones.*smaller allocations/s);
        const still = await opened(made.pageOf("still", [made.resource("training-out-of-memory.pickle")], ["--largest", "0"]));
        assert.equal(await still.page.locator(".plot").count(), 0);
        assert.equal(await still.page.locator("figure .picture:visible").first().isVisible(), true);
        await page.context().close();
    });
});

describe("a plan", () => {
    test("shows the formula of a part that is pointed at, and by the keyboard", async () => {
        const { page, faults } = await opened(pages.plan);
        const bars = page.locator("figure", { has: page.locator(".bars") });
        const caption = bars.locator("caption");
        assert.match(await caption.textContent(), /^Point at a part/);
        const part = page.getByRole("button", { name: /^Optimizer states: [\d.]+ GiB, [\d.]+ % of / }).first();
        await part.hover();
        assert.match(await caption.textContent(), /^Optimizer states at /);
        assert.match(await bars.locator("tbody").textContent(), /×.*=|=.*×/);
        await page.getByRole("button", { name: "loss (peak)", exact: true }).press("Enter");
        assert.match(await caption.textContent(), /^Everything at .*: \d+(\.\d+)? GiB$/);
        await page.getByRole("button", { name: /^Parameters: / }).first().focus();
        assert.match(await caption.textContent(), /^Parameters at /);
        assert.deepEqual(faults, []);
        await page.context().close();
    });

    test("has a page of at most 400 kB", () => {
        assert.ok(fs.statSync(new URL(pages.plan)).size <= 400_000);
    });

    test("adds up to the peak that it says", async () => {
        const { page } = await opened(pages.plan);
        const answer = (await page.locator("p.answer").textContent()).match(/[\d.]+ GiB|[\d.]+ of/)[0].replace(" of", "");
        const total = await page.evaluate(() => {
            const { made } = document.querySelector("figure.answering");
            return amountText(made.totals()[made.head.peak], "binary");
        });
        assert.equal(total.replace(" GiB", ""), answer.replace(" GiB", ""));
        await page.context().close();
    });
});

describe("the step of a plan", () => {
    test("explains every point under the pointer, and by the keyboard", async () => {
        const { page, faults } = await opened(pages.plan);
        const figure = page.locator("figure", { has: page.locator(".columns") });
        const [columns, caption] = [figure.locator(".columns"), figure.locator("caption")];
        assert.match(await caption.textContent(), /^Everything at Loss \(peak\): 146 GiB$/);
        const box = await columns.boundingBox();
        await columns.hover({ position: { x: box.width * 0.4, y: 100 } });
        assert.match(await caption.textContent(), /^Everything at Forward, block \d+ of 80, /);
        assert.match(await figure.locator("tbody").textContent(), /of at most [\d.]+ GiB: .*×/);
        const sum = await figure.locator("tbody td:first-child").evaluateAll((cells) => cells.reduce((total, cell) => total + cellValue(cell.textContent), 0));
        const whole = cellValueOf(await caption.textContent());
        assert.ok(Math.abs(sum / 2 ** 30 - whole) < 0.02 * whole);
        await columns.press("End");
        assert.match(await caption.textContent(), /^Everything at (Rest|Optimizer step|At rest)/i);
        const last = Number(await columns.getAttribute("aria-valuenow"));
        await columns.press("ArrowLeft");
        assert.equal(Number(await columns.getAttribute("aria-valuenow")), last - 1);
        assert.equal(await columns.getAttribute("aria-valuetext"), await caption.textContent());
        assert.deepEqual(faults, []);
        await page.context().close();
    });
});

describe("the lanes of a profile", () => {
    test("say what ran, when and how long, and pin it", async () => {
        const { page, faults, plot, box } = await timelineOf(pages.trace);
        const at = await placeOf(page, "nccl");
        await page.mouse.move(box.x + at.x, box.y + at.y);
        assert.match(await page.locator(".tip").textContent(), /^nccl.*[\d.]+ [µm]s \([\d,]+ ns\) from [\d.]+ [µm]sCommunication$/);
        await page.mouse.down();
        await page.mouse.up();
        assert.match(await page.locator(".details").textContent(), /^nccl.* ns\) from .* · Communication Release$/);
        await plot.press("ArrowRight");
        assert.match(await page.locator(".spoken").textContent(), /s\. .* ns\) from /);
        await plot.press("Escape");
        assert.equal(await page.locator(".details").isVisible(), false);
        assert.deepEqual(faults, []);
        await page.context().close();
    });

    test("zoom, and list the names with most time in the view", async () => {
        const { page, plot, view, settled } = await timelineOf(pages.trace);
        const caption = page.locator("table.live caption");
        const whole = await view();
        await settled();
        const all = await caption.textContent();
        assert.match(all, /^From 0 ns to .*: [\d,]+ slices, the names with most time$/);
        await plot.press("+");
        await settled();
        assert.ok((await view()).hi - (await view()).lo < whole.hi - whole.lo);
        assert.notEqual(await caption.textContent(), all);
        const totals = await page.locator("table.live tbody td:first-child").evaluateAll((cells) => cells.map((cell) => cellValue(cell.textContent)));
        assert.deepEqual(totals, [...totals].sort((one, other) => other - one));
        await plot.press("0");
        await page.getByLabel(/^Search names/).fill("nccl");
        await settled();
        assert.match(await page.locator(".found").first().textContent(), /^\d+ slices? match$/);
        for (const name of await page.locator("table.live .site").allTextContents())
            assert.match(name, /nccl/i);
        await page.context().close();
    });

    // Against the columns of the document, read in the simplest way.
    test("find the slice at each point of each row", async () => {
        const { page } = await timelineOf(pages.trace);
        const wrong = await page.evaluate(() => {
            const lanes = document.querySelectorAll("figure.answering .plot")[0].closest("figure").made;
            const faults = [];
            let looked = 0;
            for (let row = 0; row < lanes.count; ++row) {
                for (let x = lanes.left; x < lanes.right; x += 5) {
                    const [from, to] = [lanes.valueAt(Math.floor(x)), lanes.valueAt(Math.floor(x) + 1)];
                    const there = [...lanes.start.keys()].filter((at) => at >= lanes.first[row] && at < lanes.first[row + 1] &&
                        lanes.start[at] < to && lanes.end[at] > from);
                    const longest = Math.max(...there.map((at) => lanes.lengthOf(at)));
                    const found = lanes.hit(x, lanes.yOf(lanes.count - row - 0.5));
                    looked += there.length;
                    if (there.length ? lanes.lengthOf(found) !== longest || !there.includes(found) : found !== kNone)
                        faults.push([row, x, found, there]);
                }
            }
            return looked > 100 ? faults.slice(0, 5) : "too few";
        });
        assert.deepEqual(wrong, []);
        await page.context().close();
    });

    test("have no names of people where these are left out", async () => {
        const event = (cat, name, more) => ({ ph: "X", cat, name, ts: 1, dur: 20, ...more });
        const trace = made.written("mustermann.json", { traceEvents: [
            event("kernel", "gemm", { pid: 0, tid: 7, args: { device: 0, stream: 7 } }),
            event("user_annotation", "/home/mustermann/train.py(7): step", { pid: 1, tid: 1 }),
            { ph: "M", name: "thread_name", pid: 1, tid: 1, args: { name: "mustermann's loop 1" } },
        ] });
        for (const [options, isNamed] of [[[], true], [["--redact"], false]]) {
            const { page } = await timelineOf(made.pageOf("names", [trace], options));
            const texts = await page.evaluate(() => {
                const { names, head } = document.querySelector(".plot").closest("figure").made;
                return names.concat(head.rows).join(" ");
            });
            assert.match(texts, /gemm/);
            assert.equal(/mustermann/.test(texts), isNamed, texts);
            await page.context().close();
        }
    });

    test("keep the longest slices, and say so", async () => {
        const { page } = await timelineOf(made.pageOf("longest", [made.kTrace], ["--largest", "20"]));
        assert.match(await page.locator(".aside:visible").textContent(), /^The page has the 20 longest slices of [\d,]+; the others are left out\.$/);
        await page.context().close();
    });
});

test("a comparison of recordings says what each has in use, and where they differ", async () => {
    const { page, faults, plot, box } = await timelineOf(pages.beforeAndAfter);
    await page.mouse.move(box.x + box.width * 0.4, box.y + box.height / 2);
    await page.waitForTimeout(100);
    const tip = await page.locator("figure").first().locator(".tip").textContent();
    assert.match(tip, /^A  training-out-of-memory\.pickle: [\d.]+ GiBB  training-expandable-segments\.pickle: [\d.]+ GiB$/);
    const figure = page.locator("figure").first();
    assert.match(await figure.locator("caption").textContent(), /^At event [\d,]+: A .* GiB, B .* GiB$/);
    const heads = await figure.locator("thead").textContent();
    assert.equal(heads, "ABB − AAllocated in");
    // The recordings that it draws are those of the sections below, moment by moment.
    const same = await page.evaluate(() => {
        const [lines, one, other] = [...document.querySelectorAll("figure.answering")].filter((figure) => figure.querySelector(".plot")).map((figure) => figure.made);
        return lines.recordings[0] === one.recording && lines.recordings[1] === other.recording;
    });
    assert.equal(same, true);
    await plot.press("End");
    await page.waitForTimeout(100);
    assert.match(await figure.locator("caption").textContent(), /^At event 4,144: .* 21\.7 GiB, B /);
    assert.deepEqual(faults, []);
    await page.context().close();
});

test("a page of ranks shows the parts of each peak, with the picture below", async () => {
    const { page, faults } = await opened(pages.ranks);
    const figure = page.locator("figure", { has: page.locator(".bars") });
    await figure.getByRole("button", { name: "rank 3", exact: true }).click();
    assert.match(await figure.locator("caption").textContent(), /^Everything at rank 3: [\d.]+ MiB$/);
    assert.match(await figure.locator("thead").textContent(), /^SizePartBlocks$/);
    assert.equal(await figure.locator(".picture:visible").count(), 1);
    assert.deepEqual(faults, []);
    await page.context().close();
});

describe("a folder", () => {
    test("of several kinds is one page that begins with links", async () => {
        const { page, faults } = await opened(pages.folder);
        const links = page.getByRole("navigation", { name: "Contents" }).getByRole("link");
        assert.deepEqual(await links.allTextContents(), ["The run that ran out of memory, as planned against recording.pickle",
            "The run that ran out of memory, as planned", "recording.pickle", "server.log"]);
        for (const link of await links.all()) {
            const target = (await link.getAttribute("href")).slice(1);
            assert.equal(await page.locator("#" + target).textContent(), await link.textContent());
        }
        await links.last().click();
        assert.ok(await page.evaluate(() => scrollY > 500));
        assert.deepEqual(faults, []);
        await page.context().close();
    });

    test("of a recording alone has none", async () => {
        const { page } = await opened(pages.recording);
        assert.equal(await page.getByRole("navigation").count(), 0);
        await page.context().close();
    });
});

test("a single picture is a page without script, small enough for mail", async () => {
    const address = made.pageOf("single", [made.resource("training-out-of-memory.pickle")], ["--single-picture"]);
    const text = fs.readFileSync(new URL(address), "utf8");
    assert.doesNotMatch(text, /<script/);
    assert.match(text, /script-src 'none'/);
    const { page, faults } = await opened(address);
    assert.match(await page.locator("p.answer").textContent(), /21\.7 GiB/);
    assert.equal(await page.locator("figure").count(), 1);
    assert.equal(await page.locator(".picture:visible").count(), 1);
    assert.equal(await page.locator("table").count(), 0);
    assert.deepEqual(faults, []);
    await page.context().close();
});

describe("tables", () => {
    test("sort by figures in their units and by names, in both directions", async () => {
        const { page } = await opened(pages.ranks);
        const table = page.locator("table", { has: page.getByRole("columnheader", { name: "Peak active" }) }).first();
        const head = table.getByRole("columnheader", { name: "Peak active" });
        const column = await head.evaluate((cell) => cell.cellIndex);
        const texts = () => table.locator("tbody tr").evaluateAll((rows, at) => rows.map((row) => row.cells[at].textContent), column);
        await head.getByRole("button").click();
        assert.equal(await head.getAttribute("aria-sort"), "descending");
        const down = await texts();
        await head.getByRole("button").press("Enter");
        assert.equal(await head.getAttribute("aria-sort"), "ascending");
        assert.deepEqual(await texts(), down.reverse());
        await page.context().close();
        const values = await (await opened(pages.plan)).page.evaluate(() => ["1.5 GiB", "900 MiB", "<0.1 %", "12.3 %", "1,024", "−3", "2 ms", "1.5 s"].map(cellValue));
        assert.deepEqual(values, [1.5 * 2 ** 30, 900 * 2 ** 20, 0.1, 12.3, 1024, -3, 2e3, 1.5e6]);
    });

    test("filter their rows by words", async () => {
        const { page } = await opened(pages.plan);
        const input = page.getByLabel("Filter the rows of this table").first();
        const rows = input.locator("xpath=../following-sibling::table[1]").locator("tbody tr");
        const all = await rows.count();
        const word = (await rows.nth(1).textContent()).match(/[A-Za-z]{5,}/)[0];
        await input.fill(word);
        const kept = await rows.filter({ visible: true }).count();
        assert.ok(kept >= 1 && kept < all);
        assert.match(await page.locator(".found").first().textContent(), new RegExp(`^${kept} of ${all} rows$`));
        await page.context().close();
    });
});
