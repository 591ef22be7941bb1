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

/// What a column of a log of nvidia-smi means.
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
    Number, ///< anything else that may be one
};

struct Column
{
    Kind kind = Kind::Ignored;
    std::string name; ///< "memory.used"
    std::string unit; ///< as the header has it: "MiB", "%", "ms"
};

/// Of longer lines the first words or cells are taken: no log has as many columns.
inline constexpr std::size_t kMostCells = 256;

/// The cells of a line, without the blanks around them; a cell in double quotes may hold commas.
[[nodiscard]] std::vector<std::string> splitCells(std::string_view line);
/// The words of a line.
[[nodiscard]] std::vector<std::string_view> wordsOf(std::string_view line);

/// The column of a header cell: "memory.used [MiB]", "used_gpu_memory [MiB]", "gpu_utilization".
[[nodiscard]] Column columnOf(std::string_view cell);

/// The same, where it is a name that logs of GPUs have.
[[nodiscard]] std::optional<Column> knownColumn(std::string_view cell);

/// The column of a value in the reports of -q and -q -x, by its section and key there:
/// "fb_memory_usage/used". Nothing where the value is of no use.
[[nodiscard]] std::optional<Column> reportedColumn(std::string_view path);

/// True where the cells name columns instead of holding values.
[[nodiscard]] bool isHeader(const std::vector<std::string> &cells);

/// A cell split into its number and its unit ("841", "MiB").
struct Quantity
{
    std::string_view number;
    std::string_view unit;

    [[nodiscard]] double value() const;
    /// The size in bytes, exact where that is whole, else the nearest. A cell without a unit has
    /// that of its column, and where that has none, `plain` bytes. Nothing where the unit is none
    /// of sizes, or the size is negative or has more than 64 bits.
    [[nodiscard]] std::optional<Bytes> bytes(std::string_view ofColumn = {}, Bytes plain = 0) const;
};
/// Nothing for "[N/A]", "-" and the like, nor for what begins with digits but is an id:
/// "00000000:3B:00.0", "0x20B0".
[[nodiscard]] std::optional<Quantity> quantityOf(std::string_view cell);

/// Whether a cell says that there is no value to report: "[N/A]", "[Not Supported]", "-".
[[nodiscard]] bool isNotReported(std::string_view cell);

/// Nanoseconds of "s", "sec", "ms" and the like; 0 for no unit of time.
[[nodiscard]] std::int64_t nanosecondsOfUnit(std::string_view unit);

/// Bytes of a unit as nvidia-smi means it: "MiB", but also "MB", is 2^20. 0 for no size.
[[nodiscard]] Bytes bytesOfUnit(std::string_view unit);

/// The number of a device that a cell consists of; nothing where no machine has as many.
[[nodiscard]] std::optional<int> ordinalOf(std::string_view cell);

} // namespace vramscope::smi
