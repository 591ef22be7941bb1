// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/redaction.h"
#include "tests/support/sample_profile.h"
#include "tests/support/test.h"
#include "ui/document/document_page.h"
#include "ui/models/data_table_view.h"
#include "ui/profile_difference/difference_document.h"
#include "ui/profile_difference/difference_items.h"
#include "ui/profile_difference/difference_page.h"
#include "ui/profile_difference/difference_text.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// What a step of a run takes, in µs.
struct StepTimes
{
    std::int64_t gemm = 50;
    std::int64_t reduce = 30;
    std::int64_t copy = 0; ///< 0: none
};

/// Steps of 200 µs, one after the other, each with a product, an all-reduce after it, and a copy.
ProfilePointer profileOf(const std::vector<StepTimes> &steps)
{
    test::SampleProfile made;
    std::int64_t id = 0;
    std::int64_t start = 0;
    for (std::size_t step = 0; step < steps.size(); ++step) {
        const auto [gemm, reduce, copy] = steps[step];
        made.range("ProfilerStep#" + std::to_string(step), start, start + 200'000, RangeKind::User);
        made.operation("aten::mm", start + 1'000, start + 4'000);
        made.call("cudaLaunchKernel", start + 2'000, start + 3'000, ++id);
        made.work("gemm", start + 10'000, start + 10'000 + gemm * 1000, 7, id);
        std::int64_t end = start + 10'000 + gemm * 1000;
        made.call("cudaLaunchKernel", start + 5'000, start + 6'000, ++id);
        made.work("ncclDevKernel_AllReduce", end, end + reduce * 1000, 13, id);
        end += reduce * 1000;
        if (copy > 0) {
            made.call("cudaMemcpyAsync", start + 7'000, start + 8'000, ++id);
            made.work("Memcpy HtoD (/home/alice/in)", end, end + copy * 1000, 7, id, 4096);
        }
        start += 200'000;
    }
    return analyse(made.finish());
}

DifferencePointer compared(const std::vector<StepTimes> &a, const std::vector<StepTimes> &b,
                           const DifferenceScope &scope = {})
{
    return compareSides(
        {ComparedTrace{u"before.json"_s, u"/runs/before.json"_s, nullptr, kMainDevice,
                       profileOf(a)},
         ComparedTrace{u"after.json"_s, u"/runs/after.json"_s, nullptr, kMainDevice, profileOf(b)}},
        scope);
}

std::vector<StepTimes> thrice(const StepTimes &times)
{
    return {3, times};
}

/// The all-reduce takes 10 µs less, and a copy of 4 µs is new.
DifferencePointer improved()
{
    return compared(thrice({50, 30, 0}), thrice({50, 20, 4}));
}

QStringList textsOf(const DataTable &table, std::size_t row)
{
    QStringList texts;
    for (const DataTable::Column &column : table.columns)
        texts << shownText(column, column.cell(row), ByteUnit::Binary);
    return texts;
}

QStringList columnOf(const DifferencePage &page, int column)
{
    QStringList texts;
    const QAbstractItemModel &model = *page.view()->model();
    for (int row = 0; row < model.rowCount(); ++row)
        texts << model.index(row, column).data().toString();
    return texts;
}

} // namespace

class ProfileDifferenceTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void theAnswerNamesTheSpanAndWhatChangedMost();
    void aChangeWithinTheSpreadOfTheStepsIsNoClearOne();
    void wholeRecordingsAreSaidToBeSuch();
    void withoutADeviceOnBothSidesThatIsSaid();
    void theSumCloses();
    void rowsSayWhatBecameOfThem();
    void theFilterLeavesStatesAndPartsOut();
    void theSearchFindsByName();
    void theSidesCanBeSwapped();
    void otherStepsCanBeCompared();
    void thePageComesBackAsItWas();
    void namesOfPeopleAreTakenOut();
    void theReportTellsTheSame();
};

void ProfileDifferenceTest::theAnswerNamesTheSpanAndWhatChangedMost()
{
    QCOMPARE(
        differenceHeadline(*improved()),
        u"The median step of B spans 74 µs, 6 µs (7.5 %) less than that of A; the largest part "
        "of it is exposed communication, −10 µs."_s);
}

void ProfileDifferenceTest::aChangeWithinTheSpreadOfTheStepsIsNoClearOne()
{
    const auto document = compared({{50, 30}, {52, 30}, {54, 30}, {50, 30}}, thrice({53, 30}));
    QVERIFY(document->isWithinSpread());
    const QString text = differenceHeadline(*document);
    QVERIFY2(text.contains(u"no clear change: the steps of A differ by up to 4 µs"_s),
             qPrintable(text));
    QVERIFY(!improved()->isWithinSpread());
}

