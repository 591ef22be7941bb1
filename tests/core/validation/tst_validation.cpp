// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/first_sight.h"
#include "tests/support/test.h"

#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <random>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

constexpr const char *kHeader = "id,setup,figure,value,quality,family,covered,source,note\n";
constexpr const char *kPlan = R"({"vramscope":1,"model":{"preset":"gpt2"}})";

/// A folder with a table of measured rows and the plan "gpt2.json" beside it.
class Folder
{
public:
    bool write(const QString &name, const QByteArray &text) const
    {
        QFile file(m_folder.filePath(name));
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
    }
    Result<std::vector<MeasuredRow>> rows(const QByteArray &lines) const
    {
        if (!write(u"rows.csv"_s, kHeader + lines) || !write(u"gpt2.json"_s, kPlan))
            return Error{ErrorCode::WriteFailed, "no disk"};
        return readMeasured(m_folder.filePath(u"rows.csv"_s).toStdString());
    }
    Validation validation(const QByteArray &lines) const
    {
        const auto read = rows(lines);
        return read ? validate(*read, setupsIn(m_folder.path().toStdString())) : Validation();
    }

private:
    QTemporaryDir m_folder;
};

ComparedFigure comparison(const char *family, bool covered, double error)
{
    ComparedFigure made;
    made.row.family = family;
    made.row.quality = covered ? "A" : "B";
    made.row.covered = covered;
    made.errorPercent = error;
    return made;
}

} // namespace

class TestValidation : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void theSignedErrorIsThatOfThePrediction();
    void aRunOfVllmIsPlannedForItsRelease();
    void rowsThatCannotBeUsedAreSaidOneByOne();
    void aBadTableIsRefusedWithItsLine_data();
    void aBadTableIsRefusedWithItsLine();
    void ranksAgreeWithCountingThemOut();
    void familiesAndSelectionsAreSummedUpApart();
    void aBandCountsTheRowsInsideAndTheWidest();
    void firstSightIsReadOrWasARefusal();
    void aBadFirstSightIsRefused();
    void firstSightIsSummedUpBySourceNextToToday();
};

void TestValidation::theSignedErrorIsThatOfThePrediction()
{
    const Folder folder;
    const Validation validation =
        folder.validation("low,gpt2.json,parameters.total,124439808,A,x,1,a file,said so\n"
                          "half,gpt2.json,parameters.total,248879616,B,x,0,\"a, b\",\n");
    QVERIFY(validation.unusable.empty());
    QCOMPARE(validation.rows.size(), 2U);
    QCOMPARE(validation.rows[0].errorPercent, 0.0);
    QCOMPARE(validation.rows[1].errorPercent, -50.0);
    QVERIFY(validation.rows[0].row.covered);
    QCOMPARE(validation.rows[0].row.source, std::string("a file"));
    QCOMPARE(validation.rows[0].row.note, std::string("said so"));
    QVERIFY(!validation.rows[1].band);
}

void TestValidation::aRunOfVllmIsPlannedForItsRelease()
{
    const auto cache = [](const char *name, const char *version) {
        Plan plan;
        plan.name = name;
        plan.workload = Workload::Inference;
        plan.model.preset = "gpt2";
        plan.hardware.gpu = "rtx-4090";
        plan.inference.engine = Engine::Vllm;
        plan.inference.gpuMemoryUtilization = 0.9;
        if (*version)
            plan.inference.engineVersion = version;
        MeasuredRow row;
        row.figure = "inference.kv_cache";
        row.value = 1e9;
        const Validation it =
            validate(std::span(&row, 1), [&plan](const std::string &) { return plan; });
        return it.rows.empty() ? 0.0 : it.rows.front().predicted;
    };
    const double newest = cache("GPT-2", "");
    const double old = cache("GPT-2", "0.20.0");
    QVERIFY(newest > 0 && old > newest + 1.5e8); // graphs within the share
    QCOMPARE(cache("GPT-2, vLLM 0.20.0, RTX 4090", ""), old);
    QCOMPARE(cache("GPT-2, vLLM 0.20.0, RTX 4090", "0.33.0"), newest);
    QCOMPARE(cache("GPT-2, vLLM, RTX 4090", ""), newest);
}

