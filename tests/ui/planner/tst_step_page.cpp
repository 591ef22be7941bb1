// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"
#include "tests/ui/planner/sample_plan.h"
#include "ui/charts/stacked_bar_chart.h"
#include "ui/charts/step_chart.h"
#include "ui/planner/breakdown_panel.h"
#include "ui/planner/lower_card.h"
#include "ui/planner/plan_cards.h"
#include "ui/planner/plan_page.h"
#include "ui/planner/step_page.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <QSignalSpy>
#include <QTabBar>

#include <algorithm>
#include <numeric>
#include <random>

using namespace vramscope;
using namespace Qt::StringLiterals;
using test::samplePlan;

namespace {

Plan planOfBlocks(int blocks)
{
    Plan plan = samplePlan();
    plan.model.preset.reset();
    plan.model.config = R"({"hidden_size":1024,"num_hidden_layers":)" + std::to_string(blocks) +
                        R"(,"num_attention_heads":16,"num_key_value_heads":16,)"
                        R"("intermediate_size":4096,"vocab_size":32000,"model_type":"llama"})";
    return plan;
}

/// What is drawn at a column, part upon part, against the points of the core.
PartBytes truth(const Lifecycle &step, const LifecyclePoint &point)
{
    PartBytes parts{};
    for (std::size_t at = 0; at < point.bytes.size(); ++at)
        parts[static_cast<std::size_t>(step.parts[at].category)] += point.bytes[at];
    return parts;
}

} // namespace

class StepPageTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void thePaintedStackIsTheLifecycle_data();
    void thePaintedStackIsTheLifecycle();
    void theHighestPaintedPointIsThePeakOfTheEstimate();
    void theDeviceStandsAboveTheStack();
    void manyBlocksMakeNoStripes();
    void theNamesNeverCoverEachOther();
    void whatHardlyChangesIsFolded();
    void nothingIsFoldedWhereThatWouldMislead_data();
    void nothingIsFoldedWhereThatWouldMislead();
    void theFirstStepHasAPeakOfItsOwn();
    void aClickSelectsMomentAndPart();
    void theHatchAboveTheStackCanBeSelected();
    void theHatchIsAsWideApartAtEveryScale();
    void theKeysWalkThroughColumnsAndParts();
    void everyWidthShowsEveryPhase();
    void thereAreNoMoreFiguresThanTheEstimateHas();
    void theCacheFillsUpToTheSequencesThatFit_data();
    void theCacheFillsUpToTheSequencesThatFit();
    void theUnitIsThatOfThePage();
    void aHiddenPageComputesNothing();
    void theTabsOfTheLowerCardAreReachedByKeys();
};

void StepPageTest::thePaintedStackIsTheLifecycle_data()
{
    QTest::addColumn<int>("blocks");
    QTest::addColumn<int>("width");
    for (const int blocks : {1, 2, 32, 200}) {
        for (const int width : {500, 1100, 2500})
            QTest::addRow("%d-blocks-%d-pixels", blocks, width) << blocks << width;
    }
}

void StepPageTest::thePaintedStackIsTheLifecycle()
{
    QFETCH(const int, blocks);
    QFETCH(const int, width);
    const Plan plan = planOfBlocks(blocks);
    const Lifecycle step = lifecycle(estimate(plan));
    QVERIFY(!step.steadyStep.empty());
    StepChart chart;
    chart.setPalette(themePalette(lightTheme()));
    chart.resize(width, 400);
    chart.setFolding(false);
    chart.setCurve(stepCurve(step, estimate(plan), StepKind::Steady));
    const QImage image = chart.grab().toImage();
    const StepGeometry &geometry = chart.geometryOfCurve();
    const auto slots_ = geometry.painted(chart.curve());
    std::mt19937 random(7);
    for (int round = 0; round < 300; ++round) {
        const StepSlot slot = slots_[random() % slots_.size()];
        const PartBytes parts = truth(step, step.steadyStep[static_cast<std::size_t>(slot.column)]);
        double below = 0;
        for (std::size_t part = 0; part < kCategoryCount; ++part) {
            const double above = below + static_cast<double>(parts[part]);
            const double top = geometry.y(above);
            const double bottom = geometry.y(below);
            below = above;
            if (bottom - top < 3) // too thin for a pixel that is its own
                continue;
            const int x = (slot.left + slot.right) / 2;
            if (std::abs(x - geometry.middle(*chart.curve().marked)) < 8)
                continue; // the dot of the peak
            // At its foot, where its name does not reach.
            QCOMPARE(image.pixelColor(x, static_cast<int>(bottom - 1)), partColor(part));
            if (bottom - top > 5) // parted from the one above it, for who sees or prints no colours
                QCOMPARE(image.pixelColor(x, static_cast<int>(std::lround(top))),
                         lightTheme().card);
        }
    }
}

