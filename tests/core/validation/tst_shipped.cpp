// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/shipped_documents.h"
#include "core/plan/plan_json.h"
#include "core/print/validation_report.h"
#include "core/validation/coverage.h"
#include "core/validation/shipped.h"
#include "tests/support/test.h"

#include <QCryptographicHash>
#include <QDir>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace vramscope;
using namespace Qt::StringLiterals;
using namespace std::string_literals;

class TestShipped : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void theCompiledDocumentsAreTheFilesThatShip();
    void everyRowHasASourceAndAnIdOfItsOwn();
    void everySetupOfARowEstimatesAndEverySetupHasARow();
    void countsAreNotTakenForBytes();
    void summariesAgreeWithCountingThemOut();
    void everyRowKnowsTheKindOfItsRun();
    void aSetupThatDoesNotShipIsSaid();
    void kindsOfRunWithoutAMeasurementAreNamed();
    void theReadmeSaysWhatAllRowsShow();
    void whatWasSaidAtFirstSightNeverChanges();
};

void TestShipped::kindsOfRunWithoutAMeasurementAreNamed()
{
    const Validation all = validate(shippedRows(), shippedSetup);
    const Coverage coverage = coverageOf(all);
    const auto has = [](const std::vector<std::string> &names, const char *name) {
        return std::ranges::find(names, name) != names.end();
    };
    QVERIFY(has(coverage.never, "Hugging Face serving"));
    for (const char *recorded : {"DDP", "ZeRO-1", "ZeRO-2"})
        QVERIFY(has(coverage.onlyRecorded, recorded));
    for (const char *measured : {"FSDP1", "FSDP2", "vLLM"})
        QVERIFY(!has(coverage.never, measured) && !has(coverage.onlyRecorded, measured));
    QVERIFY(coverageOf({}).onlyRecorded.empty());
    QCOMPARE(accuracyText({}), std::string());
}

void TestShipped::whatWasSaidAtFirstSightNeverChanges()
{
    // A batch is what one version met: new rows make a new batch.
    const std::map<std::string, std::pair<std::size_t, QByteArray>> batches = {
        {"607bb2e", {212, "20e3b7732aed4aef"}}};
    std::map<std::string, std::set<QByteArray>> seen; // in an order that the tables do not decide
    for (const MeasuredRow &row : shippedRows()) {
        if (!row.firstSight)
            continue;
        const FirstSight &said = *row.firstSight;
        const auto number = [](double value) { return QByteArray::number(value, 'f', 6); };
        seen[said.version].insert(
            QByteArray::fromStdString(row.id + ' ' + row.figure) + ' ' +
            (said.predicted ? number(*said.predicted) : "refused") + ' ' +
            (said.band ? number(double(said.band->low)) + ' ' + number(double(said.band->high))
                       : QByteArray("no band")));
    }
    QCOMPARE(seen.size(), batches.size());
    for (const auto &[version, batch] : batches) {
        QCryptographicHash hash(QCryptographicHash::Sha256);
        for (const QByteArray &line : seen[version])
            hash.addData(line + '\n');
        QCOMPARE(seen[version].size(), batch.first);
        QCOMPARE(hash.result().toHex().first(16), batch.second);
    }
}

void TestShipped::theReadmeSaysWhatAllRowsShow()
{
    QFile file(test::projectFile(u"README.md"_s));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString readme = QString::fromUtf8(file.readAll()).simplified();
    const Validation all = validate(shippedRows(), shippedSetup);
    const QString said = QString::fromStdString(accuracyText(all));
    QVERIFY2(readme.contains(said), qPrintable(u"The README does not say: "_s + said));
    QVERIFY(said.startsWith(u"At first sight of 212 public figures, half were"_s));
    QVERIFY(!readme.contains(u"exact to the byte"));
}

void TestShipped::theCompiledDocumentsAreTheFilesThatShip()
{
    const QDir folder(test::projectFile(u"resources"_s));
    QStringList files;
    const auto collect = [&](const QString &below, const QString &pattern) {
        for (const QString &name :
             QDir(folder.filePath(below)).entryList({pattern}, QDir::Files, QDir::Name))
            files << below + u'/' + name;
    };
    collect(u"examples"_s, u"*.vramplan"_s);
    for (const QString &table :
         {u"measured/published"_s, u"measured/strangers1"_s, u"measured/strangers2"_s,
          u"measured/startup"_s, u"measured/gpu"_s, u"measured/recorded"_s, u"measured/own"_s}) {
        collect(table, u"rows.csv"_s);
        collect(table + u"/setups"_s, u"*.json"_s);
    }
    for (const QString &table : {u"measured/bands"_s, u"measured/claims"_s, u"measured/constants"_s,
                                 u"measured/outside_torch"_s, u"measured/throughput"_s})
        collect(table, u"rows.csv"_s);
    collect(u"measured/throughput/models"_s, u"*.json"_s);
    for (const QString &tables : {u"gpus"_s, u"models"_s, u"tools"_s, u"words"_s})
        collect(tables, u"*.csv"_s);
    collect(u"models"_s, u"types.json"_s);
    collect(u"models/configs"_s, u"*.json"_s);
    collect(u"diffusion"_s, u"*.json"_s);
    collect(u"words"_s, u"*.txt"_s);
    for (const QString &kind : {u"*.md"_s, u"*.py"_s})
        collect(u"recipes"_s, kind);
    for (const QString &kind : {u"*.js"_s, u"*.css"_s})
        collect(u"report"_s, kind);
    QCOMPARE(static_cast<qsizetype>(shippedDocuments().size()), files.size());
    for (const QString &name : files) {
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const std::string text(shippedDocument(name.toStdString()));
        QCOMPARE(QByteArray::fromStdString(text), file.readAll());
    }
    QVERIFY(shippedDocument("examples/none.vramplan").empty());
}