void TestValidation::firstSightIsReadOrWasARefusal()
{
    const auto rows = parseMeasured(
        "id,setup,figure,value,quality,family,covered,first_sight,first_sight_low,first_sight_high,"
        "first_sight_version\n"
        "a,x,peak.reserved,100,A,f,1,110,90,120,607bb2e\n"
        "b,x,peak.allocated,100,A,f,1,,,,607bb2e\n"
        "c,x,peak.allocated,100,A,f,1,,,,\n");
    QVERIFY(rows.ok());
    QVERIFY(rows->at(0).firstSight && rows->at(1).firstSight && !rows->at(2).firstSight);
    QCOMPARE(rows->at(0).firstSight->predicted, std::optional(110.0));
    QCOMPARE(rows->at(0).firstSight->band, std::optional(Band{90, 120}));
    QCOMPARE(rows->at(0).firstSight->version, std::string("607bb2e"));
    QCOMPARE(firstSightError(rows->at(0)), std::optional(10.0));
    QVERIFY(!rows->at(1).firstSight->predicted && !firstSightError(rows->at(1)));
    QVERIFY(!firstSightError(rows->at(2)));
}

void TestValidation::aBadFirstSightIsRefused()
{
    for (const char *cells : {"zero,,,v", "-3,,,v", "5,4,,v", "5,,x,v"}) {
        const auto rows = parseMeasured(
            std::string("id,setup,figure,value,quality,family,covered,first_sight,first_sight_low,"
                        "first_sight_high,first_sight_version\na,x,peak,1,A,f,1,") +
            cells + '\n');
        QVERIFY(!rows.ok());
        QVERIFY(rows.error().text().find("first_sight") != std::string::npos);
        QVERIFY(rows.error().text().find("ine 2") != std::string::npos);
    }
}

void TestValidation::firstSightIsSummedUpBySourceNextToToday()
{
    std::mt19937 random(11);
    const std::array<const char *, 3> families = {"a", "b", "c"};
    std::vector<ComparedFigure> rows;
    for (int at = 0; at < 200; ++at) {
        ComparedFigure row = comparison(families[random() % 3], true, double(random() % 90) - 45);
        row.row.value = 1000;
        row.row.year = at % 5 == 0 ? "" : at % 2 == 0 ? "2026" : "2024";
        if (at % 4 != 0)
            row.row.firstSight = FirstSight{{}, {}, "v"};
        if (at % 4 != 0 && at % 7 != 0) {
            row.row.firstSight->predicted = double(800 + random() % 400);
            row.row.firstSight->band = Band{900, Bytes(950 + random() % 100)};
        }
        rows.push_back(row);
    }
    const std::vector<FirstSightSummary> summaries = firstSightSummaries(rows);
    QCOMPARE(summaries.size(), std::size_t(6));
    QCOMPARE(summaries.front().name, std::string("all"));
    QCOMPARE(summaries[1].name, std::string("2024"));
    QCOMPARE(summaries[2].name, std::string("2026"));
    for (const FirstSightSummary &summary : summaries) {
        std::vector<double> then;
        std::vector<double> today;
        std::size_t refused = 0;
        std::size_t inside = 0;
        for (const ComparedFigure &row : rows) {
            if (!row.row.firstSight || (summary.name != "all" && row.row.family != summary.name &&
                                        row.row.year != summary.name))
                continue;
            today.push_back(std::abs(row.errorPercent));
            const auto said = row.row.firstSight->predicted;
            refused += !said;
            if (said)
                then.push_back(std::abs(*said - 1000) / 10);
            inside += row.row.firstSight->band && row.row.firstSight->band->high >= 1000;
        }
        QCOMPARE(summary.refused, refused);
        QCOMPARE(summary.then.count, then.size());
        QCOMPARE(summary.then.median, median(then));
        QCOMPARE(summary.then.worst, *std::ranges::max_element(then));
        QCOMPARE(summary.today.count, today.size());
        QCOMPARE(summary.today.percentile95, nearestRank(today, 95));
        QCOMPARE(summary.band.inside, inside);
    }
    QVERIFY(firstSightSummaries(std::span(rows).first(1)).empty()); // nobody recorded it
    QCOMPARE(firstSightText({}), std::string());
}

void TestValidation::rowsThatCannotBeUsedAreSaidOneByOne()
{
    const Folder folder;
    const Validation validation = folder.validation("a,none.json,peak.allocated,1,A,x,1,,\n"
                                                    "b,gpt2.json,peak.memory,1,A,x,1,,\n"
                                                    "c,gpt2.json,peak.allocated,1,A,x,1,,\n");
    QCOMPARE(validation.rows.size(), 1U);
    QCOMPARE(validation.unusable.size(), 2U);
    QCOMPARE(validation.unusable[0].id, std::string("a"));
    QVERIFY(validation.unusable[0].reason.starts_with("none.json: There is no such file"));
    QVERIFY(validation.unusable[1].reason.find("no figure 'peak.memory'") != std::string::npos);
}

