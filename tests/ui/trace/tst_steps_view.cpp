// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"
#include "tests/ui/trace/sample_trace.h"
#include "ui/models/data_table_model.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"
#include "ui/timeline/chart_axes.h"
#include "ui/timeline/steps_plot.h"
#include "ui/trace/steps_view.h"

#include <QAbstractItemModelTester>
#include <QPainter>
#include <QTableView>

#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

// A view of the sample's steps, as the page shows it.
struct ShownSteps
{
    explicit ShownSteps(test::SampleOptions options = {.outOfMemory = false, .steps = 5})
        : document(analyse(test::SampleTrace(options).finish()))
        , studied(study(*document, 0))
        , view(document, &state)
    {
        const UsageCurve &curve = document->devices[0]->curve();
        state.reset(EventAxis(curve.count(), document->devices[0]->times()), {0, 1e12});
        view.setStudy(0, studied);
        view.resize(1000, 500);
        view.show();
    }

    [[nodiscard]] const Step &step(std::size_t index) const
    {
        return studied->steps().steps[index];
    }
    // A point on the line of a step.
    [[nodiscard]] QPointF pointOf(std::size_t index, double share) const
    {
        const QPolygonF line = view.plot()->line(index);
        return line.at(static_cast<int>(share * static_cast<double>(line.size() - 1)));
    }

    std::shared_ptr<const TraceDocument> document;
    std::shared_ptr<const Study> studied;
    TimelineState state;
    StepsView view;
};

} // namespace

class StepsViewTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void theMouseOverALineNamesItsStep();
    void aClickShowsTheStepInEveryView();
    void theCursorsStepIsTheChosenOne();
    void keysGoFromStepToStep();
    void aRowOfTheTableChoosesItsStep();
    void byTimeALineEndsWhenItsStepDoes();
    void theFirstStepIsDashed();
    void aRecordingWithoutStepsSaysHowToGetThem();
    void oneStepIsShownAlone();
    void thousandsOfStepsKeepToAFewLines();
    void rowsAreSortedByAnyColumn();
};

void StepsViewTest::theMouseOverALineNamesItsStep()
{
    const ShownSteps shown;
    QCOMPARE(shown.studied->steps().steps.size(), 5U);
    for (const double share : {0.1, 0.4, 0.7}) {
        const QPointF point = shown.pointOf(2, share);
        const auto step = shown.view.plot()->stepAt(point);
        QVERIFY(step);
        // Steps that are alike lie on one line; the nearest is one that runs there.
        const QPolygonF line = shown.view.plot()->line(*step);
        QVERIFY(std::ranges::any_of(
            line, [&](QPointF at) { return (at - point).manhattanLength() < 2; }));
        const QStringList text = shown.view.plot()->textAt(point);
        QVERIFY(text.at(0).startsWith(stepName(shown.step(*step))));
        QVERIFY(text.join(u'\n').contains(bytesText(shown.step(*step).peakActive)));
    }
    const QPointF above(shown.pointOf(2, 0.5).x(), 0);
    QVERIFY(!shown.view.plot()->stepAt(above));
}

void StepsViewTest::aClickShowsTheStepInEveryView()
{
    ShownSteps shown;
    const QPointF point = shown.pointOf(3, 0.5);
    const std::size_t step = *shown.view.plot()->stepAt(point);
    QTest::mouseClick(shown.view.plot(), Qt::LeftButton, {}, point.toPoint());
    QCOMPARE(shown.state.visible().x.low, double(shown.step(step).first));
    QCOMPARE(shown.state.visible().x.high, double(shown.step(step).last + 1));
    QCOMPARE(shown.state.cursor(), shown.step(step).peakActiveEvent);
    QCOMPARE(shown.view.plot()->chosen(), step);
}

