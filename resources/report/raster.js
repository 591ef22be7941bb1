// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

const kOthers = -2;
/** Shades of a colour in per cent: neighbours differ, and tall bands have a darker upper edge. */
const kShades = [100, 96, 89, 83];
const kEdgedRows = 4;

/** The live allocations after a moment, stacked by birth. It moves forward in time, which costs what lies above the lowest change. */
class LiveStack {
    constructor(/** @type {Recording} */ recording) {
        this.recording = recording;
        this.live = new Int32Array(recording.count);
        this.deaths = new Int32Array(recording.count);
        this.tops = new Float64Array(recording.count);
        this.size = 0;
        this.unborn = 0;
    }

    /** Moves on, and returns the lowest position that changed. @param {number} moment */
    advance(moment) {
        const { live, deaths, size, recording } = this;
        let lowest = 0;
        while (lowest < size && deaths[lowest] > moment)
            ++lowest;
        this.size = lowest;
        for (let at = lowest; at < size; ++at) {
            if (deaths[at] > moment)
                this.push(live[at]);
        }
        for (const at of recording.liveAfter(moment, this.unborn))
            this.push(at);
        this.unborn = Math.max(this.unborn, recording.firstBornAfter(moment));
        return lowest;
    }

    push(/** @type {number} */ allocation) {
        this.live[this.size] = allocation;
        this.deaths[this.size] = this.recording.death[allocation];
        this.tops[this.size] = (this.size ? this.tops[this.size - 1] : 0) + this.recording.size[allocation];
        ++this.size;
    }
}

/** The timeline in pixels. A column shows the moment in it with most bytes in use, so that no peak is lost; a row shows the
 *  allocation with its lowest byte. The same raster answers what a pixel shows. */
class Raster {
    width = 0;
    height = 0;
    ids = new Int32Array(); // by column, rows from below: an allocation, kNone or kOthers
    colors = new Uint32Array();
    samples = new Int32Array(); // the moment that each column shows
    column = new Int32Array();
    shades = new Uint32Array();
    palette = new Uint32Array(); // kShades of each colour
    othersColor = 0;

    constructor(/** @type {Recording} */ recording) {
        this.recording = recording;
        this.stack = new LiveStack(recording);
        this.colorOf = new Uint8Array(recording.count); // into the colours of the palette
    }

    /** @param {number} width @param {number} height @param {string[]} colors as "#rrggbb" */
    prepare(width, height, colors) {
        this.palette = Uint32Array.from(colors.flatMap((color) => kShades.map((share) => pixelOf(color, share))));
        if (this.width === width && this.height === height)
            return;
        Object.assign(this, { width, height });
        this.ids = new Int32Array(width * height);
        this.colors = new Uint32Array(width * height);
        this.samples = new Int32Array(width);
        this.column = new Int32Array(height);
        this.shades = new Uint32Array(height);
    }

    /** @param {Float64Array} axis of moments @param {View} view @param {number} together columns that show the same */
    fill(axis, view, together) {
        const { width, height, stack, recording } = this;
        this.column.fill(kNone);
        this.shades.fill(0);
        stack.size = stack.unborn = 0;
        const step = (view.hi - view.lo) / width;
        const bytesOfRow = (view.yHi - view.yLo) / height;
        let [others, top] = [0, 0]; // the rows in use
        for (let x = 0; x < width; x += together) {
            const end = Math.min(width, x + together);
            const moment = recording.sampleOf(axis, view.lo + x * step, view.lo + end * step);
            const below = recording.others?.[moment] ?? 0;
            const changed = Math.min(stack.advance(moment), below === others ? Infinity : 0);
            others = below;
            const from = changed > 0 ? others + stack.tops[changed - 1] : 0;
            const row = clamp(Math.ceil((from - view.yLo) / bytesOfRow), 0, height);
            top = this.fillColumn(row, top, changed, view.yLo, bytesOfRow, others);
            for (let each = x; each < end; ++each) {
                this.samples[each] = moment;
                this.ids.set(this.column, each * height);
                this.colors.set(this.shades, each * height);
            }
        }
    }

    /** Fills the rows of a column from `row` up; returns the height in use, which was `before`.
     *  @param {number} row @param {number} before @param {number} position in the stack, of the lowest that may show at `row`
     *  @param {number} yLo @param {number} bytesOfRow @param {number} others */
    fillColumn(row, before, position, yLo, bytesOfRow, others) {
        const { stack, height, palette, colorOf, column, shades } = this;
        const { tops, live, size } = stack;
        for (; row < height && yLo + row * bytesOfRow < others; ++row) {
            column[row] = kOthers;
            shades[row] = this.othersColor;
        }
        while (row < height) {
            const byte = yLo + row * bytesOfRow - others;
            while (position + 32 < size && tops[position + 32] <= byte)
                position += 32;
            while (position < size && tops[position] <= byte)
                ++position;
            if (position >= size)
                break;
            const end = clamp(Math.ceil((tops[position] + others - yLo) / bytesOfRow), row + 1, height);
            const allocation = live[position];
            const shade = colorOf[allocation] * kShades.length + (allocation & 1);
            const isEdged = end - row >= kEdgedRows && end < height;
            // Not by fill(), whose call takes longer than the few rows of most allocations.
            for (; row < end; ++row) {
                column[row] = allocation;
                shades[row] = palette[shade];
            }
            if (isEdged)
                shades[end - 1] = palette[shade + 2];
        }
        column.fill(kNone, row, Math.max(row, before));
        shades.fill(0, row, Math.max(row, before));
        return row;
    }

    /** @param {number} x @param {number} row from below */
    at(x, row) { return x < 0 || x >= this.width || row < 0 || row >= this.height ? kNone : this.ids[x * this.height + row]; }

    /** The rows [from, to) of an allocation in each of the columns that show it.
     *  @param {number} allocation @param {(x: number, from: number, to: number) => void} visit */
    forEachColumnOf(allocation, visit) {
        const { birth, death } = this.recording;
        for (let x = 0; x < this.width; ++x) {
            if (this.samples[x] < birth[allocation] || this.samples[x] >= death[allocation])
                continue;
            const column = this.ids.subarray(x * this.height, (x + 1) * this.height);
            const from = column.indexOf(allocation);
            if (from < 0)
                continue;
            let to = from;
            while (column[to] === allocation)
                ++to;
            visit(x, from, to);
        }
    }
}
