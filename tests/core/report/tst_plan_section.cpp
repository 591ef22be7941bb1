// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/embedded_plan.h"
#include "core/plan/field.h"
#include "core/plan/plan_json.h"
#include "core/print/plan_report.h"
#include "core/report/comparison_sections.h"
#include "core/report/html.h"
#include "core/report/plan_settings.h"
#include "core/report/redacted_plan.h"
#include "core/settings/settings.h"
#include "core/table/terminal_table.h"
#include "tests/core/planner/sample_plans.h"
#include "tests/support/test.h"

#include <QDir>

#include <map>

using namespace vramscope;

namespace {

Report reportOf(const Plan &plan, const Estimate &needs)
{
    Report report;
    addPlanSection(report, {plan, needs, "x.vramplan", 1});
    return report;
}

template<class Kind>
std::vector<Kind> blocksOf(const Report &report)
{
    std::vector<Kind> found;
    for (const ReportBlock &block : report.blocks) {
        if (const Kind *one = std::get_if<Kind>(&block))
            found.push_back(*one);
    }
    return found;
}

bool hasCell(const Report &report, const std::string &name, const std::string &value)
{
    for (const ReportTable &table : blocksOf<ReportTable>(report)) {
        for (const auto &row : table.rows.rows()) {
            const auto begin = row.begin();
            if (std::find(begin, row.end(), name) != row.end() &&
                std::find(begin, row.end(), value) != row.end())
                return true;
        }
    }
    return false;
}

/// A plan that does not fit, with a warning and with assumptions.
Plan troubledPlan()
{
    Plan plan = test::shardedPlan(8);
    plan.name = "Troubled";
    plan.batch.microBatch = 64;
    plan.batch.noSync = true;
    return plan;
}

} // namespace

