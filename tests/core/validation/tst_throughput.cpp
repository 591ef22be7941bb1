// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "core/print/throughput_report.h"
#include "core/settings/settings.h"
#include "core/validation/throughput.h"
#include "tests/support/test.h"

#include <nlohmann/json.hpp>

#include <QFile>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

using namespace vramscope;
using namespace Qt::StringLiterals;
using namespace std::string_literals;

namespace {

const SpeedValidation &shipped()
{
    static const SpeedValidation speeds = validateSpeeds(shippedThroughput());
    return speeds;
}

/// Predictions that are known to miss their target, each with its reason in the table.
const std::set<std::string> kExceptions = {
    // Attention is slower at a context degree of 4 or more.
    "titan-009", "titan-010",
    // Runs of this engine with a pipeline reach a third of the others, and why is not known.
    "nanotron-002", "nanotron-003"};

/// A table of one row with these cells for what is not stated here.
Result<std::vector<ThroughputRow>> parsed(const std::string &columns, const std::string &cells)
{
    return parseThroughput("id,family,model,tokens_s_gpu,source," + columns + "\n" + cells + "\n",
                           [](const std::string &) { return std::string_view(); });
}

std::vector<const ComparedSpeed *> membersOf(const std::string &family)
{
    std::vector<const ComparedSpeed *> members;
    for (const ComparedSpeed &row : shipped().rows)
        if (row.row.family == family && row.computed())
            members.push_back(&row);
    return members;
}

} // namespace

class TestThroughput : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void everyRowHasASourceAndAnIdOfItsOwn();
    void theModelsHaveTheParametersThatTheirSourcesState();
    void aRowThatIsNotComputedSaysWhy();
    void theFewestGpusOfAFamilyCalibrateIt();
    void aFamilyIsOfOneSourceModelDeviceAndPrecision();
    void predictionsStayWithinWhatIsMeant_data();
    void predictionsStayWithinWhatIsMeant();
    void everyFamilyUnderDataParallelismStaysWithinFivePercent();
    void whatStandsAloneIsPredictedFromTheCatalogue();
    void theCatalogueIsNoWorseThanAtFirstSight();
    void aTableThatCannotBeReadNamesTheLine();
    void cellsThatMakeNoPlanSayWhatIsWrong();
    void theReportsHoldEveryRow();
    void theReadmeSaysWhatAllRowsShow();
};

void TestThroughput::everyRowHasASourceAndAnIdOfItsOwn()
{
    std::set<std::string> ids;
    for (const ThroughputRow &row : shippedThroughput()) {
        QVERIFY2(!row.source.empty(), row.id.c_str());
        QVERIFY2(ids.insert(row.id).second, row.id.c_str());
        QVERIFY2(row.tokensPerGpu > 0, row.id.c_str());
    }
    QCOMPARE(ids.size(), std::size_t(209));
}

void TestThroughput::theModelsHaveTheParametersThatTheirSourcesState()
{
    std::size_t compared = 0;
    for (const ThroughputRow &row : shippedThroughput()) {
        if (!row.parameters || !row.whyNot.empty())
            continue;
        ++compared;
        const auto counted = static_cast<double>(estimate(row.plan).parametersTotal);
        const auto stated = static_cast<double>(*row.parameters);
        // Sources leave some embedding or buffer out.
        QVERIFY2(std::abs(counted / stated - 1) < 0.001,
                 (row.id + ": " + std::to_string(counted)).c_str());
    }
    QVERIFY(compared > 40);
}

void TestThroughput::aRowThatIsNotComputedSaysWhy()
{
    std::map<std::string, std::string> reasons;
    for (const ComparedSpeed &row : shipped().rows) {
        QCOMPARE(row.computed(), row.whyNot.empty());
        if (!row.computed())
            reasons[row.row.id] = row.whyNot;
    }
    std::map<std::string, std::string> expected;
    for (const char *id : {"titan-019", "titan-020", "titan-021", "titan-022", "titan-025",
                           "titan-026", "titan-027", "titan-028"})
        expected[id] = "The source does not state the sequence length.";
    for (const char *id : {"seed-005", "seed-006", "seed-007", "seed-008"})
        expected[id] = "The source does not state the precision.";
    QVERIFY(reasons == expected);
}

void TestThroughput::theFewestGpusOfAFamilyCalibrateIt()
{
    QVERIFY(shipped().families.size() >= 16);
    for (const SpeedFamily &family : shipped().families) {
        std::size_t calibrating = 0;
        const auto members = membersOf(family.name);
        const auto fewest = std::ranges::min(members, {}, &ComparedSpeed::gpus)->gpus;
        double worst = 0;
        for (const ComparedSpeed *row : members) {
            QCOMPARE(row->calibratedOn, family.calibratedOn);
            if (row->basis == SpeedBasis::Calibrates) {
                ++calibrating;
                QCOMPARE(row->row.id, family.calibratedOn);
                QCOMPARE(row->gpus, fewest);
                QVERIFY(!row->predicts());
                // With the share that was found the step takes the time that was published.
                QVERIFY(std::abs(row->predicted.likely / row->row.tokensPerGpu - 1) < 1e-9);
            } else {
                worst = std::max(worst, std::abs(row->errorPercent));
            }
        }
        QCOMPARE(calibrating, std::size_t(1));
        QCOMPARE(members.size(), family.predicted + 1);
        QCOMPARE(std::abs(family.worstPercent), worst);
    }
}

