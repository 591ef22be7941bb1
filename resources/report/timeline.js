// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

/** Milliseconds of a raster, above which the next one has fewer columns while the view moves. */
const kSlow = 6;

/** The timeline of a recording: its live allocations over time. Things are allocations. */
class Timeline extends Chart {
    axisChoice = choice({ event: "Events", time: "Time" });
    colorChoice = choice({ place: "Places", category: "Categories" });
    together = 1; // columns that show the same while the view moves
    /** Into the colours. @type {Map<number, number>} */
    colorOfSite = new Map();
    /** @type {string[]} */
    colors = [];
    /** By place. @type {Uint8Array | null} */
    wanted = null;

    /** @param {Recording} recording */
    constructor(recording) {
        super();
        const { head } = recording;
        this.recording = recording;
        this.raster = new Raster(recording);
        this.axis = recording.event;
        this.cursor = recording.peak;
        this.unit = head.unit;
        const reserved = recording.reserved.reduce((most, each) => Math.max(most, each), 0);
        this.whole.yHi = Math.max(1, recording.total[recording.peak], head.limit, reserved) * 1.06;
        this.useAxis();
        this.colorChoice.value = head.colorBy;
        const axis = element("label", {}, "Axis ", this.axisChoice);
        axis.hidden = !head.timed;
        this.search.placeholder = "Search stacks";
        this.search.setAttribute("aria-label", "Search stacks: function, file or line");
        this.search.addEventListener("input", () => {
            this.wanted = recording.placesWith(this.search.value);
            this.color();
        });
        this.axisChoice.addEventListener("change", () => {
            this.useAxis();
            this.showAll();
        });
        this.colorChoice.addEventListener("change", () => this.color());
        this.begin("Memory in use over time", [this.search, axis, element("label", {}, "Colours ", this.colorChoice)],
            ["#Size", "#Share", "#Blocks", "Allocated in"]);
        if (head.others)
            this.plot.after(element("p", { class: "aside" }, "The page has the " +
                countedText(head.allocations - head.others, "largest allocation") + " of " + countText(head.allocations) +
                ". The grey band at the bottom is the sum of " + countedText(head.others, "smaller one") + "."));
        this.color();
    }

    useAxis() {
        const { recording } = this;
        this.axis = this.axisChoice.value === "time" && recording.time || recording.event;
        this.whole.lo = this.axis[0];
        this.whole.hi = Math.max(this.axis[recording.moments - 1], this.axis[0] + 1);
    }

    get position() { return this.axis[this.cursor]; }
    cursorText() { return this.recording.momentText(this.cursor); }
    xTicks() {
        return unitTicks(this.view.lo, this.view.hi, Math.max(2, Math.floor(this.plotWidth / 130)),
            this.axis === this.recording.time ? "time" : "count").filter(({ at }) => at >= 0);
    }

    /** @param {number} x @param {number} y */
    hit(x, y) {
        const { raster } = this;
        const column = clamp(Math.floor((x - this.left) / this.plotWidth * raster.width), 0, raster.width - 1);
        this.cursor = raster.samples[column];
        return raster.at(column, Math.floor((kAbove + this.height - y) / this.height * raster.height));
    }

    /** @param {number} columns */
    step(columns) {
        const { samples, width } = this.raster;
        if (!Number.isFinite(columns))
            return this.goTo(columns < 0 ? 0 : this.recording.last);
        let next = Math.max(0, lowerBound(samples, this.cursor + 1) - 1) + columns;
        while (next > 0 && next < width - 1 && samples[next] === this.cursor)
            next += columns;
        if (next < 0 || next >= width)
            this.pan(columns / 10);
        else
            this.goTo(samples[next]);
    }

    /** Goes up or down to the next allocation of those that match the search. @param {number} direction */
    choose(direction) {
        const live = this.recording.liveAfter(this.cursor).filter((at) => this.isWanted(at));
        const at = live.indexOf(this.shown < 0 ? this.pinned : this.shown);
        return live[at < 0 && direction < 0 ? live.length - 1 : clamp(at + direction, 0, live.length - 1)] ?? kNone;
    }

    /** @param {number} allocation */
    isWanted(allocation) {
        return !this.wanted || this.wanted[this.recording.place[allocation]] === 1;
    }

