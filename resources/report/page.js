// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

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
        const { head, columns } = await readDocument(data.textContent ?? "");
        data.remove();
        const made = head.kind === "plan" ? new PlanBars(head, columns) : new Timeline(new Recording(head, columns));
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
