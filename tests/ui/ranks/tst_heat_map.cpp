// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ranks/run_file.h"
#include "core/ranks/run_study.h"
#include "tests/support/rank_run.h"
#include "tests/support/test.h"
#include "ui/models/data_table_view.h"
#include "ui/ranks/heat_colors.h"
#include "ui/ranks/heat_map.h"
#include "ui/ranks/ranks_page.h"
#include "ui/support/file_path.h"

#include <QApplication>
#include <QFile>
#include <QLabel>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <cmath>
#include <fstream>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kMapRanks = 1000;
constexpr std::size_t kHighest = 637;

RankSummary mapRank(std::int64_t number, Bytes peak)
{
    RankSummary rank;
    rank.source.rank = number;
    rank.source.path = "rank" + std::to_string(number) + ".pickle";
    rank.source.node = "node" + std::to_string(number / 8);
    rank.figures.peakActive = peak;
    rank.active.events = 99;
    for (int column = 0; column < 100; ++column) {
        rank.active.highest.push_back(column == 50 ? peak : peak / 2);
        rank.active.lowest.push_back(0);
    }
    return rank;
}

/// A thousand ranks alike, one far above them; rank 400 is missing, 401 not usable.
RunStudy madeStudy()
{
    RunStudy study;
    study.isSummary = true;
    for (std::size_t at = 0; at < kMapRanks; ++at) {
        if (at == 400 || at == 401)
            continue;
        study.run.ranks.push_back(
            mapRank(static_cast<std::int64_t>(at), at == kHighest ? 12 * kGiB : 4 * kGiB));
    }
    study.run.missing = {{400, 400}};
    RankSummary damaged;
    damaged.source.rank = 401;
    damaged.source.path = "rank401.pickle";
    damaged.error = "It is cut off.";
    study.run.unusable = {damaged};
    study.run.expected = kMapRanks;
    study.run.stacks = rankedRun(RunSummary()).stacks;
    study.findings = findingsOf(study.run);
    return study;
}

RunStudyPointer mapStudy()
{
    return std::make_shared<const RunStudy>(madeStudy());
}

/// The index of a rank by its number.
std::size_t indexOf(const RunStudy &study, std::int64_t number)
{
    for (std::size_t at = 0; at < study.count(); ++at) {
        if (study.number(at) == number)
            return at;
    }
    return study.count();
}

void showMap(HeatMap &map)
{
    map.setAttribute(Qt::WA_DontShowOnScreen);
    map.resize(600, 300); // fewer lines than ranks
    map.show();
    QApplication::processEvents();
}

QImage imageOf(HeatMap &map)
{
    return map.viewport()->grab().toImage();
}

} // namespace

class TestHeatMap : public test::Test
{
    Q_OBJECT

private slots:
    void aLineThatSeveralShareShowsTheHighest();
    void theFarthestIsShownWhicheverWay();
    void whatIsMissingIsHatchedAndMarked();
    void aHugeRangeOfMissingRanksTakesNoMemory();
    void rowsStandInTheirOrder_data();
    void rowsStandInTheirOrder();
    void groupsFoldToABand();
    void theFilterLeavesRowsAway();
    void theMouseFindsTheOneWhoseColourItIs();
    void keysMoveAlongTheOrder();
    void zoomKeepsWhatIsUnderTheMouse();
    void manyRanksAreOnePicture();
    void curvesChangeNothingThatIsChosen();
    void aPageWithoutCurvesReadsThem();
};

void TestHeatMap::aLineThatSeveralShareShowsTheHighest()
{
    const auto study = mapStudy();
    const RankMatrix matrix(study->run, RankAxis::Events, 100);
    const std::size_t highest = indexOf(*study, kHighest);
    std::vector<std::size_t> all(study->count());
    for (std::size_t at = 0; at < all.size(); ++at)
        all[at] = at;
    const std::vector<float> row = highestOf(matrix, all);
    QCOMPARE(row[50], static_cast<float>(12 * kGiB));
    QCOMPARE(row[0], static_cast<float>(6 * kGiB));
    // On the screen too: the line of the highest rank has its colour although others share it.
    HeatMap map(study);
    showMap(map);
    QVERIFY(map.rowLayout().rankHeight() < 1);
    const auto place = map.rowLayout().rowOf(highest);
    const QRect plot = map.plot();
    const int y = plot.top() + static_cast<int>(map.rowLayout().top(place.value()));
    map.setCurrent(0); // whose frame is elsewhere
    const QImage image = imageOf(map);
    const HeatScale scale = amountScale(themeOf(&map));
    const int x = plot.left() + static_cast<int>(plot.width() * 0.505);
    QCOMPARE(image.pixel(x, y) | 0xff000000U, scale.back() | 0xff000000U);
    QCOMPARE(image.pixel(x, y + 20) | 0xff000000U, heatColor(scale, 4.0F / 12) | 0xff000000U);
}

