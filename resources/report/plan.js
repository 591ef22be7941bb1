// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

/** Moments in parts: bars under each other or columns side by side. The table says why a part of the chosen moment is there. */
class DividedMemory {
    root = element("div", { class: "answers" });
    caption = element("caption", { "aria-live": "polite" }, "Point at a part to see it in detail.");
    rows = element("tbody");
    /** Of each moment. @type {{part: number, bytes: number, component: number}[][]} */
    components = [];

    /** @param {{head: PageDocument} & Columns} document */
    constructor({ head, numbers, texts }) {
        this.head = head;
        this.texts = texts;
        this.components = head.moments.map(() => []);
        numbers.moment.forEach((moment, at) =>
            this.components[moment].push({ part: numbers.part[numbers.component[at]], bytes: numbers.bytes[at], component: numbers.component[at] }));
        const widest = Math.max(head.capacity, ...this.totals()) * 1.02;
        const legend = element("p", { class: "legend" }, ...legendOf(head.parts, numbers.part));
        if (head.capacity)
            legend.append(element("span", {}, "Dashed: " + amountText(head.capacity, head.unit) + ", the capacity of the GPU"));
        const titles = ["#Size", "Part", head.detail, ...texts.source.some(Boolean) ? ["Source"] : []];
        this.root.append(head.layout === "bars" ? this.bars(widest) : this.columns(widest), legend, liveTable(this.caption, titles, this.rows, "live wide"));
    }

    totals() { return this.components.map((components) => sumOf(components, "bytes")); }

    /** The bytes of each part of a moment. @param {number} moment @returns {number[]} */
    partsOf(moment) {
        const bytes = this.head.parts.map(() => 0);
        this.components[moment].forEach((each) => bytes[each.part] += each.bytes);
        return bytes;
    }

    bars(/** @type {number} */ widest) {
        const { head } = this;
        const bars = element("div", { class: "bars", role: "group", "aria-label": head.subject });
        this.totals().forEach((total, moment) => {
            const track = element("span", { class: "track" });
            this.partsOf(moment).forEach((bytes, part) => {
                if (bytes <= 0)
                    return;
                const text = `${head.parts[part].name}: ${amountText(bytes, head.unit)}, ${shareText(bytes, total)} of ${head.moments[moment]}`;
                const style = `width:${100 * bytes / widest}%;background:${head.parts[part].color}`;
                const show = () => this.show(moment, part);
                track.append(Object.assign(actionButton("", show, { title: text, "aria-label": text, style }), { onfocus: show, onpointerenter: show }));
            });
            if (head.capacity)
                track.append(element("span", { class: "limit", "aria-hidden": "true", style: `left:${100 * head.capacity / widest}%` }));
            bars.append(actionButton(head.moments[moment], () => this.show(moment), { class: "site" }), track,
                element("span", { class: "n" }, amountText(total, head.unit)));
        });
        return bars;
    }

    columns(/** @type {number} */ highest) {
        const { head } = this;
        const plot = element("div", { class: "columns", tabindex: "0", role: "slider", "aria-label": head.subject, "aria-valuemin": "0" });
        plot.setAttribute("aria-valuemax", String(head.moments.length - 1));
        const bottom = (/** @type {number} */ bytes) => `bottom:${100 * bytes / highest}%`;
        plot.append(...unitTicks(0, highest, 5, head.unit).slice(1).map(({ at, text }) => element("span", { class: "tick", style: bottom(at) }, text)));
        const columns = this.components.map((_, moment) => {
            let from = 0;
            const stops = this.partsOf(moment).map((bytes, part) => `${head.parts[part].color} ${from}% ${from += 100 * bytes / highest}%`);
            return plot.appendChild(element("span", { class: "column", style: `background:linear-gradient(to top,${stops},transparent ${from}%)` }));
        });
        if (head.capacity)
            plot.append(element("span", { class: "limit", style: bottom(head.capacity) }));
        plot.append(...head.phases.map(({ name, at }) => element("span", { class: "phase", style: `--at:${at / columns.length}` }, name)));
        let chosen = head.peak;
        const choose = (/** @type {number} */ moment) => {
            columns[chosen].classList.remove("chosen");
            chosen = clamp(moment, 0, columns.length - 1);
            columns[chosen].classList.add("chosen");
            this.show(chosen);
            plot.setAttribute("aria-valuenow", String(chosen));
            plot.setAttribute("aria-valuetext", this.caption.textContent ?? "");
        };
        plot.addEventListener("pointermove", ({ clientX }) => {
            const [first, last] = [columns[0].getBoundingClientRect(), columns[columns.length - 1].getBoundingClientRect()];
            choose(Math.floor((clientX - first.left) / (last.right - first.left) * columns.length));
        });
        plot.addEventListener("keydown", (event) => {
            const moves = new Map(Object.entries({ ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity }));
            if (moves.has(event.key))
                event.preventDefault();
            choose(chosen + (moves.get(event.key) ?? 0));
        });
        choose(chosen);
        return plot;
    }

    /** Lists the components of a moment, or of one part of it, with their formulas. @param {number} moment @param {number} [part] */
    show(moment, part) {
        const { head, texts } = this;
        const shown = this.components[moment].filter((one) => part === undefined || one.part === part).sort((one, other) => other.bytes - one.bytes);
        const whole = amountText(sumOf(shown, "bytes"), head.unit);
        this.caption.textContent = `${part === undefined ? "Everything" : head.parts[part].name} at ${head.moments[moment]}: ${whole}`;
        this.rows.replaceChildren(...shown.map(({ part, bytes, component }) => tableRow([amountText(bytes, head.unit)],
            [swatch(head.parts[part].color), texts.name[component]], [texts.formula[component]], ...texts.source.some(Boolean) ? [[texts.source[component]]] : [])));
    }
}
