// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

/** The moments of a plan's step as bars of parts, and the formula of whatever part is chosen. */
class PlanBars {
    root = element("div", { class: "answers" });
    bars = element("div", { class: "bars", role: "group", "aria-label": "Memory of each moment by part; a part shows its formulas" });
    caption = element("caption");
    rows = element("tbody");

    /** @param {PageDocument} head @param {Columns} columns */
    constructor(head, columns) {
        this.head = head;
        const [moments, parts, bytes] = ["moment", "part", "bytes"].map((name) => /** @type {Float64Array} */ (columns.get(name)));
        const [names, formulas, sources] = ["name", "formula", "source"].map((name) => /** @type {string[]} */ (columns.get(name)));
        this.components = Array.from(moments, (moment, at) =>
            ({ moment, part: parts[at], bytes: bytes[at], name: names[at], formula: formulas[at], source: sources[at] }));
        const widest = this.totals().reduce((most, one) => Math.max(most, one), head.capacity) * 1.02;
        this.totals().forEach((total, moment) => this.addBar(moment, total, widest));
        const used = [...new Set(this.components.map(({ part }) => part))].sort((one, other) => one - other);
        const legend = element("p", { class: "legend" }, ...used.map((part) => element("span", {}, swatch(head.parts[part].color), head.parts[part].name)));
        if (head.capacity)
            legend.append(element("span", {}, "Dashed: " + bytesText(head.capacity, head.unit) + ", the capacity of the GPU"));
        this.root.append(this.bars, legend, liveTable(this.caption, ["#Size", "Part", "Formula", "Source"], this.rows, "live wide"));
        this.caption.textContent = "Point at a part, or choose a moment, to see the formulas.";
    }

    totals() {
        /** @type {number[]} */
        const totals = this.head.moments.map(() => 0);
        for (const { moment, bytes } of this.components)
            totals[moment] += bytes;
        return totals;
    }

    /** @param {number} moment @param {number} total @param {number} widest */
    addBar(moment, total, widest) {
        const { head } = this;
        const track = element("span", { class: "track" });
        head.parts.forEach((/** @type {{name: string, color: string}} */ { name, color }, /** @type {number} */ part) => {
            const bytes = this.components.reduce((sum, one) => sum + (one.moment === moment && one.part === part ? one.bytes : 0), 0);
            if (bytes <= 0)
                return;
            const text = `${name}: ${bytesText(bytes, head.unit)}, ${shareText(bytes, total)} of ${head.moments[moment]}`;
            const button = actionButton("", () => this.show(moment, part), { title: text, "aria-label": text });
            button.style.cssText = `width:${100 * bytes / widest}%;background:${color}`;
            for (const event of ["focus", "pointerenter"])
                button.addEventListener(event, () => this.show(moment, part));
            track.append(button);
        });
        const limit = element("span", { class: "limit", "aria-hidden": "true" });
        limit.style.left = 100 * head.capacity / widest + "%";
        if (head.capacity)
            track.append(limit);
        const name = head.moments[moment] + (moment === head.peak ? " (peak)" : "");
        const label = actionButton(name, () => this.show(moment), { class: "site" });
        this.bars.append(label, track, element("span", { class: "n" }, bytesText(total, head.unit)));
    }

    /** Lists the components of a moment, or of one part of it, with their formulas. @param {number} moment @param {number} [part] */
    show(moment, part) {
        const { head } = this;
        const shown = this.components.filter((one) => one.moment === moment && (part === undefined || one.part === part));
        const whole = bytesText(shown.reduce((sum, { bytes }) => sum + bytes, 0), head.unit);
        this.caption.textContent = `${part === undefined ? "Everything" : head.parts[part].name} at ${head.moments[moment]}: ${whole}`;
        this.rows.replaceChildren(...shown.sort((one, other) => other.bytes - one.bytes).map((one) => element("tr", {},
            element("td", { class: "n", title: countText(one.bytes) + " bytes" }, bytesText(one.bytes, head.unit)),
            element("td", {}, swatch(head.parts[one.part].color), one.name), element("td", {}, one.formula), element("td", {}, one.source))));
    }
}