    /** Gives every allocation its colour, of its category or its place; a faint one if the search leaves it out. */
    color() {
        const { recording, raster, colorOfSite } = this;
        const { categories, seriesColors } = recording.head;
        const isOfPlace = this.colorChoice.value === "place";
        this.colors = isOfPlace ? seriesColors : categories.map((/** @type {NamedColor} */ one) => one.color);
        // The places with most bytes at the peak take the colours in turn, then the others.
        const atPeak = colorOfSite.size ? [] : recording.placesOf(recording.liveAfter(recording.peak));
        for (const site of [...atPeak.map(({ place }) => recording.placeSite[place]), ...recording.placeSite]) {
            if (!colorOfSite.has(site))
                colorOfSite.set(site, colorOfSite.size % seriesColors.length);
        }
        for (let at = 0; at < recording.count; ++at)
            raster.colorOf[at] = this.isWanted(at) ? this.colorIndex(at) : this.colors.length;
        this.legend.replaceChildren(...legendOf(categories, isOfPlace ? [] : recording.category));
        this.refresh();
    }

    /** @param {number} allocation */
    colorIndex(allocation) {
        const { recording } = this;
        return this.colorChoice.value === "category" ? recording.category[allocation]
            : this.colorOfSite.get(recording.placeSite[recording.place[allocation]]) ?? 0;
    }

    drawImage() {
        const { raster, image } = this;
        const width = Math.round(this.plotWidth * pixelRatio());
        const height = Math.round(this.height * pixelRatio());
        raster.resize(width, height);
        raster.setPalette([...this.colors, this.ink.line]);
        raster.othersColor = pixelOf(this.ink.others);
        const began = performance.now();
        raster.fill(this.axis, this.view, this.isMoving ? this.together : 1);
        const took = performance.now() - began;
        if (this.isMoving && (took > kSlow || took < kSlow / 4))
            this.together = clamp(this.together * (took > kSlow ? 2 : 0.5), 1, 8);
        // A line of the image is a column of the plot, from below: it lies on its side.
        Object.assign(image, { width: height, height: width });
        image.style.cssText = `left:${this.left}px;top:${kAbove + this.height}px;width:${this.height}px;height:${this.plotWidth}px`;
        image.getContext("2d")?.putImageData(new ImageData(new Uint8ClampedArray(raster.colors.buffer), height, width), 0, 0);
    }

    /** The reserved memory as a line, what the device had, and the allocations that are shown. @param {CanvasRenderingContext2D} context */
    drawContent(context) {
        const { recording, raster, right, ink } = this;
        const { reserved, head } = recording;
        context.strokeStyle = context.fillStyle = ink.dim;
        if (reserved.length) {
            context.beginPath();
            for (let x = 0; x < raster.width; ++x)
                context.lineTo(this.left + (x + 0.5) * this.plotWidth / raster.width, this.yOf(reserved[raster.samples[x]]));
            context.stroke();
            const last = raster.samples[raster.width - 1];
            context.textAlign = "right";
            if (reserved[last] > recording.total[last] * 1.1)
                context.fillText("reserved", right - 6, this.yOf(reserved[last]) - 5);
        }
        if (head.limit)
            this.drawLimit(context, head.limit, amountText(head.limit, this.unit) + ", what the device had");
        this.drawOutline(context, this.shown, 0.3);
        this.drawOutline(context, this.pinned, 0.6);
    }

    /** Steps above the plot, numbers as far as they have room, and failures through it. @param {CanvasRenderingContext2D} context */
    drawMarks(context) {
        const { left, right, ink } = this;
        const { steps, failures } = this.recording.head;
        /** @param {{moment: number}} mark */
        const xOf = (mark) => Math.round(this.xOf(this.axis[mark.moment])) + 0.5;
        drawNames(context, left, right, steps.map((/** @type {{moment: number, number: number}} */ step) => ({ x: xOf(step), text: "step " + step.number })));
        context.fillStyle = ink.bad;
        for (const failure of failures) {
            const x = xOf(failure);
            if (x < left || x > right + 1)
                continue;
            const isRight = x > (left + right) / 2;
            context.fillRect(x - 0.5, kAbove, 1, this.height);
            context.textAlign = isRight ? "right" : "left";
            context.fillText("out of memory: " + amountText(failure.requested, this.unit) + " more", isRight ? x - 5 : x + 5, kAbove + 13);
        }
    }

