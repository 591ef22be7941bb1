// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/reconcile/reconcile_study.h"

#include "core/analysis/replayed/usage_curve.h"
#include "core/plan/plan.h"
#include "core/reconcile/reconcile.h"
#include "ui/reconcile/reconcile_page.h"

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

std::unique_ptr<DocumentPage> ReconcileDocument::makePage(const QString &, const QString &,
                                                          QWidget *parent) const
{
    return std::make_unique<ReconcilePage>(shared<ReconcileDocument>(), parent);
}

DocumentKind ReconcileDocument::kind() const
{
    return {u"compared with %1"_s.arg(recording.title), {}, {}};
}

DocumentPointer ReconcileDocument::withoutNames(const Redaction &redaction,
                                                const Progress &progress) const
{
    return std::make_shared<const ReconcileDocument>(
        vramscope::withoutNames(recording, redaction, progress));
}

std::size_t highestDevice(const TraceDocument &document)
{
    const auto peak = [](const std::shared_ptr<const Study> &device) {
        return device->hasHistory() ? device->curve().active(device->curve().peakActiveEvent())
                                    : Bytes(-1);
    };
    const auto highest = std::ranges::max_element(document.devices, {}, peak);
    return static_cast<std::size_t>(highest - document.devices.begin());
}

bool studyToReconcile(const ComparedTrace &recording, const Progress &progress)
{
    return recording.shown().make({Study::Part::Categories}, progress);
}

bool isStudiedToReconcile(const ComparedTrace &recording)
{
    return recording.shown().isMade(Study::Part::Categories);
}

std::shared_ptr<const Reconciliation> heldAgainst(const ComparedTrace &recording, const Plan &plan,
                                                  const Progress &progress)
{
    return std::make_shared<const Reconciliation>(reconcile(plan, recording.shown(), progress));
}

} // namespace vramscope