void TestShipped::everyRowHasASourceAndAnIdOfItsOwn()
{
    std::set<std::string> ids;
    std::size_t recorded = 0;
    for (const MeasuredRow &row : shippedRows()) {
        QVERIFY2(!row.source.empty(), row.id.c_str());
        QVERIFY2(row.quality == "A" || row.quality == "B" || row.quality == "C", row.id.c_str());
        QVERIFY2((row.quality == "C") == row.note.starts_with("unexplained: "), row.id.c_str());
        QVERIFY2(row.quality != "C" || !row.covered, row.id.c_str());
        QVERIFY2(ids.insert(row.id).second, row.id.c_str());
        recorded += std::size_t(isRecorded(row));
    }
    QVERIFY(std::ranges::count_if(shippedRows(), isRecordedOnGpu) >= 588);
    QVERIFY(recorded >= 164 && ids.size() - recorded >= 175);
}

void TestShipped::everySetupOfARowEstimatesAndEverySetupHasARow()
{
    std::set<std::string> setups;
    for (const MeasuredRow &row : shippedRows())
        setups.insert("measured/" + row.setup);
    const auto parts = parseMeasured(shippedDocument("measured/startup/rows.csv"));
    QVERIFY(parts.ok());
    for (const MeasuredRow &row : *parts)
        setups.insert("measured/startup/" + row.setup);
    for (const ShippedDocument &document : shippedDocuments())
        QVERIFY2(document.path.find("/setups/") == std::string_view::npos ||
                     setups.contains(std::string(document.path)),
                 document.path.data());
    const std::vector<MeasuredRow> rows = shippedRows();
    const Validation validation = validate(rows, shippedSetup);
    for (const UnusableRow &row : validation.unusable)
        qWarning() << row.id.c_str() << row.reason.c_str();
    QVERIFY(validation.unusable.empty());
    QCOMPARE(validation.rows.size(), rows.size());
}

void TestShipped::countsAreNotTakenForBytes()
{
    QVERIFY(isBytes("peak.allocated"));
    QVERIFY(isBytes("moments.loss.allocated"));
    QVERIFY(isBytes("inference.kv_cache"));
    QVERIFY(isBytes("host.to_host_per_step"));
    for (const char *count : {"inference.kv_blocks", "inference.kv_tokens", "parameters.total",
                              "side_effects.bubble_share", "host.seconds_per_step.pcie-5"})
        QVERIFY2(!isBytes(count), count);
}

void TestShipped::summariesAgreeWithCountingThemOut()
{
    const Validation validation = validate(shippedRows(), shippedSetup);
    std::map<std::string, std::vector<double>> errors; // signed
    for (const ComparedFigure &row : validation.rows)
        errors[row.row.family].push_back((row.predicted - row.row.value) / row.row.value * 100);
    const std::vector<ErrorSummary> families = familySummaries(validation.rows);
    QCOMPARE(families.size(), errors.size());
    for (const ErrorSummary &family : families) {
        const std::vector<double> &all = errors.at(family.name);
        double sum = 0;
        double worst = 0;
        for (const double error : all) {
            sum += error;
            worst = std::max(worst, std::abs(error));
        }
        const auto within = [&](double bound) {
            return 100 * std::ranges::count_if(
                             all, [&](double error) { return std::abs(error) <= bound; });
        };
        const auto count = static_cast<std::ptrdiff_t>(all.size());
        QCOMPARE(family.count, all.size());
        QCOMPARE(family.worst, worst);
        QCOMPARE(family.mean + 100, sum / static_cast<double>(all.size()) + 100);
        QVERIFY(within(family.median) >= 50 * count);
        QVERIFY(within(family.percentile95) >= 95 * count);
        QVERIFY(within(std::nextafter(family.percentile95, 0)) < 95 * count);
    }
}

void TestShipped::everyRowKnowsTheKindOfItsRun()
{
    const Validation validation = validate(shippedRows(), shippedSetup);
    for (const ComparedFigure &row : validation.rows)
        QCOMPARE(row.run, runKind(shippedSetup(row.row.setup).value()));
    const auto named = [](const char *document) { return runKind(parsePlan(document).value()); };
    const auto model = R"({"vramscope":1,"model":{"preset":"llama-3-8b"})"s;
    QCOMPARE(named((model + "}").c_str()), "training"s);
    QCOMPARE(named((model + R"(,"parallel":{"strategy":"fsdp1"},
                            "adapters":{"kind":"lora","rank":8}})")
                       .c_str()),
             "training, fsdp1, lora"s);
    QCOMPARE(named((model + R"(,"workload":"inference","inference":{"engine":"vllm"}})").c_str()),
             "inference, vllm"s);
}

void TestShipped::aSetupThatDoesNotShipIsSaid()
{
    const Result<Plan> none = shippedSetup("published/setups/none.json");
    QVERIFY(!none.ok());
    QCOMPARE(none.error().text(),
             std::string("There is no measured setup published/setups/none.json."));
}

VRAMSCOPE_TEST(TestShipped)
#include "tst_shipped.moc"
