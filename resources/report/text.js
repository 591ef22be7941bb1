// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Text of values like core/base/format.h, and elements: a name from a file enters the page as a text node, never as markup.

function threeDigits(/** @type {number} */ value) {
    const size = Math.abs(value);
    return value.toFixed(size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
}

/** @typedef {"binary" | "decimal" | "nanoseconds" | "time" | "count"} Unit */
const kUnits = {
    binary: { step: 1024, names: ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"] },
    decimal: { step: 1000, names: ["B", "kB", "MB", "GB", "TB", "PB", "EB"] },
    nanoseconds: { step: 1000, names: ["ns", "µs", "ms", "s"] },
    time: { step: 1000, names: ["µs", "ms", "s"] },
    count: { step: 1000, names: [""] },
};

function amountText(/** @type {number} */ amount, /** @type {Unit} */ unit) {
    const { step, names } = kUnits[unit];
    let rank = 0;
    let value = amount;
    for (; Math.abs(value) >= 999.5 && rank + 1 < names.length; ++rank)
        value /= step;
    return (value >= 1000 ? countText(value) : rank ? threeDigits(value) : String(value)) + " " + names[rank];
}

const countText = (/** @type {number} */ count) => String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ",");

const countedText = (/** @type {number} */ count, /** @type {string} */ noun) => countText(count) + " " + noun + (count === 1 ? "" : "s");

function shareText(/** @type {number} */ part, /** @type {number} */ whole) {
    const percent = whole ? 100 * part / whole : 0;
    return percent > 0 && percent < 0.1 ? "<0.1 %" : percent.toFixed(percent ? 1 : 0) + " %";
}

/** @template {keyof HTMLElementTagNameMap} Tag @param {Tag} tag @param {Record<string, string>} [attributes]
 *  @param {...(Node | string)} content @returns {HTMLElementTagNameMap[Tag]} */
function element(tag, attributes = {}, ...content) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes))
        made.setAttribute(name, value);
    made.append(...content);
    return made;
}

/** @param {string} text @param {() => void} act @param {Record<string, string>} [attributes] */
const actionButton = (text, act, attributes) => Object.assign(element("button", { type: "button", ...attributes }, text), { onclick: act });

/** A table that a script fills; titles that begin with # are of figures. @param {Node} caption @param {string[]} titles @param {Node} rows */
function liveTable(caption, titles, rows, classes = "live") {
    const heads = titles.map((title) => element("th", { scope: "col", class: title[0] === "#" ? "n" : "" }, title.replace("#", "")));
    return element("table", { class: classes }, caption, element("thead", {}, element("tr", {}, ...heads)), rows);
}

/** A row of such a table. @param {string[]} figures @param {...(Node | string)[]} texts @returns {HTMLTableRowElement} */
function tableRow(figures, ...texts) {
    return element("tr", {}, ...figures.map((text) => element("td", { class: "n" }, text)), ...texts.map((content) => element("td", {}, ...content)));
}

/** A swatch of a colour, for people; its meaning is in the text next to it. @param {string} color */
const swatch = (color) => element("span", { class: "swatch", "aria-hidden": "true", style: "background:" + color });

/** @typedef {{name: string, color: string}} NamedColor */

/** What the colours of the kinds that occur mean. @param {NamedColor[]} kinds @param {Iterable<number>} occurring */
function legendOf(kinds, occurring) {
    const used = [...new Set(occurring)].sort((one, other) => one - other);
    return used.map((kind) => element("span", {}, swatch(kinds[kind].color), kinds[kind].name));
}

/** @template {string} Key @param {Record<Key, number>[]} rows @param {Key} key */
const sumOf = (rows, key) => rows.reduce((sum, row) => sum + row[key], 0);

/** @param {Record<string, string>} options */
const choice = (options) => element("select", {}, ...Object.entries(options).map(([value, text]) => element("option", { value }, text)));
