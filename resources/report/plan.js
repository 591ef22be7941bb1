// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

/** The moments of a plan's step as bars of parts, and the formula of whatever part is chosen. */
class PlanBars {
    root = element("div", { class: "answers" });
    bars = element("div", { class: "bars", role: "group", "aria-label": "Memory of each moment by part; a part shows its formulas" });
    caption = element("caption", {}, "Point at a part, or choose a moment, to see the formulas.");
    rows = element("tbody");

    /** @param {{head: PageDocument} & Columns} document */
    constructor({ head, numbers, texts }) {
        this.head = head;
        this.components = Array.from(numbers.moment, (moment, at) => ({
            moment, part: numbers.part[at], bytes: numbers.bytes[at], name: texts.name[at], formula: texts.formula[at], source: texts.source[at],
        }));
        const widest = this.totals().reduce((most, one) => Math.max(most, one), head.capacity) * 1.02;
        this.totals().forEach((total, moment) => this.addBar(moment, total, widest));
        const legend = element("p", { class: "legend" }, ...legendOf(head.parts, numbers.part));
        if (head.capacity)
            legend.append(element("span", {}, "Dashed: " + amountText(head.capacity, head.unit) + ", the capacity of the GPU"));
        this.root.append(this.bars, legend, liveTable(this.caption, ["#Size", "Part", "Formula", "Source"], this.rows, "live wide"));
    }

    /** @param {number} moment @param {number} [part] */
    componentsOf(moment, part) {
        return this.components.filter((one) => one.moment === moment && (part === undefined || one.part === part));
    }

    /** @returns {number[]} */
    totals() {
        return this.head.moments.map((/** @type {string} */ _, /** @type {number} */ moment) => sumOf(this.componentsOf(moment), "bytes"));
    }

    /** @param {number} moment @param {number} total @param {number} widest */
    addBar(moment, total, widest) {
        const { head } = this;
        const track = element("span", { class: "track" });
        head.parts.forEach((/** @type {NamedColor} */ { name, color }, /** @type {number} */ part) => {
            const bytes = sumOf(this.componentsOf(moment, part), "bytes");
            if (bytes <= 0)
                return;
            const text = `${name}: ${amountText(bytes, head.unit)}, ${shareText(bytes, total)} of ${head.moments[moment]}`;
            const button = actionButton("", () => this.show(moment, part), { title: text, "aria-label": text });
            button.style.cssText = `width:${100 * bytes / widest}%;background:${color}`;
            for (const event of ["focus", "pointerenter"])
                button.addEventListener(event, () => this.show(moment, part));
            track.append(button);
        });
        if (head.capacity) {
            const limit = track.appendChild(element("span", { class: "limit", "aria-hidden": "true" }));
            limit.style.left = 100 * head.capacity / widest + "%";
        }
        const name = head.moments[moment] + (moment === head.peak ? " (peak)" : "");
        this.bars.append(actionButton(name, () => this.show(moment), { class: "site" }), track, element("span", { class: "n" }, amountText(total, head.unit)));
    }

    /** Lists the components of a moment, or of one part of it, with their formulas. @param {number} moment @param {number} [part] */
    show(moment, part) {
        const { head } = this;
        const shown = this.componentsOf(moment, part).sort((one, other) => other.bytes - one.bytes);
        const whole = amountText(sumOf(shown, "bytes"), head.unit);
        this.caption.textContent = `${part === undefined ? "Everything" : head.parts[part].name} at ${head.moments[moment]}: ${whole}`;
        this.rows.replaceChildren(...shown.map((one) =>
            tableRow([amountText(one.bytes, head.unit)], [swatch(head.parts[one.part].color), one.name], [one.formula], [one.source])));
    }
}
