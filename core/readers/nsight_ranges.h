// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/string_pool.h"
#include "core/profile/profile.h"
#include "core/readers/sqlite_file.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace vramscope::nsight {

/// What torch.autograd.profiler.emit_nvtx() writes about an operator into the name of its range:
/// "aten::view, seq = 3, op_id = 7, sizes = [[2, 3]]".
struct OperatorText
{
    std::string_view name;
    std::int64_t sequence = kNoNumber;
    std::string_view shapes; ///< with their brackets; empty if the range has none
    bool isOperator = false; ///< otherwise the text is the name of another range
};
[[nodiscard]] OperatorText operatorText(std::string_view text);

/// Whether the operator belongs to the backward pass, by its name.
[[nodiscard]] bool isBackward(std::string_view name);

/// What NCCL reports about a call in the payload of its range.
struct NcclPayload
{
    std::uint64_t communicator = 0;
    std::int64_t bytes = kNoNumber; ///< "Message size [bytes]"
    std::int64_t ranks = kNoNumber; ///< "No. of ranks", when a communicator is made
};

/// Reads payloads by the layouts that a file describes. A payload begins with 32 bytes: its domain,
/// its layout, its size and the total size; then come the fields.
class PayloadLayouts
{
public:
    /// NVTX_PAYLOAD_SCHEMA_ENTRIES of `file`.
    [[nodiscard]] static Result<PayloadLayouts> read(SqliteFile &file);
    /// Nothing if the payload is damaged or not NCCL's.
    [[nodiscard]] std::optional<NcclPayload> nccl(std::string_view payload) const;

private:
    struct Field
    {
        std::size_t offset = 0;
        std::size_t size = 0;
    };
    struct Layout
    {
        std::optional<Field> communicator;
        std::optional<Field> bytes;
        std::optional<Field> ranks;
    };
    std::unordered_map<std::int64_t, Layout> m_layouts;
};

/// A span of the host in which NCCL launches one collective, or several that the program grouped,
/// and the bytes that they move together.
struct NcclLaunch
{
    std::int64_t start = 0;
    std::int64_t end = 0;
    std::uint32_t thread = 0;
    std::string name; ///< "AllReduce", "SendRecv"; empty for mixed kinds, without figures
    std::uint64_t communicator = 0;
    std::int64_t ranks = kNoNumber;
    std::int64_t bytes = kNoNumber; ///< of the message, as CollectiveCall::bytes counts it
};

/// Takes the ranges of NCCL and finds what each launch carries.
class NcclRanges
{
public:
    /// A range on `thread`, in any order; `payload` if it has a readable one.
    void add(std::string_view name, std::int64_t start, std::int64_t end, std::uint32_t thread,
             const std::optional<NcclPayload> &payload);
    /// By thread and start. Launches without figures are left out.
    [[nodiscard]] std::vector<NcclLaunch> launches();

private:
    struct Range
    {
        std::int64_t start;
        std::int64_t end;
        std::uint32_t thread;
        std::string name; // without "nccl"
        std::optional<NcclPayload> payload;
    };
    [[nodiscard]] NcclLaunch launchOf(const Range &range) const;
    [[nodiscard]] NcclLaunch groupOf(const std::vector<const Range *> &calls) const;

    std::vector<Range> m_ranges;
    std::unordered_map<std::uint64_t, std::int64_t> m_sizes; // of communicators
};

} // namespace vramscope::nsight
