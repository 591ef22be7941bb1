// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";

// How long the page of a recording takes to open in Chromium, and a frame while it is zoomed; the same of PyTorch's memory_viz:
//   bench_page.js PAGE.html …                            written by `vramscope report`
//   bench_page.js --memory-viz FOLDER SNAPSHOT.pickle …  with MemoryViz.js in FOLDER, its imports made local
// Needs playwright-core (packaging/test.sh page installs it). Prints JSON; medians of 5 openings and of 5 × 60 frames.

const fs = require("node:fs");
const http = require("node:http");
const path = require("node:path");
const { chromium } = require("playwright-core");

const kOpenings = 5;
const kFrames = 60;
const isOther = process.argv[2] === "--memory-viz";
const folder = isOther ? process.argv[3] : "";
const files = process.argv.slice(isOther ? 4 : 2).map((name) => path.resolve(name));

/** Serves the other tool's files: browsers load no modules from a disk. */
const server = http.createServer((request, response) => {
    const name = decodeURIComponent(request.url.slice(1));
    if (name.startsWith("view/")) {
        response.setHeader("Content-Type", "text/html");
        response.end(`<!DOCTYPE html><body><script type="module">import {add_local_files} from "/MemoryViz.js";
const bytes = new Uint8Array(await (await fetch("/data/${name.slice(5)}")).arrayBuffer());
window.began = performance.now();
let text = ""; for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
add_local_files([{ name: "snapshot", base64: btoa(text) }], "Active Memory Timeline");</script>`);
        return;
    }
    const file = name.startsWith("data/") ? files[Number(name.slice(5))] : path.join(folder, path.basename(name));
    if (!file || !fs.existsSync(file)) {
        response.statusCode = 404;
        return response.end();
    }
    response.setHeader("Content-Type", name.endsWith("js") ? "text/javascript" : "application/octet-stream");
    fs.createReadStream(file).pipe(response);
});

/** @param {number[]} values @param {number} share */
const quantile = (values, share) => [...values].sort((one, other) => one - other)[Math.floor(share * (values.length - 1))];
/** @param {number} value */
const rounded = (value) => Math.round(value * 10) / 10;

(async () => {
    await new Promise((resolve) => server.listen(0, resolve));
    const browser = await chromium.launch({ executablePath: process.env.VRAMSCOPE_BROWSER ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
    const results = [];
    for (const [index, file] of files.entries()) {
        const opened = [];
        const frames = [];
        const steps = [];
        for (let round = 0; round < kOpenings; ++round) {
            const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
            page.setDefaultTimeout(300_000);
            await page.goto(isOther ? `http://localhost:${server.address().port}/view/${index}` : "file://" + file);
            await page.waitForSelector(isOther ? "svg polygon, svg path, svg rect" : ".answering .plot[data-drawn]", { state: "attached" });
            // Until the first frame with the timeline has been drawn, from where the tool begins to read.
            opened.push(await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(() =>
                resolve(performance.now() - (window.began ?? 0)))))));
            await page.waitForTimeout(500);
            // One step of zoom a frame, in and out again: the times from frame to frame.
            frames.push(...await page.evaluate(async ([isOther, count]) => {
                const target = isOther ? document.querySelector("svg") : document.querySelector(".plot");
                target.scrollIntoView();
                if (!isOther)
                    target.focus();
                const box = target.getBoundingClientRect();
                const times = [];
                let before = 0;
                for (let at = 0; at < count + 1; ++at) {
                    await new Promise((resolve) => requestAnimationFrame((now) => {
                        if (before)
                            times.push(now - before);
                        before = now;
                        resolve(0);
                    }));
                    const [clientX, clientY] = [box.left + box.width * 0.6, box.top + box.height * 0.5];
                    document.elementFromPoint(clientX, clientY).dispatchEvent(new WheelEvent("wheel", {
                        deltaY: at < count / 2 ? -100 : 100, bubbles: true, cancelable: true, clientX, clientY,
                    }));
                }
                return times;
            }, [isOther, kFrames]));
            if (!isOther)
                steps.push(...await page.evaluate((count) => document.querySelector("figure.answering").made.steps.slice(-count), kFrames));
            await page.close();
        }
        results.push({
            file: path.basename(file), megabytes: rounded(fs.statSync(file).size / 1e6), open_ms: Math.round(quantile(opened, 0.5)),
            frame_ms: { median: rounded(quantile(frames, 0.5)), p95: rounded(quantile(frames, 0.95)) },
            ...(isOther ? {} : { step_ms: { median: rounded(quantile(steps, 0.5)), p95: rounded(quantile(steps, 0.95)) } }),
        });
    }
    console.log(JSON.stringify(results, null, 1));
    await browser.close();
    server.close();
})();
