// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

/** The allocations of a recording and what is computed from them once. */
class Recording {
    /** @param {{head: PageDocument} & Columns} document */
    constructor({ head, numbers, texts }) {
        this.head = head;
        this.numbers = numbers;
        this.texts = texts.texts;
        this.event = numbers.event;
        this.time = numbers.time;
        this.reserved = numbers.reserved ?? [];
        this.others = numbers.others;
        this.birth = Int32Array.from(numbers.birth);
        this.death = numbers.life.map((each, at) => this.birth[at] + each);
        this.size = numbers.size;
        this.rounding = numbers.rounding;
        this.category = Uint8Array.from(numbers.category);
        this.place = Uint32Array.from(numbers.place);
        this.stream = numbers.stream;
        this.placeSite = numbers.place_site;
        /** Moments; the last is the end, after which nothing is drawn. */
        this.moments = this.event.length;
        this.last = Math.max(0, this.moments - 2);
        this.total = this.totals();
        this.peak = this.sampleOf(this.event, -Infinity, Infinity);
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
        return total.map((bytes, at) => bytes + (this.others?.[at] ?? 0));
    }

    /** The moment with most bytes of [from, to) on an axis of moments; the last one before it where none is in it. */
    sampleOf(/** @type {Float64Array} */ axis, /** @type {number} */ from, /** @type {number} */ to) {
        const { total } = this;
        const end = Math.max(0, Math.min(this.last, lowerBound(axis, to) - 1));
        let best = Math.min(end, lowerBound(axis, from));
        for (let at = best + 1; at <= end; ++at) {
            if (total[at] > total[best])
                best = at;
        }
        return best;
    }

    /** Index of the first allocation that is born after a moment. @param {number} moment */
    firstBornAfter(moment) { return lowerBound(this.birth, moment + 1); }

    /** The allocations from `first` on that live after a moment, by birth. */
    liveAfter(/** @type {number} */ moment, first = 0) {
        const live = /** @type {number[]} */ ([]);
        for (let at = first, end = this.firstBornAfter(moment); at < end; ++at) {
            if (this.death[at] > moment)
                live.push(at);
        }
        return live;
    }

    /** The places of those allocations, the most bytes first. @param {number[]} allocations */
    placesOf(allocations) {
        /** @type {Map<number, {place: number, bytes: number, count: number, first: number}>} */
        const rows = new Map();
        for (const at of allocations) {
            const site = this.placeSite[this.place[at]];
            const row = rows.get(site) ?? { place: this.place[at], bytes: 0, count: 0, first: at };
            row.bytes += this.size[at];
            ++row.count;
            rows.set(site, row);
        }
        return [...rows.values()].sort((one, other) => other.bytes - one.bytes);
    }

    siteText(/** @type {number} */ place) { return this.texts[this.placeSite[place]]; }

    /** The frames of a place, innermost first. @param {number} place */
    stackOf(place) {
        const { place_node, node_caller, node_frame, frame } = this.numbers;
        const frames = [];
        for (let node = place_node[place]; node > 0; node = node_caller[node - 1])
            frames.push(this.texts[frame[node_frame[node - 1]]]);
        return frames;
    }

    /** Which places have a frame, or a site, with a text in it; null for no text. @param {string} text @returns {Uint8Array | null} */
    placesWith(text) {
        if (!text)
            return null;
        const { place_node, node_caller, node_frame, frame } = this.numbers;
        const texts = this.texts.map((each) => each.toLowerCase().includes(text));
        const nodes = new Uint8Array(node_caller.length + 1);
        node_caller.forEach((caller, at) => nodes[at + 1] = texts[frame[node_frame[at]]] || nodes[caller] ? 1 : 0);
        return Uint8Array.from(place_node, (node, place) => nodes[node] || texts[this.placeSite[place]] ? 1 : 0);
    }

    momentText(/** @type {number} */ moment) {
        const time = this.time ? ` (${amountText(this.time[moment], "time")})` : "";
        return this.event[moment] < 0 ? "before the first event" : "event " + countText(this.event[moment]) + time;
    }

    lifeText(/** @type {number} */ allocation) {
        const [birth, death] = [this.birth[allocation], this.death[allocation]];
        const open = this.event[birth] < 0 || death === this.moments - 1;
        const from = this.event[birth] < 0 ? "before the recording" : "event " + countText(this.event[birth]);
        const to = death === this.moments - 1 ? "the end" : countText(this.event[death]);
        const time = this.time ? " (" + (open ? "≥ " : "") + amountText(this.time[death] - this.time[birth], "time") + ")" : "";
        return from + " → " + to + time;
    }
}

/** The first index from `low` on whose value is at least `value`, in ascending values. @param {ArrayLike<number>} values @param {number} value */
function lowerBound(values, value, low = 0, high = values.length) {
    while (low < high) {
        const middle = (low + high) >> 1;
        if (values[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
