// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/pickle_heap.h"
#include "core/readers/pickle_opcodes.h"
#include "core/readers/run_table.h"

#include <any>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace vramscope::pickle {

/// How a value of a scanned dict is written. Only the memo knows what a reference refers to.
enum class ScannedKind : std::uint8_t {
    Number,    ///< of at most 64 bits
    Reference, ///< the memo slot
    Text,      ///< where it begins in the bytes; its length in the low eight bits
    Frames,    ///< a list of references, as a RunPlace; 0 if empty
    Pair,      ///< a tuple of two small numbers, joined by makePair()
    None,
    Bool,
};

/// A key of a dict and how its value is written.
struct ScannedField
{
    std::uint32_t key = 0; ///< memo slot
    ScannedKind kind = ScannedKind::None;
    bool isRemembered = false; ///< the value takes the next memo slot
    std::uint16_t unused = 0;  ///< so that equal fields are equal bytes
};
static_assert(std::has_unique_object_representations_v<ScannedField>);

/// What dicts with the same keys and kinds of values have in common.
struct ScannedForm
{
    static constexpr std::size_t kMostFields = 16; ///< a dozen in the newest PyTorch

    std::array<ScannedField, kMostFields> fields;
    std::uint8_t count = 0;
    bool isRemembered = false; ///< the dict takes the next memo slot
};

/// Consecutive references: where they begin in the bytes, and their number, which is not 0.
struct RunPlace
{
    std::uint32_t begin = 0;
    std::uint32_t number = 0;

    explicit RunPlace(std::uint64_t bits)
        : begin(static_cast<std::uint32_t>(bits >> 32))
        , number(static_cast<std::uint32_t>(bits))
    {
    }
};

/// The flat dicts in a range of a pickle: those with known keys and plain values, which make up
/// nearly all of a snapshot. Only the reader, which reaches their place, knows whether they are
/// dicts of the file; the results are true for these bytes, wherever they come from.
struct DictScan
{
    struct Dict
    {
        std::uint32_t begin; ///< after EMPTY_DICT, in the bytes that were looked at
        std::uint32_t size;  ///< up to the end of SETITEMS
        std::uint32_t firstValue;
        std::uint32_t form;
    };

    std::vector<Dict> dicts;           ///< in their order
    std::vector<std::uint64_t> values; ///< of the dicts, with spare room
    /// Forms of the previous range continue while `age` is the same.
    std::vector<ScannedForm> forms;
    std::uint64_t age = 0;
    /// Equal run numbers mean the same in all ranges with the same numbering: those that one thread
    /// looks at, until it knows too many runs and starts over.
    std::uint64_t numbering = 0;
    std::size_t size = 0; ///< of the bytes
};

/// Looks for dicts in any bytes, at most four gigabytes: a Look, which makes a DictScan.
void scanDicts(std::span<const std::uint8_t> bytes, std::any &made, std::any &kept);

/// The bytes of a reference to a memo slot; 0 of any other instruction.
[[nodiscard]] inline std::size_t referenceSize(std::uint8_t opcode)
{
    if (opcode == kBinGet)
        return 2;
    return opcode == kLongBinGet ? 5 : 0;
}
/// The slot of the complete reference at `at`.
[[nodiscard]] inline std::uint32_t referenceSlot(const std::uint8_t *at)
{
    return *at == kBinGet ? at[1] : littleEndian<std::uint32_t>(at + 1);
}
/// The references at the beginning of the bytes, up to anything else.
[[nodiscard]] std::span<const std::uint8_t> referenceRun(std::span<const std::uint8_t> bytes);

} // namespace vramscope::pickle
