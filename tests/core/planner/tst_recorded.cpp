// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/estimate.h"
#include "core/planner/plan_json.h"
#include "tests/support/measured_table.h"
#include "tests/support/test.h"

#include <QSet>

#include <algorithm>
#include <cmath>
#include <optional>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

constexpr auto kFolder = VRAMSCOPE_SOURCE_DIR "/tests/measure"; // what its scripts recorded

/// A figure by its path in the command line's answer; a moment by its name.
std::optional<Bytes> figureOf(const Estimate &result, const QString &path)
{
    if (!result.computed)
        return {};
    if (path == "peak.allocated"_L1)
        return result.peakAllocated;
    if (path == "first_step_peak.allocated"_L1)
        return result.firstStepAllocated;
    if (path == "at_rest.allocated"_L1)
        return result.atRest;
    const std::string name = path.section(u'.', 1, 1).toStdString();
    const auto moment = std::ranges::find(result.moments, name, &Moment::name);
    if (!path.startsWith("moments."_L1) || moment == result.moments.end())
        return {};
    return moment->allocated;
}

double percentOff(Bytes predicted, qint64 measured)
{
    return std::abs(static_cast<double>(predicted) - static_cast<double>(measured)) * 100 /
           static_cast<double>(measured);
}

Estimate estimateOf(const test::TableRow &row)
{
    const QString file = QString::fromLatin1(kFolder) + u'/' + row.text("setup");
    const Result<Plan> plan = readPlan(file.toStdString());
    return plan ? estimate(*plan) : Estimate();
}

} // namespace

class TestRecorded : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void recordedFiguresAreMet_data();
    void recordedFiguresAreMet();
    void halfOfAllRecordedFiguresAreMetWithinOnePercent();
    void theRowsCoverManyFamilies();
};

void TestRecorded::recordedFiguresAreMet_data()
{
    QTest::addColumn<test::TableRow>("row");
    for (const test::TableRow &row :
         test::readTable(QString::fromLatin1(kFolder) + u"/rows.csv"_s))
        if (row.number("covered") == 1)
            QTest::newRow(qPrintable(row.text("id"))) << row;
}

void TestRecorded::recordedFiguresAreMet()
{
    QFETCH(test::TableRow, row);
    const std::optional<Bytes> predicted = figureOf(estimateOf(row), row.text("figure"));
    QVERIFY2(predicted, qPrintable(row.text("figure")));
    const qint64 measured = row.number("value");
    QVERIFY2(percentOff(*predicted, measured) <= 3,
             qPrintable(u"%1 predicted, %2 measured"_s.arg(*predicted).arg(measured)));
}

void TestRecorded::halfOfAllRecordedFiguresAreMetWithinOnePercent()
{
    std::vector<double> errors;
    for (const test::TableRow &row :
         test::readTable(QString::fromLatin1(kFolder) + u"/rows.csv"_s)) {
        const std::optional<Bytes> predicted = figureOf(estimateOf(row), row.text("figure"));
        errors.push_back(predicted ? percentOff(*predicted, row.number("value")) : 100);
    }
    std::ranges::sort(errors);
    QVERIFY(!errors.empty());
    QVERIFY2(errors[errors.size() / 2] <= 1, qPrintable(QString::number(errors[errors.size() / 2])));
}

void TestRecorded::theRowsCoverManyFamilies()
{
    QSet<QString> families;
    const std::vector<test::TableRow> rows =
        test::readTable(QString::fromLatin1(kFolder) + u"/rows.csv"_s);
    for (const test::TableRow &row : rows)
        families.insert(row.text("family"));
    QVERIFY2(rows.size() >= 60, qPrintable(QString::number(rows.size())));
    QVERIFY2(families.size() >= 8, qPrintable(QString::number(families.size())));
}

QTEST_APPLESS_MAIN(TestRecorded)
#include "tst_recorded.moc"
