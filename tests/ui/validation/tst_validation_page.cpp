// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/describe/validation_story.h"
#include "core/plan/plan_json.h"
#include "core/print/validation_report.h"
#include "core/validation/first_sight.h"
#include "core/validation/shipped.h"
#include "tests/support/test.h"
#include "tests/ui/validation/table_texts.h"
#include "ui/charts/scatter_chart.h"
#include "ui/support/text.h"
#include "ui/validation/validation_page.h"
#include "ui/validation/validation_text.h"

#include <QAccessible>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QLineF>
#include <QPushButton>
#include <QTableView>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace vramscope;
using namespace Qt::StringLiterals;
using test::columnOf, test::textAt, test::textsOf;

namespace {

std::shared_ptr<const Validation> shipped()
{
    static const auto validation =
        std::make_shared<const Validation>(validate(shippedRows(), shippedSetup));
    return validation;
}

std::size_t rowNamed(std::string_view id)
{
    const auto &rows = shipped()->rows;
    const auto found =
        std::ranges::find_if(rows, [&](const ComparedFigure &row) { return row.row.id == id; });
    return static_cast<std::size_t>(found - rows.begin());
}

void showOffScreen(QWidget &page, QSize size = {1100, 640})
{
    page.setAttribute(Qt::WA_DontShowOnScreen);
    page.resize(size);
    page.show();
    QApplication::processEvents();
}

/// The point whose nearest neighbour is farthest away: a click on it can mean no other.
std::size_t loneliestPoint(const ScatterChart &chart)
{
    const std::size_t count = chart.content().points.size();
    const auto distance = [&](std::size_t a, std::size_t b) {
        return QLineF(chart.positionOf(a), chart.positionOf(b)).length();
    };
    std::size_t loneliest = 0;
    double farthest = -1;
    for (std::size_t point = 0; point < count; ++point) {
        double nearest = std::numeric_limits<double>::max();
        for (std::size_t other = 0; other < count; ++other)
            if (other != point)
                nearest = std::min(nearest, distance(point, other));
        if (nearest > farthest) {
            farthest = nearest;
            loneliest = point;
        }
    }
    return loneliest;
}

} // namespace

class TestTrustPage : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void showsWhatTheCommandLinePrints();
    void saysFirstHowWellTheFiguresAreMet();
    void theWorstStandFirstUntilAnotherOrderIsAskedFor();
    void aClickOnAPointSelectsItsRowAndTheOtherWayRound();
    void theSelectedPointIsHeard();
    void theFilterNarrowsTheTableAndTheChart();
    void atFirstSightThereAreTheRowsThatHaveIt();
    void aFamilyNarrowsThemToo();
    void aKindOfRunIsShownBeThereRowsOrNone();
    void countsStandInTheTableAlone();
    void aRowOpensThePlanOfItsRunUnderItsName();
    void theUnitReachesEveryText();
    void everyPartHasANameAndTakesTheKeyboard();
    void ticksNameRoundSizesOfTheUnit();
};

void TestTrustPage::showsWhatTheCommandLinePrints()
{
    const ValidationPage page(shipped());
    const QByteArray text = QByteArray::fromStdString(validationJson(*shipped(), "shipped"));
    const QJsonObject answer = QJsonDocument::fromJson(text).object();
    const QStringList ids = textsOf(page.rowsView(), "id");
    const QJsonArray rows = answer["rows"_L1].toArray();
    QCOMPARE(ids.size(), rows.size());
    for (const QJsonValue row : rows) {
        const auto at = static_cast<int>(ids.indexOf(row["id"_L1].toString()));
        QVERIFY2(at >= 0, qPrintable(row["id"_L1].toString()));
        QCOMPARE(textAt(page.rowsView(), at, "error"),
                 errorText(row["error_percent"_L1].toDouble()));
        QCOMPARE(textAt(page.rowsView(), at, "source"), row["source"_L1].toString());
        const QString tip = page.rowsView()->model()->index(at, 0).data(Qt::ToolTipRole).toString();
        for (const auto key : {"measured"_L1, "predicted"_L1})
            QVERIFY2(tip.contains(countText(std::llround(row[key].toDouble()))), qPrintable(tip));
    }
    const QStringList names = textsOf(page.groupsView(), "group");
    QCOMPARE(names.size(), answer["families"_L1].toArray().size() + 1);
    for (const QJsonValue family : answer["families"_L1].toArray()) {
        const auto at = static_cast<int>(names.indexOf(family["name"_L1].toString()));
        QVERIFY(at > 0);
        QCOMPARE(textAt(page.groupsView(), at, "median"),
                 absoluteErrorText(family["median_percent"_L1].toDouble()));
        QCOMPARE(textAt(page.groupsView(), at, "worst"),
                 absoluteErrorText(family["worst_percent"_L1].toDouble()));
        QCOMPARE(textAt(page.groupsView(), at, "bias"),
                 errorText(family["mean_percent"_L1].toDouble()));
    }
}