void StepPageTest::theHighestPaintedPointIsThePeakOfTheEstimate()
{
    for (const int blocks : {1, 3, 32, 200}) {
        const Plan plan = planOfBlocks(blocks);
        const Estimate figures = estimate(plan);
        StepChart chart;
        chart.resize(500, 300);
        chart.setCurve(stepCurve(lifecycle(estimate(plan)), figures, StepKind::Steady));
        Bytes highest = 0;
        for (const StepSlot &slot : chart.geometryOfCurve().painted(chart.curve()))
            highest = std::max(
                highest, chart.curve().columns[static_cast<std::size_t>(slot.column)].total());
        QCOMPARE(highest, figures.peakAllocated);
        const StepColumn &marked =
            chart.curve().columns[static_cast<std::size_t>(*chart.curve().marked)];
        QCOMPARE(marked.total(), figures.peakAllocated);
        QCOMPARE(marked.moment.toStdString(), figures.peakAt);
    }
}

void StepPageTest::theDeviceStandsAboveTheStack()
{
    const Plan plan = planOfBlocks(32);
    const Estimate figures = estimate(plan);
    const StepCurve curve = stepCurve(lifecycle(figures), figures, StepKind::Steady);
    QCOMPARE(curve.device, std::optional(figures.peakDevice)); // the figure of the headline
    QVERIFY(!stepCurve(lifecycle(figures), figures, StepKind::First).device); // it grows meanwhile
    StepChart chart;
    chart.resize(700, 400);
    chart.setCurve(curve);
    const StepGeometry &geometry = chart.geometryOfCurve();
    const double top = geometry.y(double(figures.peakDevice));
    QVERIFY(top >= geometry.plot.top() - 1);
    const QPointF idle(geometry.plot.center().x(), top + 3);
    QVERIFY(!geometry.partAt(curve.columns[std::size_t(*geometry.columnAt(curve, idle.x()))],
                             idle.y()));
    QVERIFY(chart.hoverText(idle).contains(u"on the device"_s));
    const QImage image = chart.grab().toImage();
    const int row = static_cast<int>(top) + 6;
    QSet<QRgb> colors; // of the hatch and of what is between its lines
    for (int x = image.width() - 60; x < image.width() - 20; ++x)
        colors.insert(image.pixel(x, row));
    QVERIFY(colors.size() > 1);
}

void StepPageTest::manyBlocksMakeNoStripes()
{
    for (const int blocks : {12, 24, 28, 32, 61, 80, 200}) {
        const Plan plan = planOfBlocks(blocks);
        const Estimate figures = estimate(plan);
        StepChart chart;
        chart.setCurve(stepCurve(lifecycle(figures), figures, StepKind::Steady));
        for (int width = 400; width <= 1000; width += 37) {
            chart.resize(width, 300);
            int turns = 0; // from higher to lower or back, between neighbours that are painted
            int before = 0;
            Bytes last = 0;
            int narrow = 0;
            for (const StepSlot &slot : chart.geometryOfCurve().painted(chart.curve())) {
                const Bytes total = chart.curve().columns[std::size_t(slot.column)].total();
                const int now = total > last ? 1 : total < last ? -1 : before;
                turns += now != before;
                before = now;
                last = total;
                narrow += slot.right - slot.left < 7;
            }
            if (narrow > 2 || 2 * blocks * 8 > width) // else each block has room for its two
                QVERIFY2(turns <= 12,
                         qPrintable(u"%1 blocks, %2 pixels: %3 turns"_s.arg(blocks).arg(width).arg(
                             turns)));
        }
    }
}

