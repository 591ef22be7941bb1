// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include "core/projection/step_time.h"
#include "core/validation/measured.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// A published training speed and the plan of its run.
struct ThroughputRow
{
    std::string id;
    /// Runs of one source, model, GPU and precision, which are predicted from one of them; empty:
    /// the run has no family.
    std::string family;
    std::string model;                      ///< in the catalogue, or in measured/throughput/models
    double tokensPerGpu = 0;                ///< trained tokens a second and GPU, above 0
    std::optional<std::int64_t> parameters; ///< if the source states them exactly
    std::string source;
    std::string note;   ///< what was assumed; may be empty
    std::string missed; ///< why its prediction is known to miss the target; empty if it does not
    /// What the catalogue's rates gave when the program first met the run, and the program's
    /// version; none: nobody recorded it.
    std::optional<Projected> firstSight;
    std::string firstSightVersion;
    std::string whyNot; ///< why the run has no plan, in a sentence; empty if it has one
    Plan plan;
};

/// The config of a model that the catalogue does not have; empty where unknown.
using ModelConfigs = std::function<std::string_view(const std::string &model)>;

/// Reads a table with the columns id, family, model, tokens_s_gpu and source, and optionally
/// parameters, note and missed; a column with the path of a plan's field sets that field. An empty
/// cell is not stated; without a sequence length or a precision the row says why it has no plan. An
/// error names the line.
[[nodiscard]] Result<std::vector<ThroughputRow>> parseThroughput(std::string_view csv,
                                                                 const ModelConfigs &configs);

/// The rows that are compiled in, of resources/measured/throughput.
[[nodiscard]] std::vector<ThroughputRow> shippedThroughput();

/// The basis of a row's prediction.
enum class SpeedBasis {
    Calibrates, ///< its family is calibrated on it, so it is no prediction
    Calibrated, ///< the speed of another run of its family
    Catalogue,  ///< only the catalogue's rates
    None        ///< nothing is predicted
};

/// "calibrates its family", "calibrated", "catalogue alone", "not computed"
[[nodiscard]] std::string_view basisName(SpeedBasis basis);

/// A row with its projection.
struct ComparedSpeed
{
    ThroughputRow row;
    SpeedBasis basis = SpeedBasis::None;
    std::string whyNot;       ///< why nothing is predicted; empty if something is
    std::string layout;       ///< "TP 8, DP 32, fsdp2 full_shard; 16 × 8,192 tokens"
    std::int64_t gpus = 0;    ///< 0 where the row has no plan
    std::string calibratedOn; ///< id of the row whose speed gives this prediction
    double arithmeticShare =
        0; ///< of the dense bf16 rate, by that row's speed; 0: by the catalogue
    /// The step of the prediction; for a calibrating row, with its own speed.
    StepTime time;
    /// Tokens a second and GPU, in the range of the rates. For a calibrating row its own speed.
    Projected predicted;
    double errorPercent = 0; ///< (predicted − published) / published; 0 for a calibrating row
    /// From the catalogue's rates alone, whatever the basis: the plan's own projection.
    Projected catalogue;
    std::string speedClass; ///< whose published speeds make that range

    [[nodiscard]] bool computed() const { return basis != SpeedBasis::None; }
    /// Whether it predicts a speed that it did not use.
    [[nodiscard]] bool predicts() const
    {
        return basis == SpeedBasis::Calibrated || basis == SpeedBasis::Catalogue;
    }
    /// Whether the published speed lies in the catalogue's range.
    [[nodiscard]] bool insideCatalogue() const
    {
        return row.tokensPerGpu >= catalogue.low && row.tokensPerGpu <= catalogue.high;
    }
    [[nodiscard]] double catalogueErrorPercent() const
    {
        return (catalogue.likely / row.tokensPerGpu - 1) * 100;
    }
};

/// The difference within a family.
enum class FamilyKind {
    Weak,   ///< GPUs under data parallelism; the batch of each stays
    Strong, ///< GPUs or the strategy under data parallelism; the batch of the job stays
    Layouts ///< how the model is split: tensor, pipeline, context
};

/// "more GPUs, batch of each the same", …
[[nodiscard]] std::string_view familyKindName(FamilyKind kind);
/// The target for a projection's error: 5 % under data parallelism, 10 % across layouts.
[[nodiscard]] double targetPercent(FamilyKind kind);

/// The errors of one family.
struct SpeedFamily
{
    std::string name;
    FamilyKind kind = FamilyKind::Weak;
    std::string calibratedOn; ///< the id of its row
    std::size_t predicted = 0;
    double worstPercent = 0; ///< signed: the largest error by size

    [[nodiscard]] bool met() const
    {
        return worstPercent <= targetPercent(kind) && worstPercent >= -targetPercent(kind);
    }
};

struct SpeedValidation
{
    std::vector<ComparedSpeed> rows; ///< all of them, in the order of the table
    std::vector<SpeedFamily> families;
};

/// Projects every row. In each family the run of the fewest GPUs calibrates, of several the one
/// whose replica has the fewest, of these the first; the others are predicted from its speed.
[[nodiscard]] SpeedValidation validateSpeeds(std::span<const ThroughputRow> rows);

/// The errors of the catalogue's rates for a class of runs, in percent.
struct SpeedClass
{
    std::string name;
    ErrorSummary then; ///< at first sight
    ErrorSummary today;
    ErrorSummary keptBack;  ///< today, of the third by which no constant was chosen
    std::size_t inside = 0; ///< of those of today
};
/// For all computed training speeds, named "all", and for each class and its kind. A run whose
/// first sight nobody recorded is among those of today only.
[[nodiscard]] std::vector<SpeedClass> speedClasses(const SpeedValidation &validation);

/// The accuracy of predictions calibrated by another run, and of the catalogue alone.
struct SpeedSummary
{
    std::size_t rows = 0;
    std::size_t notComputed = 0;
    std::size_t calibrating = 0;
    std::size_t calibrated = 0;  ///< predicted from another run of their family
    double calibratedMedian = 0; ///< of their absolute errors, in percent
    double calibratedWorst = 0;
    std::size_t familiesMet = 0;
    std::size_t families = 0;
    std::size_t catalogueInside = 0; ///< of all that are computed, those in the catalogue's range
    double catalogueMedian = 0;      ///< of the absolute errors of its likely values
};
[[nodiscard]] SpeedSummary speedSummary(const SpeedValidation &validation);

} // namespace vramscope
