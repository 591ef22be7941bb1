// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"
#include "tests/ui/sample_estimate.h"
#include "ui/charts/stacked_bar_chart.h"
#include "ui/export/drawing.h"
#include "ui/planner/plan_bars.h"
#include "ui/support/theme.h"

#include <QSignalSpy>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

struct Sample
{
    Estimate estimate = test::sampleEstimate();
    StackedBars scenarios() const
    {
        const std::array<NamedEstimate, 2> named = {
            {{u"This plan"_s, &estimate}, {u"As opened"_s, &estimate}}};
        return scenarioBars(named);
    }
};

constexpr auto kLoss = static_cast<std::size_t>(Category::LossAndLogits);
constexpr auto kParameters = static_cast<std::size_t>(Category::Parameters);

/// The middle of a part of a bar, in pixels of the chart.
QPoint middleOf(const StackedBarChart &chart, int bar, std::size_t part)
{
    const PartBytes &parts = chart.content().bars[static_cast<std::size_t>(bar)].parts;
    double from = 0;
    for (std::size_t before = 0; before < part; ++before)
        from += static_cast<double>(parts[before]);
    return chart.geometryOfBars()
        .rect(bar, from, from + static_cast<double>(parts[part]))
        .center()
        .toPoint();
}

QImage picture(StackedBarChart &chart)
{
    return chart.grab().toImage();
}

} // namespace

class StackedBarChartTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QApplication::setPalette(themePalette(lightTheme())); }
    void geometryRoundTrips_data();
    void geometryRoundTrips();
    void labelsStandClearOfTheCapacity();
    void niceIntervalsDivideARange_data();
    void niceIntervalsDivideARange();
    void drawnValuesAddUpToTheEstimate();
    void barsStandWhereTheGeometrySays_data();
    void barsStandWhereTheGeometrySays();
    void theCapacityLineStandsAtTheCapacity();
    void everyBarAndItsLabelFitBesideTheCapacity();
    void aClickNamesThePart_data();
    void aClickNamesThePart();
    void hoveringSaysPartExactBytesAndShare();
    void theSelectedPartIsOutlined();
    void nothingComputedIsSaidInPlaceOfTheBars();
    void picturesAtManySizes_data();
    void picturesAtManySizes();
    void theLabelsOfABarThatReachesTheEdgeAreWhole();
};

void StackedBarChartTest::geometryRoundTrips_data()
{
    QTest::addColumn<int>("orientation");
    QTest::newRow("lying") << int(Qt::Horizontal);
    QTest::newRow("standing") << int(Qt::Vertical);
}

void StackedBarChartTest::geometryRoundTrips()
{
    QFETCH(const int, orientation);
    const BarGeometry geometry{static_cast<Qt::Orientation>(orientation), QRectF(30, 20, 400, 200),
                               80, 4, 0.7};
    for (int bar = 0; bar < geometry.count; ++bar) {
        for (const double value : {0.5, 13.0, 79.0}) {
            const QRectF rect = geometry.rect(bar, value - 0.5, value + 0.5);
            QCOMPARE(geometry.slotAt(rect.center()), std::optional(bar));
            QVERIFY(qAbs(geometry.valueAt(rect.center()) - value) < 1e-9);
        }
    }
    QVERIFY(!geometry.slotAt({10, 10}));
}

void StackedBarChartTest::labelsStandClearOfTheCapacity()
{
    const double width = 80;
    QCOMPARE(labelBeside(100, width, std::nullopt, 500), 107.0);
    QCOMPARE(labelBeside(100, width, 400.0, 500), 107.0);
    QCOMPARE(labelBeside(100, width, 120.0, 500), 127.0); // past the line
    const auto isClear = [&](double left, double line, double edge) {
        return left >= 0 && left + width <= edge && (line <= left || line >= left + width);
    };
    const double edge = 500;
    for (double end = 0; end <= edge; end += 3) {
        for (double line = 10; line <= edge - 5; line += 3) {
            const double left = labelBeside(end, width, line, edge);
            QVERIFY2(isClear(left, line, edge),
                     qPrintable(u"bar %1, line %2: label at %3"_s.arg(end).arg(line).arg(left)));
        }
    }
    const double height = 14;
    for (double end = 0; end <= 300; end += 3) {
        for (double line = 20; line <= 290; line += 3) {
            for (const bool labelled : {false, true}) {
                const double top = labelAbove(end, height, line, labelled);
                const double highest = labelled ? line - height - 2 : line;
                QVERIFY(top + height <= highest || top >= line);
            }
        }
    }
}

void StackedBarChartTest::niceIntervalsDivideARange_data()
{
    QTest::addColumn<double>("range");
    QTest::addColumn<int>("most");
    QTest::addColumn<double>("interval");
    QTest::newRow("tens") << 82.0 << 5 << 20.0;
    QTest::newRow("fives") << 48.0 << 10 << 5.0;
    QTest::newRow("small") << 0.34 << 4 << 0.1;
    QTest::newRow("large") << 4100.0 << 5 << 1000.0;
    QTest::newRow("nothing") << 0.0 << 5 << 1.0;
}

