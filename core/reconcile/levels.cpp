// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reconcile/levels.h"

#include "core/analysis/replayed/usage_curve.h"
#include "core/plan/plan.h"
#include "core/settings/calibration_marks.h"
#include "core/settings/settings.h"

#include <algorithm>
#include <cmath>

namespace vramscope {

namespace {

// What the recording says of its levels; absent where it does not tell.
struct RecordedLevels
{
    Bytes allocated = 0;
    std::optional<Bytes> reserved;
    std::optional<Bytes> device;  ///< when an allocation failed
    std::optional<Bytes> outside; ///< device - reserved, at that moment
};

RecordedLevels recordedLevels(const Settings &settings, const Study &recorded,
                              const RecordedStep &step)
{
    RecordedLevels levels;
    const UsageCurve &curve = recorded.curve();
    levels.allocated = curve.active(step.peak);
    if (curve.isReservedKnown())
        levels.reserved = curve.reserved(curve.highestReserved(step.first - 1, step.last));
    if (step.failure < 0 || settings.capacity <= 0 || !levels.reserved)
        return levels;
    const OutOfMemoryEvent &failure =
        recorded.device().outOfMemory[static_cast<std::size_t>(step.failure)];
    if (failure.deviceFree < 0 || failure.deviceFree > settings.capacity)
        return levels;
    const Bytes outside = settings.capacity - failure.deviceFree - curve.reserved(failure.event);
    // What a context and communicators do not take: the plan's GPU is not the one recorded, or
    // other programs were on it.
    if (outside < 0 || outside > std::max(8 * kGiB, settings.capacity / 10))
        return levels;
    levels.outside = outside;
    levels.device = settings.capacity - failure.deviceFree;
    return levels;
}

std::optional<Bytes> difference(std::optional<Bytes> a, std::optional<Bytes> b)
{
    if (!a || !b)
        return std::nullopt;
    return *a - *b;
}

constexpr std::string_view kNoReserved = "the recording holds no segments";
constexpr std::string_view kNoDevice =
    "only told by a failed allocation, on the plan's GPU and without other programs";

} // namespace

std::vector<LevelPair> levelsOf(const Plan &plan, const Study &recorded, const RecordedStep &step,
                                bool firstStep)
{
    const Estimate figures = estimate(plan);
    const RecordedLevels was = recordedLevels(resolve(plan).settings, recorded, step);
    const Bytes allocated = firstStep ? figures.firstStepAllocated : figures.peakAllocated;
    const Bytes reserved = firstStep ? figures.firstStepReserved : figures.peakReserved;
    const Bytes outside = figures.peakDevice - figures.peakReserved;
    const auto how = [](std::optional<Bytes> known, std::string_view yes, std::string_view no) {
        return std::string(known ? yes : no);
    };
    return {{"Peak allocated", allocated, was.allocated,
             step.whole ? "the most that was active in the step"
                        : "the most that was active before the recording ended"},
            {"Reserved beyond it", reserved - allocated, difference(was.reserved, was.allocated),
             how(was.reserved, "peak reserved - peak active: cached and fragmented", kNoReserved)},
            {"Peak reserved", reserved, was.reserved,
             how(was.reserved, "the most that segments held in the step", kNoReserved)},
            {"Context, communicators and others", outside, was.outside,
             how(was.outside, "capacity - free - reserved, when an allocation failed", kNoDevice)},
            {"On the device", reserved + outside, was.device,
             how(was.device,
                 "capacity - free, when an allocation failed and cached memory had been returned",
                 kNoDevice)}};
}

std::vector<Calibration> calibrationsOf(const Plan &plan, const Study &recorded,
                                        const RecordedStep &step, const SideBytes &atPeak)
{
    const Settings settings = resolve(plan).settings;
    const RecordedLevels was = recordedLevels(settings, recorded, step);
    std::vector<Calibration> found;
    if (was.reserved && was.allocated > 0 && (step.whole || step.failure >= 0))
        found.push_back({"overheads.reserved_factor", "Reserved of allocated",
                         reservedOfAllocated(estimate(plan)),
                         static_cast<double>(*was.reserved) / static_cast<double>(was.allocated),
                         false, "peak reserved of peak allocated"});
    const Bytes system = settings.systemBytes; // a part of its own
    if (was.outside)
        found.push_back(
            {"overheads.context_bytes", "CUDA context and others",
             static_cast<double>(settings.contextBytes),
             static_cast<double>(std::max<Bytes>(0, *was.outside - settings.ncclBytes - system)),
             true,
             settings.ncclBytes > 0 ? "outside PyTorch, without the plan's communicators"
                                    : "outside PyTorch, when an allocation failed"});
    const Bytes workspace = atPeak.byCategory[static_cast<std::size_t>(Category::Framework)];
    if (workspace > 0)
        found.push_back({"overheads.cublas_workspace_bytes", "Workspaces of cuBLAS",
                         static_cast<double>(settings.cublasWorkspaceBytes),
                         static_cast<double>(workspace), true,
                         "workspaces of libraries alive at the peak"});
    return found;
}

namespace {

constexpr double kDecimals = 1e4;

FieldValue valueOf(const Calibration &constant, const Field &field)
{
    const double recorded = constant.recorded;
    if (!constant.isBytes)
        return std::round(recorded * kDecimals) / kDecimals;
    const bool counts = recorded >= field.minimum && recorded <= field.maximum;
    return counts ? FieldValue(static_cast<std::int64_t>(std::llround(recorded)))
                  : FieldValue(recorded); // of another type, so that it is refused
}

} // namespace

Plan calibrated(Plan plan, const Calibration &constant, std::string_view file)
{
    const Field *field = constantField(constant.field);
    Plan marked = plan;
    if (!field || !setField(marked, *field, valueOf(constant, *field)))
        return plan;
    markCalibrated(marked, field->path, file.substr(file.find_last_of("/\\") + 1));
    return marked;
}

} // namespace vramscope