    /** @param {CanvasRenderingContext2D} context @param {number} allocation @param {number} strength */
    drawOutline(context, allocation, strength) {
        const { raster } = this;
        const across = this.plotWidth / raster.width;
        const up = this.height / raster.height;
        context.fillStyle = this.ink.text;
        raster.forEachColumnOf(allocation, (x, from, to) => {
            const left = this.left + x * across;
            context.globalAlpha = strength;
            context.fillRect(left, kAbove + this.height - to * up, across, (to - from) * up);
            context.globalAlpha = 1;
            context.fillRect(left, kAbove + this.height - to * up - 1, across, 1);
            context.fillRect(left, kAbove + this.height - from * up, across, 1);
        });
    }

    /** @param {number} allocation */
    linesOf(allocation) {
        const { recording } = this;
        if (allocation === kOthers)
            return [amountText(recording.others[this.cursor], this.unit), countedText(recording.head.others, "smaller allocation")];
        const requested = recording.size[allocation] - recording.rounding[allocation];
        return [amountText(requested, this.unit) + " (" + countText(requested) + " bytes)",
            recording.head.categories[recording.category[allocation]].name, recording.siteText(recording.place[allocation]),
            recording.lifeText(allocation) + (recording.stream?.[allocation] ? ", stream " + recording.stream[allocation] : "")];
    }

    /** What a screen reader says of the cursor and the allocation that is chosen. */
    spokenText() {
        const chosen = this.shown >= 0 ? this.shown : this.pinned;
        return amountText(this.recording.total[this.cursor], this.unit) + " in use at " + this.cursorText() +
            (chosen < 0 ? "" : ". " + (chosen === this.pinned ? "Pinned: " : "") + this.linesOf(chosen).join(", "));
    }

    /** @param {number} allocation */
    detailsOf(allocation) {
        const [size, category, site, life] = this.linesOf(allocation);
        const frames = this.recording.stackOf(this.recording.place[allocation]);
        return [element("p", {}, swatch(this.colors[this.colorIndex(allocation)]), element("b", {}, size), " · " + category + " · " + life),
            frames.length ? element("ol", { "aria-label": "Stack, innermost frame first", tabindex: "0" }, ...frames.map((frame) => element("li", {}, frame)))
                : element("p", {}, site)];
    }

    fillTable() {
        const { recording, unit } = this;
        this.show(this.cursor + " " + this.search.value + " " + this.colorChoice.value, () => {
            const whole = recording.total[this.cursor];
            const live = recording.liveAfter(this.cursor).filter((at) => this.isWanted(at));
            const places = recording.placesOf(live);
            const others = this.wanted ? 0 : recording.others?.[this.cursor] ?? 0;
            const total = sumOf(places, "bytes") + others;
            this.found.textContent = this.wanted ? countedText(this.wanted.reduce((sum, one) => sum + one, 0), "stack") + " match" : "";
            /** @param {number} size @param {string} count @param {...(Node | string)} text */
            const row = (size, count, ...text) => tableRow([amountText(size, unit), shareText(size, whole), count], text);
            const rows = places.slice(0, kMostRows).map((each) => row(each.bytes, countText(each.count), swatch(this.colors[this.colorIndex(each.first)]),
                actionButton(recording.siteText(each.place), () => this.pin(each.first), { class: "site", title: "Pin the oldest of these blocks" })));
            const rest = places.slice(kMostRows);
            if (rest.length)
                rows.push(row(sumOf(rest, "bytes"), countText(sumOf(rest, "count")), countedText(rest.length, "other place")));
            if (others)
                rows.push(row(others, "", countedText(recording.head.others, "smaller allocation") + " in the recording"));
            return {
                caption: "In use at " + this.cursorText() + ": " + amountText(total, unit) + " in " + countedText(live.length, "block") +
                    (this.wanted ? " that match" : "") + (others ? " and smaller ones" : ""), rows,
            };
        });
    }
}
