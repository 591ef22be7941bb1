// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Every table under headings sorts by a column; long ones have a filter.

const kFilteredRows = 10;
const kFactors = new Map(Object.entries({
    KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3, TiB: 1024 ** 4, PiB: 1024 ** 5, EiB: 1024 ** 6,
    kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, PB: 1e15, EB: 1e18, K: 1e3, M: 1e6, B: 1, ns: 1e-3, "µs": 1, ms: 1e3, s: 1e6, min: 60e6, h: 3600e6,
}));

/** The value of a cell for its order: a number where its text begins with one, in units as they are written here, else the text. */
function cellValue(/** @type {string} */ text) {
    const match = /^[<>≥≤~+]*\s*([-−–]?[\d,]*\.?\d+)\s*([A-Za-zµ]*)/.exec(text);
    if (!match)
        return text.toLowerCase();
    return Number(match[1].replace(/,/g, "").replace(/[−–]/, "-")) * (kFactors.get(match[2]) ?? 1);
}

/** Numbers before texts, nothing last in either direction. */
function compareCells(/** @type {string} */ one, /** @type {string} */ other, /** @type {number} */ direction) {
    if (!one || !other)
        return (one ? 0 : 1) - (other ? 0 : 1);
    const a = cellValue(one);
    const b = cellValue(other);
    if (typeof a === "number" && typeof b === "number")
        return direction * (a - b);
    if (typeof a !== typeof b)
        return typeof a === "number" ? -1 : 1;
    return direction * String(a).localeCompare(String(b));
}

function makeSortable(/** @type {HTMLTableElement} */ table) {
    const body = table.tBodies[0];
    const heads = table.tHead ? [...table.tHead.rows[0].cells] : [];
    if (!body || body.rows.length < 2 || !heads.length)
        return;
    heads.forEach((head, column) => {
        const name = head.textContent ?? "";
        if (!name)
            return;
        head.replaceChildren(actionButton(name, () => {
            // Figures begin with the largest, names with A.
            const first = head.classList.contains("n") ? "descending" : "ascending";
            const second = first === "ascending" ? "descending" : "ascending";
            const order = head.getAttribute("aria-sort") === first ? second : first;
            for (const each of heads)
                each.removeAttribute("aria-sort");
            head.setAttribute("aria-sort", order);
            const text = (/** @type {HTMLTableRowElement} */ row) => row.cells[column]?.textContent ?? "";
            body.append(...[...body.rows].sort((one, other) => compareCells(text(one), text(other), order === "ascending" ? 1 : -1)));
        }, { title: "Sort by this column" }));
    });
    if (body.rows.length < kFilteredRows)
        return;
    const input = element("input", { type: "search", placeholder: "Filter rows", "aria-label": "Filter the rows of this table" });
    const status = element("span", { class: "found", role: "status" });
    input.addEventListener("input", () => {
        const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
        let kept = 0;
        for (const row of body.rows) {
            const text = (row.textContent ?? "").toLowerCase();
            row.hidden = !words.every((word) => text.includes(word));
            kept += row.hidden ? 0 : 1;
        }
        status.textContent = words.length ? kept + " of " + countedText(body.rows.length, "row") : "";
    });
    table.before(element("div", { class: "tools" }, input, status));
}
