// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/recovered_report.h"

#include "core/base/json_text.h"
#include "core/plan/plan_json.h"
#include "core/print/cells.h"
#include "core/print/json_parts.h"
#include "core/print/reconcile_report.h"

#include <utility>

namespace vramscope {

namespace {

std::string headingOf(Certainty certainty)
{
    switch (certainty) {
    case Certainty::Determined:
        return "Determined by the recording";
    case Certainty::Likely:
        return "Likely";
    case Certainty::NotDetermined:
        break;
    }
    return "Not determined, left at a default";
}

} // namespace

std::string recoveredFieldsText(const RecoveredPlan &recovered)
{
    std::string text;
    for (const Certainty certainty :
         {Certainty::Determined, Certainty::Likely, Certainty::NotDetermined}) {
        bool first = true;
        for (const RecoveredField &field : recovered.fields) {
            if (field.certainty != certainty)
                continue;
            if (std::exchange(first, false))
                text += (text.empty() ? "" : "\n") + headingOf(certainty) + "\n";
            std::string line =
                field.subject + (field.value.empty() ? "" : ": " + field.value) + ". " + field.how;
            text += paragraph(printable(line));
        }
    }
    return text;
}

std::string recoveredText(const RecoveredPlan &recovered, std::string_view file, int device,
                          ByteUnit unit)
{
    const std::string title = printable(file) + ", device " + std::to_string(device);
    return title + "\n\n" + recoveredFieldsText(recovered) + "\n" +
           (recovered.hasModel()
                ? reconcileVerdict(recovered.reconciliation, unit)
                : "The plan gives no figures until it names a model; see model.preset.") +
           "\n";
}

std::string recoveredJson(const RecoveredPlan &recovered, std::string_view file, int device)
{
    const auto fieldJson = [](const RecoveredField &field) -> Json {
        return {{"subject", field.subject},
                {"value", field.value},
                {"certainty", certaintyName(field.certainty)},
                {"how", field.how},
                {"settings", fieldsJson(field.settings)}};
    };
    Json compared;
    if (recovered.hasModel()) {
        const MatchedMoment &moment = recovered.reconciliation.comparedMoment();
        compared = {{"moment", moment.name},
                    {"predicted", moment.predicted.total()},
                    {"recorded", moment.recorded.total()},
                    {"unexplained", recovered.reconciliation.unexplained}};
    }
    return jsonText({{"trace", file},
                     {"device", device},
                     {"plan", parsedJson(planJson(recovered.plan))},
                     {"fields", listJson(recovered.fields, fieldJson)},
                     {"compared", std::move(compared)}});
}

} // namespace vramscope
