// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

const timeText = (/** @type {number} */ time) => amountText(time, "nanoseconds");
const kLaneHeight = 16;
const kLabelled = 40; // pixels that a slice needs for its name

/** What a profiler recorded: streams of devices and threads of the host as rows of slices. Things are slices. */
class Lanes extends Chart {
    margins = [84, 190];
    axisUnit = /** @type {Unit} */ ("nanoseconds");
    least = { x: 20, y: 4 };
    wanted = /** @type {boolean[] | null} */ (null); // by name

    /** @param {{head: PageDocument} & Columns} document */
    constructor({ head, numbers, texts }) {
        super(head);
        this.start = numbers.start;
        this.end = numbers.duration.map((duration, at) => this.start[at] + duration);
        this.name = numbers.name;
        this.category = numbers.category;
        this.names = texts.name;
        /** The first slice of each row, and of one more. */
        this.first = [0];
        numbers.slices.forEach((count, row) => this.first[row + 1] = this.first[row] + count);
        this.count = numbers.slices.length;
        this.height = clamp(this.count * kLaneHeight, 6 * kLaneHeight, 40 * kLaneHeight);
        this.whole = { lo: 0, hi: Math.max(1, head.span), yLo: 0, yHi: Math.max(this.count, 6) };
        const search = this.searching("Search names: operator, kernel or call", (text) => {
            this.wanted = text ? this.names.map((name) => name.toLowerCase().includes(text)) : null;
            this.schedule(true);
        });
        this.legend.append(...legendOf(head.categories.map(({ name, color, dark }) => ({ name, color: `light-dark(${color},${dark})` })), this.category));
        this.begin("Everything that was recorded over time", [search], ["#Total", "#Count", "#Longest", "Name"]);
    }

    cursorText() { return timeText(this.cursor); }
    yTicks() {
        return this.head.rows.map((text, row) => ({ at: this.count - row - 0.5, text: this.isTitle(row) ? "" : text })).filter(
            ({ at }) => at > this.view.yLo && at < this.view.yHi);
    }

    /** The slices [first, last) of a row that reach into a time. @param {number} row @param {number} from @param {number} to */
    slicesOf(row, from, to) {
        const [first, last] = [this.first[row], this.first[row + 1]];
        const begin = lowerBound(this.start, from, first, last);
        return [begin > first && this.end[begin - 1] > from ? begin - 1 : begin, lowerBound(this.start, to, begin, last)];
    }

    /** The longest slice of a row that reaches into a time. @param {number} row @param {number} from @param {number} to */
    longestOf(row, from, to) {
        let [at, end] = row >= 0 && row < this.count ? this.slicesOf(row, from, to) : [0, 0];
        let longest = kNone;
        for (; at < end; ++at) {
            if (longest < 0 || this.lengthOf(at) > this.lengthOf(longest))
                longest = at;
        }
        return longest;
    }

    /** Whether a row is the title of a section. @param {number} row */
    isTitle(row) { return this.first[row] === this.first[row + 1] && this.head.rows[row]; }
    lengthOf(/** @type {number} */ slice) { return this.end[slice] - this.start[slice]; }
    rowOf(/** @type {number} */ slice) { return this.first.findIndex((first) => first > slice) - 1; }

    hit(/** @type {number} */ x, /** @type {number} */ y) {
        this.cursor = Math.round(this.valueAt(x));
        return this.longestOf(Math.floor(this.count - this.heightAt(y)), this.valueAt(Math.floor(x)), this.valueAt(Math.floor(x) + 1));
    }

    /** Goes to the next slice of the row. @param {number} count */
    step(count) {
        const chosen = Math.max(0, this.chosen);
        const row = this.rowOf(chosen);
        const next = clamp(chosen + count, this.first[row], this.first[row + 1] - 1);
        this.goTo(this.start[next], next);
    }

    /** What runs at the cursor in the next row with anything. @param {number} direction */
    choose(direction) {
        const row = this.rowOf(Math.max(0, this.chosen));
        const rows = direction < 0 ? this.first.keys() : [...this.first.keys()].reverse();
        const there = [...rows].filter((each) => (each - row) * direction < 0).map((each) => this.longestOf(each, this.cursor, this.cursor + 1));
        return there.find((slice) => slice >= 0) ?? this.shown;
    }