void StepPageTest::theNamesNeverCoverEachOther()
{
    for (const int blocks : {1, 32, 200}) {
        Plan plan = planOfBlocks(blocks);
        const Bytes peak = estimate(plan).peakAllocated;
        for (int percent = 20; percent <= 400; percent += 7) {
            plan.hardware.capacity = peak / 100 * percent;
            for (const int width : {500, 900, 2500}) {
                StepChart chart;
                chart.resize(width, 300);
                chart.setCurve(
                    stepCurve(lifecycle(estimate(plan)), estimate(plan), StepKind::Steady));
                const StepLabels &labels = chart.labels();
                QVERIFY(!labels.limit.intersects(labels.mark));
                QVERIFY(chart.rect().contains(labels.limit.toAlignedRect()));
                QVERIFY(chart.rect().contains(labels.mark.toAlignedRect()));
                const StepGeometry &geometry = chart.geometryOfCurve();
                const double line = geometry.y(double(*chart.curve().limit));
                QVERIFY(labels.mark.bottom() <= line || labels.mark.top() >= line);
                for (const StepSlot &slot : geometry.painted(chart.curve())) {
                    const StepColumn &column =
                        chart.curve().columns[static_cast<std::size_t>(slot.column)];
                    const QRectF stack(QPointF(slot.left, geometry.y(double(column.total()))),
                                       QPointF(slot.right, geometry.plot.bottom()));
                    QVERIFY(!stack.intersects(labels.mark));
                }
            }
        }
    }
}

void StepPageTest::whatHardlyChangesIsFolded()
{
    StepCurve curve;
    const auto column = [](Bytes parameters, Bytes activations) {
        StepColumn made;
        made.parts[static_cast<std::size_t>(Category::Parameters)] = parameters * kGiB;
        made.parts[static_cast<std::size_t>(Category::Activations)] = activations * kGiB;
        return made;
    };
    curve.columns = {column(80, 1), column(80, 20), column(84, 5)};
    curve.limit = 110 * kGiB;
    StepChart chart;
    chart.resize(600, 400);
    chart.setCurve(curve);
    const StepGeometry &geometry = chart.geometryOfCurve();
    QCOMPARE(geometry.folded, std::vector<double>{double(80 * kGiB)});
    double last = geometry.plot.bottom() + 1;
    for (Bytes bytes = 0; bytes <= 110 * kGiB; bytes += kGiB / 2) { // more is always higher
        QVERIFY(geometry.y(double(bytes)) < last);
        last = geometry.y(double(bytes));
    }
    QVERIFY(std::abs(geometry.y(geometry.range) - geometry.plot.top()) < 1);
    // Ten of the 30 GiB to scale take a third of the height.
    const double ten = geometry.y(double(90 * kGiB)) - geometry.y(double(100 * kGiB));
    QVERIFY(std::abs(ten - (geometry.floor() - geometry.plot.top()) / 3) < 1);
    QTest::keyClick(&chart, Qt::Key_F);
    QVERIFY(geometry.folded.empty());
    QTest::keyClick(&chart, Qt::Key_F);
    QVERIFY(!geometry.folded.empty());
}

void StepPageTest::nothingIsFoldedWhereThatWouldMislead_data()
{
    QTest::addColumn<qint64>("constant");
    QTest::addColumn<qint64>("most");
    QTest::addColumn<qint64>("limit");
    QTest::newRow("most of it changes") << qint64(40) << qint64(60) << qint64(110);
    QTest::newRow("the limit is among what is constant") << qint64(80) << qint64(20) << qint64(70);
    QTest::newRow("nothing changes") << qint64(80) << qint64(0) << qint64(110);
}