void TestHeatMap::theFarthestIsShownWhicheverWay()
{
    RunStudy study = madeStudy();
    study.run.ranks[3] = mapRank(3, kGiB); // 3 GiB below the others
    const RankMatrix matrix(study.run, RankAxis::Events, 100);
    std::vector<std::vector<float>> medians;
    for (const AlikeRanks &group : study.findings.groups)
        medians.push_back(columnMedians(matrix, group.ranks));
    const std::array<std::size_t, 3> ranks{2, 3, 4};
    const std::vector<float> row = farthestOf(matrix, medians, study.findings.groupOf, ranks);
    QCOMPARE(row[50], -static_cast<float>(3 * kGiB));
}

void TestHeatMap::whatIsMissingIsHatchedAndMarked()
{
    const auto study = mapStudy();
    HeatMap map(study);
    showMap(map);
    map.setZoom(40); // a line of its own
    const auto &rows = map.rowLayout().rows();
    const auto missing = std::ranges::find(rows, HeatRow::Kind::Missing, &HeatRow::kind);
    QVERIFY(missing != rows.end());
    const auto row = static_cast<std::size_t>(missing - rows.begin());
    QCOMPARE(row, std::size_t(400)); // at its number
    QCOMPARE(rows[row + 1].kind, HeatRow::Kind::Unusable);
    map.verticalScrollBar()->setValue(static_cast<int>(map.rowLayout().top(row)) - 40);
    const QRect plot = map.plot();
    const int y = plot.top() + static_cast<int>(map.rowLayout().top(row)) + 4 -
                  map.verticalScrollBar()->value();
    const QImage image = imageOf(map);
    std::set<QRgb> colors;
    for (int x = plot.left() + 20; x < plot.left() + 80; ++x)
        colors.insert(image.pixel(x, y));
    QCOMPARE(colors.size(), std::size_t(2)); // lines on the ground, no colour of the scale
    QVERIFY(map.toolTipAt({plot.left() + 20, y}).contains(u"rank 400 left no snapshot"_s));
    QVERIFY(!map.rankAt({plot.left() + 20, y}));
    // However small, the mark beside the plot is seen.
    map.setZoom(1);
    const QImage whole = imageOf(map);
    bool isMarked = false;
    const QRgb ground = themeOf(&map).window.rgb();
    for (int at = plot.top(); at < plot.bottom(); ++at)
        isMarked = isMarked || whole.pixel(plot.right() + 17, at) != ground;
    QVERIFY(isMarked);
}

void TestHeatMap::aHugeRangeOfMissingRanksTakesNoMemory()
{
    RunStudy study = madeStudy();
    study.run.missing.push_back({1000, kMostRanks});
    const std::vector<HeatRow> rows = heatRows(study, RankOrder::Number, {}, {});
    QCOMPARE(rows.size(), study.count() + 3);
    const HeatLayout layout(rows, {}, 600, 1);
    QVERIFY(std::fabs(layout.height() - 600) < 1);
    QVERIFY(layout.bottom(study.count() - 1) > 200); // ranks that are there keep half of it
}

void TestHeatMap::rowsStandInTheirOrder_data()
{
    QTest::addColumn<int>("order");
    QTest::addColumn<int>("first"); // number of the first rank
    QTest::newRow("number") << static_cast<int>(RankOrder::Number) << 0;
    QTest::newRow("node") << static_cast<int>(RankOrder::Node) << 0;
    QTest::newRow("peak") << static_cast<int>(RankOrder::Peak) << static_cast<int>(kHighest);
    QTest::newRow("distance") << static_cast<int>(RankOrder::Distance)
                              << static_cast<int>(kHighest);
}

void TestHeatMap::rowsStandInTheirOrder()
{
    QFETCH(int, order);
    QFETCH(int, first);
    const auto study = mapStudy();
    const std::vector<HeatRow> rows = heatRows(*study, static_cast<RankOrder>(order), {}, {});
    QCOMPARE(rows.size(), kMapRanks); // the missing and the unusable one too
    QCOMPARE(study->number(rows.front().index), first);
    if (static_cast<RankOrder>(order) != RankOrder::Number)
        QCOMPARE(rows.back().kind, HeatRow::Kind::Unusable);
}