    drawImage() {
        const { image, view, count, wanted, ink } = this;
        image.style.cssText = "transform:none";
        const context = clearedContext(image);
        const colors = this.head.categories.map(({ color, dark }) => ink.scheme === "dark" ? dark : color);
        const height = this.yOf(0) - this.yOf(1);
        context.beginPath();
        context.rect(this.left, kAbove, this.plotWidth, this.height);
        context.clip();
        for (let row = Math.max(0, Math.floor(count - view.yHi)); row < Math.min(count, count - view.yLo); ++row) {
            const y = this.yOf(count - row);
            let free = this.left; // a pixel shows the first slice in it
            const [begin, end] = this.slicesOf(row, view.lo, view.hi);
            context.fillStyle = ink.text;
            if (this.isTitle(row))
                context.fillText(this.head.rows[row], this.left + 4, y + height / 2 + 4);
            for (let at = begin; at < end; ++at) {
                const x = Math.max(free, Math.floor(this.xOf(this.start[at])));
                const to = Math.max(x + 1, Math.min(this.right, Math.floor(this.xOf(this.end[at]))));
                if (this.xOf(this.end[at]) <= free && free > this.left)
                    continue;
                const isFaint = wanted && !wanted[this.name[at]];
                context.fillStyle = isFaint ? ink.line : colors[this.category[at]];
                context.fillRect(x, y, to - x - (to - x > 3 ? 1 : 0), height - (height > 6 ? 1 : 0));
                free = to;
                if (to - x < kLabelled || height < 12 || isFaint)
                    continue;
                context.fillStyle = textOn(colors[this.category[at]]);
                context.fillText(this.names[this.name[at]].slice(0, (to - x - 8) / 6), x + 4, y + height / 2 + 4, to - x - 7);
            }
        }
    }

    drawContent(/** @type {CanvasRenderingContext2D} */ context) {
        context.strokeStyle = this.ink.text;
        context.lineWidth = 2;
        for (const slice of [this.shown, this.pinned].filter((each) => each >= 0)) {
            const [x, to] = [this.xOf(this.start[slice]), this.xOf(this.end[slice])];
            context.strokeRect(x, this.yOf(this.count - this.rowOf(slice)), Math.max(1, to - x), this.yOf(0) - this.yOf(1));
        }
        context.lineWidth = 1;
    }

    linesOf(/** @type {number} */ slice) {
        const length = this.lengthOf(slice);
        return [this.names[this.name[slice]], `${timeText(length)} (${countText(length)} ns) from ${timeText(this.start[slice])}`,
            this.head.categories[this.category[slice]].name];
    }

    /** The names that take most time in the view, once it rests. */
    fillTable() {
        const { lo, hi } = this.view;
        if (this.isMoving)
            return;
        this.show([lo, hi, this.search.value].join(" "), () => {
            /** @type {{total: number, count: number, longest: number}[]} */
            const rows = this.names.map(() => ({ total: 0, count: 0, longest: kNone }));
            for (let row = 0; row < this.count; ++row) {
                const [begin, end] = this.slicesOf(row, lo, hi);
                for (let at = begin; at < end; ++at) {
                    const each = rows[this.name[at]];
                    each.total += this.lengthOf(at);
                    ++each.count;
                    each.longest = each.longest < 0 || this.lengthOf(at) > this.lengthOf(each.longest) ? at : each.longest;
                }
            }
            const shown = rows.filter(({ count }, name) => count && (!this.wanted || this.wanted[name])).sort((one, other) => other.total - one.total);
            this.found.textContent = this.wanted ? countedText(sumOf(shown, "count"), "slice") + " match" : "";
            return {
                caption: `From ${timeText(lo)} to ${timeText(hi)}: ${countedText(sumOf(shown, "count"), "slice")}, the names with most time`,
                rows: shown.slice(0, kMostRows).map((each) => tableRow(
                    [timeText(each.total), countText(each.count), timeText(this.lengthOf(each.longest))],
                    [actionButton(this.names[this.name[each.longest]], () => this.pin(each.longest), { class: "site", title: "Pin the longest of these" })])),
            };
        });
    }
}
