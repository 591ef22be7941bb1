// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

/** The allocations of a recording and what is computed from them once. */
class Recording {
    /** @param {PageDocument} head @param {Columns} columns */
    constructor(head, columns) {
        /** @param {string} name */
        const numbers = (name) => /** @type {Float64Array} */ (columns.get(name) ?? new Float64Array());
        this.head = head;
        /** @type {"binary" | "decimal"} */
        this.unit = head.unit;
        this.event = numbers("event");
        this.time = head.timed ? numbers("time") : null;
        this.reserved = numbers("reserved");
        this.others = columns.has("others") ? numbers("others") : null;
        this.birth = Int32Array.from(numbers("birth"));
        this.death = Int32Array.from(numbers("life"), (life, at) => this.birth[at] + life);
        this.size = numbers("size");
        this.rounding = numbers("rounding");
        this.category = Uint8Array.from(numbers("category"));
        this.place = Uint32Array.from(numbers("place"));
        this.stream = columns.has("stream") ? numbers("stream") : null;
        this.placeNode = numbers("place_node");
        this.placeSite = numbers("place_site");
        this.nodeCaller = numbers("node_caller");
        this.nodeFrame = numbers("node_frame");
        const texts = /** @type {string[]} */ (columns.get("texts") ?? []);
        this.texts = texts;
        const files = numbers("frame_file");
        const lines = numbers("frame_line");
        /** "name  file:line" of each frame. */
        this.frames = Array.from(numbers("frame_name"), (name, at) =>
            texts[name] + (/^[?]*$/.test(texts[files[at]]) ? "" : "  " + texts[files[at]] + (lines[at] > 0 ? ":" + lines[at] : "")));
        /** Moments; the last is the end, after which nothing is drawn. */
        this.moments = this.event.length;
        this.last = Math.max(0, this.moments - 2);
        this.total = this.totals();
        this.highest = highestOf(this.total);
        this.latest = highestOf(this.death);
        this.peak = this.highestMoment(0, this.last);
    }

    get count() { return this.birth.length; }

    /** Bytes in use after each moment. */
    totals() {
        const total = new Float64Array(this.moments);
        for (let at = 0; at < this.count; ++at) {
            total[this.birth[at]] += this.size[at];
            total[this.death[at]] -= this.size[at];
        }
        for (let at = 1; at < total.length; ++at)
            total[at] += total[at - 1];
        if (this.others) {
            for (let at = 0; at < total.length; ++at)
                total[at] += this.others[at];
        }
        return total;
    }

    /** The moment of [first, last] with most bytes in use. @param {number} first @param {number} last */
    highestMoment(first, last) {
        const tree = this.highest;
        let best = first;
        /** @param {number} at */
        const consider = (at) => {
            const more = this.total[at] - this.total[best];
            if (more > 0 || more === 0 && at < best)
                best = at;
        };
        for (let low = first + tree.length / 2, high = last + 1 + tree.length / 2; low < high; low >>= 1, high >>= 1) {
            if (low & 1)
                consider(tree[low++]);
            if (high & 1)
                consider(tree[--high]);
        }
        return best;
    }

    /** Index of the first allocation that is born after a moment. @param {number} moment */
    firstBornAfter(moment) {
        return lowerBound(this.birth, moment + 1);
    }

    /**
     * Calls `visit` for each of [first, last) that lives after `moment`, in order of birth: in time
     * proportional to the answer.
     * @param {number} moment @param {number} first @param {number} last @param {(allocation: number) => void} visit
     */
    forEachDyingAfter(moment, first, last, visit) {
        const tree = this.latest;
        const leaves = tree.length / 2;
        /** @param {number} node @param {number} from @param {number} to */
        const descend = (node, from, to) => {
            if (from >= last || to <= first || this.death[tree[node]] <= moment)
                return;
            if (node >= leaves)
                return visit(from);
            const middle = (from + to) >> 1;
            descend(2 * node, from, middle);
            descend(2 * node + 1, middle, to);
        };
        if (first < last)
            descend(1, 0, leaves);
    }

