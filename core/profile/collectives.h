// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/breakdown.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

enum class CollectiveKind : std::uint8_t {
    Unknown,
    AllReduce,
    AllGather,
    ReduceScatter,
    AllToAll,
    Broadcast,
    Reduce,
    Gather,
    Scatter,
    Send,
    Receive,
    SendReceive,
    Barrier,
};

/// "allreduce", "recv", "unknown": one word, as reports and JSON write it.
[[nodiscard]] std::string_view textOf(CollectiveKind kind);
/// By the name of a collective, or of the kernel that carries it out; "ncclDevKernel_Generic" says
/// nothing.
[[nodiscard]] CollectiveKind collectiveKind(std::string_view name);
/// Whether no rank can finish before the last one has come.
[[nodiscard]] bool waitsForAll(CollectiveKind kind);
/// Bytes of an element by PyTorch's name of its type ("BFloat16"); none for one not known.
[[nodiscard]] std::optional<std::int64_t> elementSize(std::string_view dtype);

/// Bytes over nanoseconds, that is GB/s. As one rank's durations hold the wait for the others, they
/// give lower bounds; the shortest over all ranks gives the transfer itself.
struct Bandwidth
{
    std::optional<double> algorithm; ///< message bytes over time
    /// What the links carry: the algorithm's times 2(n−1)/n for an all-reduce, (n−1)/n for
    /// all-gather, reduce-scatter, all-to-all, gather and scatter, 1 for the others (nccl-tests).
    std::optional<double> bus;
};
[[nodiscard]] Bandwidth bandwidth(CollectiveKind kind, std::optional<std::int64_t> bytes,
                                  std::optional<std::int64_t> groupSize, std::int64_t time);

/// One piece of communication.
struct CollectiveCall
{
    std::uint32_t work = 0; ///< row of Profile::work()
    CollectiveKind kind = CollectiveKind::Unknown;
    std::optional<std::int64_t> bytes;     ///< of the message: of all-gathers what comes out, of
                                           ///< all-reduces, reduce-scatters and all-to-alls what
                                           ///< goes in, else the larger
    std::optional<std::int64_t> groupSize; ///< ranks
    StringId dtype = StringId::Empty;      ///< Empty: not stated
    StringId ranks = StringId::Empty;      ///< of the group, as the file lists them
    std::int64_t number = kNotStated;      ///< "Seq"
    std::uint32_t group = 0;               ///< of Collectives::groups
};

/// All communication of a profile by start, and the groups of ranks that it names. Where work names
/// none, each stream is a group of its own: "#0", "#1" in order of first use.
struct Collectives
{
    std::vector<CollectiveCall> calls;
    std::vector<std::string> groups;
};
[[nodiscard]] Collectives collectives(const Profile &profile, const WorkClasses &classes);

/// Calls that agree in all that they state.
struct CollectiveRow
{
    CollectiveCall first;
    std::int64_t count = 0;
    std::int64_t total = 0; ///< sum of durations, ns
    std::int64_t shortest = 0;
    std::int64_t longest = 0;
    std::int64_t exposed = 0; ///< of the total: while nothing computed
    Bandwidth atLeast;        ///< all bytes over the total: lower bounds
};

/// The longest total first. `exposed` as exposedTimes() gives it, or empty.
[[nodiscard]] std::vector<CollectiveRow>
collectiveTable(const Profile &profile, const Collectives &collectives,
                std::span<const std::int64_t> exposed = {});

} // namespace vramscope
