// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";

// Reads the documents that core/page writes; its README.md describes the format.

/** @typedef {{name: string, coding: string, count: number}} ColumnHead */
/** @typedef {{at: number, name: string}} Mark */
/** @typedef {{parts: NamedColor[], moments: string[], rows: string[], steps: Mark[], phases: Mark[], series: (NamedColor & {strokes: number[]})[],
 *    categories: (NamedColor & {dark: string})[], failures: {moment: number, requested: number}[], of: string[]}} Heads of the kinds */
/** @typedef {{format: string, version: number, kind: string, columns: ColumnHead[], packed: string} & Heads & Record<string, any>} PageDocument */
/** A column that a document does not have is missing. @typedef {{numbers: Record<string, Float64Array>, texts: Record<string, string[]>}} Columns */

/** @param {string} text @returns {Promise<{head: PageDocument} & Columns>} */
async function readDocument(text) {
    const head = /** @type {PageDocument} */ (JSON.parse(text));
    if (head.format !== "vramscope-page" || head.version !== 1)
        throw new Error("written by another version");
    const binary = atob(head.packed);
    head.packed = "";
    const packed = new Uint8Array(binary.length);
    for (let at = 0; at < packed.length; ++at)
        packed[at] = binary.charCodeAt(at);
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return { head, ...readColumns(head.columns, new Uint8Array(await new Response(stream).arrayBuffer())) };
}

function readColumns(/** @type {ColumnHead[]} */ heads, /** @type {Uint8Array} */ bytes) {
    let at = 0;
    // Not by shifts: numbers have up to 64 bits.
    const number = () => {
        let value = 0;
        let scale = 1;
        for (; bytes[at] >= 128; scale *= 128)
            value += (bytes[at++] - 128) * scale;
        return value + bytes[at++] * scale;
    };
    const signed = () => {
        const value = number();
        return value % 2 ? -(value + 1) / 2 : value / 2;
    };
    const { numbers, texts } = /** @type {Columns} */ ({ numbers: {}, texts: {} });
    const utf8 = new TextDecoder();
    for (const { name, coding, count } of heads) {
        if (coding === "texts") {
            texts[name] = Array.from({ length: count }, () => {
                const length = number();
                return utf8.decode(bytes.subarray(at, at += length));
            });
            continue;
        }
        const values = numbers[name] = new Float64Array(count);
        for (let row = 0; row < count; ++row) {
            const value = coding === "varint" ? number() : signed();
            values[row] = coding === "delta" && row ? values[row - 1] + value : value;
        }
    }
    return { numbers, texts };
}
