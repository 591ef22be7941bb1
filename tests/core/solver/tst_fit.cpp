// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/diffusion/pipelines.h"
#include "core/plan/plan_json.h"
#include "core/solver/fit.h"
#include "core/solver/plan_evaluator.h"
#include "core/solver/strategies.h"
#include "tests/support/models.h"
#include "tests/support/random_plans.h"
#include "tests/support/test.h"

#include <algorithm>
#include <set>
#include <tuple>

using namespace vramscope;
using test::Random;

namespace {

/// One model of each kind that a check of plans tells from others, and one pipeline of each class.
std::vector<PlanModel> kindsOfModels()
{
    std::vector<PlanModel> models;
    std::set<std::tuple<bool, bool, bool, bool, int>> kinds;
    for (const CatalogueShape &preset : test::plainModels()) {
        const Architecture &a = preset.architecture;
        if (kinds
                .insert({a.moe(), a.countedOnly, a.isTrainingKnown(), a.shared.count > 0,
                         static_cast<int>(a.state.kind)})
                .second)
            models.emplace_back().preset = preset.model->name;
    }
    std::set<std::string_view> classes;
    for (const auto &pipeline : diffusionPipelines())
        if (classes.insert(pipeline->kind->name).second)
            models.emplace_back().pipeline = pipeline->id;
    PlanModel &withoutBlocks = models.emplace_back(); // fewer than its blocks hold
    withoutBlocks.preset = "llama-3-8b";
    withoutBlocks.parametersOverride = 1'000'000;
    return models;
}

QByteArray textOf(const Plan &plan)
{
    return QByteArray::fromStdString(planJson(plan));
}

/// Whether figures are those of a plan that has some: "0 B" is no plan's need.
bool isOf(const FitSummary &it, const Plan &plan)
{
    const Estimate figures = estimate(plan);
    return figures.computed && it.device > 0 && it.device == figures.peakDevice &&
           it.verdict == verdictOf(figures);
}

/// Whether each plan of an answer has the figures that it is shown with.
struct Answer
{
    const Plan &plan;
    std::string_view field;

    bool operator()(const std::vector<WayToFit> &ways) const
    {
        return std::ranges::all_of(ways, [&](const WayToFit &way) {
            return isOf(way.standing, withFields(plan, way.fields));
        });
    }
    bool operator()(const ValueThatFits &it) const
    {
        return (!it.answer || (it.answer->standing && it.answer->standing->fits)) &&
               shows(it.answer) && shows(it.next);
    }
    bool operator()(const FewestGpus &it) const
    {
        return (!it.layout || shows(*it.layout, *it.gpus)) &&
               (!it.before || shows(*it.before, it.triedBefore));
    }
    bool operator()(const EngineShare &) const { return estimate(plan).computed; }
    bool operator()(const Layouts &it) const
    {
        const auto shown = [&](const Layout &layout) { return shows(layout, {}); };
        return std::ranges::all_of(it.best, shown) && std::ranges::all_of(it.nearest, shown);
    }

private:
    [[nodiscard]] bool shows(const std::optional<TriedValue> &tried) const
    {
        return !tried || !tried->standing ||
               isOf(*tried->standing,
                    withFields(plan, std::vector{FieldSetting{findField(field)->path,
                                                              FieldValue(tried->value)}}));
    }
    [[nodiscard]] bool shows(const Layout &layout, std::optional<std::int64_t> gpus) const
    {
        Plan made = withFields(plan, layout.fields);
        if (gpus)
            made.hardware.gpus = *gpus;
        return isOf(layout.standing, made);
    }
};

const std::vector<std::vector<std::string_view>> kQuestions = {
    {},
    {"batch.micro_batch"},
    {"batch.sequence_length"},
    {"adapters.rank"},
    {"diffusion.width"},
    {"diffusion.images"},
    {"rl.tensor"},
    {"inference.concurrent_sequences"},
    {"inference.max_model_len"},
    {"inference.gpu_memory_utilization"},
    {"hardware.gpus"},
    {"parallel.tensor", "activations.checkpointing"}};

} // namespace

class TestFit : public test::Test
{
    Q_OBJECT

private slots:
    void noPlanWithoutFiguresFits_data();
    void noPlanWithoutFiguresFits();
    void whatCannotBeCountedIsNotZero();
    void whatIsWeighedHasFigures();
};

