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

/** A plot over a horizontal axis with a cursor, a tip, a live table and what is pinned, moved by wheel, pointer and keys. Its kinds
 *  draw it and know what it shows: things are numbers from 0, negative ones cannot be pinned. */
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
    left = 0; // of the plot, as it was last drawn
    right = 1;
    plotWidth = 1;
    margins = [54, 72]; // left of the plot, where the page is narrow and else
    ink = /** @type {Record<string, string>} */ ({}); // colours of the page's style
    axisUnit = /** @type {Unit} */ ("count");
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
    steps = /** @type {number[]} */ ([]); // milliseconds of each that drew the image, for benchmarks

    constructor(/** @type {PageDocument} */ head) {
        this.head = head;
        this.unit = /** @type {Unit} */ (head.unit);
    }

    // What a kind has of its own.
    /** Where a cursor is on the axis. */
    positionOf(/** @type {number} */ cursor) { return cursor; }
    cursorText() { return ""; }
    /** What is at the cursor, for a screen reader. */
    statusText() { return this.cursorText(); }
    /** Sets the cursor to a point of the plot; returns what is there. @returns {number} */
    hit(/** @type {number} */ x, /** @type {number} */ y) { return Math.min(x, y, kNone); }
    /** Moves the cursor; to an end of the axis by an infinite count. */
    step(/** @type {number} */ count) { this.goTo(this.cursor + count); }
    /** The next thing at the cursor, upwards or downwards. */
    choose(/** @type {number} */ direction) { return Math.min(direction, kNone); }
    /** What the tip says of a thing. @returns {string[]} */
    linesOf(/** @type {number} */ thing) { return [String(thing)]; }
    /** @returns {(Node | string)[]} */
    detailsOf(/** @type {number} */ thing) { return [element("p", {}, this.linesOf(thing).join(" · "))]; }
    drawImage() { }
    /** Over the image, within the plot. */
    drawContent(/** @type {CanvasRenderingContext2D} */ context) { context.beginPath(); }
    fillTable() { }
    yTicks() { return unitTicks(this.view.yLo, this.view.yHi, 6, this.unit); }

    /** Puts the parts in place and shows everything: the last act of a constructor. */
    begin(/** @type {string} */ name, /** @type {Node[]} */ tools, /** @type {string[]} of the live table */ titles) {
        const { plot } = this;
        plot.setAttribute("aria-label", name + ". " + kHelp);
        plot.style.height = this.height + kAbove + kBelow + "px";
        const button = (/** @type {string} */ sign, /** @type {string} */ title, /** @type {() => void} */ act) =>
            actionButton(sign, act, { "aria-label": title, title });
        this.root.append(element("div", { class: "tools", role: "group", "aria-label": name }, ...tools,
            button("+", "Zoom in", () => this.zoom(1 / kZoomStep ** 3, this.position)),
            button("−", "Zoom out", () => this.zoom(kZoomStep ** 3, this.position)),
            button("All", "Show everything", () => this.look(this.whole)), this.found),
        plot, element("p", { class: "aside" }, this.head.aside ?? ""), this.legend, this.spoken, this.details, liveTable(this.caption, titles, this.rows));
        plot.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
        plot.addEventListener("keydown", (event) => this.key(event));
        plot.addEventListener("pointerdown", (event) => this.press(event));
        plot.addEventListener("pointermove", (event) => this.move(event));
        plot.addEventListener("pointerleave", () => this.leave());
        plot.addEventListener("pointercancel", () => this.dragged = true); // which pins nothing
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.schedule(true));
        new ResizeObserver(() => this.schedule(true)).observe(plot);
        this.pinnedAt = this.cursor;
        this.look(this.whole);
    }

    /** The tool that searches. @param {string} label @param {(text: string) => void} act */
    searching(label, act) {
        this.search.placeholder = label.replace(/:.*/, "");
        this.search.setAttribute("aria-label", label);
        this.search.addEventListener("input", () => act(this.search.value.trim().toLowerCase()));
        return this.search;
    }

    /** Draws before the next picture, also the image if something of it changed. */
    schedule(isStale = false) {
        this.isStale ||= isStale;
        this.frame ||= requestAnimationFrame(() => this.draw());
    }

    get chosen() { return this.shown < 0 ? this.pinned : this.shown; }
    get position() { return this.positionOf(this.cursor); }

    xOf(/** @type {number} */ value) { return this.left + (value - this.view.lo) / (this.view.hi - this.view.lo) * this.plotWidth; }
    yOf(/** @type {number} */ value) { return kAbove + this.height * (1 - (value - this.view.yLo) / (this.view.yHi - this.view.yLo)); }
    valueAt(/** @type {number} */ x) { return this.view.lo + (x - this.left) / this.plotWidth * (this.view.hi - this.view.lo); }
    heightAt(/** @type {number} */ y) { return this.view.yLo + (1 - (y - kAbove) / this.height) * (this.view.yHi - this.view.yLo); }

    pointOf(/** @type {MouseEvent} */ event) {
        const { left, top } = this.plot.getBoundingClientRect();
        return { x: event.clientX - left, y: event.clientY - top };
    }

    /** Shows a part of what there is, and draws it once more when it rests. @param {Partial<View>} part */
    look(part) {
        const { view, whole, least } = this;
        const { lo, hi, yLo, yHi } = { ...view, ...part };
        [view.lo, view.hi] = within(lo, hi, least.x, whole.lo, whole.hi);
        [view.yLo, view.yHi] = within(yLo, yHi, least.y, whole.yLo, whole.yHi);
        clearTimeout(this.settling);
        this.isMoving = true;
        this.settling = window.setTimeout(() => {
            this.isMoving = false;
            this.schedule(true);
        }, kSettled);
        this.schedule(true);
    }

    /** @param {number} factor of what is visible @param {number} around a value of the axis that stays where it is */
    zoom(factor, around) {
        const [lo, hi] = scaled(this.view.lo, this.view.hi, clamp(around, this.view.lo, this.view.hi), factor);
        this.look({ lo, hi });
    }

    /** @param {number} share of what is visible */
    pan(share) {
        const { lo, hi } = this.view;
        this.look({ lo: lo + share * (hi - lo), hi: hi + share * (hi - lo) });
    }

    goTo(/** @type {number} */ cursor, /** @type {number} */ shown = kNone) {
        this.cursor = this.pinnedAt = cursor;
        this.shown = shown;
        const { lo, hi } = this.view;
        if (this.position < lo || this.position > hi)
            this.look({ lo: this.position - (hi - lo) / 2, hi: this.position + (hi - lo) / 2 });
    }

    wheel(/** @type {WheelEvent} */ event) {
        // Over a page the wheel scrolls, until its reader turns to the plot.
        if (!event.ctrlKey && document.activeElement !== this.plot)
            return this.hint.classList.add("seen");
        event.preventDefault();
        const { x, y } = this.pointOf(event);
        const factor = kZoomStep ** clamp((event.deltaY || event.deltaX) / 100, -3, 3);
        if (event.shiftKey) {
            const [yLo, yHi] = scaled(this.view.yLo, this.view.yHi, this.heightAt(y), factor);
            this.look({ yLo, yHi });
        } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
            this.pan(event.deltaX / this.plotWidth);
        } else {
            this.zoom(factor, this.valueAt(x));
        }
    }

    press(/** @type {PointerEvent} */ event) {
        if (event.button !== 0)
            return;
        this.plot.focus({ preventScroll: true });
        const { lo, hi, yLo, yHi } = this.view;
        this.dragged = false;
        this.plot.setPointerCapture(event.pointerId);
        const drag = (/** @type {PointerEvent} */ moved) => {
            const across = (event.clientX - moved.clientX) / this.plotWidth * (hi - lo);
            const up = (moved.clientY - event.clientY) / this.height * (yHi - yLo);
            this.dragged ||= Math.hypot(moved.clientX - event.clientX, moved.clientY - event.clientY) >= 4;
            if (this.dragged)
                this.look({ lo: lo + across, hi: hi + across, yLo: yLo + up, yHi: yHi + up });
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

    move(/** @type {PointerEvent} */ event) {
        if (this.dragged)
            return;
        const { x, y } = this.pointOf(event);
        if (x < this.left)
            return this.leave();
        this.shown = this.hit(x, y);
        this.tip.hidden = this.shown === kNone;
        this.tip.replaceChildren(...(this.tip.hidden ? [] : this.linesOf(this.shown)).map((line) => element("div", {}, line)));
        const across = x > this.plot.clientWidth / 2 ? `right:${this.plot.clientWidth - x + 14}px` : `left:${x + 14}px`;
        this.tip.style.cssText = `${across};top:${clamp(y, 0, this.height - 84) + 14}px`;
        this.schedule();
    }

    leave() {
        this.shown = kNone;
        this.cursor = this.pinnedAt;
        this.tip.hidden = true;
        this.hint.classList.remove("seen");
        this.schedule();
    }

    pin(/** @type {number} */ thing) {
        this.pinned = thing === this.pinned || thing < 0 ? kNone : thing;
        this.pinnedAt = this.cursor;
        this.details.hidden = this.pinned < 0;
        if (this.pinned >= 0)
            this.details.replaceChildren(...this.detailsOf(this.pinned));
        this.details.firstElementChild?.append(" ", actionButton("Release", () => this.pin(kNone)));
        this.say();
    }

    /** What a screen reader says of the cursor and the thing that is chosen. */
    say() {
        const { chosen } = this;
        this.spoken.textContent = this.statusText() + (chosen < 0 ? "" : ". " + (chosen === this.pinned ? "Pinned: " : "") + this.linesOf(chosen).join(", "));
        this.schedule();
    }

    key(/** @type {KeyboardEvent} */ event) {
        /** @type {Record<string, () => void>} */
        const acts = {
            "ArrowLeft": () => this.step(-1), "ArrowRight": () => this.step(1), "Home": () => this.step(-Infinity), "End": () => this.step(Infinity),
            "ArrowUp": () => this.shown = this.choose(1), "ArrowDown": () => this.shown = this.choose(-1), "PageUp": () => this.pan(-0.5), "PageDown": () => this.pan(0.5),
            "+": () => this.zoom(1 / kZoomStep, this.position), "=": () => this.zoom(1 / kZoomStep, this.position),
            "-": () => this.zoom(kZoomStep, this.position), "0": () => this.look(this.whole),
            "Enter": () => this.pin(this.shown), " ": () => this.pin(this.shown), "Escape": () => this.pin(kNone),
        };
        const act = acts[event.key];
        if (!act || event.ctrlKey || event.altKey || event.metaKey)
            return;
        event.preventDefault();
        this.tip.hidden = true;
        act();
        this.say();
    }

    draw() {
        this.frame = 0;
        const began = performance.now();
        const wasStale = this.isStale;
        this.isStale = false;
        this.left = this.margins[this.plot.clientWidth < 560 ? 0 : 1];
        this.right = Math.max(this.left + 1, this.plot.clientWidth - kMargin);
        this.plotWidth = this.right - this.left;
        const style = getComputedStyle(this.plot);
        for (const name of ["text", "dim", "line", "bad", "others", "scheme"])
            this.ink[name] = style.getPropertyValue("--" + name).trim();
        if (wasStale)
            this.drawImage();
        this.drawOverlay(clearedContext(this.overlay));
        this.fillTable();
        if (wasStale)
            this.steps.push(performance.now() - began);
        this.plot.dataset.drawn = String(Number(this.plot.dataset.drawn ?? 0) + 1);
    }

    drawOverlay(/** @type {CanvasRenderingContext2D} */ context) {
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
            context.globalAlpha = this.unit ? 0.5 : 0; // rows have no lines
            context.strokeRect(left, y, this.plotWidth, 0);
            context.globalAlpha = 1;
        }
        context.textAlign = "center";
        for (const tick of unitTicks(this.view.lo, this.view.hi, Math.max(2, Math.floor(this.plotWidth / 130)), this.axisUnit)) {
            const middle = this.xOf(tick.at);
            const reach = context.measureText(tick.text).width / 2;
            if (tick.at >= 0 && middle + reach <= plot.clientWidth && Math.abs(middle - at) > reach + half + 8)
                context.fillText(tick.text, middle, kAbove + height + 17);
        }
        context.strokeRect(left - 0.5, kAbove + height + 0.5, this.plotWidth, 0);
        context.save();
        context.beginPath();
        context.rect(left, kAbove, this.plotWidth, height);
        context.clip();
        this.drawContent(context);
        context.restore();
        context.fillStyle = ink.dim;
        drawNames(context, left, right, (this.head.steps ?? []).map(({ at, name }) => ({ x: Math.round(this.xOf(this.positionOf(at))) + 0.5, name })));
        if (x < left || x > right)
            return;
        context.strokeStyle = context.fillStyle = ink.text;
        dashedLine(context, x, kAbove, 0, height);
        context.textAlign = "center";
        context.fillText(label, at, kAbove + height + 17);
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

/** The range [lo, hi], at least so long, as far as it reaches in [from, to].
 *  @param {number} lo @param {number} hi @param {number} least @param {number} from @param {number} to */
function within(lo, hi, least, from, to) {
    const length = clamp(hi - lo, Math.min(to - from, least), to - from);
    const first = clamp(lo, from, to - length);
    return [first, first + length];
}

/** A range scaled around a value. @param {number} lo @param {number} hi @param {number} fixed @param {number} factor */
const scaled = (lo, hi, fixed, factor) => [fixed - (fixed - lo) * factor, fixed + (hi - fixed) * factor];
