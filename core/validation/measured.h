// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include "core/validation/figure.h"

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace vramscope {

/// The figure that the program gave when it first met a run; it never changes afterwards.
struct FirstSight
{
    std::optional<double> predicted; ///< none: it refused
    std::optional<Band> band;        ///< as it stated it then
    std::string version;             ///< of the program: its commit
};

/// One published or recorded figure and the plan document that describes its run.
struct MeasuredRow
{
    std::string id;
    std::string setup;   ///< path of the plan document, from the folder of the table
    std::string figure;  ///< path as figureOf() reads it
    double value = 0;    ///< above 0; bytes, or a count for counts
    std::string quality; ///< "A": the whole configuration is known; "B": one setting is not; "C":
                         ///< nor is the setting that decides the figure, so it corrects no formula
    std::string family;
    bool covered = false; ///< the formulas have it in scope
    std::string source;   ///< where it was published or recorded; may be empty
    std::string note;     ///< what was assumed; may be empty
    bool held = false;    ///< withheld from authors of formulas
    std::string at;       ///< moment of the recording with the figure; may be empty
    std::optional<FirstSight> firstSight = {}; ///< none: nobody recorded it
    std::string year = {};                     ///< of the source; empty: it states none
};

/// Reads a table with the columns id, setup, figure, value, quality, family and covered (0 or 1),
/// and optionally source, note, held (0 or 1), at, year, first_sight, first_sight_low,
/// first_sight_high and first_sight_version, in any order and among others. An error names the
/// line.
[[nodiscard]] Result<std::vector<MeasuredRow>> parseMeasured(std::string_view csv);
[[nodiscard]] Result<std::vector<MeasuredRow>> readMeasured(const std::filesystem::path &file);

/// A plan's kind of run, in the words of its document: "training", "training, fsdp2, lora"
/// (strategy and adapters, where it has them), "inference, vllm".
[[nodiscard]] std::string runKind(const Plan &plan);

/// A row with the planner's prediction.
struct ComparedFigure
{
    MeasuredRow row;
    double predicted = 0;
    double errorPercent = 0; ///< (predicted − measured) / measured; above 0: the prediction is too
                             ///< high
    std::optional<Band> band; ///< of the reserved and the device level
    std::string run;          ///< runKind() of its setup
    std::string bandClass;    ///< of its setup, whose measured errors make the band
    std::string at;           ///< for a peak, the recording's moment of the predicted peak

    /// Whether the measured figure lies inside the stated band; false without one.
    [[nodiscard]] bool inside() const { return band && band->holds(row.value); }
};

/// A row that could not be compared.
struct UnusableRow
{
    std::string id;
    std::string reason;
};

struct Validation
{
    std::vector<ComparedFigure> rows; ///< in the order of the table
    std::vector<UnusableRow> unusable;
};

/// Returns the plan of a row's setup, or an error.
using SetupReader = std::function<Result<Plan>(const std::string &setup)>;

/// Setups are plan documents in files; `folder`: that of the table.
[[nodiscard]] SetupReader setupsIn(const std::filesystem::path &folder);

/// Estimates each setup once and compares every row with it. A run of vLLM is planned for the
/// release that its plan states, else for the one in the plan's name.
[[nodiscard]] Validation validate(std::span<const MeasuredRow> rows, const SetupReader &setups);

/// Absolute errors of some rows, in percent, and the mean of the signed ones.
struct ErrorSummary
{
    std::string name;
    std::size_t count = 0;
    double median = 0;
    double percentile95 = 0; ///< by nearest rank
    double worst = 0;
    double mean = 0; ///< signed: the bias
};

/// Takes signed errors in percent.
[[nodiscard]] ErrorSummary errorSummary(std::string name, std::span<const double> errors);

/// The errors of the rows that `selects` names.
[[nodiscard]] ErrorSummary errorSummary(std::string name, std::span<const ComparedFigure> rows,
                                        const std::function<bool(const ComparedFigure &)> &selects);

/// One summary per name from `nameOf`, in the order of their first rows.
[[nodiscard]] std::vector<ErrorSummary>
groupSummaries(std::span<const ComparedFigure> rows,
               const std::function<std::string(const ComparedFigure &)> &nameOf);
/// The same by family.
[[nodiscard]] std::vector<ErrorSummary> familySummaries(std::span<const ComparedFigure> rows);

/// The summaries "all", "covered", "quality A", "quality B" and "quality C", and last, if there are
/// such rows, "held back".
[[nodiscard]] std::vector<ErrorSummary> selectionSummaries(std::span<const ComparedFigure> rows);

/// How well the stated bands of the reserved and the device level match.
struct BandSummary
{
    std::size_t count = 0;  ///< rows with a band
    std::size_t inside = 0; ///< with the measured figure inside
    double widestHalfWidthPercent = 0;
    std::vector<double> halfWidthsPercent;

    /// One more row: its band and its measured figure.
    void add(const Band &band, double measured);
    [[nodiscard]] double sharePercent() const
    {
        return count > 0 ? 100.0 * static_cast<double>(inside) / static_cast<double>(count) : 0;
    }
    [[nodiscard]] double medianHalfWidthPercent() const;
};
[[nodiscard]] BandSummary bandSummary(std::span<const ComparedFigure> rows);

/// The middle value, for an even count the mean of the middle two; 0 without values.
[[nodiscard]] double median(std::vector<double> values);

/// The smallest value that at least `percent` of them do not exceed (the nearest rank); 0 without
/// values.
[[nodiscard]] double nearestRank(std::vector<double> values, std::size_t percent);

} // namespace vramscope
