// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

/** Milliseconds that a raster takes, above which it has fewer columns while the view moves. */
const kSlow = 10;

/** The timeline of a recording: its live allocations over time. Things are allocations. */
class Timeline extends Chart {
    axisChoice = choice({ event: "Events", time: "Time" });
    colorChoice = choice({ place: "Places", category: "Categories" });
    isSlow = false; // to fill the raster
    colorOfSite = /** @type {Map<number, number>} */ (new Map()); // into the colours
    colors = /** @type {string[]} */ ([]);
    wanted = /** @type {Uint8Array | null} */ (null); // by place

    constructor(/** @type {Recording} */ recording) {
        const { head } = recording;
        super(head);
        this.recording = recording;
        this.raster = new Raster(recording);
        this.axis = recording.event;
        this.cursor = recording.peak;
        const reserved = recording.reserved.reduce((most, each) => Math.max(most, each), 0);
        this.whole.yHi = Math.max(1, recording.total[recording.peak], head.limit, reserved) * 1.06;
        this.useAxis();
        this.colorChoice.value = head.colorBy;
        const axis = element("label", {}, "Axis ", this.axisChoice);
        axis.hidden = !head.timed;
        const search = this.searching("Search stacks: function, file or line", (text) => {
            this.wanted = recording.placesWith(text);
            this.color();
        });
        this.axisChoice.addEventListener("change", () => {
            this.useAxis();
            this.look(this.whole);
        });
        this.colorChoice.addEventListener("change", () => this.color());
        this.begin("Memory in use over time", [search, axis, element("label", {}, "Colours ", this.colorChoice)],
            ["#Size", "#Share", "#Blocks", "Allocated in"]);
        this.color();
    }

    useAxis() {
        const isTime = this.axisChoice.value === "time";
        this.axis = isTime ? this.recording.time : this.recording.event;
        this.axisUnit = isTime ? "time" : "count";
        this.whole.lo = this.axis[0];
        this.whole.hi = Math.max(this.axis[this.axis.length - 1], this.axis[0] + 1);
    }

    positionOf(/** @type {number} */ moment) { return this.axis[moment]; }
    cursorText() { return this.recording.momentText(this.cursor); }
    statusText() { return amountText(this.recording.total[this.cursor], this.unit) + " in use at " + this.cursorText(); }

    hit(/** @type {number} */ x, /** @type {number} */ y) {
        const { raster } = this;
        const column = clamp(Math.floor((x - this.left) / this.plotWidth * raster.width), 0, raster.width - 1);
        this.cursor = raster.samples[column];
        return raster.at(column, Math.floor((kAbove + this.height - y) / this.height * raster.height));
    }