void ProfileDifferenceTest::wholeRecordingsAreSaidToBeSuch()
{
    const auto document = compared({{50, 30}}, {{50, 20}});
    const QString text = differenceHeadline(*document);
    QVERIFY2(text.contains(u"whole recordings"_s), qPrintable(text));
    QVERIFY(sidesText(*document).contains(u"before.json, all that was recorded"_s));
    QVERIFY(!document->isWithinSpread());
}

void ProfileDifferenceTest::withoutADeviceOnBothSidesThatIsSaid()
{
    test::SampleProfile host;
    host.operation("aten::mm", 1'000, 2'000);
    const auto document =
        compareSides({ComparedTrace{u"a"_s, {}, nullptr, kMainDevice, analyse(host.finish())},
                      ComparedTrace{u"b"_s, {}, nullptr, kMainDevice, profileOf(thrice({}))}});
    QCOMPARE(differenceHeadline(*document),
             u"Device work cannot be compared: A has no device event in what is compared."_s);
    DifferencePage page(document);
    const QList<QLabel *> labels = page.findChildren<QLabel *>();
    const auto problems = std::ranges::find_if(
        labels, [](const QLabel *label) { return label->property("role") == u"warn"_s; });
    QVERIFY(problems != labels.end() && !(*problems)->isHidden());
    QVERIFY2((*problems)->text().startsWith(u"A: The recording has no device event."_s),
             qPrintable((*problems)->text()));
    page.setDocument(compareSides({document->sides[1], document->sides[0]}));
    QVERIFY2((*problems)->text().startsWith(u"B: The recording has no device event."_s),
             qPrintable((*problems)->text()));
    QCOMPARE(page.statusText(), u"nothing to compare"_s);
    QVERIFY(page.bar()->isHidden());
    QVERIFY(differenceFigures(document, 1).empty());
}

