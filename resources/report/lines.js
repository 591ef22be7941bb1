// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

/** Recordings on one axis, each from its first event: what each has in use, and what differs between the first and the last. */
class Lines extends Chart {
    constructor(/** @type {PageDocument} */ head, /** @type {Recording[]} */ recordings) {
        super(head);
        this.recordings = recordings;
        const peaks = recordings.map((each) => each.total[each.peak]);
        const top = Math.max(...peaks);
        this.whole = { lo: -1, hi: Math.max(...recordings.map((each) => each.event[each.moments - 1])), yLo: 0, yHi: Math.max(1, top) * 1.06 };
        const highest = recordings[peaks.indexOf(top)];
        this.cursor = highest.event[highest.peak];
        this.legend.append(...legendOf(head.series, recordings.keys()));
        const letters = recordings.map((_, at) => String.fromCharCode(65 + at));
        this.begin("Memory in use over time of each recording", [],
            [...letters.map((letter) => "#" + letter), "#" + letters[letters.length - 1] + " − A", "Allocated in"]);
    }

    cursorText() { return "event " + countText(Math.max(0, this.cursor)); }
    statusText() { return this.cursorText() + ": " + this.linesOf().join(", "); }
    /** The moment of a recording at the cursor, at most its last. @param {Recording} recording */
    momentOf(recording) { return Math.max(0, Math.min(recording.last, lowerBound(recording.event, this.cursor + 1) - 1)); }

    hit(/** @type {number} */ x) {
        this.cursor = clamp(Math.floor(this.valueAt(x)), -1, this.whole.hi);
        return kOthers;
    }

    /** @param {number} count of pixels */
    step(count) {
        this.goTo(clamp(this.cursor + count * Math.ceil((this.view.hi - this.view.lo) / this.plotWidth), -1, this.whole.hi));
    }

    drawContent(/** @type {CanvasRenderingContext2D} */ context) {
        this.recordings.forEach((recording, at) => {
            context.strokeStyle = this.head.series[at].color;
            context.setLineDash(this.head.series[at].strokes);
            context.lineWidth = 2;
            context.beginPath();
            for (let x = this.left; x < this.right && this.valueAt(x) <= recording.event[recording.last]; ++x)
                context.lineTo(x + 0.5, this.yOf(recording.total[recording.sampleOf(recording.event, this.valueAt(x), this.valueAt(x + 1))]));
            context.stroke();
        });
        context.setLineDash([]);
        context.lineWidth = 1;
    }

    linesOf() { return this.recordings.map((each, at) => this.head.series[at].name + ": " + amountText(each.total[this.momentOf(each)], this.unit)); }

    fillTable() {
        const { recordings, unit } = this;
        this.show(String(this.cursor), () => {
            /** Bytes of each recording by place. @type {Map<string, number[]>} */
            const sites = new Map();
            recordings.forEach((recording, at) => recording.placesOf(recording.liveAfter(this.momentOf(recording))).forEach(({ place, bytes }) => {
                const row = sites.get(recording.siteText(place)) ?? recordings.map(() => 0);
                row[at] += bytes;
                sites.set(recording.siteText(place), row);
            }));
            const change = (/** @type {number[]} */ bytes) => bytes[bytes.length - 1] - bytes[0];
            const rows = [...sites].sort(([, one], [, other]) => Math.abs(change(other)) - Math.abs(change(one)));
            return {
                caption: "At " + this.cursorText() + ": " + this.linesOf().join(", "),
                rows: rows.slice(0, kMostRows).map(([site, bytes]) => tableRow([...bytes.map((each) => amountText(each, unit)),
                    (change(bytes) < 0 ? "−" : "+") + amountText(Math.abs(change(bytes)), unit)], [site])),
            };
        });
    }
}
