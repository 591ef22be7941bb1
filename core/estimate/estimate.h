// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/base/category.h"
#include "core/estimate/step_work.h"
#include "core/plan/issue.h"
#include "core/settings/schedules/step_phase.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

struct Plan;
struct Settings;

/// How certain a figure is: checked against published measurements; taken from the named source;
/// derived from tensor shapes and unchecked; or fitted, with a spread where one is known.
enum class Evidence { Verified, Sourced, Derived, Empirical };

/// One part of the memory at one moment.
struct Component
{
    Category category = Category::Parameters;
    std::string name; ///< "Weight shards", unique within a moment
    Bytes bytes = 0;
    std::string formula; ///< symbols, then the numbers put in: "4 N / D = 4 × 8,030,261,248 / 8"
    std::string source;  ///< where the formula comes from
    Evidence evidence = Evidence::Derived;
    double spread = 0;        ///< relative spread of an Empirical figure: ± spread × bytes
    std::int64_t sharded = 1; ///< number of ranks that divide it
};

/// A named moment of the step; its components add up to `allocated` exactly.
struct Moment
{
    std::string name; ///< "forward", "loss", "first backward block", "optimizer step", "at rest", …
    Bytes allocated = 0;
    std::vector<Component> components;
    StepPhase phase = StepPhase::Rest;
    Bytes reserved = 0; ///< with the allocator's slack
};

/// Figures that serving engines print, and the limits of a GPU. maxConcurrency: sequences that fit
/// at once, of max_model_len under vLLM, else of mean_sequence_length. maxContext: the longest
/// sequence that fits, alone under vLLM, else with as many as the plan states; this considers
/// memory alone, not the length the model was trained for. Both are 0 where the capacity is
/// unknown.
struct InferenceFigures
{
    Bytes weights = 0;
    Bytes kvBytesPerToken = 0;
    Bytes activationPeak = 0;
    Bytes nonTorch = 0;
    Bytes kvCache = 0;
    /// The range of vLLM's pool, which uses what the rest leaves; both 0 for other caches.
    Bytes kvCacheLow = 0;
    Bytes kvCacheHigh = 0;
    Bytes kvCacheNeeded = 0; ///< vLLM: for one longest sequence or the load, whichever is more
    std::int64_t kvBlocks = 0;
    std::int64_t kvTokens = 0;
    double maxConcurrency = 0;
    std::int64_t maxContext = 0;
    Bytes blockWaste = 0; ///< at most empty in the last block of one sequence; 0 without blocks
    bool startsServing = true; ///< false: vLLM refuses to start, for a sequence of max_model_len
    bool servesLoad = true;    ///< whether the requested sequences run at once
    Bytes stateBytesPerSequence = 0; ///< of layers that keep a state, whatever its length
    std::int64_t printedTokens = 0; ///< "GPU KV cache size" in the log of vLLM's release; 0: others
    Bytes hostWeights = 0; ///< experts that stay in the host's memory, and the embedding there

    /// False for an encoder.
    [[nodiscard]] bool keepsCache() const
    {
        return kvBytesPerToken > 0 || stateBytesPerSequence > 0 || kvCache > 0;
    }
};

/// The memory a plan needs, per GPU. Figures are absent (computed == false) when an issue is
/// Blocking: never a wrong figure. All bytes exact; only the reserved and device levels depend on
/// empirical factors.
struct Estimate
{
    bool computed = false;
    std::shared_ptr<const Settings>
        settings; ///< of the plan, resolved; estimate() always gives them

    std::int64_t parametersTotal = 0; ///< known even when not computed, where the architecture is
    std::int64_t parametersActive = 0;
    std::int64_t parametersPerRank = 0;

    Bytes peakAllocated = 0; ///< torch.cuda.max_memory_allocated()
    Bytes peakReserved = 0;  ///< max_memory_reserved()
    Bytes peakDevice = 0;    ///< nvidia-smi
    std::string peakAt;      ///< name of the peak moment
    StepPhase peakPhase = StepPhase::Rest;
    Bytes firstStepAllocated = 0;
    Bytes firstStepReserved = 0;
    std::string firstStepAt;
    Bytes atRest = 0;

    std::optional<Bytes> capacity;
    std::optional<Bytes> headroom; ///< capacity - peakDevice
    std::optional<bool> fits;
    /// Why the run may fail although its figures fit, as a clause: too little host memory, or too
    /// little memory while weights load. Empty: no reason is known.
    std::string risk;
    Bytes uncertaintyLow = 0; ///< of the device level; never of zero width
    Bytes uncertaintyHigh = 0;
    Bytes reservedLow = 0; ///< the same of the reserved level
    Bytes reservedHigh = 0;
    /// The class of runs whose measured errors make the bands (measured_bands.h); empty: the
    /// spreads of the plan's parts do.
    std::string bandClass;
    std::string bandWidenedBy; ///< why that class is a general one, as a clause; empty: it is not

    std::vector<Moment> moments; ///< of a steady step, in order of time
    std::size_t peakMoment = 0;  ///< index into moments
    std::vector<Component>
        outside; ///< between allocated and device: allocator slack, CUDA context, NCCL
    std::vector<Bytes> stages; ///< peak allocated of each pipeline stage
    std::int64_t stage = 0;    ///< the stage that the figures describe: requested, or the worst

    std::optional<InferenceFigures> inference;
    Bytes hostBytes = 0;          ///< of the host's memory, for each GPU
    Bytes toHostBytes = 0;        ///< over the link to the host, in a step
    Bytes toDeviceBytes = 0;      ///< and back
    Bytes communicationBytes = 0; ///< per GPU and step
    double recomputeShare = 0;    ///< of the step's arithmetic, spent on running forward again
    double bubbleShare = 0;       ///< of the step's time, in which a pipeline stage waits
    StepWork work;
    std::vector<Issue> issues;

    /// The components of the peak moment; empty when not computed.
    [[nodiscard]] const std::vector<Component> &components() const;
    /// Whether the figures describe training steps, not requests or calls.
    [[nodiscard]] bool ofSteps() const;
    /// Whether an engine shares the GPU with the trainer of these steps.
    [[nodiscard]] bool hasRollout() const;
    /// Host and device share one memory; the device level is the plan's whole use of it.
    [[nodiscard]] bool inOneMemory() const;
    /// Bytes of a category at the peak.
    [[nodiscard]] std::array<Bytes, kCategoryCount> byCategory() const;
};

/// Reserved memory divided by allocated memory, each at its peak: the plan's reserved factor, or
/// more where other streams keep blocks. 1 without figures.
[[nodiscard]] double reservedOfAllocated(const Estimate &estimate);

/// Why there are no figures, with the field at fault; empty where there are.
[[nodiscard]] std::string whyNotComputed(const Estimate &estimate);

/// The whole planner: pure, well under a millisecond, never throws.
[[nodiscard]] Estimate estimate(const Plan &plan);

} // namespace vramscope