void TestThroughput::aFamilyIsOfOneSourceModelDeviceAndPrecision()
{
    const auto source = [](const std::string &text) { // of nanotron each run has its own file
        return text.substr(0, text.find(" log_metrics"));
    };
    for (const SpeedFamily &family : shipped().families) {
        const auto members = membersOf(family.name);
        const ComparedSpeed &first = *members.front();
        for (const ComparedSpeed *row : members) {
            const auto facts = [&](const ComparedSpeed &of) {
                const Plan &plan = of.row.plan;
                return std::tuple(source(of.row.source), of.row.model, plan.hardware.gpu,
                                  plan.precision, plan.activations.checkpointing,
                                  plan.activations.kernels);
            };
            QVERIFY2(facts(*row) == facts(first), row->row.id.c_str());
            const Settings a = resolve(row->row.plan).settings;
            const Settings b = resolve(first.row.plan).settings;
            const std::int64_t replica = a.tensor * a.pipeline * a.context;
            const auto ofGpu = [](const Settings &s) {
                return std::tuple(s.microBatch, s.accumulationSteps, s.sequenceLength);
            };
            const auto ofJob = [](const Settings &s) {
                return s.microBatch * s.accumulationSteps * s.data * s.sequenceLength;
            };
            if (family.kind != FamilyKind::Layouts)
                QCOMPARE(replica, 1);
            if (family.kind == FamilyKind::Weak)
                QVERIFY2(ofGpu(a) == ofGpu(b), row->row.id.c_str());
            if (family.kind == FamilyKind::Strong)
                QCOMPARE(ofJob(a), ofJob(b));
        }
    }
}

void TestThroughput::predictionsStayWithinWhatIsMeant_data()
{
    QTest::addColumn<int>("row");
    for (std::size_t at = 0; at < shipped().rows.size(); ++at)
        if (shipped().rows[at].basis == SpeedBasis::Calibrated)
            QTest::newRow(shipped().rows[at].row.id.c_str()) << static_cast<int>(at);
}

void TestThroughput::predictionsStayWithinWhatIsMeant()
{
    QFETCH(int, row);
    const ComparedSpeed &speed = shipped().rows[static_cast<std::size_t>(row)];
    const auto family = std::ranges::find(shipped().families, speed.row.family, &SpeedFamily::name);
    QVERIFY(family != shipped().families.end());
    const double meant = targetPercent(family->kind);
    const bool met = std::abs(speed.errorPercent) <= meant;
    const std::string told = "predicted " + std::to_string(speed.predicted.likely) +
                             ", published " + std::to_string(speed.row.tokensPerGpu) + ", off by " +
                             std::to_string(speed.errorPercent) + " %, meant " +
                             std::to_string(meant) + " %";
    const bool known = kExceptions.contains(speed.row.id);
    QCOMPARE(!speed.row.missed.empty(), known);
    QVERIFY2(met != known,
             ((known ? "is met now, and no exception any more: " : "") + told).c_str());
}

void TestThroughput::everyFamilyUnderDataParallelismStaysWithinFivePercent()
{
    std::size_t families = 0;
    bool ddp = false;
    for (const SpeedFamily &family : shipped().families) {
        if (family.kind == FamilyKind::Layouts)
            continue;
        ++families;
        QVERIFY2(std::abs(family.worstPercent) < 5, family.name.c_str());
        QVERIFY(family.met());
        for (const ComparedSpeed *row : membersOf(family.name))
            ddp = ddp || row->row.plan.parallel.strategy == Strategy::Ddp;
    }
    QVERIFY(families >= 12);
    QVERIFY(ddp); // FSDP alone would not be all of it
}

void TestThroughput::whatStandsAloneIsPredictedFromTheCatalogue()
{
    std::size_t alone = 0;
    for (const ComparedSpeed &row : shipped().rows) {
        if (row.basis != SpeedBasis::Catalogue)
            continue;
        ++alone;
        QVERIFY(row.calibratedOn.empty());
        QCOMPARE(row.predicted.likely, row.catalogue.likely);
        QVERIFY(row.predicted.low < row.predicted.likely);
        QVERIFY(row.predicted.likely < row.predicted.high);
        QCOMPARE(row.insideCatalogue(), row.row.tokensPerGpu >= row.predicted.low &&
                                            row.row.tokensPerGpu <= row.predicted.high);
        QCOMPARE(row.errorPercent, row.catalogueErrorPercent());
    }
    QVERIFY(alone > 0);
    const SpeedSummary summary = speedSummary(shipped());
    QCOMPARE(summary.notComputed + summary.calibrating + summary.calibrated + alone, summary.rows);
}