void TestValidation::aBadTableIsRefusedWithItsLine_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("says");
    const QByteArray good = "a,gpt2.json,peak.allocated,1,A,x,1,,\n";
    QTest::newRow("no number") << good + "a,b,c,12 GB,A,x,1,,\n"
                               << "Line 3: value is \"12 GB\""_ba;
    QTest::newRow("empty") << "a,b,c,,A,x,1,,\n"_ba
                           << "Line 2: value is \"\""_ba;
    QTest::newRow("zero") << "a,b,c,0,A,x,1,,\n"_ba
                          << "Line 2: value is \"0\""_ba;
    QTest::newRow("infinite") << "a,b,c,inf,A,x,1,,\n"_ba
                              << "Line 2: value is \"inf\""_ba;
    QTest::newRow("covered") << "a,b,c,1,A,x,yes,,\n"_ba
                             << "Line 2: covered is \"yes\""_ba;
    QTest::newRow("cells") << "a,b,c\n"_ba
                           << "Line 2: it has 3 cells"_ba;
}

void TestValidation::aBadTableIsRefusedWithItsLine()
{
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, says);
    const Folder folder;
    const auto rows = folder.rows(line);
    QVERIFY(!rows.ok());
    QVERIFY2(rows.error().text().starts_with(says.toStdString()), rows.error().text().c_str());
}

void TestValidation::ranksAgreeWithCountingThemOut()
{
    std::mt19937 random(7);
    for (int size = 1; size <= 60; ++size) {
        std::vector<double> values;
        for (int i = 0; i < size; ++i)
            values.push_back(static_cast<double>(random() % 40));
        for (const std::size_t percent : {1U, 5U, 50U, 95U, 99U, 100U}) {
            // The smallest value that enough of the values do not exceed.
            double naive = 1000;
            for (const double candidate : values) {
                const auto below =
                    std::ranges::count_if(values, [&](double value) { return value <= candidate; });
                if (static_cast<std::size_t>(below) * 100 >= percent * values.size())
                    naive = std::min(naive, candidate);
            }
            QCOMPARE(nearestRank(values, percent), naive);
        }
        const auto side = [&](auto compare) {
            return std::ranges::count_if(
                values, [&](double value) { return compare(value, median(values)); });
        };
        QVERIFY(side(std::less<>()) * 2 <= size && side(std::greater<>()) * 2 <= size);
    }
    QCOMPARE(median({4, 1, 3, 2}), 2.5);
    QCOMPARE(median({}), 0.0);
    QCOMPARE(nearestRank({}, 95), 0.0);
}

void TestValidation::familiesAndSelectionsAreSummedUpApart()
{
    const std::vector<ComparedFigure> rows = {comparison("b", true, -1), comparison("a", false, 10),
                                              comparison("b", false, 3)};
    const auto families = familySummaries(rows);
    QCOMPARE(families.size(), 2U);
    QCOMPARE(families[0].name, std::string("b"));
    QCOMPARE(families[0].count, 2U);
    QCOMPARE(families[0].median, 2.0);
    QCOMPARE(families[0].worst, 3.0);
    QCOMPARE(families[0].mean, 1.0);
    QCOMPARE(families[1].count, 1U);
    const auto selections = selectionSummaries(rows);
    QCOMPARE(selections.size(), 5U);
    QCOMPARE(selections[0].count, 3U);
    QCOMPARE(selections[0].median, 3.0);
    QCOMPARE(selections[1].worst, 1.0);
    QCOMPARE(selections[2].count, 1U);
    QCOMPARE(selections[3].count, 2U);
    QCOMPARE(selections[4].count, 0U);
}

void TestValidation::aBandCountsTheRowsInsideAndTheWidest()
{
    std::vector<ComparedFigure> rows(3);
    rows[0].row.value = 100;
    rows[0].band = Band{90, 110};
    rows[1].row.value = 121;
    rows[1].band = Band{80, 120};
    const BandSummary band = bandSummary(rows);
    QCOMPARE(band.count, 2U);
    QCOMPARE(band.inside, 1U);
    QCOMPARE(band.sharePercent(), 50.0);
    QCOMPARE(band.widestHalfWidthPercent, 20.0);
    QCOMPARE(bandSummary({}).sharePercent(), 0.0);
}

VRAMSCOPE_TEST(TestValidation)
#include "tst_validation.moc"