void ProfileDifferenceTest::theSumCloses()
{
    const auto document = improved();
    const DataTable table = differenceTable(*document, DifferenceTab::Parts);
    QCOMPARE(table.rows, kSumRows);
    qint64 sum = 0;
    for (std::size_t row = 0; row + 1 < kSumRows; ++row)
        sum += std::get<std::int64_t>(table.cell(row, 3).value);
    QCOMPARE(sum, -6'000);
    QCOMPARE(textsOf(table, kSumRows - 1),
             (QStringList{u"Span"_s, u"80 µs"_s, u"74 µs"_s, u"−6 µs"_s, u"−7.5 %"_s}));
    // On one scale: the bar of A is as wide as its place, that of B by 74 / 80 of it.
    DifferencePage page(document);
    page.setAttribute(Qt::WA_DontShowOnScreen);
    page.resize(1280, 720);
    page.show();
    QApplication::processEvents();
    const BreakdownBar &bar = *page.bar();
    const double left = bar.partRect(0, BarPart::Compute).left();
    const double a = bar.partRect(0, BarPart::Idle).right() - left;
    const double b = bar.partRect(1, BarPart::Idle).right() - left;
    QCOMPARE(left + a, double(bar.width()));
    QVERIFY(std::abs(b - a * 74 / 80) <= 1);
}

void ProfileDifferenceTest::rowsSayWhatBecameOfThem()
{
    const auto document = improved();
    const DataTable work = differenceTable(*document, DifferenceTab::Work);
    QCOMPARE(work.rows, std::size_t(3));
    QCOMPARE(textsOf(work, 0).mid(0, 9),
             (QStringList{u"ncclDevKernel_AllReduce"_s, u"communication"_s, u"faster"_s,
                          u"−10 µs"_s, u"−33.3 %"_s, u"30 µs"_s, u"20 µs"_s, u"1"_s, u"1"_s}));
    QCOMPARE(textsOf(work, 1).mid(1, 4), (QStringList{u"copy"_s, u"new"_s, u"+4 µs"_s, u"–"_s}));
    QCOMPARE(textsOf(work, 2).mid(2, 2), (QStringList{u"equal"_s, u"0 ns"_s}));
    const DataTable operators = differenceTable(*document, DifferenceTab::Operators);
    std::size_t product = 0;
    while (product < operators.rows && textsOf(operators, product).front() != u"aten::mm"_s)
        ++product; // without a mark of missing shapes
    QVERIFY(product < operators.rows);
    QCOMPARE(operators.cell(product, 4), DataTable::Cell(50'000));
    QCOMPARE(textsOf(operators, product).back(), u"call path and shapes"_s);
}

void ProfileDifferenceTest::theFilterLeavesStatesAndPartsOut()
{
    DifferencePage page(improved());
    page.setTab(DifferenceTab::Work);
    QAbstractItemModelTester tester(page.view()->model());
    page.setFilter({ChangeState::New, {}});
    QCOMPARE(columnOf(page, 2), QStringList{u"new"_s});
    // A click on a part of a bar shows the work of that part, a second click everything again.
    Q_EMIT page.bar()->partClicked(BarPart::Communication);
    page.setFilter({{}, page.filter().part});
    QCOMPARE(columnOf(page, 0), QStringList{u"ncclDevKernel_AllReduce"_s});
    Q_EMIT page.bar()->partClicked(BarPart::Communication);
    QCOMPARE(columnOf(page, 0).size(), 3);
}

void ProfileDifferenceTest::theSearchFindsByName()
{
    DifferencePage page(improved());
    page.setTab(DifferenceTab::Work);
    page.setSearch(u"ALLREDUCE"_s);
    QCOMPARE(columnOf(page, 0), QStringList{u"ncclDevKernel_AllReduce"_s});
    page.setTab(DifferenceTab::Parts); // which has nothing to find
    QCOMPARE(columnOf(page, 0).size(), qsizetype(kSumRows));
}

void ProfileDifferenceTest::theSidesCanBeSwapped()
{
    DifferencePage page(improved());
    const auto buttons = page.findChildren<QPushButton *>();
    const auto swap = std::ranges::find(buttons, u"Swap A and B"_s, &QPushButton::text);
    QVERIFY(swap != buttons.end());
    (*swap)->click();
    page.workNow();
    QCOMPARE(page.difference()->sides[0].title, u"after.json"_s);
    QCOMPARE(page.difference()->spanChange(), std::optional<std::int64_t>(6'000));
    QCOMPARE(page.statusText(), u"span, B − A: +6 µs (6,000 ns)"_s);
}

void ProfileDifferenceTest::otherStepsCanBeCompared()
{
    const auto document = compared({{50, 30}, {60, 30}, {50, 30}}, thrice({50, 30}));
    QCOMPARE(scopesOf(*document).size(), std::size_t(5)); // the median, all, and three steps
    DifferencePage page(document);
    auto *scope = page.findChildren<QComboBox *>().front();
    QCOMPARE(scope->itemText(3), u"ProfilerStep#1"_s);
    scope->setCurrentIndex(3);
    Q_EMIT scope->activated(3);
    page.workNow();
    QCOMPARE(page.difference()->spanChange(), std::optional<std::int64_t>(-10'000));
    QCOMPARE(scope->currentIndex(), 3);
}

void ProfileDifferenceTest::thePageComesBackAsItWas()
{
    const DocumentPointer document = improved();
    const auto make = [&] { return document->makePage({}, {}, nullptr); };
    const auto page = make();
    page->restore({{u"tab"_s, u"work"_s}, {u"state"_s, u"faster"_s}, {u"search"_s, u"nccl"_s}});
    const auto again = make();
    again->restore(page->chosen(nullptr));
    QCOMPARE(again->table(100).rows.size(), std::size_t(1));
    QCOMPARE(again->chosen(nullptr), page->chosen(nullptr));
}

void ProfileDifferenceTest::namesOfPeopleAreTakenOut()
{
    const DocumentPointer document = improved();
    Redaction redaction;
    document->gatherNames(redaction);
    const DocumentPointer without = document->withoutNames(redaction);
    Report report;
    without->addReportSection(report, {}, 1, ByteUnit::Binary);
    const auto page = without->makePage({}, {}, nullptr);
    page->goTo(u"work"_s);
    bool isThere = false;
    for (const auto &row : page->table(100).rows) {
        for (const auto &cell : row) {
            QVERIFY2(!cell.text.contains(u"alice"_s), qPrintable(cell.text));
            isThere = isThere || cell.text.contains(u"Memcpy HtoD"_s);
        }
    }
    QVERIFY(isThere);
}

void ProfileDifferenceTest::theReportTellsTheSame()
{
    const auto document = improved();
    const DocumentPointer whole = document;
    const auto sources = whole->reportSources({});
    QVERIFY(sources.ok());
    QCOMPARE(sources->front().file, u"before.json"_s);
    Report report;
    whole->addReportSection(report, "before.json", 1, ByteUnit::Binary);
    QVERIFY(!report.blocks.empty());
    QCOMPARE(whole->reportFigures(1, {}).size(), std::size_t(1));
    const std::vector<StageItem> items = differenceItems(document);
    QCOMPARE(items.size(), 1 + kDifferenceTabCount);
    QCOMPARE(items.front().scene().headline, differenceHeadline(*document));
}

} // namespace vramscope

VRAMSCOPE_TEST(vramscope::ProfileDifferenceTest)
#include "tst_profile_difference.moc"
