// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/gpus.h"
#include "core/estimate/estimate.h"
#include "core/plan/field.h"
#include "core/plan/plan_json.h"
#include "core/print/plan_report.h"
#include "core/settings/settings.h"
#include "tests/support/models.h"
#include "tests/support/test.h"

#include <algorithm>
#include <cmath>
#include <random>

using namespace vramscope;

namespace {

using Random = std::mt19937;

template<class Range>
const auto &oneOf(const Range &range, Random &random)
{
    return range[random() % range.size()];
}

/// A value at or near the ends of what the field may take, or anywhere between on a scale of
/// ratios.
double extreme(const Field &field, Random &random)
{
    const double low = std::max(field.minimum, field.kind == FieldKind::Number ? 0.001 : 1.0);
    switch (random() % 4) {
    case 0:
        return field.minimum;
    case 1:
        return field.maximum;
    case 2:
        return std::min(low + 1, field.maximum);
    default: {
        const double part = static_cast<double>(random() % 1000) / 1000;
        return std::clamp(low * std::pow(field.maximum / low, part), field.minimum, field.maximum);
    }
    }
}

FieldValue anyValue(const Field &field, Random &random)
{
    switch (field.kind) {
    case FieldKind::Switch:
        return random() % 2 == 0;
    case FieldKind::Count:
    case FieldKind::Size:
        return static_cast<std::int64_t>(extreme(field, random));
    case FieldKind::Number:
        return extreme(field, random);
    case FieldKind::Choice:
        return std::string(oneOf(field.choices, random));
    case FieldKind::Choices: {
        TextList words;
        for (const std::string_view word : field.choices) {
            if (random() % 2 == 0)
                words.emplace_back(word);
        }
        return words;
    }
    case FieldKind::Counts: {
        CountList list(random() % 4);
        for (std::int64_t &count : list)
            count = static_cast<std::int64_t>(extreme(field, random));
        return list;
    }
    case FieldKind::Texts:
        return TextList{"reserved_factor from a.pickle", "nothing", " from ", ""};
    case FieldKind::Text:
    case FieldKind::Object:
        return {};
    }
    return {};
}

/// A plan of any model in which about one field in `sparseness` is stated, many at their limits.
Plan anyPlan(Random &random, unsigned sparseness)
{
    Plan plan;
    for (const Field &field : planFields()) {
        if (random() % sparseness == 0)
            (void)setField(plan, field, anyValue(field, random));
    }
    plan.model.preset = oneOf(test::plainModels(), random).model->name;
    if (random() % 2 == 0)
        plan.hardware.gpu = oneOf(gpuPresets(), random).name;
    if (random() % 4 != 0) { // mostly a world that agrees with itself
        plan.parallel.tensor = plan.parallel.pipeline = plan.parallel.context = std::nullopt;
        plan.parallel.expert = std::nullopt;
        plan.hardware.gpus = plan.parallel.data;
        plan.workload = std::nullopt;
    }
    return plan;
}

/// A band holds its figure, says that it is not exact, and still says something.
bool soundBand(Bytes figure, Bytes low, Bytes high)
{
    const double half = (static_cast<double>(high) - static_cast<double>(low)) / 2;
    const double middle = (static_cast<double>(high) + static_cast<double>(low)) / 2;
    return low >= 0 && low <= figure && figure <= high && low < high && half < middle;
}

} // namespace

class TestExtremes : public test::Test
{
    Q_OBJECT

private slots:
    void anyMixOfSettingsGivesSoundFiguresOrAReason();
};

void TestExtremes::anyMixOfSettingsGivesSoundFiguresOrAReason()
{
    Random random(2026);
    int computed = 0;
    for (int trial = 0; trial < 3000; ++trial) {
        const Plan plan = anyPlan(random, trial % 3 == 0 ? 3 : 20);
        const Estimate it = estimate(plan);
        const QByteArray json = QByteArray::fromStdString(planJson(plan));
        if (!it.computed) {
            QVERIFY2(!answerLine("A plan", it).ends_with("No figures"), json);
            continue;
        }
        ++computed;
        for (const Moment &moment : it.moments) {
            Bytes sum = 0;
            for (const Component &component : moment.components) {
                QVERIFY2(component.bytes >= 0, json);
                sum += component.bytes;
            }
            // The peak of a rollout is where the most is reserved: what the engine pools has no
            // slack.
            const bool below = it.settings->rollout ? moment.reserved <= it.peakReserved
                                                    : moment.allocated <= it.peakAllocated;
            QVERIFY2(sum == moment.allocated && below, json);
        }
        QVERIFY2(it.peakAllocated > 0 && it.peakReserved >= it.peakAllocated, json);
        QVERIFY2(it.peakDevice >= it.peakReserved && it.atRest <= it.peakAllocated, json);
        QVERIFY2(soundBand(it.peakDevice, it.uncertaintyLow, it.uncertaintyHigh), json);
        QVERIFY2(soundBand(it.peakReserved, it.reservedLow, it.reservedHigh), json);
        QVERIFY2(!planEstimateText(plan, it, "plan").empty(), json);
    }
    QVERIFY2(computed > 300, qPrintable(QString::number(computed)));
}

VRAMSCOPE_TEST(TestExtremes)
#include "tst_extremes.moc"
