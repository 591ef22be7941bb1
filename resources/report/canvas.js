// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

const clamp = (/** @type {number} */ value, /** @type {number} */ low, /** @type {number} */ high) => Math.max(low, Math.min(high, value));

/** Screens have up to two pixels of a canvas for each of the page. */
const pixelRatio = () => Math.min(2, window.devicePixelRatio || 1);

/** The context of an empty canvas as large as its element, in pixels of the page. */
function clearedContext(/** @type {HTMLCanvasElement} */ canvas) {
    Object.assign(canvas, { width: Math.round(canvas.clientWidth * pixelRatio()), height: Math.round(canvas.clientHeight * pixelRatio()) });
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.scale(pixelRatio(), pixelRatio());
    context.font = "12px " + getComputedStyle(canvas).fontFamily;
    return context;
}

/** @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {number} width @param {number} height */
function dashedLine(context, x, y, width, height) {
    context.setLineDash([4, 3]);
    context.strokeRect(x, y, width, height);
    context.setLineDash([]);
}

/** About `count` round values of [from, to], in a unit that fits the largest: 5 GiB, not 5.37 GiB.
 *  @param {number} from @param {number} to @param {number} count @param {Unit} unit @returns {Tick[]} */
function unitTicks(from, to, count, unit) {
    const { step, names } = kUnits[unit];
    const rank = clamp(Math.floor(Math.log(Math.max(1, to)) / Math.log(step)), 0, names.length - 1);
    const scale = step ** rank;
    const rough = Math.max((to - from) / scale / count, 1e-9);
    const power = 10 ** Math.floor(Math.log10(rough));
    const length = power * (rough > 5 * power ? 10 : rough > 2 * power ? 5 : rough > power ? 2 : 1);
    const made = [];
    for (let at = Math.ceil(from / scale / length); at * length * scale <= to; ++at) {
        const value = Number((at * length).toPrecision(12));
        made.push({ at: value * scale, text: at ? (rank ? value : countText(value)) + " " + names[rank] : "0" });
    }
    return made;
}

/** Names at positions above the plot, as far as they have room. @param {CanvasRenderingContext2D} context
 *  @param {number} left @param {number} right @param {{x: number, name: string}[]} names by position */
function drawNames(context, left, right, names) {
    context.textAlign = "left";
    let [free, marked] = [left, 0];
    for (const { x, name } of names) {
        if (x < left || x > right + 1 || x < free && x - marked < 3)
            continue;
        context.fillRect(x - 0.5, kAbove - 5, 1, 5);
        marked = x;
        const width = x < free ? Infinity : context.measureText(name).width;
        if (x + width > right)
            continue;
        context.fillText(name, x, kAbove - 7);
        free = x + width + 12;
    }
}

/** A colour as the pixel of a canvas: red in the lowest byte. @param {string} color @param {number} share per cent of its brightness */
function pixelOf(color, share = 100) {
    const value = parseInt(color.slice(1), 16);
    const part = (/** @type {number} */ shift) => Math.round((value >> shift & 255) * share / 100);
    return (255 << 24 | part(0) << 16 | part(8) << 8 | part(16)) >>> 0;
}

/** Black or white, whichever can be read on a colour. @param {string} color */
function textOn(color) {
    const value = parseInt(color.slice(1), 16);
    return 299 * (value >> 16) + 587 * (value >> 8 & 255) + 114 * (value & 255) > 140000 ? "#14181f" : "#fff";
}
