// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/settings.h"
#include "tests/support/test.h"
#include "ui/charts/line_chart.h"
#include "ui/charts/trade_chart.h"
#include "ui/projection/projection_view.h"
#include "ui/support/choice_table.h"

#include <QFile>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTextBrowser>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

Plan trainedPlan()
{
    Plan plan;
    plan.model.preset = "llama-3.1-8b";
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.hardware.gpus = plan.parallel.data = 8;
    plan.parallel.strategy = Strategy::Fsdp2;
    plan.precision.regime = Regime::FsdpMixedBf16;
    plan.batch.sequenceLength = 4096;
    plan.batch.accumulationSteps = 4;
    return plan;
}

std::unique_ptr<ProjectionView> shown(const Plan &plan)
{
    auto view = std::make_unique<ProjectionView>();
    view->resize(1200, 600);
    view->showPlan(plan, vramscope::estimate(plan), ByteUnit::Binary);
    view->show();
    view->workNow();
    return view;
}

const ProjectedPlan &projected(const ProjectionView &view)
{
    return view.answer()->value();
}

} // namespace

class ProjectionViewTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void linesAreThePointsOfThePlanAndOfItsStrategies();
    void aPointOfALineBringsItsTable();
    void metricsAndScalingsChangeWhatIsDrawn();
    void aStrategyIsAppliedAsAPlan();
    void aSpeedCalibratesAndIsForgotten();
    void aSpeedOfAnotherModelDoesNotHold();
    void aTraceThatIsNoneSaysSo();
    void aPlanThatCannotBeProjectedSaysWhy();
};

void ProjectionViewTest::linesAreThePointsOfThePlanAndOfItsStrategies()
{
    const auto view = shown(trainedPlan());
    const ProjectedPlan &found = projected(*view);
    const ChartLines &drawn = view->lines()->content();
    QCOMPARE(drawn.lines.size(), found.lines.size());
    QCOMPARE(drawn.lines.front().title, u"This plan"_s);
    const std::vector<ScalePoint> &points = found.lines.front().weak;
    QCOMPARE(drawn.lines.front().points.size(), points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        const LinePoint &point = drawn.lines.front().points[i];
        QCOMPARE(point.x, static_cast<double>(points[i].gpus));
        QCOMPARE(point.y,
                 points[i].time.tokensPerSecond().likely / static_cast<double>(points[i].gpus));
        QVERIFY(point.low <= point.y && point.y <= point.high);
    }
    // From the second node on the network is assumed.
    QCOMPARE(drawn.beyond, std::optional<double>(16));
}

void ProjectionViewTest::aPointOfALineBringsItsTable()
{
    const auto view = shown(trainedPlan());
    LineChart *lines = view->lines();
    QVERIFY(lines->content().lines.size() > 1);
    Q_EMIT lines->pointSelected(lines->pointOf(1, 2));
    QCOMPARE(lines->selected(), std::optional<std::size_t>(lines->pointOf(1, 2)));
    const QTreeWidgetItem *row = view->scaleTable()->currentItem();
    QVERIFY(row);
    QCOMPARE(row->text(0),
             QString::number(static_cast<int>(lines->content().lines[1].points[2].x)));
    view->scaleTable()->setCurrentItem(view->scaleTable()->topLevelItem(0));
    QCOMPARE(lines->placeOf(*lines->selected()).first, std::size_t(1));
}

void ProjectionViewTest::metricsAndScalingsChangeWhatIsDrawn()
{
    const auto view = shown(trainedPlan());
    view->setMetric(ScaleMetric::Memory);
    const ChartLines weak = view->lines()->content();
    QVERIFY(weak.limit.has_value());
    QCOMPARE(weak.lines.front().points.front().isOpen, true); // one GPU holds no 8B with its states
    view->setScaling(Scaling::Strong);
    QVERIFY(view->lines()->content() != weak);
    view->setMetric(ScaleMetric::Speed);
    QVERIFY(view->lines()->content().isLogarithmic);
}

void ProjectionViewTest::aStrategyIsAppliedAsAPlan()
{
    const auto view = shown(trainedPlan());
    view->ask(ProjectionView::Question::Strategy);
    const StrategyGuide &guide = *projected(*view).guide;
    QCOMPARE(view->strategies()->topLevelItemCount(), static_cast<int>(guide.options.size()));
    QCOMPARE(view->trade()->content().points.size(), guide.options.size());
    QVERIFY(view->reasons()->toPlainText().contains(QString::fromStdString(guide.reasons[1])));
    QSignalSpy wanted(view.get(), &ProjectionView::planWanted);
    view->strategies()->setCurrentItem(view->strategies()->topLevelItem(1));
    view->applyButton()->click();
    QCOMPARE(wanted.size(), 1);
    QVERIFY(wanted.front().front().value<Plan>() == guide.options[1].plan);
}

void ProjectionViewTest::aSpeedCalibratesAndIsForgotten()
{
    const Plan plan = trainedPlan();
    const auto view = shown(plan);
    const double before = projected(*view).lines.front().weak[3].time.tokensPerSecond().likely;
    view->calibrateBySpeed(60'000);
    view->workNow();
    const Projected after = projected(*view).lines.front().weak[3].time.tokensPerSecond();
    QCOMPARE(projected(*view).lines.front().weak[3].gpus, std::int64_t(8));
    QVERIFY(std::abs(after.likely / 60'000 - 1) < 1e-6); // what was measured is what is said
    QVERIFY(after.high / after.low < 1.001);
    QVERIFY(view->calibrationSentence().startsWith(u"Calibrated by"_s));
    view->forgetCalibration();
    view->workNow();
    QCOMPARE(projected(*view).lines.front().weak[3].time.tokensPerSecond().likely, before);
}

void ProjectionViewTest::aSpeedOfAnotherModelDoesNotHold()
{
    Plan plan = trainedPlan();
    const auto view = shown(plan);
    view->calibrateBySpeed(60'000);
    plan.batch.microBatch = 2; // the same arithmetic
    view->showPlan(plan, vramscope::estimate(plan), ByteUnit::Binary);
    QVERIFY(view->calibrationSentence().startsWith(u"Calibrated by"_s));
    plan.model.preset = "llama-3.1-70b";
    view->showPlan(plan, vramscope::estimate(plan), ByteUnit::Binary);
    view->workNow();
    QVERIFY(!projected(*view).calibration);
    QVERIFY(view->calibrationSentence().startsWith(u"What calibrated this was a run of another"_s));
}

void ProjectionViewTest::aTraceThatIsNoneSaysSo()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"trace.json"_s);
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"traceEvents\": []}");
    file.close();
    const auto view = shown(trainedPlan());
    view->calibrateByTrace(path);
    QTRY_VERIFY(!view->calibrationSentence().startsWith(u"From the catalogue"_s));
    QVERIFY(view->calibrationSentence().contains(u"From the catalogue's rates alone"_s));
}

void ProjectionViewTest::aPlanThatCannotBeProjectedSaysWhy()
{
    Plan plan = trainedPlan();
    plan.precision.regime = Regime::Fp32;
    const auto view = shown(plan);
    QVERIFY(!projected(*view).guide);
    QVERIFY(projected(*view).lines.front().weak.front().whyNot.find("fp32") != std::string::npos);
    QVERIFY(!view->lines()->isVisible());
}

VRAMSCOPE_TEST(ProjectionViewTest)
#include "tst_projection_view.moc"