void StepPageTest::nothingIsFoldedWhereThatWouldMislead()
{
    QFETCH(const qint64, constant);
    QFETCH(const qint64, most);
    QFETCH(const qint64, limit);
    StepCurve curve;
    curve.columns.resize(2);
    for (StepColumn &column : curve.columns)
        column.parts[static_cast<std::size_t>(Category::Parameters)] = constant * kGiB;
    curve.columns[1].parts[static_cast<std::size_t>(Category::Activations)] = most * kGiB;
    curve.limit = limit * kGiB;
    QVERIFY(foldableParts(curve).empty());
}

void StepPageTest::theFirstStepHasAPeakOfItsOwn()
{
    const Plan plan = samplePlan();
    const Estimate figures = estimate(plan);
    const StepCurve curve = stepCurve(lifecycle(estimate(plan)), figures, StepKind::First);
    QCOMPARE(curve.columns[static_cast<std::size_t>(*curve.marked)].total(),
             figures.firstStepAllocated);
    constexpr auto kStates = static_cast<std::size_t>(Category::OptimizerStates);
    QCOMPARE(curve.columns.front().parts[kStates], Bytes(0)); // they come with its own end
    QVERIFY(curve.columns.back().parts[kStates] > 0);
    QVERIFY(stepCurve(lifecycle(estimate(plan)), figures, StepKind::Steady)
                .columns.front()
                .parts[kStates] > 0);
}

void StepPageTest::aClickSelectsMomentAndPart()
{
    PlanPage page;
    page.resize(1500, 900);
    page.setPlan(samplePlan(), {});
    page.show();
    StepChart *chart = page.charts()->step()->course();
    const StepGeometry &geometry = chart->geometryOfCurve();
    const auto &columns = chart->curve().columns;
    const auto found = std::ranges::find_if(columns, [](const StepColumn &column) {
        return column.own && column.moment == u"optimizer step"_s;
    });
    QVERIFY(found != columns.end());
    const auto column = static_cast<int>(found - columns.begin());
    constexpr auto kStates = static_cast<std::size_t>(Category::OptimizerStates);
    double below = 0;
    for (std::size_t part = 0; part < kStates; ++part)
        below += static_cast<double>(found->parts[part]);
    const double y = geometry.y(below + static_cast<double>(found->parts[kStates]) / 2);
    const QPoint point(static_cast<int>(geometry.middle(column)), static_cast<int>(y));
    QVERIFY(chart->hoverText(point).contains(u"Optimizer step"_s));
    QVERIFY(chart->hoverText(point).contains(u" bytes)"_s));
    const Bytes total = found->total();
    QTest::mouseClick(chart, Qt::LeftButton, {}, point);
    QVERIFY(page.breakdown()->selection() == PartKey({kStates, {}}));
    QCOMPARE(page.charts()->breakdown()->selectedPart(), std::optional(kStates));
    Bytes shown = 0;
    const EstimateModel &model = page.breakdown()->model();
    for (int row = 0; row < model.rowCount(); ++row) {
        for (const Component &component : model.componentsAt(model.index(row, 0)))
            shown += component.bytes;
    }
    QCOMPARE(shown, total);
}

void StepPageTest::theHatchAboveTheStackCanBeSelected()
{
    PlanPage page;
    page.resize(1500, 900);
    page.setPlan(samplePlan(), {});
    page.show();
    StepChart *chart = page.charts()->step()->course();
    const StepGeometry &geometry = chart->geometryOfCurve();
    const Bytes device = *chart->curve().device;
    const QPoint point(static_cast<int>(geometry.middle(1)),
                       static_cast<int>(geometry.y(double(device))) + 3);
    const int column = *geometry.columnAt(chart->curve(), point.x());
    const auto row = u"%1&nbsp;&nbsp;</td><td>%2"_s.arg(
        partName(kOutsidePart),
        exactBytesText(device - chart->curve().columns[std::size_t(column)].total()));
    QVERIFY(chart->hoverText(point).contains(row));
    const QImage before = chart->grab().toImage();
    QTest::mouseClick(chart, Qt::LeftButton, {}, point);
    QVERIFY(page.breakdown()->selection() == PartKey({kOutsidePart, {}}));
    QVERIFY(page.breakdown()->model().indexOf({kOutsidePart, {}}).isValid()); // at the peak
    QVERIFY(chart->grab().toImage() != before);                               // its outline
    QTest::keyClick(chart, Qt::Key_Down);
    QVERIFY(page.breakdown()->selection() != PartKey({kOutsidePart, {}}));
    QTest::keyClick(chart, Qt::Key_Up);
    QVERIFY(page.breakdown()->selection() == PartKey({kOutsidePart, {}}));
}