class TestPlanSection : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void aPictureIsCalledByWhatRuns()
    {
        const auto caption = [](const char *document) {
            const Result<Plan> plan = parsePlan(document);
            const std::vector<Figure> figures =
                plan.ok() ? blocksOf<Figure>(reportOf(*plan, estimate(*plan)))
                          : std::vector<Figure>();
            return figures.size() == 2 ? QString::fromStdString(figures[1].caption) : QString();
        };
        QVERIFY(caption(R"({"vramscope": 1, "model": {"preset": "qwen3-8b"}})")
                    .contains(QLatin1String("training step")));
        QVERIFY(caption(R"({"vramscope": 1, "workload": "inference",
                            "model": {"preset": "qwen3-8b"}})")
                    .contains(QLatin1String("sequences")));
        QVERIFY(caption(R"({"vramscope": 1, "workload": "rl", "model": {"preset": "qwen3-0.6b"},
                            "hardware": {"gpu": "h100-sxm-80gb"},
                            "inference": {"engine": "vllm", "gpu_memory_utilization": 0.5}})")
                    .contains(QLatin1String("reinforcement learning")));
        QVERIFY(caption(R"({"vramscope": 1, "workload": "inference",
                            "model": {"pipeline": "flux.1-dev"}})")
                    .contains(QLatin1String("pipeline")));
    }

    void defaultsOfAnotherWorkloadOrStrategyAreNotListed()
    {
        const auto listed = [](const Plan &plan, bool stated) {
            std::map<std::string, std::string> found;
            const TextTable table =
                textRows(settingsTable(plan, resolve(plan).settings, stated, ByteUnit::Binary));
            for (const auto &row : table.rows())
                found[row[0]] = row[1];
            return found;
        };
        Plan serving;
        serving.workload = Workload::Inference;
        serving.parallel.gradientAsBucketView = true;
        for (const char *path :
             {"parallel.gradient_as_bucket_view", "parallel.bucket.reduce_bucket_size",
              "parallel.bucket.max_live_parameters", "parallel.backward_prefetch",
              "precision.regime"})
            QVERIFY2(!listed(serving, false).contains(std::string(findField(path)->label)), path);
        const std::string label(findField("parallel.gradient_as_bucket_view")->label);
        QCOMPARE(listed(serving, true)[label], "on (without effect)");
        Plan zero = test::shardedPlan(8);
        zero.parallel.strategy = Strategy::Zero1;
        const std::string live(findField("parallel.bucket.max_live_parameters")->label);
        QVERIFY(!listed(zero, false).contains(live));
        zero.parallel.strategy = Strategy::Zero3;
        QVERIFY(listed(zero, false).contains(live));
    }

    void beginsWithTheNameAndTheAnswer()
    {
        const Plan plan = troubledPlan();
        const Estimate needs = estimate(plan);
        const Report report = reportOf(plan, needs);
        QCOMPARE(std::get<Heading>(report.blocks[0]).text, "Troubled");
        const Paragraph &answer = std::get<Paragraph>(report.blocks[1]);
        QVERIFY(answer.isAnswer);
        QCOMPARE(answer.text, answerLine(plan, needs));
        QVERIFY(answer.tone == Tone::Bad);
    }

    void holdsEveryIssueOfTheEstimate()
    {
        for (const QString &name :
             QDir(test::projectFile("resources/examples")).entryList({"*.vramplan"})) {
            const auto plan =
                readPlan(test::projectFile("resources/examples/" + name).toStdString());
            QVERIFY(plan.ok());
            const Estimate needs = estimate(*plan);
            const auto paragraphs = blocksOf<Paragraph>(reportOf(*plan, needs));
            for (const Issue &issue : needs.issues) {
                const auto same = [&](const Paragraph &it) { return it.text == placed(issue); };
                QCOMPARE(std::count_if(paragraphs.begin(), paragraphs.end(), same), 1);
            }
        }
    }

    void showsTheFiguresOfTheEstimate()
    {
        const Plan plan = troubledPlan();
        const Estimate needs = estimate(plan);
        const Report report = reportOf(plan, needs);
        QVERIFY(hasCell(report, "peak on the device", formatBytes(needs.peakDevice)));
        QVERIFY(hasCell(report, "peak reserved", formatBytes(needs.peakReserved)));
        for (const Component &part : needs.components()) {
            QVERIFY(hasCell(report, part.name, formatBytes(part.bytes)));
            QVERIFY(hasCell(report, part.name, formatCount(part.bytes) + " B"));
        }
        for (const Moment &moment : needs.moments)
            QVERIFY(hasCell(report, moment.name, formatBytes(moment.allocated)));
        QVERIFY(hasCell(report, "Micro-batch", "64"));
    }

    void saysWhyThereAreNoFigures()
    {
        Plan plan;
        plan.batch.microBatch = 4;
        const Estimate needs = estimate(plan);
        QVERIFY(!needs.computed);
        const Report report = reportOf(plan, needs);
        QVERIFY(blocksOf<Figure>(report).empty());
        QCOMPARE(std::get<Heading>(report.blocks[0]).text, "x.vramplan");
        QCOMPARE(std::get<Paragraph>(report.blocks[1]).text, answerLine(plan, needs));
    }

    void travelsWithThePlan()
    {
        const Plan plan = troubledPlan();
        const std::string page = htmlPage(reportOf(plan, estimate(plan)), {});
        const auto text = embeddedPlan(page);
        QVERIFY(text);
        const auto back = parsePlan(*text);
        QVERIFY(back.ok());
        QVERIFY(*back == plan);
    }

    void showsWhatLeadsFromOnePlanToAnother()
    {
        const Plan a = test::smallPlan();
        const Plan b = troubledPlan();
        const Estimate needsA = estimate(a);
        const Estimate needsB = estimate(b);
        Report report;
        const std::array<PlanSubject, 2> plans{PlanSubject{a, needsA, "a.vramplan", 1},
                                               PlanSubject{b, needsB, "b.vramplan", 2}};
        addPlansComparison(report, plans);
        QVERIFY(hasCell(report, "A", formatBytes(needsA.peakDevice)));
        QVERIFY(hasCell(report, "B", formatBytes(needsB.peakDevice)));
        QVERIFY(hasCell(report, "peak allocated", formatBytes(needsB.peakAllocated)));
        QVERIFY(std::get<Paragraph>(report.blocks[1]).isAnswer);
        QVERIFY(hasCell(report, "Micro-batch", "64"));
        QVERIFY(!hasCell(report, "Workload", "training")); // the same in both
    }

    void takesNamesOutOfAPlanAndChangesNoFigure()
    {
        Plan plan = test::smallPlan();
        plan.model.preset.reset();
        plan.model.config =
            R"({"_name_or_path":"/home/mustermann/models/tiny","model_type":"llama","hidden_size":64,)"
            R"("num_attention_heads":4,"num_hidden_layers":2,"intermediate_size":256,"vocab_size":1000})";
        plan.name = "Run of mustermann";
        plan.overheads.reservedFactor = 1.1;
        plan.overheads.calibrated = TextList{"reserved_factor from mustermann.pickle"};
        Redaction redaction;
        gatherPlan(redaction, plan);
        const Plan redacted = redactedPlan(redaction, plan);
        QVERIFY(planJson(redacted).find("mustermann") == std::string::npos);
        QVERIFY(planJson(redacted).find("reserved_factor from ") != std::string::npos);
        QVERIFY(planJson(redacted).find("tiny") != std::string::npos);
        QCOMPARE(estimate(redacted).peakDevice, estimate(plan).peakDevice);
        QVERIFY(parsePlan(planJson(redacted)).ok());
    }

    void takesTheMachineOutOfTheNameOfARecording()
    {
        Plan plan = test::smallPlan();
        plan.overheads.contextBytes = 500'000'000;
        plan.overheads.calibrated = TextList{"context_bytes from dgx07_Mar_03_10_00_00.pickle"};
        Redaction redaction;
        gatherPlan(redaction, plan);
        QVERIFY(planJson(redactedPlan(redaction, plan)).find("dgx07") == std::string::npos);
    }

    void theAnswerHasTheToneOfTheVerdict()
    {
        Plan plan = test::smallPlan();
        const Estimate it = estimate(plan);
        const auto toneOn = [&](Bytes capacity) {
            plan.hardware.capacity = capacity;
            Report report;
            addPlanSection(report, {plan, estimate(plan), "one", 1});
            return std::get<Paragraph>(report.blocks[1]).tone;
        };
        QCOMPARE(toneOn(it.uncertaintyHigh), Tone::Good);
        QCOMPARE(toneOn(it.peakDevice), Tone::Warning); // it fits, and may not
        QCOMPARE(toneOn(it.uncertaintyLow), Tone::Bad);
        QCOMPARE(toneOn(it.uncertaintyLow - 1), Tone::Bad);
    }

    void countsOnlyPlansWhoseDeviceIsKnown()
    {
        Plan unknown = test::smallPlan();
        unknown.hardware = {};
        const Estimate nowhere = estimate(unknown);
        QVERIFY(!nowhere.fits);
        const Plan known = test::smallPlan();
        const Estimate needs = estimate(known);
        QVERIFY(needs.fits);
        const auto answerOf = [](const std::vector<PlanSubject> &plans) {
            Report report;
            addPlansComparison(report, plans);
            return std::get<Paragraph>(report.blocks[1]).text;
        };
        const PlanSubject one{unknown, nowhere, "one", 1};
        const PlanSubject two{known, needs, "two", 2};
        QVERIFY(answerOf({one, one, one}).find("3 plans without a capacity") != std::string::npos);
        QVERIFY(answerOf({one, two, two}).find("of 2 plans") != std::string::npos);
    }
};

VRAMSCOPE_TEST(TestPlanSection)
#include "tst_plan_section.moc"
