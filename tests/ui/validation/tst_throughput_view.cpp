// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/describe/validation_tables.h"
#include "core/validation/shipped.h"
#include "tests/support/test.h"
#include "tests/ui/validation/table_texts.h"
#include "ui/document/document.h"
#include "ui/document/document_page.h"
#include "ui/export/table.h"
#include "ui/support/fact_table.h"
#include "ui/support/text.h"
#include "ui/validation/measured_tabs.h"
#include "ui/validation/throughput_view.h"
#include "ui/validation/validation_page.h"
#include "ui/validation/validation_text.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QFont>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>

#include <algorithm>
#include <cmath>

using namespace vramscope;
using namespace Qt::StringLiterals;
using test::columnOf, test::textAt, test::textsOf;

namespace {

std::shared_ptr<const SpeedValidation> speeds()
{
    static const auto validation =
        std::make_shared<const SpeedValidation>(validateSpeeds(shippedThroughput()));
    return validation;
}

std::size_t runNamed(std::string_view id)
{
    const auto found = std::ranges::find_if(
        speeds()->rows, [&](const ComparedSpeed &row) { return row.row.id == id; });
    return static_cast<std::size_t>(found - speeds()->rows.begin());
}

int placeOf(const ThroughputView &view, const QString &id)
{
    return static_cast<int>(textsOf(view.rowsView(), "id").indexOf(id));
}

} // namespace

class TestThroughputView : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void everyRunIsShownWithItsError();
    void theModelsKeepTheRulesOfModels();
    void theRunThatCalibratesIsMarkedInWordsAndStandsAboveItsFamily();
    void sortingPutsRunsWithoutAPredictionLast();
    void aFamilyNarrowsTheRuns();
    void theFilterNarrowsTheRuns();
    void theDetailAddsUpToTheStep();
    void aRunThatIsNotComputedSaysWhy();
    void aRunOpensItsPlanUnderItsName();
    void everyPartHasANameAndTakesTheKeyboard();
    void thePageHasATabForEachKindOfWhatWasMeasured();
};

void TestThroughputView::everyRunIsShownWithItsError()
{
    const ThroughputView view(speeds());
    const SpeedSummary all = speedSummary(*speeds());
    QVERIFY(view.headline().startsWith(
        u"%1 published training speeds"_s.arg(countText(static_cast<qint64>(all.rows)))));
    QCOMPARE(view.rowsView()->model()->rowCount(), static_cast<int>(all.rows));
    for (const ComparedSpeed &row : speeds()->rows) {
        const int at = placeOf(view, toQString(row.row.id));
        QVERIFY2(at >= 0, row.row.id.c_str());
        QCOMPARE(textAt(view.rowsView(), at, "error"),
                 row.predicts() ? errorText(row.errorPercent) : u"–"_s);
        QCOMPARE(textAt(view.rowsView(), at, "published"),
                 toQString(trainingSpeedText(row.row.tokensPerGpu)));
        const QString outcome = textAt(view.rowsView(), at, "outcome");
        if (row.predicts())
            QCOMPARE(isMissed(row, *speeds()),
                     outcome.startsWith("beyond"_L1) || outcome.startsWith("outside"_L1));
    }
    QCOMPARE(trainingSpeedText(64.48), std::string("64.5"));
    QCOMPARE(trainingSpeedText(17477.7), std::string("17,478"));
}

