// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/shipped.h"
#include "tests/support/test.h"

#include <cmath>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

/// What the scripts of tests/measure recorded, beside what the planner says.
const Validation &recorded()
{
    static const Validation validation = [] {
        std::vector<MeasuredRow> rows = shippedRows();
        std::erase_if(rows, [](const MeasuredRow &row) { return !isRecorded(row); });
        return validate(rows, shippedSetup);
    }();
    return validation;
}

} // namespace

class TestRecorded : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void recordedFiguresAreMet_data();
    void recordedFiguresAreMet();
    void everyRecordedRowIsCompared();
    void halfOfAllRecordedFiguresAreMetWithinOnePercent();
    void theRowsCoverManyFamilies();
};

void TestRecorded::recordedFiguresAreMet_data()
{
    QTest::addColumn<std::size_t>("at");
    for (std::size_t at = 0; at < recorded().rows.size(); ++at)
        if (const MeasuredRow &row = recorded().rows[at].row; row.covered)
            QTest::newRow(row.id.c_str()) << at;
}

void TestRecorded::recordedFiguresAreMet()
{
    QFETCH(std::size_t, at);
    const ComparedFigure &figure = recorded().rows[at];
    QVERIFY2(std::abs(figure.errorPercent) <= 3,
             qPrintable(u"%1 predicted, %2 measured"_s.arg(figure.predicted, 0, 'f', 0)
                            .arg(figure.row.value, 0, 'f', 0)));
}

void TestRecorded::everyRecordedRowIsCompared()
{
    for (const UnusableRow &row : recorded().unusable)
        qWarning() << row.id.c_str() << row.reason.c_str();
    QVERIFY(recorded().unusable.empty());
}

void TestRecorded::halfOfAllRecordedFiguresAreMetWithinOnePercent()
{
    const ErrorSummary all = selectionSummaries(recorded().rows).front();
    QVERIFY2(all.median <= 1, qPrintable(QString::number(all.median)));
}

void TestRecorded::theRowsCoverManyFamilies()
{
    QVERIFY(recorded().rows.size() >= 60);
    QVERIFY(familySummaries(recorded().rows).size() >= 8);
}

VRAMSCOPE_TEST(TestRecorded)
#include "tst_recorded.moc"