void TestThroughput::theCatalogueIsNoWorseThanAtFirstSight()
{
    const std::vector<SpeedClass> classes = speedClasses(shipped());
    const SpeedClass &all = classes.front();
    QCOMPARE(all.name, std::string("all"));
    QVERIFY(all.then.count >= 140 && all.today.count > all.then.count);
    QVERIFY2(all.then.median > 20 && all.today.median < 12, QByteArray::number(all.today.median));
    QVERIFY(all.keptBack.count >= 60); // no constant was chosen by them
    QVERIFY2(all.keptBack.median < 12, QByteArray::number(all.keptBack.median));
    QVERIFY(100 * all.inside >= 92 * all.today.count);
    std::size_t inClasses = 0;
    for (const SpeedClass &it : classes)
        if (std::ranges::count(it.name, ',') == 2)
            inClasses += it.today.count;
    QCOMPARE(inClasses, all.today.count);
}

void TestThroughput::aTableThatCannotBeReadNamesTheLine()
{
    const auto none = parsed("hardware.gpu", "a,,gpt2,many,x,h100-sxm-80gb");
    QVERIFY(!none);
    QCOMPARE(none.error().text(), "Line 2: tokens_s_gpu is \"many\", not a number above 0."s);
    QVERIFY(!parsed("parameters", "a,,gpt2,1,x,some"));
    QVERIFY(!parsed("parameters", "a,,gpt2,-1,x,1"));
    const auto lacking = parseThroughput("id,model\na,gpt2\n", {});
    QVERIFY(!lacking);
}

void TestThroughput::cellsThatMakeNoPlanSayWhatIsWrong()
{
    const std::string columns =
        "parallel.strategy,batch.sequence_length,precision.regime,hardware.gpu";
    const auto whyNot = [&](const std::string &model, const std::string &cells) {
        const auto rows = parsed(columns, "a,," + model + ",1000,x," + cells);
        return rows ? rows->front().whyNot : "no table: " + rows.error().text();
    };
    QCOMPARE(whyNot("gpt2", ",1024,autocast-bf16,h100-sxm-80gb"), ""s);
    QCOMPARE(whyNot("gpt2", ",,autocast-bf16,h100-sxm-80gb"),
             "The source does not state the sequence length."s);
    QCOMPARE(whyNot("gpt2", ",1024,,h100-sxm-80gb"), "The source does not state the precision."s);
    QCOMPARE(whyNot("gpt-unheard-of", ",1024,autocast-bf16,h100-sxm-80gb"),
             "The dimensions of gpt-unheard-of are not known."s);
    QVERIFY(whyNot("gpt2", "sideways,1024,autocast-bf16,h100-sxm-80gb").find("parallel.strategy") !=
            std::string::npos);
    // What the planner refuses, and what the projection does.
    const auto refused = [&](const std::string &cells) {
        const auto rows = parsed(columns + ",parallel.tensor", "a,,gpt2,1000,x," + cells);
        return validateSpeeds(*rows).rows.front();
    };
    const ComparedSpeed indivisible = refused("megatron,1024,megatron-bf16,h100-sxm-80gb,7");
    QVERIFY(!indivisible.computed());
    QVERIFY2(indivisible.whyNot.find("12") != std::string::npos, indivisible.whyNot.c_str());
    QVERIFY(refused(",1024,fp32,h100-sxm-80gb,").whyNot.find("fp32") != std::string::npos);
}

void TestThroughput::theReportsHoldEveryRow()
{
    const nlohmann::ordered_json json = throughputJson(shipped());
    const std::string text = throughputText(shipped());
    const auto has = [&](const std::string &words) {
        return text.find(words) != std::string::npos;
    };
    QCOMPARE(json["rows"].size(), shipped().rows.size());
    for (std::size_t at = 0; at < shipped().rows.size(); ++at) {
        const ComparedSpeed &row = shipped().rows[at];
        const auto &said = json["rows"][at];
        QCOMPARE(said["id"].get<std::string>(), row.row.id);
        QCOMPARE(said["predicted"].is_null(), !row.predicts());
        QCOMPARE(said["why_not"].is_null(), row.computed());
        QVERIFY2(has(row.row.id), row.row.id.c_str());
        if (!row.computed())
            continue;
        double sum = 0;
        for (const auto &term : said["step"]["terms"])
            sum += term["seconds"].get<double>();
        QVERIFY(std::abs(sum / said["step"]["seconds"].get<double>() - 1) < 1e-9);
    }
    QCOMPARE(json["families"].size(), shipped().families.size());
    QVERIFY(has("calibrates its family"));
    QVERIFY(has("Not computed: titan-019, titan-020"));
    QVERIFY(has("Known to miss: titan-009, titan-010. Attention"));
    QCOMPARE(throughputAccuracyText({}), ""s);
}

void TestThroughput::theReadmeSaysWhatAllRowsShow()
{
    QFile file(test::projectFile(u"README.md"_s));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString readme = QString::fromUtf8(file.readAll()).simplified();
    const QString said = QString::fromStdString(throughputAccuracyText(shipped()));
    QVERIFY2(readme.contains(said), qPrintable(u"The README does not say: "_s + said));
}

VRAMSCOPE_TEST(TestThroughput)
#include "tst_throughput.moc"
