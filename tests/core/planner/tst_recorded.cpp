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
    void todaysFrameworksAreMetAsCloselyWhereNobodyLooked();
    void thePeakStandsAtTheMomentThatWasRecorded();
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
    QVERIFY2(std::abs(figure.errorPercent) <= (figure.row.held ? 6 : 3), // nobody looked at those
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

// A third of the rows that were recorded on fake tensors was kept back while the formulas changed.
void TestRecorded::todaysFrameworksAreMetAsCloselyWhereNobodyLooked()
{
    const auto of = [](bool held) {
        return errorSummary({}, recorded().rows, [held](const ComparedFigure &row) {
            return row.row.setup.starts_with("own/") && row.row.covered && row.row.held == held;
        });
    };
    for (const bool held : {false, true}) {
        const ErrorSummary errors = of(held);
        const double times = held ? 2 : 1;
        QVERIFY(errors.count > 100);
        QVERIFY2(errors.median <= 0.05 * times, qPrintable(QString::number(errors.median)));
        QVERIFY2(errors.percentile95 <= times, qPrintable(QString::number(errors.percentile95)));
        QVERIFY2(errors.worst <= 3 * times, qPrintable(QString::number(errors.worst)));
    }
}

void TestRecorded::thePeakStandsAtTheMomentThatWasRecorded()
{
    std::size_t told = 0;
    std::size_t same = 0;
    for (const ComparedFigure &figure : recorded().rows) {
        if (figure.at.empty() || figure.row.at.empty())
            continue;
        ++told;
        same += static_cast<std::size_t>(figure.at == figure.row.at);
        if (figure.at != figure.row.at)
            qInfo("%s: %s, recorded %s", figure.row.id.c_str(), figure.at.c_str(),
                  figure.row.at.c_str());
    }
    QVERIFY(told > 100);
    QVERIFY2(same * 100 >= told * 95, qPrintable(u"%1 of %2"_s.arg(same).arg(told)));
}

void TestRecorded::theRowsCoverManyFamilies()
{
    QVERIFY(recorded().rows.size() >= 60);
    QVERIFY(familySummaries(recorded().rows).size() >= 8);
}

VRAMSCOPE_TEST(TestRecorded)
#include "tst_recorded.moc"
