// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope::smi {

/// The meaning of a column in a log of nvidia-smi.
enum class Kind : std::uint8_t {
    Ignored,
    Time,
    Index, ///< a number of the device
    Uuid,  ///< "GPU-…"
    Bus,   ///< "00000000:01:00.0"
    Name,  ///< of the device
    Used,  ///< memory of the device, or with a Process column of the process
    Free,
    Total,
    Reserved,
    Process, ///< its number
    ProcessName,
    Number, ///< any other number, if it is one
};

struct Column
{
    Kind kind = Kind::Ignored;
    std::string name; ///< "memory.used"
    std::string unit; ///< as in the header: "MiB", "%", "ms"
};

/// Longer lines keep their first words or cells: no log has as many columns.
inline constexpr std::size_t kMostCells = 256;

/// The cells of a line, trimmed; a cell in double quotes may hold commas.
[[nodiscard]] std::vector<std::string> splitCells(std::string_view line);
/// The words of a line.
[[nodiscard]] std::vector<std::string_view> wordsOf(std::string_view line);

/// The column of a header cell: "memory.used [MiB]", "used_gpu_memory [MiB]", "gpu_utilization".
[[nodiscard]] Column columnOf(std::string_view cell);

/// The column, if its name is one that logs of GPUs use.
[[nodiscard]] std::optional<Column> knownColumn(std::string_view cell);

/// The column of a value in the reports of -q and -q -x, by its section and key there:
/// "fb_memory_usage/used". Nothing if the value is not used.
[[nodiscard]] std::optional<Column> reportedColumn(std::string_view path);

/// True if the cells name columns instead of holding values.
[[nodiscard]] bool isHeader(const std::vector<std::string> &cells);

/// A cell split into its number and its unit ("841", "MiB").
struct Quantity
{
    std::string_view number;
    std::string_view unit;

    [[nodiscard]] double value() const;
    /// The size in bytes, exact if that is whole, else rounded. A cell without a unit has the unit
    /// of its column, else `plain` bytes. Nothing if the unit is not one of size, or the size is
    /// negative or has more than 64 bits.
    [[nodiscard]] std::optional<Bytes> bytes(std::string_view ofColumn = {}, Bytes plain = 0) const;
};
/// Nothing for "[N/A]", "-" and the like, and for an id that begins with digits:
/// "00000000:3B:00.0", "0x20B0".
[[nodiscard]] std::optional<Quantity> quantityOf(std::string_view cell);

/// Whether a cell means that there is no value to report: "[N/A]", "[Not Supported]", "-".
[[nodiscard]] bool isNotReported(std::string_view cell);

/// Nanoseconds in "s", "sec", "ms" and the like; 0 for other units.
[[nodiscard]] std::int64_t nanosecondsOfUnit(std::string_view unit);

/// Bytes in a unit as nvidia-smi means it: both "MiB" and "MB" are 2^20. 0 for other units.
[[nodiscard]] Bytes bytesOfUnit(std::string_view unit);

/// The device number in a cell; nothing for other text or a number above any machine's.
[[nodiscard]] std::optional<int> ordinalOf(std::string_view cell);

} // namespace vramscope::smi
