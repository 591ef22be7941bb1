// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";

// The page of a recording in Firefox, from the disk: that it draws, answers and asks for nothing. The rest is tested in Chromium.

const assert = require("node:assert/strict");
const fs = require("node:fs");
const { after, before, test } = require("node:test");
const puppeteer = require("puppeteer-core");
const made = require("./pages");

let browser;
before(async () => {
    browser = await puppeteer.launch({
        browser: "firefox", executablePath: process.env.VRAMSCOPE_FIREFOX ?? "/usr/bin/firefox-esr", headless: true,
    });
});
after(async () => {
    await browser?.close();
    fs.rmSync(made.kFolder, { recursive: true });
});

test("a page in Firefox draws its timeline and lanes, says what is under the pointer, and sends no request", async () => {
    const address = made.pageOf("firefox", [made.resource("training-out-of-memory.pickle"), made.kTrace]);
    const page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 900 });
    const faults = [];
    page.on("request", (request) => request.url() === address || request.url().startsWith("data:") || faults.push("request " + request.url()));
    page.on("pageerror", (error) => faults.push("error " + error));
    page.on("console", (message) => message.type() === "error" && faults.push("console " + message.text()));
    await page.goto(address);
    const tips = [/^[\d.]+ MiB \([\d,]+ bytes\)Optimizer states.*→ the end/, / ns\) from /];
    await page.waitForFunction((count) => document.querySelectorAll(".plot[data-drawn]").length === count, {}, tips.length);
    for (const [at, plot] of (await page.$$(".plot")).entries()) {
        await plot.scrollIntoView();
        const box = await plot.boundingBox();
        // Into the optimizer's states, and onto the slice in the middle of the lanes that is longest.
        const target = await plot.evaluate((element) => {
            const { made } = element.closest("figure");
            const slice = made.start && [...made.start.keys()].sort((one, other) => made.lengthOf(other) - made.lengthOf(one))[0];
            return made.start ? { x: made.xOf((made.start[slice] + made.end[slice]) / 2), y: made.yOf(made.count - made.rowOf(slice) - 0.5) } : null;
        });
        await page.mouse.move(box.x + (target?.x ?? box.width / 2), box.y + (target?.y ?? box.height * 0.8));
        await page.waitForFunction((at) => !document.querySelectorAll(".tip")[at].hidden, {}, at);
        assert.match(await plot.$eval(".tip", (tip) => tip.textContent), tips[at]);
    }
    const colors = await page.$eval(".plot canvas", (canvas) =>
        new Set(new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size);
    assert.ok(colors > 8, "the timeline has colours");
    assert.deepEqual(faults, []);
});