void StackedBarChartTest::niceIntervalsDivideARange()
{
    QFETCH(const double, range);
    QFETCH(const int, most);
    QFETCH(const double, interval);
    QVERIFY(qAbs(niceInterval(range, most) - interval) < 1e-12);
}

void StackedBarChartTest::drawnValuesAddUpToTheEstimate()
{
    Sample sample;
    StackedBarChart chart(Qt::Horizontal);
    chart.resize(800, 200);
    chart.show();
    chart.setContent(sample.scenarios());
    for (const StackedBar &bar : chart.shown().bars)
        QCOMPARE(bar.total(), sample.estimate.peakDevice);
    // A later estimate replaces every value, also with fewer bars.
    sample.estimate.moments[1].components[3].bytes += 5;
    const std::array<NamedEstimate, 1> alone = {{{u"This plan"_s, &sample.estimate}}};
    chart.setContent(scenarioBars(alone));
    QCOMPARE(chart.shown().bars.size(), std::size_t(1));
    QCOMPARE(chart.shown().bars[0].parts[kLoss], 14 * kGiB + 5);
}

void StackedBarChartTest::barsStandWhereTheGeometrySays_data()
{
    geometryRoundTrips_data();
}

void StackedBarChartTest::barsStandWhereTheGeometrySays()
{
    QFETCH(const int, orientation);
    const Sample sample;
    StackedBarChart chart(static_cast<Qt::Orientation>(orientation));
    chart.resize(700, 260);
    chart.show();
    chart.setContent(orientation == Qt::Horizontal ? sample.scenarios()
                                                   : momentBars(sample.estimate));
    const QImage image = picture(chart);
    for (int bar = 0; bar < chart.geometryOfBars().count; ++bar) {
        const PartBytes &parts = chart.content().bars[static_cast<std::size_t>(bar)].parts;
        for (std::size_t part = 0; part < kCategoryCount; ++part) {
            if (parts[part] > 0)
                // Above its name, which stands in the middle.
                QCOMPARE(image.pixelColor(middleOf(chart, bar, part) -
                                          QPoint(0, orientation == Qt::Horizontal ? 12 : 0)),
                         partColor(part));
        }
    }
}

void StackedBarChartTest::theCapacityLineStandsAtTheCapacity()
{
    const Sample sample;
    StackedBarChart chart(Qt::Horizontal);
    chart.resize(700, 200);
    chart.show();
    chart.setContent(sample.scenarios());
    const BarGeometry &bars = chart.geometryOfBars();
    const double x = bars.position(static_cast<double>(*sample.estimate.capacity));
    QVERIFY(x > bars.plot.center().x() && x < bars.plot.right());
    QVERIFY(qAbs(bars.valueAt({x, bars.plot.center().y()}) -
                 static_cast<double>(*sample.estimate.capacity)) < 1);
    const QImage with = picture(chart);
    StackedBars without = sample.scenarios();
    without.capacity.reset();
    const auto darkPixels = [&](const QImage &image) {
        int dark = 0;
        for (int y = int(bars.plot.top()); y < int(bars.plot.bottom()); ++y)
            dark += image.pixelColor(qRound(x), y).lightness() < 120;
        return dark;
    };
    QVERIFY(darkPixels(with) > bars.plot.height() / 4); // dashes
    chart.setContent(without);
    QVERIFY(darkPixels(picture(chart)) < bars.plot.height() / 4);
}

void StackedBarChartTest::everyBarAndItsLabelFitBesideTheCapacity()
{
    Sample sample;
    sample.estimate.moments[1].components[2].bytes = 600 * kGiB; // far beyond the capacity
    for (const int width : {400, 900, 2000}) {
        StackedBarChart chart(Qt::Horizontal);
        chart.resize(width, 200);
        chart.show();
        chart.setContent(sample.scenarios());
        const BarGeometry &bars = chart.geometryOfBars();
        const double end = bars.position(static_cast<double>(chart.content().bars[0].total()));
        QVERIFY2(end < width - 60, qPrintable(QString::number(width)));
        QVERIFY(bars.position(static_cast<double>(*sample.estimate.capacity)) < end);
    }
}

void StackedBarChartTest::aClickNamesThePart_data()
{
    geometryRoundTrips_data();
}

void StackedBarChartTest::aClickNamesThePart()
{
    QFETCH(const int, orientation);
    const Sample sample;
    StackedBarChart chart(static_cast<Qt::Orientation>(orientation));
    chart.resize(700, 260);
    chart.show();
    chart.setContent(orientation == Qt::Horizontal ? sample.scenarios()
                                                   : momentBars(sample.estimate));
    const QSignalSpy parts(&chart, &StackedBarChart::partClicked);
    const QSignalSpy bars(&chart, &StackedBarChart::barClicked);
    QTest::mouseClick(&chart, Qt::LeftButton, {}, middleOf(chart, 1, kLoss));
    QCOMPARE(parts.count(), 1);
    QCOMPARE(parts[0][0].value<std::size_t>(), kLoss);
    QCOMPARE(bars.count(), 1);
    QCOMPARE(bars[0][0].toInt(), 1);
}

