// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

/** Charts by the figure that they are in: a comparison draws the recordings of others. @type {Map<string, Promise<any>>} */
const kCharts = new Map();

/** @param {string} text of a document */
async function chartOf(text) {
    const document = await readDocument(text);
    const { kind, of } = document.head;
    return kind === "parts" ? new DividedMemory(document)
        : kind === "profile" ? new Lanes(document)
            : kind === "comparison" ? new Lines(document.head, (await Promise.all(of.map((id) => kCharts.get(id)))).map(({ recording }) => recording))
                : new Timeline(new Recording(document));
}

/** Puts what can be asked in the place of a picture, which stays for print, and where an old browser cannot read the data. */
async function answer(/** @type {HTMLScriptElement} */ data) {
    const figure = /** @type {HTMLElement} */ (data.closest("figure"));
    try {
        const making = chartOf(data.textContent ?? "");
        kCharts.set(data.id, making);
        const made = await making;
        data.remove();
        figure.prepend(made.root);
        figure.classList.add("answering");
        made.root.classList.toggle("both", made.head.keepsPicture === true); // where the picture shows something else
        Object.assign(figure, { made }); // for tests and benchmarks
    } catch (error) {
        figure.append(element("p", { class: "aside" }, "Only the picture is shown: this browser cannot read the data (" + error + ")."));
    }
}

for (const table of document.querySelectorAll("table"))
    makeSortable(table);
for (const data of document.querySelectorAll("script.data"))
    answer(/** @type {HTMLScriptElement} */ (data));
