// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan_json.h"
#include "core/print/plan_report.h"
#include "core/validation/figure.h"
#include "tests/support/test.h"

#include <QJsonDocument>
#include <QJsonObject>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

Estimate estimateOf(const char *document)
{
    const Result<Plan> plan = parsePlan(document);
    return plan ? estimate(*plan) : Estimate();
}

constexpr const char *kTraining =
    R"({"vramscope":1,"model":{"preset":"llama-3-8b"},"hardware":{"gpu":"h100-sxm-80gb","gpus":8},
        "parallel":{"strategy":"fsdp2","data":4,"pipeline":2},"batch":{"accumulation_steps":4}})";
constexpr const char *kServing =
    R"({"vramscope":1,"workload":"inference","model":{"preset":"llama-3-8b"},
        "hardware":{"gpu":"h100-sxm-80gb"},"inference":{"engine":"vllm"}})";

/// Every number of the answer that stands under a path of names, and every null, by its path.
void collect(const QJsonObject &object, const QString &path, QMap<QString, QJsonValue> &out)
{
    for (auto it = object.begin(); it != object.end(); ++it) {
        const QString place = path.isEmpty() ? it.key() : path + u'.' + it.key();
        if (it->isObject())
            collect(it->toObject(), place, out);
        else if (it->isDouble() || it->isNull())
            out.insert(place, *it);
    }
}

} // namespace

class TestFigure : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void everyNumberOfTheAnswerIsFoundUnderItsPath_data();
    void everyNumberOfTheAnswerIsFoundUnderItsPath();
    void momentsComponentsAndStagesAreFoundByName();
    void aFigureThatDoesNotExistIsSaidWithTheNearest();
    void aPlanWithoutFiguresSaysWhy();
    void theBandOfReservedMemoryLeavesOutWhatStandsOutside();
};

void TestFigure::everyNumberOfTheAnswerIsFoundUnderItsPath_data()
{
    QTest::addColumn<QByteArray>("document");
    QTest::newRow("training") << QByteArray(kTraining);
    QTest::newRow("serving") << QByteArray(kServing);
}

void TestFigure::everyNumberOfTheAnswerIsFoundUnderItsPath()
{
    QFETCH(QByteArray, document);
    const Result<Plan> plan = parsePlan(document.toStdString());
    QVERIFY(plan.ok());
    const Estimate result = estimate(*plan);
    QVERIFY(result.computed);
    const std::string answer = planEstimateJson(*plan, result, {});
    QMap<QString, QJsonValue> numbers;
    collect(QJsonDocument::fromJson(QByteArray::fromStdString(answer)).object(), {}, numbers);
    QVERIFY(numbers.size() > 15);
    for (auto it = numbers.begin(); it != numbers.end(); ++it) {
        if (it.key() == "name"_L1 || it.key() == "inference"_L1)
            continue; // null, but no figures
        if (it.key().startsWith("time."_L1))
            continue; // a projection, which no measured figure is held against
        const Result<double> figure = figureOf(result, it.key().toStdString());
        QVERIFY2(figure.ok() == it->isDouble(), qPrintable(it.key()));
        if (it->isDouble())
            QCOMPARE(*figure, it->toDouble());
    }
}

void TestFigure::momentsComponentsAndStagesAreFoundByName()
{
    const Estimate result = estimateOf(kTraining);
    QVERIFY(result.computed);
    QCOMPARE(result.stages.size(), 2U);
    QCOMPARE(*figureOf(result, "stages.1.allocated"), static_cast<double>(result.stages[1]));
    QVERIFY(!figureOf(result, "stages.2.allocated").ok());
    bool spaces = false;
    for (const Moment &moment : result.moments) {
        spaces = spaces || moment.name.find(' ') != std::string::npos;
        const std::string path = "moments." + moment.name;
        QCOMPARE(*figureOf(result, path + ".allocated"), static_cast<double>(moment.allocated));
        for (const Component &component : moment.components)
            QCOMPARE(*figureOf(result, path + ".components." + component.name + ".bytes"),
                     static_cast<double>(component.bytes));
    }
    QVERIFY(spaces);
    const Component &component = result.components().front();
    QCOMPARE(*figureOf(result, "components." + component.name + ".bytes"),
             static_cast<double>(component.bytes));
    QVERIFY(!figureOf(result, "components.Nothing.bytes").ok());
    const Component &outside = result.outside.front();
    QCOMPARE(*figureOf(result, "outside." + outside.name + ".bytes"),
             static_cast<double>(outside.bytes));
    QVERIFY(isBytes("outside." + outside.name + ".bytes"));
    QVERIFY(!figureOf(result, "outside.Nothing.bytes").ok());
}

void TestFigure::aFigureThatDoesNotExistIsSaidWithTheNearest()
{
    const auto figure = figureOf(estimateOf(kTraining), "peak.alocated");
    QVERIFY(!figure.ok());
    QCOMPARE(figure.error().text(),
             std::string("There is no figure 'peak.alocated' (did you mean 'peak.allocated'?)."));
    QCOMPARE(figureOf(estimateOf(kTraining), "inference.weights").error().text(),
             std::string("The estimate has no figure 'inference.weights'."));
}

void TestFigure::aPlanWithoutFiguresSaysWhy()
{
    const Estimate result = estimateOf(
        R"({"vramscope":1,"model":{"preset":"llama-3-8b"},"parallel":{"strategy":"ddp","data":3},
            "hardware":{"gpus":2}})");
    QVERIFY(!result.computed);
    const auto figure = figureOf(result, "peak.allocated");
    QVERIFY(!figure.ok());
    QVERIFY(figure.error().text().starts_with("There are no figures: "));
    QVERIFY(figure.error().text().size() > 40);
    QCOMPARE(*figureOf(result, "parameters.total"), 8030261248.0);
}

void TestFigure::theBandOfReservedMemoryLeavesOutWhatStandsOutside()
{
    const Estimate result = estimateOf(kTraining);
    const auto device = bandOf(result, "peak.device");
    const auto reserved = bandOf(result, "peak.reserved");
    QVERIFY(device && reserved);
    QVERIFY(device->holds(static_cast<double>(result.peakDevice)));
    QVERIFY(reserved->holds(static_cast<double>(result.peakReserved)));
    QVERIFY(reserved->high < device->high);
    QVERIFY(!bandOf(result, "peak.allocated"));
}

VRAMSCOPE_TEST(TestFigure)
#include "tst_figure.moc"
