// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/catalogue.h"
#include "core/estimate/estimate.h"
#include "core/estimate/formulas/ledger.h"
#include "core/plan/plan_json.h"
#include "tests/support/test.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

/// Every formula of a plan, a line each.
std::string formulasOf(const Plan &plan)
{
    const Estimate figures = estimate(plan);
    std::string text;
    const auto add = [&text](const std::vector<Component> &components) {
        for (const Component &component : components)
            text += component.name + ": " + component.formula + '\n';
    };
    for (const Moment &moment : figures.moments)
        add(moment.components);
    add(figures.outside);
    return text;
}

/// The largest number of a text; commas stand between thousands.
std::uint64_t largestNumber(std::string_view text)
{
    std::uint64_t largest = 0;
    std::uint64_t number = 0;
    for (const char c : text) {
        if (c >= '0' && c <= '9')
            number = number * 10 + static_cast<std::uint64_t>(c - '0');
        else if (c != ',')
            number = 0;
        largest = std::max(largest, number);
    }
    return largest;
}

/// The kinds of work that a model of the catalogue is planned for.
std::vector<Plan> workloadsOf(const CatalogueModel &model)
{
    Plan base;
    (model.pipeline ? base.model.pipeline : base.model.preset) = model.name;
    base.hardware.gpu = "h200-sxm-141gb";
    std::vector<Plan> plans;
    const auto add = [&](auto change) {
        plans.push_back(base);
        change(plans.back());
    };
    const auto train = [](Plan &plan) { plan.workload = Workload::Training; };
    const auto adapt = [&](Plan &plan) {
        train(plan);
        plan.adapters.kind = AdapterKind::Lora;
        plan.adapters.rank = 16;
    };
    add([](Plan &plan) { plan.workload = Workload::Inference; });
    for (const Checkpointing policy : {Checkpointing::None, Checkpointing::Full}) {
        add([&](Plan &plan) {
            adapt(plan);
            plan.activations.checkpointing = policy;
        });
    }
    if (model.pipeline)
        return plans;
    for (const Engine engine :
         {Engine::Vllm, Engine::Sglang, Engine::TrtLlm, Engine::LlamaCpp, Engine::Hf}) {
        add([&](Plan &plan) {
            plan.workload = Workload::Inference;
            plan.inference.engine = engine;
        });
    }
    for (const Strategy strategy :
         {Strategy::None, Strategy::Ddp, Strategy::Zero2, Strategy::Zero3, Strategy::Fsdp1,
          Strategy::Fsdp2, Strategy::MegatronDistributedOptimizer}) {
        add([&](Plan &plan) {
            train(plan);
            plan.parallel.strategy = strategy;
            plan.parallel.data = strategy == Strategy::None ? 1 : 8;
        });
    }
    add([&](Plan &plan) {
        adapt(plan);
        plan.adapters.baseQuantization = BaseQuantization::Nf4;
    });
    add([](Plan &plan) { plan.workload = Workload::Rl; });
    return plans;
}

/// Why the formulas of a plan are not what its figures are made of; empty: they are.
std::string flawOf(const Plan &plan)
{
    const std::string first = formulasOf(plan);
    if (first.find("{}") != std::string::npos)
        return "a number is missing in\n" + first;
    // No plan here has 32 TB on a GPU, and every address of a process is a larger number.
    if (largestNumber(first) > std::uint64_t(1) << 45)
        return "a number is larger than any of the plan's in\n" + first;
    if (formulasOf(plan) != first)
        return "another text at the second time:\n" + first + '\n' + formulasOf(plan);
    return {};
}

} // namespace

/// What the formulas print: the numbers of the plan, the same each time. The sanitizers see that
/// they are read from memory that is there.
class TestFormulas : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void aFormulaThatIsKeptHasItsNumbers()
    {
        const std::int64_t width = 3'072;
        const bool isWide = largestNumber("9,000") > 10;
        const FormulaText kept =
            isWide ? FormulaText{"2 D = 2 × {} × {}", {width, 7}} : FormulaText{"D = {}", {width}};
        const std::vector<FormulaText> others(100, kept); // what might write over the numbers
        QCOMPARE(fill(kept), std::string("2 D = 2 × 3,072 × 7"));
        QCOMPARE(fill(others.back()), fill(kept));
        QCOMPARE(fill({"without numbers", {}}), std::string("without numbers"));
    }

    void aLoraOfFluxPrintsItsOwnNumbers()
    {
        Plan plan;
        plan.workload = Workload::Training;
        plan.model.pipeline = "flux.1-dev";
        plan.adapters.kind = AdapterKind::Lora;
        plan.adapters.rank = 16;
        const std::string text = formulasOf(plan);
        QVERIFY2(text.find("T_text) = 2 × 3,072 × (") != std::string::npos, text.c_str());
    }

    void everyShippedPlanPrintsTheSameTwice()
    {
        const QDir folder(test::projectFile(u"resources/examples"_s));
        const QFileInfoList files = folder.entryInfoList({u"*.vramplan"_s});
        QVERIFY(files.size() >= 6);
        for (const QFileInfo &file : files) {
            const auto plan = readPlan(file.filePath().toStdString());
            QVERIFY(plan.ok());
            QVERIFY2(!formulasOf(*plan).empty(), qPrintable(file.fileName()));
            const std::string flaw = flawOf(*plan);
            QVERIFY2(flaw.empty(), (file.fileName().toStdString() + ": " + flaw).c_str());
        }
    }

    void everyModelPrintsTheSameTwice()
    {
        int computed = 0;
        for (const CatalogueModel &model : catalogueModels()) {
            for (const Plan &plan : workloadsOf(model)) {
                computed += !formulasOf(plan).empty();
                const std::string flaw = flawOf(plan);
                QVERIFY2(flaw.empty(), (model.name + ": " + flaw).c_str());
            }
        }
        QVERIFY2(computed > 1'000, qPrintable(QString::number(computed)));
    }
};

VRAMSCOPE_TEST(TestFormulas)
#include "tst_formulas.moc"