void StepPageTest::theHatchIsAsWideApartAtEveryScale()
{
    const Estimate figures = estimate(planOfBlocks(32));
    StepChart chart;
    chart.setPalette(themePalette(lightTheme()));
    chart.resize(700, 400);
    chart.setCurve(stepCurve(lifecycle(figures), figures, StepKind::Steady));
    const double top = chart.geometryOfCurve().y(double(figures.peakDevice));
    const auto lines = [&](int scale) { // that a row of pixels crosses
        QImage image(chart.size() * scale, QImage::Format_RGB32);
        image.setDevicePixelRatio(scale);
        image.fill(Qt::white);
        chart.render(&image);
        const int row = static_cast<int>(top + 14) * scale;
        int count = 0;
        for (int x = image.width() - 200 * scale; x < image.width() - 30 * scale; ++x)
            count += qGray(image.pixel(x, row)) < 235 && qGray(image.pixel(x - 1, row)) >= 235;
        return count;
    };
    const int plain = lines(1);
    const int enlarged = lines(4);
    QVERIFY2(plain > 10 && std::abs(enlarged - plain) <= 2,
             qPrintable(u"%1 lines, %2 enlarged"_s.arg(plain).arg(enlarged)));
}

void StepPageTest::theKeysWalkThroughColumnsAndParts()
{
    PlanPage page;
    page.resize(1500, 900);
    page.setPlan(samplePlan(), {});
    page.show();
    StepChart *chart = page.charts()->step()->course();
    const QSignalSpy moments(chart, &StepChart::momentClicked);
    QTest::keyClick(chart, Qt::Key_Home);
    QTest::keyClick(chart, Qt::Key_Right);
    QCOMPARE(chart->accessibleDescription(), chart->curve().columns[1].name);
    QTest::keyClick(chart, Qt::Key_End);
    QTest::keyClick(chart, Qt::Key_Return);
    QCOMPARE(moments.count(), 1);
    QCOMPARE(moments[0][0].toString(), u"at rest"_s);
    page.selectPart({static_cast<std::size_t>(Category::Parameters), {}});
    QTest::keyClick(chart, Qt::Key_Up);
    QVERIFY(page.breakdown()->selection() !=
            PartKey({static_cast<std::size_t>(Category::Parameters), {}}));
    QTest::keyClick(chart, Qt::Key_Down);
    QVERIFY(page.breakdown()->selection() ==
            PartKey({static_cast<std::size_t>(Category::Parameters), {}}));
}

void StepPageTest::everyWidthShowsEveryPhase()
{
    for (const int blocks : {1, 2, 32, 200}) {
        const Plan plan = planOfBlocks(blocks);
        for (const int width : {500, 1100, 2500}) {
            StepChart chart;
            chart.resize(width, 300);
            chart.setCurve(stepCurve(lifecycle(estimate(plan)), estimate(plan), StepKind::Steady));
            const auto &edges = chart.geometryOfCurve().edges;
            QCOMPARE(int(std::lround(edges.back())),
                     int(std::lround(chart.geometryOfCurve().plot.right())));
            int next = 0;
            for (const StepCurvePhase &phase : chart.curve().phases) {
                QCOMPARE(phase.first, next);
                next += phase.count;
                QVERIFY(edges[std::size_t(next)] - edges[std::size_t(phase.first)] >= 12);
            }
            QCOMPARE(next, int(chart.curve().columns.size()));
        }
    }
}

