// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/costs/category_rules.h"
#include "core/analysis/costs/costs.h"
#include "core/analysis/replayed/fragmentation.h"
#include "core/base/progress.h"

#include <optional>
#include <vector>

namespace vramscope {

class Categories;
struct Leaks;
class Study;
class UsageCurve;
struct Peak;

/// A program that retries after each failure makes thousands; the first ones show why.
inline constexpr std::size_t kMostExplained = 20;

/// Why a request failed, in the order in which the possibilities are tried.
enum class OutOfMemoryCause {
    Unknown,    ///< the file does not say how much the device had left
    Limit,      ///< the device had room: a memory fraction, or a driver call that failed otherwise
    Fragmented, ///< free memory and the device's rest were enough together, but not in one piece
    Elsewhere,  ///< enough was free, but for other pools, streams or sizes
    Full,       ///< all free memory together would not have been enough, or what fills it stays
};
inline constexpr std::size_t kOutOfMemoryCauseCount = 5;
/// "unknown", "limit", "fragmented", "elsewhere", "full".
[[nodiscard]] const char *outOfMemoryCauseName(OutOfMemoryCause cause);

/// The requests that the step would have made after a failed one. The recording does not have them:
/// it ends there, or goes on with the program's reaction to the error.
struct RestOfStep
{
    bool isKnown = false;   ///< an earlier complete step made the same request
    Bytes more = 0;         ///< an estimate of what it needs beyond the request, at its highest
    std::int64_t step = 0;  ///< the number of that step
    Bytes askedThere = 0;   ///< its requests; `more` grows with the request
    bool endsThere = false; ///< nothing is recorded after the failure
    bool operator==(const RestOfStep &) const = default;
};

/// The rest of the step in which a request failed, from the last complete step before it that made
/// the same request: the same stack, equally often before it in the step.
[[nodiscard]] RestOfStep restOfStep(const Study &study, const OutOfMemoryEvent &failure);

/// A change of the program, its settings or the device that makes room.
struct Remedy
{
    enum class Kind {
        Leak,               ///< what grows and is never freed is dropped
        NoGrad,             ///< an evaluation keeps no graph
        GraphPools,         ///< private pools of CUDA graphs are shared or released
        OtherUsers,         ///< less on the device outside this allocator
        Placement,          ///< the work is spread evenly over the devices of the process
        Checkpointing,      ///< activations are recomputed in backward
        FusedLoss,          ///< logits are never materialised as a whole
        SmallerOptimizer,   ///< states sharded, of fewer bits, or on the host
        FusedOptimizer,     ///< a step without temporaries
        Sharding,           ///< of parameters and gradients, over more ranks
        SmallerBatch,       ///< half the tokens of a micro-batch
        SmallerCache,       ///< half the bytes of keys and values
        ExpandableSegments, ///< stranded memory of plain segments becomes usable
        OtherPools,         ///< memory that is free, but not for the requested pool
        Limit,              ///< a memory fraction, not the device
        MoreMemory,         ///< a larger device, or less on it outside this allocator
    };
    Kind kind = Kind::MoreMemory;
    Bytes bytes = 0;     ///< that become available, or that are needed
    bool atMost = false; ///< some of them stay
    /// Whether the failed request is then served; nothing if the file does not say how much was
    /// left.
    std::optional<bool> servesRequest;
    std::optional<bool> servesStep; ///< … and the rest of the step, if that is known
};
inline constexpr auto kRemedyCount = static_cast<std::size_t>(Remedy::Kind::MoreMemory) + 1;
/// "checkpointing", "fused_loss", …
[[nodiscard]] const char *remedyName(Remedy::Kind kind);

/// Live memory of one kind.
struct LiveKind
{
    Category category = Category::Unknown;
    Bytes bytes = 0;
};

/// What filled the memory, what the step still needs, and what would help.
struct OutOfMemoryAdvice
{
    std::vector<LiveKind> live; ///< at the failure, the most bytes first
    Bytes logits = 0;           ///< logit-sized memory of kinds other than loss and logits
    Category request = Category::Unknown; ///< of the failed request, from its stack
    bool trains = false;                  ///< gradients, states or a loss occur in the recording
    RestOfStep rest;
    Bytes left = 0; ///< after the request if all free memory is one piece; < 0: lacks; if known
    std::optional<bool> expandableServes; ///< expandable segments, simulated over the recording
    std::vector<Remedy> remedies;         ///< by cause: the largest use of memory comes first
};

/// Memory returned to the device in one go: a retry of the allocator, or empty_cache().
struct Release
{
    EventIndex first = -1; ///< -1: there was none
    EventIndex last = -1;
    Bytes bytes = 0;
};

/// A failed request and the memory that it met.
struct OutOfMemoryReport
{
    EventIndex event = 0;
    Bytes requested = 0;   ///< rounded, as in the file
    Bytes needed = 0;      ///< requested from the driver: a segment, or whole pages
    Bytes deviceFree = -1; ///< what the device had left; -1: unknown
    StackId stack = StackId::None;
    StreamId stream{};
    PoolId pool = PoolId::Default;
    bool large = true; ///< the pool it would have been served from
    OutOfMemoryCause cause = OutOfMemoryCause::Unknown;
    Bytes shortage = 0;     ///< the part of `needed` that the device did not have
    Release lastRelease;    ///< the last one before the failure
    Bands bands;            ///< at the failure
    Bytes freeForIt = 0;    ///< free bytes of the requested pool and stream
    Bytes largestForIt = 0; ///< the largest hole among them
    std::int64_t liveBlocks = 0;
    std::vector<LiveGroup> live; ///< alive at the failure, by stack
    Fragmentation fragmentation; ///< at the failure
    bool expandable = false;     ///< the segments that would have served it

    /// Whether the file says how much the device had left.
    [[nodiscard]] bool isLeftTold() const { return deviceFree >= 0; }
};

/// Explains the failure `index` of device.outOfMemory. Rules: out_of_memory.cpp.
[[nodiscard]] OutOfMemoryReport explainOutOfMemory(const DeviceTrace &device, std::size_t index,
                                                   const Allocations &allocations,
                                                   const AddressSpace &space,
                                                   const AllocatorRules &rules);

/// Free memory of private pools at a failure, which the request, for another pool, cannot use.
[[nodiscard]] Bytes freeInPrivatePools(const OutOfMemoryReport &report);

/// What the recording shows to be out of the ordinary, and the memory that putting it right gives:
/// first of what is advised.
[[nodiscard]] std::vector<Remedy> circumstancesOf(const Trace &trace, const DeviceTrace &device,
                                                  const Allocations &allocations,
                                                  const Categories &categories,
                                                  const OutOfMemoryReport &report);

/// What would have helped against each of Study::failures(). If free memory in pieces would have
/// been enough for one of them, the recording is simulated under expandable segments, which takes
/// as long as whatIf(). Not usable if `progress` asked to stop.
[[nodiscard]] std::vector<OutOfMemoryAdvice> adviseOutOfMemory(const Study &study,
                                                               const Progress &progress = {});

/// What would make the peak smaller, whether or not a request failed: each of `remedies` has the
/// bytes by which the highest moment of the recording falls without that memory, the largest first.
/// Only `live`, `trains` and `remedies` have values. Linear in events and allocations.
[[nodiscard]] OutOfMemoryAdvice adviseOnPeak(const Allocations &allocations,
                                             const UsageCurve &curve, const Categories &categories,
                                             const Leaks &leaks, const Peak &peak,
                                             const Progress &progress = {});

} // namespace vramscope
