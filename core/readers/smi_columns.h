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

/// What a column of a log of nvidia-smi holds.
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

/// Of longer lines the first cells are taken: no log has as many columns.
inline constexpr std::size_t kMostCells = 256;

/// The cells of a line, without the blanks around them; a cell in double quotes may hold commas.
[[nodiscard]] std::vector<std::string> splitCells(std::string_view line);
/// The words of a line.
[[nodiscard]] std::vector<std::string> splitWords(std::string_view line);

/// What a header cell names: "memory.used [MiB]", "used_gpu_memory [MiB]", "gpu_utilization".
[[nodiscard]] Column columnOf(std::string_view cell);

/// What a header cell names, where it is a name that logs of GPUs have.
[[nodiscard]] std::optional<Column> knownColumn(std::string_view cell);

/// True where the cells name columns instead of holding values.
[[nodiscard]] bool isHeader(const std::vector<std::string> &cells);

/// A cell split into its number and its unit ("841", "MiB"). Nothing for "[N/A]", "-" and the like,
/// nor for what begins with digits but is an id: "00000000:3B:00.0", "0x20B0".
struct Quantity
{
    std::string_view number;
    std::string_view unit;
};
[[nodiscard]] std::optional<Quantity> quantityOf(std::string_view cell);

/// Whether a cell says that there is no value to report: "[N/A]", "[Not Supported]", "-".
[[nodiscard]] bool isNotReported(std::string_view cell);

/// Nanoseconds of "s", "sec", "ms" and the like; 0 for no unit of time.
[[nodiscard]] std::int64_t nanosecondsOfUnit(std::string_view unit);

/// Bytes of a unit as nvidia-smi means it: "MiB", but also "MB", is 2^20. 0 for no size.
[[nodiscard]] Bytes bytesOfUnit(std::string_view unit);

/// `number` times `unit`, exact where that is whole, else the nearest.
[[nodiscard]] std::optional<Bytes> bytesOf(std::string_view number, Bytes unit);

} // namespace vramscope::smi