void StepsViewTest::theCursorsStepIsTheChosenOne()
{
    ShownSteps shown;
    for (const std::size_t step : {4U, 0U, 2U}) {
        shown.state.setCursor(shown.step(step).last);
        QCOMPARE(shown.view.plot()->chosen(), step);
        QCOMPARE(shown.view.table()->currentIndex().row(), int(step));
    }
    shown.state.setCursor(-1);
    QVERIFY(!shown.view.plot()->chosen());
}

void StepsViewTest::keysGoFromStepToStep()
{
    ShownSteps shown;
    shown.view.choose(1);
    StepsPlot *plot = shown.view.plot();
    QTest::keyClick(plot, Qt::Key_Right);
    QCOMPARE(plot->chosen(), 2U);
    QTest::keyClick(plot, Qt::Key_Left);
    QTest::keyClick(plot, Qt::Key_Left);
    QTest::keyClick(plot, Qt::Key_Left); // there is none before the first
    QCOMPARE(plot->chosen(), 0U);
    QCOMPARE(shown.state.cursor(), shown.step(0).peakActiveEvent);
}

void StepsViewTest::aRowOfTheTableChoosesItsStep()
{
    ShownSteps shown;
    shown.view.choose(0);
    shown.view.table()->selectRow(4);
    QCOMPARE(shown.view.plot()->chosen(), 4U);
    QCOMPARE(shown.state.visible().x.low, double(shown.step(4).first));
}

void StepsViewTest::byTimeALineEndsWhenItsStepDoes()
{
    ShownSteps shown;
    const QPolygonF byEvent = shown.view.plot()->line(1);
    shown.state.setAxisKind(EventAxis::Kind::Time);
    const std::span<const std::int64_t> times = shown.document->devices[0]->times();
    std::int64_t longest = 0;
    for (const Step &step : shown.studied->steps().steps)
        longest = std::max(longest, lengthOf(step, times) + 1);
    const double start = shown.view.plot()->line(1).first().x();
    QCOMPARE(start, byEvent.first().x());
    const double width = shown.view.plot()->width() - kChartGap - start;
    const double end = start + width * static_cast<double>(lengthOf(shown.step(1), times) + 1) /
                                   static_cast<double>(longest);
    QVERIFY(std::abs(shown.view.plot()->line(1).last().x() - end) < 3);
    QVERIFY(stepLengthText(
                {&shown.studied->steps(), &shown.studied->stepFolds().byTime, nullptr, times}, 1)
                .endsWith(u"ms"_s));
}