void TestHeatMap::groupsFoldToABand()
{
    RunStudy made = madeStudy();
    made.findings.groups = {{{}, 0, {}, 0}, {{}, 0, {}, 0}};
    for (std::size_t at = 0; at < made.count(); ++at) {
        made.findings.groupOf[at] = at < 600 ? 0 : 1;
        made.findings.groups[at < 600 ? 0 : 1].ranks.push_back(at);
    }
    const auto study = std::make_shared<const RunStudy>(made);
    HeatMap map(study);
    showMap(map);
    map.setOrder(RankOrder::Group);
    const auto count = [&](HeatRow::Kind kind) {
        return std::ranges::count(map.rowLayout().rows(), kind, &HeatRow::kind);
    };
    QCOMPARE(count(HeatRow::Kind::Group), 2);
    QCOMPARE(count(HeatRow::Kind::Rank), static_cast<std::ptrdiff_t>(study->count()));
    map.foldGroup(0, true);
    QCOMPARE(count(HeatRow::Kind::Rank), static_cast<std::ptrdiff_t>(study->count() - 600));
    QVERIFY(!map.rowLayout().rowOf(5));
    QVERIFY(map.rowLayout().rowOf(700));
    // The band reaches from the lowest to the highest.
    const RankMatrix matrix(study->run, RankAxis::Events, 100);
    const ColumnRange range = columnRange(matrix, made.findings.groups[1].ranks);
    QCOMPARE(range.lowest[50], static_cast<float>(4 * kGiB));
    QCOMPARE(range.highest[50], static_cast<float>(12 * kGiB));
    // A click on the title unfolds it.
    const QRect plot = map.plot();
    QTest::mousePress(map.viewport(), Qt::LeftButton, {}, plot.topLeft() + QPoint(40, 8));
    QCOMPARE(count(HeatRow::Kind::Rank), static_cast<std::ptrdiff_t>(study->count()));
    map.setFolded(true);
    QCOMPARE(count(HeatRow::Kind::Rank), 0);
}

void TestHeatMap::theFilterLeavesRowsAway()
{
    const auto study = mapStudy();
    HeatMap map(study);
    showMap(map);
    std::vector<std::uint8_t> kept(study->count(), 0);
    kept[3] = 1;
    kept[700] = 1;
    map.setKept(kept);
    QCOMPARE(map.rowLayout().rows().size(), std::size_t(2));
    QCOMPARE(map.rowLayout().rows()[1].index, std::size_t(700));
}

void TestHeatMap::theMouseFindsTheOneWhoseColourItIs()
{
    const auto study = mapStudy();
    HeatMap map(study);
    showMap(map);
    const std::size_t highest = indexOf(*study, kHighest);
    const QRect plot = map.plot();
    const QPoint point(
        plot.center().x(),
        plot.top() + static_cast<int>(map.rowLayout().top(map.rowLayout().rowOf(highest).value())));
    QCOMPARE(map.rankAt(point), std::optional(highest));
    QVERIFY(map.toolTipAt(point).contains(u"highest of "_s));
    QSignalSpy opened(&map, &HeatMap::openWanted);
    QTest::mouseDClick(map.viewport(), Qt::LeftButton, {}, point);
    QCOMPARE(opened.size(), 1);
    QCOMPARE(opened[0][0].value<std::size_t>(), highest);
}

void TestHeatMap::keysMoveAlongTheOrder()
{
    const auto study = mapStudy();
    HeatMap map(study);
    showMap(map);
    map.setOrder(RankOrder::Peak);
    QTest::keyClick(&map, Qt::Key_Home);
    QCOMPARE(study->number(map.current()), kHighest);
    QTest::keyClick(&map, Qt::Key_Down);
    QCOMPARE(study->number(map.current()), 0);
    QTest::keyClick(&map, Qt::Key_Up);
    QCOMPARE(study->number(map.current()), kHighest);
    map.setOrder(RankOrder::Number);
    QTest::keyClick(&map, Qt::Key_End);
    QCOMPARE(study->number(map.current()), 999);
    QSignalSpy opened(&map, &HeatMap::openWanted);
    QTest::keyClick(&map, Qt::Key_Return);
    QCOMPARE(opened.size(), 1);
}

