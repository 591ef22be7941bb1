// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

/** @typedef {{lo: number, hi: number, yLo: number, yHi: number}} View */
/** @typedef {{at: number, text: string}} Tick */

const kNone = -1;
const kAbove = 20; // of the plot: names of steps
const kBelow = 24; // the axis
const kMargin = 10; // right of it
const kZoomStep = 1.25;
const kSettled = 150; // milliseconds after the last move
const kMostRows = 12;
const kHelp = "Arrow keys left and right move the cursor, up and down choose what it shows, plus and minus zoom, " +
    "Home and End go to the ends, Page up and Page down pan, 0 shows everything, Enter pins, Escape releases.";

/**
 * A plot over a horizontal axis with a cursor, a tip, a live table and what is pinned, moved by wheel, pointer and keys. Its kinds
 * draw it and know what it shows: things are numbers from 0, negative ones cannot be pinned.
 */
class Chart {
    image = element("canvas", { "aria-hidden": "true" });
    overlay = element("canvas", { "aria-hidden": "true" });
    tip = element("div", { class: "tip", "aria-hidden": "true", hidden: "" });
    hint = element("div", { class: "hint", "aria-hidden": "true" }, "Click here, or hold Ctrl, to zoom with the wheel");
    plot = element("div", { class: "plot", tabindex: "0", role: "application" }, this.image, this.overlay, this.tip, this.hint);
    spoken = element("p", { class: "spoken", "aria-live": "polite" });
    search = element("input", { type: "search" });
    found = element("span", { class: "found", role: "status" });
    legend = element("p", { class: "legend" });
    details = element("div", { class: "details", hidden: "" });
    caption = element("caption");
    rows = element("tbody");
    root = element("div", { class: "answers" });
    tableKey = "";
    height = 380;
    margins = [54, 72]; // left of the plot, where the page is narrow and else
    /** @type {ImageData | null} */
    pixels = null;
    /** Colours of the page's style, of the picture that is drawn. @type {Record<string, string>} */
    ink = {};
    /** @type {"binary" | "decimal"} */
    unit = "binary";
    /** All that there is, the shortest part of it that can be shown, and what is shown. @type {View} */
    whole = { lo: 0, hi: 1, yLo: 0, yHi: 1 };
    least = { x: 8, y: 4096 };
    view = { ...this.whole };

    cursor = 0;
    shown = kNone; // what is under the pointer
    pinned = kNone;
    pinnedAt = 0;
    isMoving = false;
    frame = 0;
    settling = 0;
    isStale = true; // the image
    dragged = false;
    /** Milliseconds of each step that drew the image, for benchmarks. @type {number[]} */
    steps = [];

    // What a kind has of its own.
    /** Where the cursor is on the axis. */
    get position() { return this.cursor; }
    cursorText() { return ""; }
    /** Sets the cursor to a point of the plot; returns what is there. @param {number} x @param {number} y @returns {number} */
    hit(x, y) { return Math.min(x, y, kNone); }
    /** Moves the cursor; to an end of the axis by an infinite count. @param {number} count */
    step(count) { this.goTo(this.cursor + count); }
    /** The next thing at the cursor, upwards or downwards. @param {number} direction */
    choose(direction) { return Math.min(direction, kNone); }
    /** What the tip says of a thing. @param {number} thing @returns {string[]} */
    linesOf(thing) { return [String(thing)]; }
    /** @param {number} thing @returns {(Node | string)[]} */
    detailsOf(thing) { return this.linesOf(thing).map((line) => element("p", {}, line)); }
    spokenText() { return this.cursorText(); }
    drawImage() { }
    /** Over the image, within the plot. @param {CanvasRenderingContext2D} context */
    drawContent(context) { context.globalAlpha = 1; }
    /** Above the plot and through it. @param {CanvasRenderingContext2D} context */
    drawMarks(context) { context.textAlign = "left"; }
    fillTable() { }
    /** @returns {Tick[]} */
    yTicks() { return unitTicks(this.view.yLo, this.view.yHi, 6, this.unit); }
    /** @returns {Tick[]} */
    xTicks() { return []; }

