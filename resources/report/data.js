// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";

// Reads the documents that core/page writes; its README.md describes the format.

/** @typedef {{name: string, coding: string, count: number}} ColumnHead */
/** @typedef {{format: string, version: number, kind: string, columns: ColumnHead[], packed: string} & Record<string, any>} PageDocument */
/** @typedef {Map<string, Float64Array | string[]>} Columns */

/** @param {string} text @returns {Promise<{head: PageDocument, columns: Columns}>} */
async function readDocument(text) {
    /** @type {PageDocument} */
    const head = JSON.parse(text);
    if (head.format !== "vramscope-page" || head.version !== 1)
        throw new Error("written by another version");
    const binary = atob(head.packed);
    head.packed = "";
    const packed = new Uint8Array(binary.length);
    for (let at = 0; at < packed.length; ++at)
        packed[at] = binary.charCodeAt(at);
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    return { head, columns: readColumns(head.columns, bytes) };
}

/** @param {ColumnHead[]} heads @param {Uint8Array} bytes @returns {Columns} */
function readColumns(heads, bytes) {
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
    /** @type {Columns} */
    const columns = new Map();
    const utf8 = new TextDecoder();
    for (const { name, coding, count } of heads) {
        if (coding === "texts") {
            const texts = new Array(count);
            for (let row = 0; row < count; ++row) {
                const length = number();
                texts[row] = utf8.decode(bytes.subarray(at, at += length));
            }
            columns.set(name, texts);
            continue;
        }
        const values = new Float64Array(count);
        let before = 0;
        for (let row = 0; row < count; ++row) {
            const value = coding === "varint" ? number() : signed();
            before = coding === "delta" ? before + value : 0;
            values[row] = coding === "delta" ? before : value;
        }
        columns.set(name, values);
    }
    return columns;
}
