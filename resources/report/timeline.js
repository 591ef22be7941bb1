// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

/** @typedef {{lo: number, hi: number, yLo: number, yHi: number}} View */

const kPlotHeight = 380;
const kAbove = 20; // of the plot: the numbers of steps
const kBelow = 24; // the axis
const kMargin = 10; // right of it
const kZoomStep = 1.25;
const kMostRows = 12;
/** Milliseconds of a raster, above which the next one has fewer columns while the view moves. */
const kSlow = 6;
const kSettled = 150;
const kHelp = "Arrow keys left and right move the cursor, up and down choose an allocation, plus and minus zoom, " +
    "Home and End go to the ends, Page up and Page down pan, 0 shows everything, Enter pins, Escape releases.";

/** The timeline of a recording with its tools, its live table and the allocation that is pinned. */
class Timeline {
    image = element("canvas", { "aria-hidden": "true" });
    overlay = element("canvas", { "aria-hidden": "true" });
    tip = element("div", { class: "tip", "aria-hidden": "true", hidden: "" });
    hint = element("div", { class: "hint", "aria-hidden": "true" }, "Click here, or hold Ctrl, to zoom with the wheel");
    plot = element("div", { class: "plot", tabindex: "0", role: "application", "aria-label": "Memory in use over time. " + kHelp },
        this.image, this.overlay, this.tip, this.hint);
    spoken = element("p", { class: "spoken", "aria-live": "polite" });
    search = element("input", { type: "search", placeholder: "Search stacks", "aria-label": "Search stacks: function, file or line" });
    found = element("span", { class: "found", role: "status" });
    axisChoice = choice({ event: "Events", time: "Time" });
    colorChoice = choice({ place: "Places", category: "Categories" });
    legend = element("p", { class: "legend" });
    details = element("div", { class: "details", hidden: "" });
    caption = element("caption");
    rows = element("tbody");
    root = element("div", { class: "answers" });
    tableKey = "";
    /** @type {ImageData | null} */
    pixels = null;
    /** Into the colours. @type {Map<number, number>} */
    colorOfSite = new Map();
    /** @type {string[]} */
    colors = [];

    cursor = 0; // a moment
    shown = kNone; // the allocation under the pointer, or what else the raster shows
    pinned = kNone;
    pinnedAt = 0;
    isMoving = false;
    together = 1; // columns that show the same while the view moves
    frame = 0;
    settling = 0;
    isStale = true; // the raster
    dragged = false;
    /** By place. @type {Uint8Array | null} */
    wanted = null;
    /** Milliseconds of each step that drew, for benchmarks. @type {number[]} */
    steps = [];