    /** The most allocations that live at once. */
    mostLive() {
        const change = new Int32Array(this.moments);
        for (let at = 0; at < this.count; ++at) {
            ++change[this.birth[at]];
            --change[this.death[at]];
        }
        let live = 0;
        return change.reduce((most, each) => Math.max(most, live += each), 0);
    }

    /** @param {number} moment */
    liveAfter(moment) {
        /** @type {number[]} */
        const live = [];
        this.forEachDyingAfter(moment, 0, this.firstBornAfter(moment), (at) => live.push(at));
        return live;
    }

    /** The places of those allocations, the most bytes first. @param {number[]} allocations */
    placesOf(allocations) {
        /** @type {Map<number, {place: number, bytes: number, count: number, first: number}>} */
        const rows = new Map();
        for (const at of allocations) {
            const site = this.placeSite[this.place[at]];
            const row = rows.get(site);
            if (row) {
                row.bytes += this.size[at];
                ++row.count;
            } else {
                rows.set(site, { place: this.place[at], bytes: this.size[at], count: 1, first: at });
            }
        }
        return [...rows.values()].sort((one, other) => other.bytes - one.bytes);
    }

    /** @param {number} place */
    siteText(place) {
        return this.texts[this.placeSite[place]];
    }

    /** The frames of a place, innermost first. @param {number} place */
    stackOf(place) {
        const frames = [];
        for (let node = this.placeNode[place]; node > 0; node = this.nodeCaller[node - 1])
            frames.push(this.frames[this.nodeFrame[node - 1]]);
        return frames;
    }

    /**
     * Which places have a frame, or a site, with a text in it; null for no text.
     * @param {string} text @returns {Uint8Array | null}
     */
    placesWith(text) {
        const wanted = text.trim().toLowerCase();
        if (!wanted)
            return null;
        const frames = this.frames.map((frame) => frame.toLowerCase().includes(wanted));
        const nodes = new Uint8Array(this.nodeCaller.length + 1);
        for (let at = 0; at < this.nodeCaller.length; ++at)
            nodes[at + 1] = frames[this.nodeFrame[at]] || nodes[this.nodeCaller[at]] ? 1 : 0;
        return Uint8Array.from(this.placeNode, (node, place) =>
            nodes[node] || this.siteText(place).toLowerCase().includes(wanted) ? 1 : 0);
    }

    /** @param {number} moment */
    momentText(moment) {
        if (this.event[moment] < 0)
            return "before the first event";
        return "event " + countText(this.event[moment]) + (this.time ? " (" + timeText(this.time[moment]) + ")" : "");
    }

    /** @param {number} allocation */
    lifeText(allocation) {
        const birth = this.birth[allocation];
        const death = this.death[allocation];
        const open = this.event[birth] < 0 || death === this.moments - 1;
        const from = this.event[birth] < 0 ? "before the recording" : "event " + countText(this.event[birth]);
        const to = death === this.moments - 1 ? "the end" : countText(this.event[death]);
        const time = this.time ? " (" + (open ? "≥ " : "") + timeText(this.time[death] - this.time[birth]) + ")" : "";
        return from + " → " + to + time;
    }
}

/**
 * The first index whose value is at least `value`, in ascending values.
 * @param {ArrayLike<number>} values @param {number} value
 */
function lowerBound(values, value) {
    let low = 0;
    let high = values.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (values[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/** A tree of the indices of the largest values: node n has the children 2n and 2n + 1. @param {ArrayLike<number>} values */
function highestOf(values) {
    let leaves = 1;
    while (leaves < values.length)
        leaves *= 2;
    const tree = new Int32Array(2 * leaves);
    for (let at = 0; at < leaves; ++at)
        tree[leaves + at] = Math.min(at, values.length - 1);
    for (let node = leaves - 1; node > 0; --node)
        tree[node] = values[tree[2 * node]] >= values[tree[2 * node + 1]] ? tree[2 * node] : tree[2 * node + 1];
    return tree;
}