void TestThroughputView::theModelsKeepTheRulesOfModels()
{
    DataTableModel rows;
    DataTableModel families;
    const QAbstractItemModelTester ofRows(&rows,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    const QAbstractItemModelTester ofFamilies(
        &families, QAbstractItemModelTester::FailureReportingMode::QtTest);
    rows.setTable(speedsTable(speeds(), {0, 1, 2, 3, 50}));
    families.setTable(speedFamiliesTable(*speeds()));
    for (int column = -1; column < rows.columnCount(); ++column)
        rows.sort(column, Qt::AscendingOrder);
    for (int column = 0; column < families.columnCount(); ++column)
        families.sort(column, Qt::DescendingOrder);
    QCOMPARE(rows.rowCount(), 5);
    QCOMPARE(families.index(0, 0).data().toString(), u"all runs"_s); // stays first
}

void TestThroughputView::theRunThatCalibratesIsMarkedInWordsAndStandsAboveItsFamily()
{
    const ThroughputView view(speeds());
    for (const SpeedFamily &family : speeds()->families) {
        const int at = placeOf(view, toQString(family.calibratedOn));
        QCOMPARE(textAt(view.rowsView(), at, "basis"), u"calibrates its family"_s);
        QCOMPARE(textAt(view.rowsView(), at, "outcome"), u"not a prediction"_s);
        const QModelIndex index =
            view.rowsView()->model()->index(at, columnOf(view.rowsView(), "id"));
        QVERIFY(index.data(Qt::FontRole).value<QFont>().bold());
        for (int below = 1; below <= static_cast<int>(family.predicted); ++below)
            QCOMPARE(textAt(view.rowsView(), at + below, "basis"),
                     u"calibrated on %1"_s.arg(toQString(family.calibratedOn)));
    }
}

void TestThroughputView::sortingPutsRunsWithoutAPredictionLast()
{
    const ThroughputView view(speeds());
    const auto worst = std::ranges::max_element(
        speeds()->rows, {}, [](const ComparedSpeed &row) { return std::abs(row.errorPercent); });
    for (const Qt::SortOrder order : {Qt::DescendingOrder, Qt::AscendingOrder}) {
        view.rowsView()->sortByColumn(columnOf(view.rowsView(), "error"), order);
        const QStringList errors = textsOf(view.rowsView(), "error");
        const auto none = errors.indexOf(u"–"_s);
        QVERIFY(none > 0);
        for (qsizetype at = none; at < errors.size(); ++at)
            QCOMPARE(errors[at], u"–"_s);
        const qsizetype extreme = order == Qt::DescendingOrder ? 0 : none - 1;
        QCOMPARE(textAt(view.rowsView(), static_cast<int>(extreme), "id"),
                 toQString(worst->row.id));
    }
}

void TestThroughputView::aFamilyNarrowsTheRuns()
{
    const ThroughputView view(speeds());
    const QStringList names = textsOf(view.familiesView(), "name");
    view.familiesView()->selectRow(static_cast<int>(names.indexOf(u"mpt-70b-h100"_s)));
    QCOMPARE(view.filter().family, std::string("mpt-70b-h100"));
    QCOMPARE(textsOf(view.rowsView(), "id"),
             (QStringList{u"mpt-003"_s, u"mpt-001"_s, u"mpt-002"_s}));
    QCOMPARE(view.selectedRow(), runNamed("mpt-003"));
    view.familiesView()->sortByColumn(columnOf(view.familiesView(), "name"), Qt::AscendingOrder);
    QCOMPARE(view.filter().family, std::string("mpt-70b-h100")); // sorting keeps it
    view.familiesView()->selectRow(0);
    QCOMPARE(view.rowsView()->model()->rowCount(), static_cast<int>(speeds()->rows.size()));
}

void TestThroughputView::theFilterNarrowsTheRuns()
{
    ThroughputView view(speeds());
    const SpeedSummary all = speedSummary(*speeds());
    const auto count = [&] { return view.rowsView()->model()->rowCount(); };
    auto *kind = view.findChild<QComboBox *>();
    kind->setCurrentIndex(static_cast<int>(SpeedFilterKind::Calibrates));
    QCOMPARE(count(), static_cast<int>(all.calibrating));
    kind->setCurrentIndex(static_cast<int>(SpeedFilterKind::NotComputed));
    QCOMPARE(count(), static_cast<int>(all.notComputed));
    kind->setCurrentIndex(static_cast<int>(SpeedFilterKind::Missed));
    for (const QString &outcome : textsOf(view.rowsView(), "outcome"))
        QVERIFY(outcome.startsWith("beyond"_L1) || outcome.startsWith("outside"_L1));
    QVERIFY(count() > 0);
    view.setFilter({});
    QCOMPARE(kind->currentIndex(), 0);
    view.findChild<QLineEdit *>()->setText(u"torchtitan H200"_s);
    QCOMPARE(textsOf(view.rowsView(), "id"), (QStringList{u"titan-029"_s, u"titan-030"_s}));
    view.findChild<QLineEdit *>()->setText(u"no such words"_s);
    QCOMPARE(count(), 0);
    QVERIFY(!view.selectedRow());
    QVERIFY(!view.openButton()->isEnabled());
    QVERIFY(view.terms()->rows().empty());
}

void TestThroughputView::theDetailAddsUpToTheStep()
{
    ThroughputView view(speeds());
    const std::size_t at = runNamed("titan-011");
    view.selectRow(at);
    const ComparedSpeed &row = speeds()->rows[at];
    const auto &shown = view.terms()->rows();
    QCOMPARE(shown.size(), row.time.terms.size());
    double sum = 0;
    for (std::size_t term = 0; term < shown.size(); ++term) {
        QCOMPARE(shown[term].cells[0].text, toQString(row.time.terms[term].name));
        QCOMPARE(shown[term].cells[3].text, capitalized(toQString(row.time.terms[term].rate)));
        QVERIFY(!shown[term].cells[3].tip.isEmpty());
        sum += row.time.terms[term].seconds;
    }
    QVERIFY(std::abs(sum / row.time.seconds.likely - 1) < 1e-9);
    QVERIFY(shown[0].cells[3].tip.contains("titan-011"_L1)); // by its own speed
    const QString facts = speedFacts(row);
    QVERIFY(facts.contains(toQString(row.row.source)));
    QVERIFY(view.statusText().contains("calibrates its family"_L1));
    view.selectRow(runNamed("nemo-005"));
    QVERIFY(!view.terms()->rows()[0].cells[3].tip.contains("By the speed"_L1));
    QVERIFY(view.statusText().contains("catalogue alone"_L1));
}

void TestThroughputView::aRunThatIsNotComputedSaysWhy()
{
    ThroughputView view(speeds());
    const int at = placeOf(view, u"titan-019"_s);
    QCOMPARE(textAt(view.rowsView(), at, "basis"), u"not computed"_s);
    QCOMPARE(textAt(view.rowsView(), at, "layout"),
             u"The source does not state the sequence length."_s);
    view.selectRow(runNamed("titan-019"));
    QVERIFY(view.statusText().endsWith("The source does not state the sequence length."_L1));
    QVERIFY(!view.openButton()->isEnabled());
    bool opened = false;
    connect(&view, &ThroughputView::planWanted, this, [&] { opened = true; });
    view.openRow(runNamed("titan-019"));
    QVERIFY(!opened);
}

void TestThroughputView::aRunOpensItsPlanUnderItsName()
{
    ThroughputView view(speeds());
    std::vector<Plan> plans;
    QString notice;
    connect(&view, &ThroughputView::planWanted, this, [&](const Plan &plan, const QString &text) {
        plans.push_back(plan);
        notice = text;
    });
    view.selectRow(runNamed("mpt-001"));
    QTest::keyClick(view.rowsView(), Qt::Key_Return);
    view.openButton()->click();
    QCOMPARE(plans.size(), std::size_t(2));
    QVERIFY(plans[0] == speeds()->rows[runNamed("mpt-001")].row.plan && plans[1] == plans[0]);
    QCOMPARE(plans[0].name, std::optional<std::string>("mpt-001"));
    QVERIFY(notice.contains("mosaicml/llm-foundry"_L1));
}

void TestThroughputView::everyPartHasANameAndTakesTheKeyboard()
{
    const ThroughputView view(speeds());
    for (const QWidget *part : std::initializer_list<const QWidget *>{
             view.familiesView(), view.rowsView(), view.terms(), view.findChild<QComboBox *>(),
             view.findChild<QLineEdit *>()}) {
        QVERIFY(!part->accessibleName().isEmpty());
        QVERIFY(part->focusPolicy() & Qt::TabFocus);
    }
}

void TestThroughputView::thePageHasATabForEachKindOfWhatWasMeasured()
{
    const auto memory = std::make_shared<const Validation>();
    const DocumentPointer document = std::make_shared<const MeasuredDocument>(memory, speeds());
    QWidget parent;
    const auto page = document->makePage({}, {}, &parent);
    auto *tabs = qobject_cast<MeasuredTabs *>(page.get());
    QVERIFY(tabs);
    QCOMPARE(tabs->tab(), MeasuredTab::Memory);
    QVERIFY(page->table(100).rows.empty());
    page->goTo(u"throughput"_s);
    QCOMPARE(tabs->tab(), MeasuredTab::Throughput);
    QCOMPARE(page->table(100).rows.size(), speeds()->rows.size());
    QCOMPARE(page->statusText(), tabs->throughput()->statusText());
    page->goTo(u"training, fsdp2"_s);
    QCOMPARE(tabs->tab(), MeasuredTab::Memory);
    QCOMPARE(tabs->memory()->filter().group, std::string("training, fsdp2"));
    for (QPushButton *button : tabs->findChildren<QPushButton *>())
        if (button->text() == "Throughput"_L1)
            button->click();
    QCOMPARE(tabs->tab(), MeasuredTab::Throughput);
    QVERIFY(!measuredTabNamed(u"sideways"));
}

VRAMSCOPE_TEST(TestThroughputView)
#include "tst_throughput_view.moc"