void StepPageTest::thereAreNoMoreFiguresThanTheEstimateHas()
{
    Plan plan = samplePlan();
    plan.parallel.tensor = 3;
    const Estimate figures = estimate(plan);
    const StepCurve curve = stepCurve(lifecycle(estimate(plan)), figures, StepKind::Steady);
    QVERIFY(curve.columns.empty());
    QCOMPARE(curve.emptyText.toStdString(), whyNotComputed(figures));
    StepChart chart;
    chart.resize(500, 300);
    chart.setCurve(curve);
    chart.grab();
    QTest::keyClick(&chart, Qt::Key_Right);
}

void StepPageTest::theCacheFillsUpToTheSequencesThatFit_data()
{
    QTest::addColumn<int>("engine");
    QTest::newRow("vllm") << int(Engine::Vllm);
    QTest::newRow("plain") << int(Engine::Plain);
    QTest::newRow("hf") << int(Engine::Hf);
    QTest::newRow("llama.cpp") << int(Engine::LlamaCpp);
}

void StepPageTest::theCacheFillsUpToTheSequencesThatFit()
{
    QFETCH(const int, engine);
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.preset = "llama-3-8b";
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.inference.engine = Engine(engine);
    const Estimate figures = estimate(plan);
    QVERIFY2(figures.computed, whyNotComputed(figures).c_str());
    const StepCurve curve = cacheCurve(plan, figures);
    QVERIFY(!curve.columns.empty());
    for (std::size_t at = 1; at < curve.columns.size(); ++at)
        QVERIFY(curve.columns[at].total() >= curve.columns[at - 1].total());
    QVERIFY(curve.marked);
    QVERIFY(curve.columns[std::size_t(*curve.marked)].total() <= *curve.limit);
    if (Engine(engine) == Engine::Vllm) {
        QCOMPARE(curve.columns.back().total(), *curve.limit);
    } else if (*curve.marked + 1 < int(curve.columns.size())) {
        QVERIFY(curve.columns[std::size_t(*curve.marked) + 1].total() > *curve.limit);
    }
}

void StepPageTest::theUnitIsThatOfThePage()
{
    PlanPage page;
    page.resize(1500, 900);
    page.setPlan(samplePlan(), {});
    page.show();
    StepChart *chart = page.charts()->step()->course();
    const QPointF inside(chart->geometryOfCurve().plot.center().x(),
                         chart->geometryOfCurve().plot.bottom() - 2);
    QVERIFY(chart->hoverText(inside).contains(u"GiB"_s));
    page.setUnit(ByteUnit::Decimal);
    QVERIFY(!chart->hoverText(inside).contains(u"GiB"_s));
    QVERIFY(chart->hoverText(inside).contains(u" GB"_s));
}

void StepPageTest::aHiddenPageComputesNothing()
{
    PlanPage page;
    page.resize(1500, 900);
    page.setPlan(samplePlan(), {});
    page.show();
    StepPage *step = page.charts()->step();
    auto *other = new QWidget;
    page.charts()->lower()->addPage(u"Other"_s, other);
    page.charts()->lower()->setCurrentPage(other);
    const StepCurve before = step->course()->curve();
    QVERIFY(page.edit(*findField("batch.micro_batch"), std::int64_t(4)).ok());
    QVERIFY(step->course()->curve() == before);
    page.charts()->lower()->setCurrentPage(step);
    QVERIFY(step->course()->curve() != before);
}

void StepPageTest::theTabsOfTheLowerCardAreReachedByKeys()
{
    LowerCard card;
    auto *first = new QWidget;
    auto *second = new QWidget;
    card.addPage(u"One"_s, first);
    QVERIFY(card.tabs()->isHidden()); // one page needs no choice
    card.addPage(u"Two"_s, second);
    card.show();
    const QSignalSpy shown(&card, &LowerCard::pageShown);
    QCOMPARE(card.currentPage(), first);
    QTest::keyClick(card.tabs(), Qt::Key_Right);
    QCOMPARE(card.currentPage(), second);
    QVERIFY(second->isVisible() && !first->isVisible());
    QCOMPARE(shown.count(), 1);
    card.setPageTitle(second, u"Three"_s);
    QCOMPARE(card.tabs()->tabText(1), u"Three"_s);
    QCOMPARE(card.currentPage(), second);
}

VRAMSCOPE_TEST(StepPageTest)
#include "tst_step_page.moc"
