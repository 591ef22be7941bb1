// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile_builder.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace vramscope::chrome {

/// Keys of an event's arguments that are of use.
enum class Argument : std::uint8_t {
    Address,
    Block,
    Bytes,
    CallStack,
    CollectiveName,
    Correlation,
    DataType,
    Device,
    DeviceId,
    DeviceType,
    EventIndex,
    ExternalId,
    ForwardThread,
    Grid,
    GroupName,
    GroupRanks,
    GroupSize,
    InputDims,
    InputType,
    LowerExternalId, ///< as PyTorch 1.8 writes it
    LowerInputDims,
    ModuleHierarchy,
    Name,
    Occupancy,
    Received,
    Registers,
    Sent,
    SentSplits,
    SequenceNumber,
    Seq,
    SharedMemory,
    Stream,
    TotalAllocated,
    TotalReserved,
    None, ///< of no use
};
inline constexpr std::size_t kArgumentCount = static_cast<std::size_t>(Argument::None);

[[nodiscard]] Argument argumentOf(std::string_view key);

/// What the category of an event says of it.
struct Category
{
    ProfileEventKind kind = ProfileEventKind::Other;
    WorkKind work = WorkKind::Kernel;
    RangeKind range = RangeKind::User;
};

/// Of all eras: the names of 1.8 to 1.11 and those since, of every vendor.
[[nodiscard]] Category categoryOf(std::string_view category);

/// A JSON value as Python's json.dumps() writes it: one space after commas and colons, and what is
/// not ASCII escaped. `value` is JSON already; numbers with a fraction stay as they are.
[[nodiscard]] std::string asPythonWrites(std::string_view value);

} // namespace vramscope::chrome
