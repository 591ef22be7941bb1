// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/reconcile/reconcile_study.h"

#include "core/reconcile/reconcile.h"

#include <algorithm>

namespace vramscope {

std::size_t highestDevice(const TraceDocument &document)
{
    const auto peak = [](const std::unique_ptr<const DeviceDocument> &device) {
        return device->hasHistory() ? device->curve.active(device->curve.peakActiveEvent())
                                    : Bytes(-1);
    };
    const auto highest = std::ranges::max_element(document.devices, {}, peak);
    return static_cast<std::size_t>(highest - document.devices.begin());
}

std::shared_ptr<const ReconcileStudy> studyToReconcile(const ComparedTrace &recording,
                                                       const Progress &progress)
{
    const Trace &trace = *recording.document->trace;
    const DeviceDocument &device = recording.shown();
    auto study = std::make_shared<ReconcileStudy>();
    study->steps = findSteps(trace, device.recorded, device.allocations, device.curve,
                             partOf(progress, 0, 0.5));
    study->categories = categorize(trace, device.recorded, device.allocations, study->steps,
                                   defaultCategoryRules(), partOf(progress, 0.5, 1));
    return study;
}

std::shared_ptr<const Reconciliation> heldAgainst(const ComparedTrace &recording,
                                                  const ReconcileStudy &study, const Plan &plan,
                                                  const Progress &progress)
{
    const DeviceDocument &device = recording.shown();
    return std::make_shared<const Reconciliation>(
        reconcile(plan,
                  {*recording.document->trace, device.recorded, device.allocations, device.curve,
                   study.steps, study.categories},
                  progress));
}

} // namespace vramscope
