// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

/** Documents by the figure that they belong to, as they are read: a comparison draws those of its recordings. @type {Map<string, Promise<{head: PageDocument} & Columns>>} */
const kDocuments = new Map();

/** @param {{head: PageDocument} & Columns} document */
async function chartOf(document) {
    switch (document.head.kind) {
    case "plan":
        return new PlanBars(document);
    default:
        return new Timeline(new Recording(document));
    }
}

/**
 * Puts what can be asked in the place of a picture, which stays for print. Where the data cannot be
 * read, as by an old browser, the picture stays.
 * @param {HTMLScriptElement} data
 */
async function answer(data) {
    const figure = data.closest("figure");
    if (!figure)
        return;
    try {
        const reading = readDocument(data.textContent ?? "");
        kDocuments.set(data.id, reading);
        const made = await chartOf(await reading);
        data.remove();
        figure.prepend(made.root);
        figure.classList.add("answering");
        Object.assign(figure, { made }); // for tests and benchmarks
    } catch (error) {
        figure.append(element("p", { class: "aside" }, "Only the picture is shown: this browser cannot read the data (" + error + ")."));
    }
}

for (const table of document.querySelectorAll("table"))
    makeSortable(table);
for (const data of document.querySelectorAll("script.data"))
    answer(/** @type {HTMLScriptElement} */ (data));