void TestHeatMap::zoomKeepsWhatIsUnderTheMouse()
{
    const auto study = mapStudy();
    HeatMap map(study);
    showMap(map);
    QCOMPARE(map.verticalScrollBar()->maximum(), 0);
    const QRect plot = map.plot();
    const std::size_t before = map.rankAt(plot.center()).value();
    const QPointF at = plot.center();
    QWheelEvent wheel(at, map.viewport()->mapToGlobal(at), {}, {0, 960}, Qt::NoButton,
                      Qt::ControlModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(map.viewport(), &wheel);
    QVERIFY(map.verticalScrollBar()->maximum() > 0);
    const std::size_t after = map.rankAt(plot.center()).value();
    QVERIFY(before > after ? before - after < 8 : after - before < 8);
    map.setZoom(40);
    map.setCurrent(990);
    const double top = map.rowLayout().top(map.rowLayout().rowOf(990).value());
    QVERIFY(top >= map.verticalScrollBar()->value());
    QVERIFY(top <= map.verticalScrollBar()->value() + plot.height());
}

void TestHeatMap::manyRanksAreOnePicture()
{
    const RanksPage many(mapStudy());
    QVERIFY(many.heatMap() != nullptr);
    QVERIFY(many.grid() == nullptr);
    QCOMPARE(many.study().number(many.current()), kHighest);
}

/// The same ranks before their curves are read.
RunStudyPointer figuresOf(RunStudy study)
{
    for (RankSummary &rank : study.run.ranks) {
        rank.active = {};
        rank.figures.events = 99;
    }
    study.run.areCurvesRead = false;
    return std::make_shared<const RunStudy>(std::move(study));
}

void TestHeatMap::curvesChangeNothingThatIsChosen()
{
    HeatMap map(figuresOf(madeStudy()));
    showMap(map);
    const std::size_t highest = indexOf(*mapStudy(), kHighest);
    const QRect plot = map.plot();
    const auto middle = [&] { // of the line that the highest rank shares
        const auto row = map.rowLayout().rowOf(highest).value();
        return QPoint(
            plot.left() + 10,
            plot.top() +
                static_cast<int>((map.rowLayout().top(row) + map.rowLayout().bottom(row)) / 2));
    };
    const QRgb asPeak = imageOf(map).pixel(middle()); // from the first column on
    map.setOrder(RankOrder::Peak);
    map.setOrder(RankOrder::Number);
    map.setZoom(7);
    map.setCurrent(300);
    map.verticalScrollBar()->setValue(123);
    map.setFolded(true);
    map.takeCurves(mapStudy());
    QCOMPARE(map.current(), std::size_t(300));
    QCOMPARE(map.verticalScrollBar()->value(), 123);
    QCOMPARE(map.order(), RankOrder::Number);
    QVERIFY(map.rowLayout().height() > 6 * map.plot().height());
    map.setZoom(1);
    const QRgb asCurve = imageOf(map).pixel(middle()); // half of the peak, but in the middle
    QVERIFY(asPeak != asCurve);
    HeatMap whole(mapStudy());
    showMap(whole);
    whole.setCurrent(300);
    QCOMPARE(imageOf(map), imageOf(whole));
}

void TestHeatMap::aPageWithoutCurvesReadsThem()
{
    const QTemporaryDir folder;
    const QString file = folder.filePath(u"run.vramranks"_s);
    RunSummary run;
    for (const RankSummary &each : madeStudy().run.ranks) {
        RankSummary rank = each;
        rank.source.stamp = {1, 2, true, kSummaryAnalysis};
        rank.figures.events = 99;
        run.add(SummarizedDevice{rank, {}});
    }
    std::ofstream(nativePath(file), std::ios::binary) << runFileBytes(run);
    const auto figures = readRunFigures(nativePath(file)).value();
    { // closing it while it reads
        const RanksPage page(figures);
        QVERIFY(!page.study().run.areCurvesRead);
    }
    RanksPage page(figures);
    page.setFilter(u"rank>=600"_s);
    page.setCurrent(indexOf(page.study(), 700));
    page.view()->sortByColumn(2, Qt::DescendingOrder); // by peak
    const QSignalSpy resets(page.view()->model(), &QAbstractItemModel::modelReset);
    QVERIFY(!page.heatMap()->isHidden());
    QTRY_VERIFY(page.study().run.areCurvesRead);
    QCOMPARE(page.filter(), u"rank>=600"_s);
    QCOMPARE(page.study().number(page.current()), 700);
    QCOMPARE(page.study().number(page.rank(0)), std::int64_t(kHighest));
    QCOMPARE(resets.count(), 0);
    QCOMPARE(page.study().rank(0).active.highest.size(), std::size_t(100));
    // A file that is gone meanwhile: the figures stay, and why there are no more is said.
    QVERIFY(QFile::remove(file));
    RanksPage left(figures);
    const auto says = [&left] {
        const auto labels = left.findChildren<QLabel *>();
        return std::ranges::any_of(labels, [](const QLabel *label) {
            return label->text().startsWith(u"The curves cannot be read"_s);
        });
    };
    QTRY_VERIFY(says());
}

VRAMSCOPE_TEST(TestHeatMap)
#include "tst_heat_map.moc"