void TestTrustPage::saysFirstHowWellTheFiguresAreMet()
{
    const ValidationPage page(shipped());
    const BandSummary band = bandSummary(shipped()->rows);
    QVERIFY(page.headline().startsWith(unbroken(u"At first sight of 212 public figures, half"_s)));
    QVERIFY(QString::fromStdString(firstSightText(shippedRows()))
                .startsWith(page.headline().replace(QChar::Nbsp, u' ')));
    QVERIFY(toQString(validationExplanation(*shipped()))
                .contains(u"%1 of %2"_s.arg(band.inside).arg(band.count)));
    QCOMPARE(absoluteErrorText(0.0314), u"0.031 %"_s);
    QCOMPARE(absoluteErrorText(-4.1), u"4.10 %"_s);
    QCOMPARE(errorText(-0.0001), u"−<0.001 %"_s);
    QCOMPARE(errorText(0), u"0 %"_s);
}

void TestTrustPage::theWorstStandFirstUntilAnotherOrderIsAskedFor()
{
    const ValidationPage page(shipped());
    const auto &rows = shipped()->rows;
    const auto worst = std::ranges::max_element(
        rows, {}, [](const ComparedFigure &row) { return std::abs(row.errorPercent); });
    QCOMPARE(textAt(page.rowsView(), 0, "id"), toQString(worst->row.id));
    page.rowsView()->sortByColumn(columnOf(page.rowsView(), "measured"), Qt::AscendingOrder);
    const auto least =
        std::ranges::min_element(rows, {}, [](const ComparedFigure &row) { return row.row.value; });
    QCOMPARE(textAt(page.rowsView(), 0, "id"), toQString(least->row.id));
    page.groupsView()->sortByColumn(columnOf(page.groupsView(), "group"), Qt::AscendingOrder);
    const QStringList names = textsOf(page.groupsView(), "group");
    QCOMPARE(names.front(), u"all rows"_s); // stays first
    QVERIFY(std::is_sorted(names.begin() + 1, names.end()));
}

void TestTrustPage::aClickOnAPointSelectsItsRowAndTheOtherWayRound()
{
    ValidationPage page(shipped());
    showOffScreen(page);
    const ScatterChart &chart = *page.chart();
    const std::size_t point = loneliestPoint(chart);
    const std::size_t wanted = page.rowOfPoint(point);
    const QString id = toQString(shipped()->rows[wanted].row.id);
    QTest::mouseClick(page.chart(), Qt::LeftButton, {}, chart.positionOf(point).toPoint());
    QCOMPARE(page.selectedRow(), wanted);
    QVERIFY(page.statusText().contains(id));
    const QModelIndexList chosen = page.rowsView()->selectionModel()->selectedRows();
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(textAt(page.rowsView(), chosen.front().row(), "id"), id);
    // Sorting keeps it.
    page.rowsView()->sortByColumn(columnOf(page.rowsView(), "id"), Qt::AscendingOrder);
    QCOMPARE(page.selectedRow(), wanted);
    QCOMPARE(page.rowsView()->selectionModel()->selectedRows().size(), 1);
    page.rowsView()->selectRow(3);
    QVERIFY(page.selectedRow() != wanted);
    QVERIFY(chart.selected() != point);
    QCOMPARE(page.rowOfPoint(chart.selected().value()), *page.selectedRow());
    // Along x by the keyboard.
    const double before = chart.content().points[*chart.selected()].x;
    QTest::keyClick(page.chart(), Qt::Key_Right);
    QVERIFY(chart.content().points[*chart.selected()].x >= before);
    QCOMPARE(page.rowOfPoint(chart.selected().value()), *page.selectedRow());
}

void TestTrustPage::theSelectedPointIsHeard()
{
    ValidationPage page(shipped());
    showOffScreen(page);
    const auto heard = [&] {
        const QAccessibleInterface *told = QAccessible::queryAccessibleInterface(page.chart());
        return told->text(QAccessible::Description);
    };
    page.selectRow(rowNamed("torchtune-readme-006"));
    QVERIFY(heard().startsWith(u"torchtune-readme-006"_s));
    QCOMPARE(heard(), page.statusText());
    QTest::keyClick(page.chart(), Qt::Key_Right);
    QVERIFY(!heard().startsWith(u"torchtune-readme-006"_s));
    QCOMPARE(heard(), page.statusText());
    QVERIFY(heard().contains(u" was measured as "_s));
    page.selectRow(std::nullopt);
    QCOMPARE(heard(), QString());
}