    /** Puts the parts in place and shows everything: the last act of a constructor. @param {string} name @param {Node[]} tools @param {string[]} titles */
    begin(name, tools, titles) {
        const { plot } = this;
        plot.setAttribute("aria-label", name + ". " + kHelp);
        plot.style.height = this.height + kAbove + kBelow + "px";
        /** @param {string} sign @param {string} title @param {() => void} act */
        const button = (sign, title, act) => actionButton(sign, act, { "aria-label": title, title });
        this.root.append(element("div", { class: "tools", role: "group", "aria-label": name }, ...tools,
            button("+", "Zoom in", () => this.zoom(1 / kZoomStep ** 3, this.position)),
            button("−", "Zoom out", () => this.zoom(kZoomStep ** 3, this.position)),
            button("All", "Show everything", () => this.showAll()), this.found),
        plot, this.legend, this.spoken, this.details, liveTable(this.caption, titles, this.rows));
        plot.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
        plot.addEventListener("keydown", (event) => this.key(event));
        plot.addEventListener("pointerdown", (event) => this.press(event));
        plot.addEventListener("pointermove", (event) => this.move(event));
        plot.addEventListener("pointerleave", () => this.leave());
        plot.addEventListener("pointercancel", () => this.dragged = true); // which pins nothing
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.refresh());
        new ResizeObserver(() => this.overlay.width === canvasWidth(plot) || this.refresh()).observe(plot);
        this.pinnedAt = this.cursor;
        this.showAll();
    }

    /** Draws the image again. */
    refresh() {
        this.isStale = true;
        this.schedule();
    }

    schedule() {
        this.frame ||= requestAnimationFrame(() => this.draw());
    }

    get left() { return this.margins[this.plot.clientWidth < 560 ? 0 : 1]; }
    get plotWidth() { return Math.max(1, this.plot.clientWidth - this.left - kMargin); }
    get right() { return this.left + this.plotWidth; }

    /** @param {number} value */
    xOf(value) {
        return this.left + (value - this.view.lo) / (this.view.hi - this.view.lo) * this.plotWidth;
    }
    /** @param {number} value */
    yOf(value) {
        return kAbove + this.height * (1 - (value - this.view.yLo) / (this.view.yHi - this.view.yLo));
    }
    /** @param {number} x */
    valueAt(x) {
        return this.view.lo + (x - this.left) / this.plotWidth * (this.view.hi - this.view.lo);
    }
    /** @param {number} y */
    heightAt(y) {
        return this.view.yLo + (1 - (y - kAbove) / this.height) * (this.view.yHi - this.view.yLo);
    }

    showAll() {
        this.place(this.whole.lo, Infinity);
        this.placeUp(this.whole.yLo, Infinity);
    }

    /** Shows a part of the axis, as far as it reaches. @param {number} lo @param {number} length */
    place(lo, length) {
        [this.view.lo, this.view.hi] = partOf(lo, length, this.least.x, this.whole.lo, this.whole.hi);
        this.moved();
    }

    /** @param {number} lo @param {number} length */
    placeUp(lo, length) {
        [this.view.yLo, this.view.yHi] = partOf(lo, length, this.least.y, this.whole.yLo, this.whole.yHi);
        this.moved();
    }

    /** Draws the view that has changed, and once more when it rests. */
    moved() {
        this.refresh();
        clearTimeout(this.settling);
        this.isMoving = true;
        this.settling = window.setTimeout(() => {
            this.isMoving = false;
            this.refresh();
        }, kSettled);
    }

    /** @param {number} factor of what is visible @param {number} around a value of the axis that stays where it is */
    zoom(factor, around) {
        const { lo, hi } = this.view;
        const fixed = clamp(around, lo, hi);
        this.place(fixed - (fixed - lo) * factor, (hi - lo) * factor);
    }

    /** @param {number} share of what is visible */
    pan(share) {
        const { lo, hi } = this.view;
        this.place(lo + share * (hi - lo), hi - lo);
    }

    /** @param {number} cursor */
    goTo(cursor) {
        this.cursor = this.pinnedAt = cursor;
        this.shown = kNone;
        const { lo, hi } = this.view;
        if (this.position < lo || this.position > hi)
            this.place(this.position - (hi - lo) / 2, hi - lo);
    }

    /** @param {WheelEvent} event */
    wheel(event) {
        // Over a page the wheel scrolls, until its reader turns to the plot.
        if (!event.ctrlKey && document.activeElement !== this.plot) {
            this.hint.classList.add("seen");
            return;
        }
        event.preventDefault();
        const box = this.plot.getBoundingClientRect();
        const factor = kZoomStep ** clamp((event.deltaY || event.deltaX) / 100, -3, 3);
        if (event.shiftKey) {
            const fixed = this.heightAt(event.clientY - box.top);
            this.placeUp(fixed - (fixed - this.view.yLo) * factor, (this.view.yHi - this.view.yLo) * factor);
        } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
            this.pan(event.deltaX / this.plotWidth);
        } else {
            this.zoom(factor, this.valueAt(event.clientX - box.left));
        }
    }

    /** @param {PointerEvent} event */
    press(event) {
        if (event.button !== 0)
            return;
        this.plot.focus({ preventScroll: true });
        this.hint.classList.remove("seen");
        const { lo, hi, yLo, yHi } = this.view;
        const { clientX, clientY, pointerId } = event;
        this.dragged = false;
        this.plot.setPointerCapture(pointerId);
        /** @param {PointerEvent} moved */
        const drag = (moved) => {
            if (!this.dragged && Math.hypot(moved.clientX - clientX, moved.clientY - clientY) < 4)
                return;
            this.dragged = true;
            this.placeUp(yLo + (moved.clientY - clientY) / this.height * (yHi - yLo), yHi - yLo);
            this.place(lo - (moved.clientX - clientX) / this.plotWidth * (hi - lo), hi - lo);
        };
        this.plot.addEventListener("pointermove", drag);
        this.plot.addEventListener("lostpointercapture", () => {
            this.plot.removeEventListener("pointermove", drag);
            if (!this.dragged)
                this.pin(this.shown);
            this.dragged = false;
        }, { once: true });
        this.move(event);
    }

    /** @param {PointerEvent} event */
    move(event) {
        if (this.dragged)
            return;
        const box = this.plot.getBoundingClientRect();
        const x = event.clientX - box.left;
        const y = event.clientY - box.top;
        if (x < this.left)
            return this.leave();
        this.shown = this.hit(x, y);
        this.tip.hidden = this.shown === kNone;
        if (!this.tip.hidden)
            this.tip.replaceChildren(...this.linesOf(this.shown).map((line) => element("div", {}, line)));
        placeTip(this.tip, this.plot, x, clamp(y, 0, this.height - 84));
        this.schedule();
    }

    leave() {
        this.shown = kNone;
        this.cursor = this.pinnedAt;
        this.tip.hidden = true;
        this.hint.classList.remove("seen");
        this.schedule();
    }

    /** @param {number} thing */
    pin(thing) {
        this.pinned = thing === this.pinned || thing < 0 ? kNone : thing;
        this.pinnedAt = this.cursor;
        this.details.hidden = this.pinned < 0;
        if (this.pinned >= 0)
            this.details.replaceChildren(...this.detailsOf(this.pinned));
        this.details.firstElementChild?.append(" ", actionButton("Release", () => this.pin(kNone)));
        this.spoken.textContent = this.spokenText();
        this.schedule();
    }

    /** @param {KeyboardEvent} event */
    key(event) {
        /** @type {Record<string, () => void>} */
        const acts = {
            "ArrowLeft": () => this.step(-1), "ArrowRight": () => this.step(1), "Home": () => this.step(-Infinity), "End": () => this.step(Infinity),
            "ArrowUp": () => this.shown = this.choose(1), "ArrowDown": () => this.shown = this.choose(-1), "PageUp": () => this.pan(-0.5), "PageDown": () => this.pan(0.5),
            "+": () => this.zoom(1 / kZoomStep, this.position), "=": () => this.zoom(1 / kZoomStep, this.position),
            "-": () => this.zoom(kZoomStep, this.position), "0": () => this.showAll(),
            "Enter": () => this.pin(this.shown), " ": () => this.pin(this.shown), "Escape": () => this.pin(kNone),
        };
        const act = acts[event.key];
        if (!act || event.ctrlKey || event.altKey || event.metaKey)
            return;
        event.preventDefault();
        this.tip.hidden = true;
        act();
        this.spoken.textContent = this.spokenText();
        this.schedule();
    }

    draw() {
        this.frame = 0;
        const began = performance.now();
        const wasStale = this.isStale;
        this.isStale = false;
        for (const name of ["text", "dim", "line", "bad", "card", "others"])
            this.ink[name] = styleColor(this.plot, name);
        if (wasStale)
            this.drawImage();
        this.drawOverlay(clearedContext(this.overlay));
        this.fillTable();
        if (wasStale)
            this.steps.push(performance.now() - began);
        this.plot.dataset.drawn = String(Number(this.plot.dataset.drawn ?? 0) + 1);
    }

    /** @param {CanvasRenderingContext2D} context */
    drawOverlay(context) {
        const { plot, left, right, ink, height } = this;
        const x = Math.round(this.xOf(this.position)) + 0.5;
        const label = this.cursorText();
        const half = context.measureText(label).width / 2;
        const at = clamp(x, left + half, plot.clientWidth - half);
        context.fillStyle = ink.dim;
        context.strokeStyle = ink.line;
        context.textAlign = "right";
        for (const tick of this.yTicks()) {
            const y = Math.round(this.yOf(tick.at)) + 0.5;
            context.fillText(tick.text, left - 6, Math.max(kAbove + 4, y + 4), left - 8);
            context.globalAlpha = 0.5;
            context.strokeRect(left, y, this.plotWidth, 0);
            context.globalAlpha = 1;
        }
        context.textAlign = "center";
        for (const tick of this.xTicks()) {
            const middle = this.xOf(tick.at);
            const reach = context.measureText(tick.text).width / 2;
            if (middle - reach >= left - 20 && middle + reach <= plot.clientWidth && Math.abs(middle - at) > reach + half + 8)
                context.fillText(tick.text, middle, kAbove + height + 17);
        }
        context.strokeRect(left - 0.5, kAbove + height + 0.5, this.plotWidth, 0);
        context.save();
        context.beginPath();
        context.rect(left, kAbove, this.plotWidth, height);
        context.clip();
        this.drawContent(context);
        context.restore();
        this.drawMarks(context);
        if (x < left || x > right)
            return;
        context.strokeStyle = context.fillStyle = ink.text;
        dashedLine(context, x, kAbove, x, kAbove + height);
        context.textAlign = "center";
        context.fillText(label, at, kAbove + height + 17);
    }

    /** A dashed line across, with its meaning. @param {CanvasRenderingContext2D} context @param {number} value @param {string} text */
    drawLimit(context, value, text) {
        const y = Math.round(this.yOf(value)) + 0.5;
        context.strokeStyle = context.fillStyle = this.ink.text;
        dashedLine(context, this.left, y, this.right, y);
        context.textAlign = "left";
        if (y > kAbove + 14)
            context.fillText(text, this.left + 6, y - 5);
    }

    /** Fills the table unless it shows what has this key. @param {string} key @param {() => {caption: string, rows: Node[]}} make */
    show(key, make) {
        if (key === this.tableKey)
            return;
        this.tableKey = key;
        const { caption, rows } = make();
        this.caption.textContent = caption;
        this.rows.replaceChildren(...rows);
    }
}

/** The part [lo, lo + length) of [from, to], as far as it reaches. @param {number} lo @param {number} length @param {number} least @param {number} from @param {number} to */
function partOf(lo, length, least, from, to) {
    const kept = clamp(length, Math.min(to - from, least), to - from);
    const first = clamp(lo, from, to - kept);
    return [first, first + kept];
}