void TestFit::noPlanWithoutFiguresFits_data()
{
    QTest::addColumn<int>("workload");
    QTest::addColumn<int>("adapters");
    for (const Workload workload : {Workload::Training, Workload::Rl, Workload::Inference})
        for (const AdapterKind adapters : {AdapterKind::None, AdapterKind::Lora})
            QTest::addRow("%s, adapters %s", std::string(choiceText(workload)).c_str(),
                          std::string(choiceText(adapters)).c_str())
                << static_cast<int>(workload) << static_cast<int>(adapters);
}

void TestFit::noPlanWithoutFiguresFits()
{
    QFETCH(int, workload);
    QFETCH(int, adapters);
    for (const PlanModel &model : kindsOfModels()) {
        Plan plan;
        plan.model = model;
        plan.workload = static_cast<Workload>(workload);
        plan.hardware.gpu = "h100-sxm-80gb";
        plan.adapters.kind = static_cast<AdapterKind>(adapters);
        if (plan.adapters.kind == AdapterKind::Lora)
            plan.adapters.rank = 16;
        const QByteArray text = textOf(plan);
        for (const auto &vary : kQuestions) {
            const Result<Fit> found = fit(plan, vary, 5);
            const std::string_view field = vary.empty() ? std::string_view() : vary.front();
            if (!found) {
                QVERIFY2(!found.error().detail.empty(), text);
                continue;
            }
            QVERIFY2(std::visit(Answer{plan, field}, found->found),
                     text + ' ' + QByteArray::fromStdString(std::string(field)));
        }
        for (const auto &[kind, option] : recommend(plan).options)
            QVERIFY2(isOf(option.standing, withFields(plan, option.fields)), text);
    }
}

void TestFit::whatCannotBeCountedIsNotZero()
{
    Plan plan;
    plan.model.preset = "llama-3-8b";
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.hardware.gpus = 8;
    plan.parallel.data = 8;
    int answers = 0;
    for (const std::int64_t length : {std::int64_t(8'192), std::int64_t(1) << 26}) {
        for (const Workload workload : {Workload::Training, Workload::Inference}) {
            plan.workload = workload;
            plan.batch.sequenceLength = plan.inference.meanSequenceLength = length;
            plan.batch.microBatch = plan.inference.concurrentSequences = 1'000'000;
            for (const auto &vary : kQuestions) {
                const Result<Fit> found = fit(plan, vary, 5);
                const std::string_view field = vary.empty() ? std::string_view() : vary.front();
                QVERIFY2(!found || std::visit(Answer{plan, field}, found->found),
                         textOf(plan) + ' ' + QByteArray::fromStdString(std::string(field)));
                answers += found ? 1 : 0;
            }
        }
    }
    QVERIFY2(answers > 5, QByteArray::number(answers));
}

/// The quick evaluation of a plan and its estimate agree on whether it has figures.
void TestFit::whatIsWeighedHasFigures()
{
    Random random(20);
    int weighed = 0;
    int refused = 0;
    for (int trial = 0; trial < 1500; ++trial) {
        Plan plan = test::randomPlan(random);
        plan.hardware.capacity = 80LL << 30;
        plan.workload = static_cast<Workload>(random() % 3);
        if (random() % 4 == 0)
            plan.parallel.tensor = 1 + static_cast<std::int64_t>(random() % 5);
        if (random() % 4 == 0)
            plan.batch.microBatch = std::int64_t(1) << (random() % 50);
        Result<PlanEvaluator> trialled = PlanEvaluator::of(plan);
        if (!trialled)
            continue;
        const std::optional<PeakSummary> peak = trialled->weigh();
        const bool hasFigures = peak && !peak->overflowed();
        QVERIFY2(hasFigures == estimate(plan).computed, textOf(plan));
        QVERIFY2(hasFigures == fitSummary(plan).has_value(), textOf(plan));
        ++(hasFigures ? weighed : refused);
    }
    QVERIFY2(weighed > 200 && refused > 50, QByteArray::number(refused));
}

VRAMSCOPE_TEST(TestFit)
#include "tst_fit.moc"