void TestTrustPage::theFilterNarrowsTheTableAndTheChart()
{
    ValidationPage page(shipped());
    showOffScreen(page);
    const auto count = [&] { return page.rowsView()->model()->rowCount(); };
    page.findChild<QCheckBox *>()->click();
    const auto missed = std::ranges::count_if(
        shipped()->rows, [](const ComparedFigure &row) { return std::abs(row.errorPercent) > 3; });
    QCOMPARE(count(), static_cast<int>(missed));
    QVERIFY(std::ssize(page.chart()->content().points) <= missed);
    page.findChild<QLineEdit *>()->setText(u"LORA torch"_s);
    for (const QString &id : textsOf(page.rowsView(), "id"))
        QVERIFY2(!id.isEmpty(), qPrintable(id));
    QVERIFY(count() > 0 && count() < missed);
    page.findChild<QLineEdit *>()->setText(u"no such words"_s);
    QCOMPARE(count(), 0);
    QVERIFY(page.chart()->content().points.empty());
    page.setFilter({RowKind::QualityB, Grouping::Family, {}, {}, false});
    QCOMPARE(page.findChild<QComboBox *>()->currentIndex(), static_cast<int>(RowKind::QualityB));
    QVERIFY(!page.findChild<QCheckBox *>()->isChecked());
    QCOMPARE(count(), static_cast<int>(selectionSummaries(shipped()->rows)[3].count));
    // Families are summed up over the rows of the kind alone.
    QCOMPARE(textAt(page.groupsView(), 0, "rows"), QString::number(count()));
    QVERIFY(!textsOf(page.groupsView(), "group").contains("lora"_L1));
}

void TestTrustPage::atFirstSightThereAreTheRowsThatHaveIt()
{
    ValidationPage page(shipped());
    showOffScreen(page);
    page.setFilter({RowKind::All, Grouping::FirstSight, {}, {}, false});
    const FirstSightSummary all = firstSightSummaries(shipped()->rows).front();
    QCOMPARE(page.rowsView()->model()->rowCount(), static_cast<int>(all.then.count + all.refused));
    QCOMPARE(textAt(page.groupsView(), 0, "rows"), QString::number(all.then.count));
    QCOMPARE(textAt(page.groupsView(), 0, "median"), absoluteErrorText(all.then.median));
    for (const QString &error : textsOf(page.rowsView(), "first_sight"))
        QVERIFY(!error.isEmpty());
}

void TestTrustPage::aFamilyNarrowsThemToo()
{
    ValidationPage page(shipped());
    showOffScreen(page);
    page.selectRow(rowNamed("torchtune-readme-006"));
    const QStringList names = textsOf(page.groupsView(), "group");
    page.groupsView()->selectRow(static_cast<int>(names.indexOf("lora"_L1)));
    QCOMPARE(page.filter().group, std::string("lora"));
    for (const QString &family : textsOf(page.rowsView(), "family"))
        QCOMPARE(family, "lora"_L1);
    QVERIFY(!page.selectedRow()); // it is not shown any more
    // A kind of rows that has none of the family leads back to all.
    page.findChild<QComboBox *>()->setCurrentIndex(static_cast<int>(RowKind::Published));
    QVERIFY(page.filter().group.empty());
    QCOMPARE(page.groupsView()->selectionModel()->selectedRows().front().row(), 0);
}

void TestTrustPage::aKindOfRunIsShownBeThereRowsOrNone()
{
    ValidationPage page(shipped());
    showOffScreen(page);
    const std::string run = runKind(
        parsePlan(
            R"({"vramscope":1,"model":{"preset":"llama-3-8b"},"parallel":{"strategy":"fsdp2"}})")
            .value());
    QCOMPARE(run, std::string("training, fsdp2"));
    page.showRuns(run);
    const auto like = std::ranges::count(shipped()->rows, run, &ComparedFigure::run);
    QVERIFY(like > 0);
    QCOMPARE(page.rowsView()->model()->rowCount(), static_cast<int>(like));
    const QModelIndexList chosen = page.groupsView()->selectionModel()->selectedRows();
    QCOMPARE(chosen.front().data().toString(), toQString(run));
    QCOMPARE(textAt(page.groupsView(), chosen.front().row(), "rows"), QString::number(like));
    page.showRuns("training, no such strategy");
    QCOMPARE(page.rowsView()->model()->rowCount(), 0);
    QVERIFY(page.chart()->content().emptyText.contains("training, no such strategy"_L1));
    QVERIFY(page.groupsView()->selectionModel()->selectedRows().isEmpty());
    page.groupsView()->selectRow(0);
    QCOMPARE(page.rowsView()->model()->rowCount(), static_cast<int>(shipped()->rows.size()));
}