    step(/** @type {number} */ columns) {
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

    choose(/** @type {number} */ direction) {
        const live = this.recording.liveAfter(this.cursor).filter((at) => this.isWanted(at));
        const at = live.indexOf(this.chosen);
        return live[at < 0 && direction < 0 ? live.length - 1 : clamp(at + direction, 0, live.length - 1)] ?? kNone;
    }

    isWanted(/** @type {number} */ allocation) { return !this.wanted || this.wanted[this.recording.place[allocation]] === 1; }

    /** Gives every allocation its colour, of its category or its place; a faint one if the search leaves it out. */
    color() {
        const { recording, raster, colorOfSite } = this;
        const { categories, seriesColors } = this.head;
        const isOfPlace = this.colorChoice.value === "place";
        this.colors = isOfPlace ? seriesColors : categories.map(({ color }) => color);
        // The places with most bytes at the peak take the colours in turn, then the others.
        const atPeak = colorOfSite.size ? [] : recording.placesOf(recording.liveAfter(recording.peak));
        for (const site of [...atPeak.map(({ place }) => recording.placeSite[place]), ...recording.placeSite]) {
            if (!colorOfSite.has(site))
                colorOfSite.set(site, colorOfSite.size % seriesColors.length);
        }
        for (let at = 0; at < recording.count; ++at)
            raster.colorOf[at] = this.isWanted(at) ? this.colorIndex(at) : this.colors.length;
        this.legend.replaceChildren(...legendOf(categories, isOfPlace ? [] : recording.category));
        this.schedule(true);
    }

    colorIndex(/** @type {number} */ allocation) {
        const { recording } = this;
        return this.colorChoice.value === "category" ? recording.category[allocation]
            : this.colorOfSite.get(recording.placeSite[recording.place[allocation]]) ?? 0;
    }

    drawImage() {
        const { raster, image } = this;
        const width = Math.round(this.plotWidth * pixelRatio());
        const height = Math.round(this.height * pixelRatio());
        raster.prepare(width, height, [...this.colors, this.ink.line]);
        raster.othersColor = pixelOf(this.ink.others);
        const began = performance.now();
        const together = this.isMoving && this.isSlow ? 4 : 1;
        raster.fill(this.axis, this.view, together);
        this.isSlow = (performance.now() - began) * together > kSlow;
        // A line of the image is a column of the plot, from below: it lies on its side.
        Object.assign(image, { width: height, height: width });
        image.style.cssText = `left:${this.left}px;top:${kAbove + this.height}px;width:${this.height}px;height:${this.plotWidth}px`;
        image.getContext("2d")?.putImageData(new ImageData(new Uint8ClampedArray(raster.colors.buffer), height, width), 0, 0);
    }

    /** The reserved memory as a line, what the device had, the allocations that are shown, and failures. */
    drawContent(/** @type {CanvasRenderingContext2D} */ context) {
        const { recording, raster, left, right, ink, head } = this;
        const { reserved } = recording;
        context.strokeStyle = context.fillStyle = ink.dim;
        if (reserved.length) {
            context.beginPath();
            for (let x = 0; x < raster.width; ++x)
                context.lineTo(left + (x + 0.5) * this.plotWidth / raster.width, this.yOf(reserved[raster.samples[x]]));
            context.stroke();
            const last = raster.samples[raster.width - 1];
            context.textAlign = "right";
            if (reserved[last] > recording.total[last] * 1.1)
                context.fillText("reserved", right - 6, this.yOf(reserved[last]) - 5);
        }
        const y = Math.round(this.yOf(head.limit)) + 0.5;
        if (head.limit)
            dashedLine(context, left, y, right - left, 0);
        context.textAlign = "left";
        if (head.limit && y > kAbove + 14)
            context.fillText(amountText(head.limit, this.unit) + ", what the device had", left + 6, y - 5);
        this.drawOutline(context, this.shown, 0.3);
        this.drawOutline(context, this.pinned, 0.6);
        context.fillStyle = ink.bad;
        for (const { moment, requested } of head.failures) {
            const x = Math.round(this.xOf(this.axis[moment])) - 0.5;
            const isRight = x > (left + right) / 2;
            context.fillRect(x, kAbove, 1, this.height);
            context.textAlign = isRight ? "right" : "left";
            context.fillText("out of memory: " + amountText(requested, this.unit) + " more", isRight ? x - 5 : x + 6, kAbove + 13);
        }
    }

    drawOutline(/** @type {CanvasRenderingContext2D} */ context, /** @type {number} */ allocation, /** @type {number} */ strength) {
        if (allocation < 0)
            return;
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

    linesOf(/** @type {number} */ allocation) {
        const { recording } = this;
        if (allocation === kOthers)
            return [amountText(recording.others[this.cursor], this.unit), countedText(this.head.others, "smaller allocation")];
        const requested = recording.size[allocation] - recording.rounding[allocation];
        return [amountText(requested, this.unit) + " (" + countText(requested) + " bytes)",
            this.head.categories[recording.category[allocation]].name, recording.siteText(recording.place[allocation]),
            recording.lifeText(allocation) + (recording.stream?.[allocation] ? ", stream " + recording.stream[allocation] : "")];
    }

    detailsOf(/** @type {number} */ allocation) {
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
                rows.push(row(others, "", countedText(this.head.others, "smaller allocation") + " in the recording"));
            return {
                caption: "In use at " + this.cursorText() + ": " + amountText(total, unit) + " in " + countedText(live.length, "block") +
                    (this.wanted ? " that match" : "") + (others ? " and smaller ones" : ""), rows,
            };
        });
    }
}