void StackedBarChartTest::hoveringSaysPartExactBytesAndShare()
{
    const Sample sample;
    StackedBarChart chart(Qt::Horizontal);
    chart.resize(700, 200);
    chart.show();
    chart.setContent(sample.scenarios());
    const QString text = chart.hoverText(middleOf(chart, 0, kParameters));
    QVERIFY2(text.contains(u"Parameters"_s), qPrintable(text));
    QVERIFY2(text.contains(u"6,442,450,945 bytes"_s), qPrintable(text));
    QVERIFY2(text.contains(u"20.0 %"_s), qPrintable(text));
    QCOMPARE(chart.hoverText({1, 1}), QString());
}

void StackedBarChartTest::theSelectedPartIsOutlined()
{
    const Sample sample;
    StackedBarChart chart(Qt::Horizontal);
    chart.resize(700, 200);
    chart.show();
    chart.setContent(sample.scenarios());
    const QImage before = picture(chart);
    chart.setSelectedPart(kLoss);
    const QImage after = picture(chart);
    const PartBytes &parts = chart.content().bars[0].parts;
    const double from = static_cast<double>(parts[0] + parts[3]);
    const QRectF rect =
        chart.geometryOfBars().rect(0, from, from + static_cast<double>(parts[kLoss]));
    const QPoint edge(qRound(rect.left()), qRound(rect.center().y()));
    QVERIFY(before.pixelColor(edge) != after.pixelColor(edge));
    QCOMPARE(after.pixelColor(middleOf(chart, 0, kLoss)), partColor(kLoss));
}

void StackedBarChartTest::nothingComputedIsSaidInPlaceOfTheBars()
{
    Estimate refused;
    refused.issues = {{Issue::Severity::Blocking, "parallel.tensor", "Heads do not divide."}};
    const std::array<NamedEstimate, 1> named = {{{u"This plan"_s, &refused}}};
    const StackedBars bars = scenarioBars(named);
    QVERIFY(bars.bars.empty());
    QCOMPARE(bars.emptyText, u"not computed"_s); // the answer line says why
    StackedBarChart chart(Qt::Horizontal);
    chart.resize(500, 150);
    chart.show();
    chart.setContent(bars);
    const QImage image = picture(chart);
    bool text = false;
    for (int x = 0; x < image.width(); ++x)
        text |= image.pixelColor(x, image.height() / 2).lightness() < 200;
    QVERIFY(text);
}

void StackedBarChartTest::picturesAtManySizes_data()
{
    QTest::addColumn<bool>("dark");
    QTest::addColumn<int>("width");
    for (const int width : {400, 860, 2000}) {
        QTest::addRow("light-%d", width) << false << width;
        QTest::addRow("dark-%d", width) << true << width;
    }
}

void StackedBarChartTest::picturesAtManySizes()
{
    QFETCH(const bool, dark);
    QFETCH(const int, width);
    const Sample sample;
    for (const auto orientation : {Qt::Horizontal, Qt::Vertical}) {
        StackedBarChart chart(orientation);
        chart.setPalette(themePalette(dark ? darkTheme() : lightTheme()));
        chart.setLegendVisible(true);
        chart.setContent(orientation == Qt::Horizontal ? sample.scenarios()
                                                       : momentBars(sample.estimate));
        chart.setSelectedPart(kLoss);
        chart.resize(width, orientation == Qt::Horizontal ? chart.heightForWidth(width) : 280);
        chart.show();
        const QImage image = picture(chart);
        QVERIFY(image.save(test::pictureFolder() +
                           u"/chart-%1-%2-%3.png"_s.arg(
                               orientation == Qt::Horizontal ? u"scenarios"_s : u"moments"_s,
                               dark ? u"dark"_s : u"light"_s, QString::number(width))));
    }
}

void StackedBarChartTest::theLabelsOfABarThatReachesTheEdgeAreWhole()
{
    StackedBars bars;
    bars.capacity = 93 * kGiB;
    for (const Bytes total : {55 * kGiB, 134 * kGiB}) {
        StackedBar bar{u"bar"_s, {}};
        bar.parts[kParameters] = total - 20 * kGiB;
        bar.parts[kOutsidePart] = 20 * kGiB;
        bars.bars.push_back(bar);
    }
    StackedBarChart chart(Qt::Horizontal);
    chart.setContent(bars);
    chart.resize(596, 200);
    chart.ensurePolished();
    const Drawing drawing = recorded(chart.size(), [&](QPainter &painter) {
        chart.render(&painter, {}, {}, QWidget::DrawChildren);
    });
    bool found = false;
    for (const Drawing::Item &item : drawing.items) {
        const auto *text = std::get_if<Drawing::Text>(&item.what);
        if (!text)
            continue;
        QVERIFY2(text->at.x() + text->width <= chart.width(), qPrintable(text->text));
        found = found || text->text == u"134.0 on device";
    }
    QVERIFY(found);
}

VRAMSCOPE_TEST(StackedBarChartTest)
#include "tst_stacked_bar_chart.moc"