void TestTrustPage::countsStandInTheTableAlone()
{
    const ValidationPage page(shipped());
    std::size_t counts = 0;
    for (const ComparedFigure &row : shipped()->rows)
        counts += std::size_t(!isBytes(row.row.figure));
    QVERIFY(counts > 0);
    const std::size_t points = page.chart()->content().points.size();
    QCOMPARE(points + counts, shipped()->rows.size());
    for (std::size_t point = 0; point < points; ++point)
        QVERIFY(isBytes(shipped()->rows[page.rowOfPoint(point)].row.figure));
    const QStringList figures = textsOf(page.rowsView(), "figure");
    const auto blocks = static_cast<int>(figures.indexOf("inference.kv_blocks"_L1));
    QVERIFY(blocks >= 0);
    QVERIFY(!textAt(page.rowsView(), blocks, "measured").contains(u'B'));
}

void TestTrustPage::aRowOpensThePlanOfItsRunUnderItsName()
{
    ValidationPage page(shipped());
    showOffScreen(page);
    std::vector<Plan> plans;
    QString notice;
    connect(&page, &ValidationPage::planWanted, this, [&](const Plan &plan, const QString &text) {
        plans.push_back(plan);
        notice = text;
    });
    const auto buttons = page.findChildren<QPushButton *>();
    const auto found = std::ranges::find(buttons, u"Open its plan"_s, &QPushButton::text);
    QVERIFY(found != buttons.end());
    QPushButton *open = *found;
    QVERIFY(!open->isEnabled());
    page.selectRow(rowNamed("megatron-golden-003"));
    QTest::keyClick(page.rowsView(), Qt::Key_Return);
    QVERIFY(open->isEnabled());
    open->click();
    QCOMPARE(plans.size(), 2U);
    Plan expected = shippedSetup("published/setups/megatron-golden-001.json").value();
    QVERIFY(notice.contains(toQString(*expected.name)));
    QVERIFY(notice.contains("measured"_L1) && notice.contains("NVIDIA/Megatron-LM"_L1));
    expected.name = "megatron-golden-003";
    QVERIFY(plans[0] == expected && plans[1] == expected);
}

void TestTrustPage::theUnitReachesEveryText()
{
    ValidationPage page(shipped());
    page.setUnit(ByteUnit::Decimal);
    for (int row = 0; row < page.rowsView()->model()->rowCount(); ++row)
        QVERIFY(!textAt(page.rowsView(), row, "measured").contains("iB"_L1));
    for (const ScatterPoint &point : page.chart()->content().points)
        QVERIFY2(point.text.contains(" GB ("_L1) || point.text.contains(" MB ("_L1),
                 qPrintable(point.text));
    page.selectRow(rowNamed("megatron-golden-003"));
    QVERIFY(page.statusText().contains(" GB"_L1));
}

void TestTrustPage::everyPartHasANameAndTakesTheKeyboard()
{
    const ValidationPage page(shipped());
    for (const QWidget *part : std::initializer_list<const QWidget *>{
             page.chart(), page.groupsView(), page.rowsView(), page.findChild<QComboBox *>(),
             page.findChild<QLineEdit *>()}) {
        QVERIFY(!part->accessibleName().isEmpty());
        QVERIFY(part->focusPolicy() & Qt::TabFocus);
    }
}

void TestTrustPage::ticksNameRoundSizesOfTheUnit()
{
    const std::vector<double> wide = logarithmicTicks(5e6, 2e10, ByteUnit::Decimal);
    QCOMPARE(wide, (std::vector<double>{1e7, 1e8, 1e9, 1e10}));
    const std::vector<double> binary =
        logarithmicTicks(900.0 * kMiB, 3.0 * static_cast<double>(kGiB), ByteUnit::Binary);
    const auto giga = static_cast<double>(kGiB);
    QCOMPARE(binary, (std::vector<double>{giga, 1.5 * giga, 2 * giga, 3 * giga}));
    QVERIFY(logarithmicTicks(1.01e9, 1.02e9, ByteUnit::Decimal).empty());
}

VRAMSCOPE_TEST(TestTrustPage)
#include "tst_validation_page.moc"