    /** @param {Recording} recording */
    constructor(recording) {
        this.recording = recording;
        this.raster = new Raster(recording);
        this.axis = recording.event;
        this.cursor = this.pinnedAt = recording.peak;
        this.colorBy = recording.head.colorBy;
        const reserved = recording.reserved.reduce((most, each) => Math.max(most, each), 0);
        this.mostBytes = Math.max(1, recording.total[recording.peak], recording.head.limit, reserved) * 1.06;
        /** @type {View} */
        this.view = { lo: 0, hi: 1, yLo: 0, yHi: this.mostBytes };
        this.build();
        this.color();
        this.showAll();
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.refresh());
        new ResizeObserver(() => this.plotWidth === this.image.clientWidth || this.refresh()).observe(this.plot);
    }

    build() {
        const { head } = this.recording;
        this.plot.style.height = kPlotHeight + kAbove + kBelow + "px";
        this.colorChoice.value = this.colorBy;
        /** @param {string} sign @param {string} name @param {() => void} act */
        const button = (sign, name, act) => actionButton(sign, act, { "aria-label": name, title: name });
        const axis = element("label", {}, "Axis ", this.axisChoice);
        axis.hidden = !head.timed;
        const tools = element("div", { class: "tools", role: "group", "aria-label": "Timeline" }, this.search,
            axis, element("label", {}, "Colours ", this.colorChoice),
            button("+", "Zoom in", () => this.zoom(1 / kZoomStep ** 3, this.axis[this.cursor])),
            button("−", "Zoom out", () => this.zoom(kZoomStep ** 3, this.axis[this.cursor])),
            button("All", "Show everything", () => this.showAll()), this.found);
        const live = liveTable(this.caption, ["#Size", "#Share", "#Blocks", "Allocated in"], this.rows);
        this.root.append(tools, this.plot, this.legend, this.spoken, this.details, live);
        if (head.others)
            this.plot.after(element("p", { class: "aside" }, "The page has the " +
                countedText(head.allocations - head.others, "largest allocation") + " of " + countText(head.allocations) +
                ". The grey band at the bottom is the sum of " + countedText(head.others, "smaller one") + "."));
        this.listen();
    }

    listen() {
        const { plot, recording } = this;
        this.search.addEventListener("input", () => {
            this.wanted = recording.placesWith(this.search.value);
            this.color();
        });
        this.axisChoice.addEventListener("change", () => {
            this.axis = this.axisChoice.value === "time" && recording.time ? recording.time : recording.event;
            this.showAll();
        });
        this.colorChoice.addEventListener("change", () => {
            this.colorBy = this.colorChoice.value;
            this.color();
        });
        plot.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
        plot.addEventListener("keydown", (event) => this.key(event));
        plot.addEventListener("pointerdown", (event) => this.press(event));
        plot.addEventListener("pointermove", (event) => this.move(event));
        plot.addEventListener("pointerleave", () => this.leave());
        plot.addEventListener("pointercancel", () => this.dragged = true); // which pins nothing
    }

    /** Makes the raster again before the next picture. */
    refresh() {
        this.isStale = true;
        this.schedule();
    }

    schedule() {
        if (!this.frame)
            this.frame = requestAnimationFrame(() => this.draw());
    }

    /** Draws the view that has changed; where that is slow, in full once it rests. */
    moved() {
        this.refresh();
        clearTimeout(this.settling);
        this.isMoving = true;
        this.settling = window.setTimeout(() => {
            this.isMoving = false;
            if (this.together > 1)
                this.refresh();
        }, kSettled);
    }

    get left() { return this.plot.clientWidth < 560 ? 54 : 72; }
    get plotWidth() { return Math.max(1, this.plot.clientWidth - this.left - kMargin); }
    get right() { return this.left + this.plotWidth; }

    /** @param {number} value */
    xOf(value) {
        return this.left + (value - this.view.lo) / (this.view.hi - this.view.lo) * this.plotWidth;
    }
    /** @param {number} bytes */
    yOf(bytes) {
        return kAbove + kPlotHeight * (1 - (bytes - this.view.yLo) / (this.view.yHi - this.view.yLo));
    }

    showAll() {
        this.place(this.axis[0], Infinity);
        this.placeBytes(0, this.mostBytes);
    }

    /** Shows a part of the axis, as far as it reaches. @param {number} lo @param {number} length */
    place(lo, length) {
        const first = this.axis[0];
        const whole = Math.max(this.axis[this.recording.moments - 1] - first, 1);
        length = clamp(length, Math.min(whole, 8), whole);
        this.view.lo = clamp(lo, first, first + whole - length);
        this.view.hi = this.view.lo + length;
        this.moved();
    }

    /** @param {number} yLo @param {number} length */
    placeBytes(yLo, length) {
        length = clamp(length, Math.min(this.mostBytes, 4096), this.mostBytes);
        this.view.yLo = clamp(yLo, 0, this.mostBytes - length);
        this.view.yHi = this.view.yLo + length;
        this.moved();
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

    /** @param {WheelEvent} event */
    wheel(event) {
        // Over a page the wheel scrolls, until its reader turns to the timeline.
        if (!event.ctrlKey && document.activeElement !== this.plot) {
            this.hint.classList.add("seen");
            return;
        }
        event.preventDefault();
        const box = this.plot.getBoundingClientRect();
        const { lo, hi, yLo, yHi } = this.view;
        const factor = kZoomStep ** clamp((event.deltaY || event.deltaX) / 100, -3, 3);
        if (event.shiftKey) {
            const bytes = yLo + (1 - (event.clientY - box.top - kAbove) / kPlotHeight) * (yHi - yLo);
            this.placeBytes(bytes - (bytes - yLo) * factor, (yHi - yLo) * factor);
        } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
            this.pan(event.deltaX / this.plotWidth);
        } else {
            this.zoom(factor, lo + (event.clientX - box.left - this.left) / this.plotWidth * (hi - lo));
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
            this.placeBytes(yLo + (moved.clientY - clientY) / kPlotHeight * (yHi - yLo), yHi - yLo);
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
        const { raster } = this;
        const column = clamp(Math.floor((x - this.left) / this.plotWidth * raster.width), 0, raster.width - 1);
        this.cursor = raster.samples[column];
        this.shown = raster.at(column, Math.floor((kAbove + kPlotHeight - y) / kPlotHeight * raster.height));
        this.showTip(x, y);
        this.schedule();
    }

    leave() {
        this.shown = kNone;
        this.cursor = this.pinnedAt;
        this.tip.hidden = true;
        this.hint.classList.remove("seen");
        this.schedule();
    }

    /** @param {number} allocation or what else the raster shows */
    pin(allocation) {
        this.pinned = allocation === this.pinned || allocation < 0 ? kNone : allocation;
        this.pinnedAt = this.cursor;
        this.showDetails();
        this.say();
        this.schedule();
    }

    /** @param {KeyboardEvent} event */
    key(event) {
        if (event.ctrlKey || event.altKey || event.metaKey)
            return;
        const around = this.axis[this.cursor];
        /** @type {Record<string, () => void>} */
        const acts = {
            "ArrowLeft": () => this.step(-1), "ArrowRight": () => this.step(1),
            "ArrowUp": () => this.choose(1), "ArrowDown": () => this.choose(-1),
            "PageUp": () => this.pan(-0.5), "PageDown": () => this.pan(0.5),
            "Home": () => this.goTo(0), "End": () => this.goTo(this.recording.last),
            "+": () => this.zoom(1 / kZoomStep, around), "=": () => this.zoom(1 / kZoomStep, around),
            "-": () => this.zoom(kZoomStep, around), "0": () => this.showAll(),
            "Enter": () => this.pin(this.shown), " ": () => this.pin(this.shown), "Escape": () => this.pin(kNone),
        };
        const act = acts[event.key];
        if (!act)
            return;
        event.preventDefault();
        this.tip.hidden = true;
        act();
    }

    /** @param {number} columns */
    step(columns) {
        const { samples, width } = this.raster;
        const at = lowerBound(samples, this.cursor + 1) - 1;
        let next = Math.max(0, at) + columns;
        while (next > 0 && next < width - 1 && samples[next] === this.cursor)
            next += columns;
        if (next < 0 || next >= width)
            this.pan(columns / 10);
        else
            this.goTo(samples[next]);
    }

    /** @param {number} moment */
    goTo(moment) {
        this.cursor = this.pinnedAt = moment;
        this.shown = kNone;
        const { lo, hi } = this.view;
        if (this.axis[moment] < lo || this.axis[moment] > hi)
            this.place(this.axis[moment] - (hi - lo) / 2, hi - lo);
        this.say();
        this.schedule();
    }

    /** Goes up or down to the next allocation of those that match the search. @param {number} step */
    choose(step) {
        const live = this.recording.liveAfter(this.cursor).filter((at) => this.isWanted(at));
        const at = live.indexOf(this.shown < 0 ? this.pinned : this.shown);
        this.shown = live[at < 0 && step < 0 ? live.length - 1 : clamp(at + step, 0, live.length - 1)] ?? kNone;
        this.say();
        this.schedule();
    }

    /** @param {number} allocation */
    isWanted(allocation) {
        return !this.wanted || this.wanted[this.recording.place[allocation]] === 1;
    }

    /** Gives every allocation its colour, of its category or its place; a faint one if the search leaves it out. */
    color() {
        const { recording, raster, colorOfSite } = this;
        const { categories, seriesColors } = recording.head;
        const isOfPlace = this.colorBy === "place";
        this.colors = isOfPlace ? seriesColors : categories.map((/** @type {{color: string}} */ one) => one.color);
        // The places with most bytes at the peak take the colours in turn, then the others.
        const atPeak = colorOfSite.size ? [] : recording.placesOf(recording.liveAfter(recording.peak));
        for (const site of [...atPeak.map(({ place }) => recording.placeSite[place]), ...recording.placeSite]) {
            if (!colorOfSite.has(site))
                colorOfSite.set(site, colorOfSite.size % seriesColors.length);
        }
        for (let at = 0; at < recording.count; ++at)
            raster.colorOf[at] = this.isWanted(at) ? this.colorIndex(at) : this.colors.length;
        const used = isOfPlace ? [] : [...new Set(recording.category)].sort((one, other) => one - other);
        this.legend.replaceChildren(...used.map((category) =>
            element("span", {}, swatch(this.colors[category]), categories[category].name)));
        this.refresh();
    }

    /** @param {number} allocation */
    colorIndex(allocation) {
        const { recording } = this;
        return this.colorBy === "category" ? recording.category[allocation]
            : this.colorOfSite.get(recording.placeSite[recording.place[allocation]]) ?? 0;
    }

    /** @param {number} allocation */
    swatchOf(allocation) {
        return swatch(this.colors[this.colorIndex(allocation)]);
    }

    draw() {
        this.frame = 0;
        const began = performance.now();
        const wasStale = this.isStale;
        this.isStale = false;
        if (wasStale)
            this.drawImage();
        this.drawOverlay();
        this.fillTable();
        if (wasStale)
            this.steps.push(performance.now() - began);
        this.plot.dataset.drawn = String(Number(this.plot.dataset.drawn ?? 0) + 1);
    }

    drawImage() {
        const { raster, image } = this;
        const width = Math.round(this.plotWidth * pixelRatio());
        const height = Math.round(kPlotHeight * pixelRatio());
        raster.resize(width, height);
        raster.setPalette([...this.colors, styleColor(this.plot, "line")]);
        raster.othersColor = pixelOf(styleColor(this.plot, "others"));
        const began = performance.now();
        raster.fill(this.axis, this.view, this.isMoving ? this.together : 1);
        const took = performance.now() - began;
        if (this.isMoving && (took > kSlow || took < kSlow / 4))
            this.together = clamp(this.together * (took > kSlow ? 2 : 0.5), 1, 8);
        if (image.width !== width || image.height !== height || !this.pixels) {
            Object.assign(image, { width, height });
            this.pixels = new ImageData(width, height);
        }
        image.style.cssText = `left:${this.left}px;top:${kAbove}px;width:${this.plotWidth}px;height:${kPlotHeight}px`;
        raster.paint(this.pixels);
        image.getContext("2d")?.putImageData(this.pixels, 0, 0);
    }

    drawOverlay() {
        const { plot, recording } = this;
        const context = clearedContext(this.overlay);
        const [text, dim, line, bad] = ["text", "dim", "line", "bad"].map((name) => styleColor(plot, name));
        const x = Math.round(this.xOf(this.axis[this.cursor])) + 0.5;
        const label = recording.momentText(this.cursor);
        const half = context.measureText(label).width / 2;
        const at = clamp(x, this.left + half, plot.clientWidth - half);
        this.drawAxes(context, dim, line, (from, to) => to < at - half - 8 || from > at + half + 8);
        this.drawReserved(context, dim);
        this.drawMarks(context, dim, bad);
        this.drawOutline(context, this.shown, text, 0.3);
        this.drawOutline(context, this.pinned, text, 0.6);
        if (x < this.left || x > this.right)
            return;
        context.strokeStyle = context.fillStyle = text;
        dashedLine(context, x, kAbove, x, kAbove + kPlotHeight);
        context.textAlign = "center";
        context.fillText(label, at, plot.clientHeight - 7);
    }

    /** @param {CanvasRenderingContext2D} context @param {string} dim @param {string} line
     *  @param {(from: number, to: number) => boolean} isFree of the label at the cursor */
    drawAxes(context, dim, line, isFree) {
        const { recording, view } = this;
        context.fillStyle = dim;
        context.strokeStyle = line;
        context.textAlign = "right";
        for (const tick of byteTicks(view.yLo, view.yHi, 6, recording.unit)) {
            const y = Math.round(this.yOf(tick.bytes)) + 0.5;
            context.fillText(tick.text, this.left - 6, Math.max(kAbove + 4, y + 4));
            context.globalAlpha = 0.5;
            context.strokeRect(this.left, y, this.plotWidth, 0);
            context.globalAlpha = 1;
        }
        context.textAlign = "center";
        for (const tick of ticks(view.lo, view.hi, Math.max(2, Math.floor(this.plotWidth / 130)))) {
            const x = this.xOf(tick);
            const text = this.axis === recording.time ? timeText(tick) : countText(tick);
            const half = context.measureText(text).width / 2;
            if (tick >= 0 && x + half <= this.plot.clientWidth && isFree(x - half, x + half))
                context.fillText(text, x, kAbove + kPlotHeight + 17);
        }
        context.strokeRect(this.left - 0.5, kAbove + kPlotHeight + 0.5, this.plotWidth, 0);
    }

    /** The reserved memory as a line, and what the device had. @param {CanvasRenderingContext2D} context @param {string} dim */
    drawReserved(context, dim) {
        const { recording, raster, left, right } = this;
        const { reserved, head } = recording;
        const isKnown = reserved.length > 0;
        context.strokeStyle = context.fillStyle = dim;
        context.save();
        context.beginPath();
        context.rect(left, kAbove, this.plotWidth, kPlotHeight);
        context.clip();
        if (isKnown) {
            context.beginPath();
            for (let x = 0; x < raster.width; ++x)
                context.lineTo(left + (x + 0.5) * this.plotWidth / raster.width, this.yOf(reserved[raster.samples[x]]));
            context.stroke();
        }
        const y = Math.round(this.yOf(head.limit)) + 0.5;
        if (head.limit)
            dashedLine(context, left, y, right, y);
        context.restore();
        context.textAlign = "left";
        if (head.limit && y > kAbove + 14 && y < kAbove + kPlotHeight)
            context.fillText(bytesText(head.limit, recording.unit) + ", what the device had", left + 6, y - 5);
        const last = raster.samples[raster.width - 1];
        const end = isKnown ? this.yOf(reserved[last]) : 0;
        context.textAlign = "right";
        if (isKnown && end > kAbove + 14 && end < kAbove + kPlotHeight && reserved[last] > recording.total[last] * 1.1)
            context.fillText("reserved", right - 6, end - 5);
    }

    /**
     * Steps above the plot, numbers as far as they have room, and failures through it.
     * @param {CanvasRenderingContext2D} context @param {string} dim @param {string} bad
     */
    drawMarks(context, dim, bad) {
        const { left, right } = this;
        const { steps, failures } = this.recording.head;
        /** @param {{moment: number}} mark */
        const xOf = (mark) => Math.round(this.xOf(this.axis[mark.moment])) + 0.5;
        context.textAlign = "left";
        context.fillStyle = dim;
        let free = left;
        for (const step of steps) {
            const x = xOf(step);
            if (x < left || x > right + 1)
                continue;
            context.fillRect(x - 0.5, kAbove - 5, 1, 5);
            const text = "step " + step.number;
            if (x < free || x + context.measureText(text).width > right)
                continue;
            context.fillText(text, x, kAbove - 7);
            free = x + context.measureText(text).width + 12;
        }
        context.fillStyle = bad;
        for (const failure of failures) {
            const x = xOf(failure);
            if (x < left || x > right + 1)
                continue;
            const isRight = x > (left + right) / 2;
            context.fillRect(x - 0.5, kAbove, 1, kPlotHeight);
            context.textAlign = isRight ? "right" : "left";
            context.fillText("out of memory: " + bytesText(failure.requested, this.recording.unit) + " more", isRight ? x - 5 : x + 5, kAbove + 13);
        }
    }

    /** @param {CanvasRenderingContext2D} context @param {number} allocation @param {string} color @param {number} strength */
    drawOutline(context, allocation, color, strength) {
        if (allocation < 0)
            return;
        const { raster } = this;
        const across = this.plotWidth / raster.width;
        const up = kPlotHeight / raster.height;
        context.fillStyle = color;
        raster.forEachColumnOf(allocation, (x, from, to) => {
            const left = this.left + x * across;
            context.globalAlpha = strength;
            context.fillRect(left, kAbove + kPlotHeight - to * up, across, (to - from) * up);
            context.globalAlpha = 1;
            context.fillRect(left, kAbove + kPlotHeight - to * up - 1, across, 1);
            context.fillRect(left, kAbove + kPlotHeight - from * up, across, 1);
        });
    }

    /** @param {number} allocation @returns {string[]} */
    linesOf(allocation) {
        const { recording } = this;
        if (allocation === kOthers)
            return [bytesText(recording.others?.[this.cursor] ?? 0, recording.unit), countedText(recording.head.others, "smaller allocation")];
        const requested = recording.size[allocation] - recording.rounding[allocation];
        return [bytesText(requested, recording.unit) + " (" + countText(requested) + " bytes)",
            recording.head.categories[recording.category[allocation]].name, recording.siteText(recording.place[allocation]),
            recording.lifeText(allocation) + (recording.stream && recording.stream[allocation] ? ", stream " + recording.stream[allocation] : "")];
    }

    /** @param {number} x @param {number} y */
    showTip(x, y) {
        this.tip.hidden = this.shown === kNone;
        if (this.tip.hidden)
            return;
        this.tip.replaceChildren(...this.linesOf(this.shown).map((line) => element("div", {}, line)));
        placeTip(this.tip, this.plot, x, clamp(y, 0, kPlotHeight - 84));
    }

    /** What a screen reader says of the cursor and the allocation that is chosen. */
    say() {
        const { recording } = this;
        const chosen = this.shown >= 0 ? this.shown : this.pinned;
        this.spoken.textContent = bytesText(recording.total[this.cursor], recording.unit) + " in use at " + recording.momentText(this.cursor) +
            (chosen < 0 ? "" : ". " + (chosen === this.pinned ? "Pinned: " : "") + this.linesOf(chosen).join(", "));
    }

    showDetails() {
        const { recording } = this;
        this.details.hidden = this.pinned < 0;
        if (this.details.hidden)
            return;
        const [size, category, , life] = this.linesOf(this.pinned);
        const frames = recording.stackOf(recording.place[this.pinned]);
        this.details.replaceChildren(
            element("p", {}, this.swatchOf(this.pinned), element("b", {}, size), " · " + category + " · " + life + " ", actionButton("Release", () => this.pin(kNone))),
            frames.length ? element("ol", { "aria-label": "Stack, innermost frame first", tabindex: "0" }, ...frames.map((frame) => element("li", {}, frame)))
                : element("p", {}, recording.siteText(recording.place[this.pinned])));
    }

    fillTable() {
        const { recording } = this;
        const key = this.cursor + " " + this.search.value + " " + this.colorBy;
        if (key === this.tableKey)
            return;
        this.tableKey = key;
        const whole = recording.total[this.cursor];
        const live = recording.liveAfter(this.cursor).filter((at) => this.isWanted(at));
        const rows = recording.placesOf(live);
        const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
        const others = this.wanted ? 0 : recording.others?.[this.cursor] ?? 0;
        this.caption.textContent = "In use at " + recording.momentText(this.cursor) + ": " + bytesText(bytes + others, recording.unit) +
            " in " + countedText(live.length, "block") + (this.wanted ? " that match" : "") + (others ? " and smaller ones" : "");
        this.found.textContent = this.wanted ? countedText(this.wanted.reduce((sum, one) => sum + one, 0), "stack") + " match" : "";
        /** @param {number} size @param {string} count @param {...(Node | string)} text */
        const row = (size, count, ...text) => element("tr", {}, element("td", { class: "n" }, bytesText(size, recording.unit)),
            element("td", { class: "n" }, shareText(size, whole)), element("td", { class: "n" }, count), element("td", {}, ...text));
        const shown = rows.slice(0, kMostRows).map((each) => {
            const pin = actionButton(recording.siteText(each.place), () => this.pin(each.first), { class: "site", title: "Pin the oldest of these blocks" });
            return row(each.bytes, countText(each.count), this.swatchOf(each.first), pin);
        });
        const rest = rows.slice(kMostRows);
        if (rest.length)
            shown.push(row(rest.reduce((sum, each) => sum + each.bytes, 0), countText(rest.reduce((sum, each) => sum + each.count, 0)),
                countedText(rest.length, "other place")));
        if (others)
            shown.push(row(others, "", countedText(recording.head.others, "smaller allocation") + " in the recording"));
        this.rows.replaceChildren(...shown);
    }
}

/** @param {Record<string, string>} options */
function choice(options) {
    return element("select", {}, ...Object.entries(options).map(([value, text]) => element("option", { value }, text)));
}