// Told apart without a colour: along its line there is ink and there are gaps.
void StepsViewTest::theFirstStepIsDashed()
{
    const ShownSteps shown({.outOfMemory = true, .steps = 2}); // the second is cut off
    const StepsData data{&shown.studied->steps(),
                         &shown.studied->stepFolds().byEvent,
                         &shown.document->devices[0]->curve().active(),
                         {}};
    const StepsChart chart(data, QRectF(0, 0, 800, 400), {lightTheme(), ByteUnit::Binary, {}, 1});
    QImage image(800, 400, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setClipRect(chart.plot());
    chart.paintStep(painter, 0, Qt::black, 3);
    painter.end();
    const QPolygonF line = chart.line(0);
    int ink = 0;
    int gaps = 0;
    for (qsizetype at = 1; at < line.size(); ++at) {
        for (double share = 0; share < 1; share += 0.1) {
            const QPointF point = line[at - 1] + share * (line[at] - line[at - 1]);
            const bool dark = image.pixelColor(point.toPoint()).lightness() < 128;
            (dark ? ink : gaps) += 1;
        }
    }
    QVERIFY(ink > 20);
    QVERIFY(gaps > 20);
}

void StepsViewTest::aRecordingWithoutStepsSaysHowToGetThem()
{
    const ShownSteps shown({.times = false, .outOfMemory = false, .steps = 1});
    QVERIFY(shown.studied->steps().steps.empty());
    QVERIFY(shown.view.emptyText().contains(u"record_function"_s));
    QVERIFY(shown.view.emptyText().contains(toQString(shown.studied->steps().how)));
    QVERIFY(!shown.view.plot()->isVisible());
    StepsPlot plot;
    plot.resize(300, 200);
    QVERIFY(!plot.grab().isNull());
    QVERIFY(plot.textAt({100, 100}).isEmpty());
    QTest::keyClick(&plot, Qt::Key_Right);
}

void StepsViewTest::oneStepIsShownAlone()
{
    ShownSteps shown({.outOfMemory = false, .steps = 1});
    QCOMPARE(shown.studied->steps().steps.size(), 1U);
    QVERIFY(shown.view.emptyText().isEmpty());
    shown.view.choose(0);
    QCOMPARE(shown.view.plot()->chosen(), 0U);
    QVERIFY(!shown.view.grab().isNull());
    QVERIFY(shown.view.plot()->line(0).size() > 4);
}

void StepsViewTest::thousandsOfStepsKeepToAFewLines()
{
    std::vector<Bytes> bytes{0};
    Steps steps;
    for (EventIndex at = 0; at < 10'000; ++at) {
        Step step;
        step.number = at + 1;
        step.first = at * 5;
        step.last = at * 5 + 4;
        step.peakActive = at == 7'777 ? 5000 : 1000;
        step.peakActiveEvent = step.first + 2;
        for (const Bytes part : {100, 500, 0, 500, 100})
            bytes.push_back(part == 0 ? step.peakActive : part);
        steps.steps.push_back(step);
    }
    const EventCurve active(std::move(bytes));
    const StepFold fold = foldSteps(steps.steps, active, {});
    const StepsData data{&steps, &fold, &active, {}};
    const StepsChart chart(data, QRectF(0, 0, 1200, 700), {darkTheme(), ByteUnit::Binary, {}, 1});
    QVERIFY(chart.steps().size() <= StepsChart::kMostLines);
    QVERIFY(std::ranges::binary_search(chart.steps(), std::size_t(7'777)));
    QImage image(1200, 700, QImage::Format_ARGB32_Premultiplied);
    image.fill(darkTheme().window);
    QPainter painter(&image);
    chart.paint(painter);
    painter.end();
    QVERIFY(image.save(test::pictureFolder() + u"/steps-10000.png"_s));
    const QPolygonF highest = chart.line(7'777);
    const auto top = std::ranges::min_element(highest, {}, [](QPointF at) { return at.y(); });
    QCOMPARE(chart.stepAt(*top), std::size_t(7'777));
}

void StepsViewTest::rowsAreSortedByAnyColumn()
{
    const ShownSteps shown({.outOfMemory = true, .steps = 6});
    DataTableModel model;
    const QAbstractItemModelTester tester(&model);
    model.setTable(stepsTable({&shown.studied->steps(), &shown.studied->stepFolds().byTime,
                               &shown.document->devices[0]->curve().active(),
                               shown.document->devices[0]->times()}));
    QCOMPARE(model.rowCount(), 6);
    model.sort(model.columnOf("peak"), Qt::DescendingOrder);
    for (int row = 1; row < model.rowCount(); ++row)
        QVERIFY(shown.step(model.rowAt(row - 1)).peakActive >=
                shown.step(model.rowAt(row)).peakActive);
    model.sort(model.columnOf("length"), Qt::AscendingOrder);
    QCOMPARE(model.rowAt(0), 5U); // cut off where memory ran out
    QVERIFY(model.data(model.index(0, model.columnOf("remark")), Qt::DisplayRole)
                .toString()
                .contains(u"cut off"_s));
    QCOMPARE(model.placeOf(5), 0);
    model.setUnit(ByteUnit::Decimal);
    QVERIFY(model.data(model.index(0, model.columnOf("peak")), Qt::DisplayRole)
                .toString()
                .endsWith(u"GB"_s));
}

} // namespace vramscope

VRAMSCOPE_TEST(vramscope::StepsViewTest)
#include "tst_steps_view.moc"
