// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

/** @param {number} value @param {number} low @param {number} high */
function clamp(value, low, high) {
    return Math.max(low, Math.min(high, value));
}

/** A colour of the page's style, by its name. @param {Element} of @param {string} name */
function styleColor(of, name) {
    return getComputedStyle(of).getPropertyValue("--" + name).trim();
}

/** Screens have up to two pixels of a canvas for each of the page. */
function pixelRatio() {
    return Math.min(2, window.devicePixelRatio || 1);
}

/** @param {Element} element */
function canvasWidth(element) {
    return Math.round(element.clientWidth * pixelRatio());
}

/** The context of an empty canvas as large as its element, in pixels of the page. @param {HTMLCanvasElement} canvas */
function clearedContext(canvas) {
    const width = canvasWidth(canvas);
    const height = Math.round(canvas.clientHeight * pixelRatio());
    if (canvas.width !== width || canvas.height !== height)
        Object.assign(canvas, { width, height });
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.setTransform(pixelRatio(), 0, 0, pixelRatio(), 0, 0);
    context.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
    context.font = "12px " + getComputedStyle(canvas).fontFamily;
    return context;
}

/** @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {number} toX @param {number} toY */
function dashedLine(context, x, y, toX, toY) {
    context.setLineDash([4, 3]);
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(toX, toY);
    context.stroke();
    context.setLineDash([]);
}

/** Round values of [from, to], about `count`. @param {number} from @param {number} to @param {number} count */
function ticks(from, to, count) {
    const rough = Math.max((to - from) / count, 1e-9);
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = power * (rough > 5 * power ? 10 : rough > 2 * power ? 5 : rough > power ? 2 : 1);
    const made = [];
    for (let at = Math.ceil(from / step); at * step <= to; ++at)
        made.push(at * step);
    return made;
}

/** The same in a unit that fits the largest: 5 GiB, not 5.37 GiB. @param {number} from @param {number} to @param {number} count @param {Unit} unit */
function unitTicks(from, to, count, unit) {
    const { step, names } = kUnits[unit];
    const rank = clamp(Math.floor(Math.log(Math.max(1, to)) / Math.log(step)), 0, names.length - 1);
    const scale = step ** rank;
    return ticks(from / scale, to / scale, count).map((tick) =>
        ({ at: tick * scale, text: tick ? (rank ? Number(tick.toPrecision(12)) : countText(tick)) + " " + names[rank] : "0" }));
}

/** Names at positions above the plot, as far as they have room. @param {CanvasRenderingContext2D} context
 *  @param {number} left @param {number} right @param {{x: number, text: string}[]} names by position */
function drawNames(context, left, right, names) {
    context.textAlign = "left";
    let free = left;
    for (const { x, text } of names) {
        if (x < left || x > right + 1)
            continue;
        context.fillRect(x - 0.5, kAbove - 5, 1, 5);
        const width = context.measureText(text).width;
        if (x < free || x + width > right)
            continue;
        context.fillText(text, x, kAbove - 7);
        free = x + width + 12;
    }
}

/** A colour as the pixel of a canvas: red in the lowest byte. @param {string} color @param {number} share per cent of its brightness */
function pixelOf(color, share = 100) {
    const value = parseInt(color.slice(1), 16);
    /** @param {number} shift */
    const part = (shift) => Math.round((value >> shift & 255) * share / 100);
    return (255 << 24 | part(0) << 16 | part(8) << 8 | part(16)) >>> 0;
}
