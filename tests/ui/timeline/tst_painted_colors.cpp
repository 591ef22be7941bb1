// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/categories/categories.h"
#include "tests/core/analysis/built_trace.h"
#include "tests/core/analysis/model_run.h"
#include "tests/support/test.h"
#include "tests/ui/trace/sample_trace.h"
#include "ui/support/parts.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"
#include "ui/timeline/overview.h"
#include "ui/timeline/timeline_body.h"
#include "ui/timeline/view_state.h"
#include "ui/trace/timeline_source.h"
#include "ui/trace/trace_document.h"

#include <QPainter>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr QSize kSmallSize(90, 70);
constexpr QRgb kQuiet = 0xff123456;

// A random program on two streams and two pools, coloured and filtered as a page would.
struct PaintedScene
{
    PaintedScene(ColorBy by, bool filtered)
        : trace(test::traceOf(
              test::modelRun(3, {.calls = 300, .streams = true, .pools = true}).trace, 12))
        , document(analyse(trace))
        , device(*document->devices.front())
        , studied(study(*document, 0))
        , coloring(colorGroups(colorKeys(by, device), device.allocations(),
                               device.curve().peakActiveEvent()))
        , kept(device.allocations().count(), 1)
    {
        for (AllocationIndex at = 0; filtered && at < kept.size(); ++at)
            kept[at] = device.allocations().size[at] % 1024 == 0 ? 1 : 0;
        shown = filtered ? dimmed(coloring.colors, kept, kQuiet) : coloring.colors;
        data = timelineData(*document, 0, studied.get(), ByteUnit::Binary);
        data.colors = &shown;
        lanes = laneColors(*studied, shown);
        data.lanes = timelineLanes(*studied, lanes);
    }

    // The colour that an allocation has, shades aside.
    [[nodiscard]] QRgb base(AllocationIndex at) const
    {
        return kept[at] ? coloring.colors.colors[coloring.colors.of[at]] : kQuiet;
    }
    [[nodiscard]] bool isShade(QRgb pixel, AllocationIndex of) const
    {
        const std::vector<QRgb> all = shades({{0}, {base(of)}});
        return std::ranges::find(all, pixel) != all.end();
    }

    std::shared_ptr<const Trace> trace;
    std::shared_ptr<const TraceDocument> document;
    const Study &device;
    std::shared_ptr<const Study> studied;
    Coloring coloring;
    std::vector<std::uint8_t> kept;
    BandColors shown;
    std::vector<BandColors> lanes;
    TimelineData data;
};

// The event that a column shows: of those whose states stand in it the one after which most of
// `sum` stands, looked up one by one.
template<class Sum>
EventIndex shownEvent(const ChartArea &area, int column, Sum sum)
{
    const double left = area.across().toValue(column);
    const double right = area.across().toValue(column + 1);
    EventIndex best = -2;
    for (EventIndex event = -1; event < area.axis.count(); ++event) {
        const double from = area.axis.start(event);
        const bool last = event + 1 == area.axis.count();
        const double to = last ? area.axis.whole().high : area.axis.start(event + 1);
        const bool stands = from < right && (to > left || from >= left || last);
        if (stands && (best == -2 || sum(event) > sum(best)))
            best = event;
    }
    return best;
}

// What holds the lowest byte of a row after an event, among some allocations.
AllocationIndex standing(const Allocations &allocations, std::span<const AllocationIndex> among,
                         EventIndex event, double byte)
{
    Bytes top = 0;
    for (const AllocationIndex at : among) {
        if (allocations.birth[at] > event || allocations.death[at] <= event)
            continue;
        top += allocations.size[at];
        if (byte < static_cast<double>(top))
            return at;
    }
    return kNoAllocation;
}

// A random part of the whole, from everything down to a few events and kibibytes.
Viewport randomPart(const Viewport &whole, std::mt19937 &random)
{
    const auto part = [&random](const Range &range) {
        const double length = range.length() / (1 << random() % 7);
        const double low =
            range.low + (range.length() - length) * static_cast<double>(random() % 1001) / 1000;
        return Range{low, low + length};
    };
    return {part(whole.x), part(whole.bytes)};
}

QImage painted(const TimelineBody &body)
{
    QImage image(kSmallSize, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    body.paint(painter, {});
    return image;
}

} // namespace

class PaintedColorsTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void theOverviewHasNoGapsAtAnyScale_data();
    void theOverviewHasNoGapsAtAnyScale();
    void categoriesHaveTheColoursThatTheyHaveInAPlan()
    {
        const PaintedScene scene(ColorBy::Category, false);
        QVERIFY(!scene.coloring.entries.empty());
        const std::map<QString, QRgb> plan = {
            {u"parameters"_s, categoryColor(Category::Parameters).rgb()},
            {u"gradients"_s, categoryColor(Category::Gradients).rgb()},
            {u"optimizer states"_s, categoryColor(Category::OptimizerStates).rgb()},
            {u"activations"_s, categoryColor(Category::Activations).rgb()},
            {u"temporary buffers"_s, categoryColor(Category::TemporaryBuffers).rgb()},
            {u"unknown"_s, partColor(kUnknownPart).rgb()}};
        std::size_t told = 0;
        for (const LegendEntry &entry : scene.coloring.entries) {
            const auto known = plan.find(entry.text.toLower());
            told += known != plan.end();
            QVERIFY2(known == plan.end() || known->second == entry.color, qPrintable(entry.text));
        }
        QVERIFY(told > 0);
        for (AllocationIndex at = 0; at < scene.coloring.colors.of.size(); ++at) {
            const QString name =
                toQString(categoryWord(scene.studied->categories().of(at).category));
            if (const auto known = plan.find(name); known != plan.end())
                QCOMPARE(scene.base(at), known->second);
        }
    }

    void atAnyZoomEveryPixelHasTheColourOfWhatStandsThere_data();
    void atAnyZoomEveryPixelHasTheColourOfWhatStandsThere();
    void whatTheLegendNamesHasItsColour_data();
    void whatTheLegendNamesHasItsColour();
    void poolsAndStreamsStandApartInTheSameColours_data();
    void poolsAndStreamsStandApartInTheSameColours();

private:
    static void addRows();
};

void PaintedColorsTest::theOverviewHasNoGapsAtAnyScale_data()
{
    QTest::addColumn<double>("ratio");
    for (const double ratio : {1.0, 1.25, 1.5, 1.75, 2.0})
        QTest::newRow(qPrintable(QString::number(ratio))) << ratio;
}

// Close above the bottom every column is painted between the first and the last one with memory.
void PaintedColorsTest::theOverviewHasNoGapsAtAnyScale()
{
    QFETCH(const double, ratio);
    const auto document = analyse(test::SampleTrace().finish()); // parameters stay throughout
    const TimelineData data = timelineData(*document, 0, nullptr, ByteUnit::Binary);
    TimelineState state;
    state.reset(data.axis(), data.wholeBytes());
    for (const double left : {56.0, 57.0, 57.3}) {
        QImage image(QSize(600, 62) * ratio, QImage::Format_ARGB32_Premultiplied);
        image.setDevicePixelRatio(ratio);
        image.fill(Qt::white);
        QPainter painter(&image);
        paintUsage(painter, *data.curve, state, QRectF(left, 6, 500, 50), lightTheme());
        painter.end();
        const int row = static_cast<int>(std::floor(56 * ratio)) - 2;
        const auto isPainted = [&](int x) { return image.pixel(x, row) != qRgb(255, 255, 255); };
        int begin = 0;
        while (begin < image.width() && !isPainted(begin))
            ++begin;
        int end = image.width() - 1;
        while (end > begin && !isPainted(end))
            --end;
        QVERIFY(end - begin > 300 * ratio);
        for (int x = begin; x <= end; ++x)
            QVERIFY2(isPainted(x), qPrintable(u"a gap at %1 from %2"_s.arg(x).arg(left)));
    }
}

void PaintedColorsTest::addRows()
{
    QTest::addColumn<ColorBy>("by");
    QTest::addColumn<bool>("filtered");
    for (std::size_t at = 0; at < kColorByCount; ++at) {
        const auto by = static_cast<ColorBy>(at);
        for (const bool filtered : {false, true})
            QTest::addRow("%s%s", qPrintable(colorByName(by)), filtered ? ", filtered" : "")
                << by << filtered;
    }
}

void PaintedColorsTest::atAnyZoomEveryPixelHasTheColourOfWhatStandsThere_data()
{
    addRows();
}

void PaintedColorsTest::atAnyZoomEveryPixelHasTheColourOfWhatStandsThere()
{
    QFETCH(ColorBy, by);
    QFETCH(bool, filtered);
    const PaintedScene scene(by, filtered);
    const Allocations &allocations = scene.device.allocations();
    std::vector<AllocationIndex> all(allocations.count());
    std::iota(all.begin(), all.end(), AllocationIndex(0));
    std::mt19937 random(7 + static_cast<unsigned>(by));
    int quiet = 0;
    for (int round = 0; round < 16; ++round) {
        const auto kind = round % 2 == 0 ? EventAxis::Kind::Event : EventAxis::Kind::Time;
        ChartArea area{QRectF(QPointF(), kSmallSize),
                       scene.data.axis(kind),
                       {},
                       {lightTheme(), ByteUnit::Binary, {}, 1}};
        QCOMPARE(area.axis.kind(), kind);
        area.viewport = randomPart({area.axis.whole(), scene.data.wholeBytes()}, random);
        const auto body = makeBody(TimelineKind::Active, scene.data, area);
        const QImage image = painted(*body);
        for (int probe = 0; probe < 6; ++probe) {
            const int column =
                static_cast<int>(random() % static_cast<unsigned>(kSmallSize.width()));
            const EventIndex event = shownEvent(
                area, column, [&](EventIndex at) { return scene.device.curve().active(at); });
            QCOMPARE(body->eventAt(column + 0.5), event);
            for (int row = 0; row < kSmallSize.height(); ++row) {
                const AllocationIndex there =
                    standing(allocations, all, event, area.up().toValue(row));
                const QRgb pixel = image.pixel(column, kSmallSize.height() - 1 - row);
                if (there == kNoAllocation)
                    QCOMPARE(pixel, QRgb(0));
                else
                    QVERIFY(scene.isShade(pixel, there));
                quiet += there != kNoAllocation && !scene.kept[there] ? 1 : 0;
            }
        }
    }
    QCOMPARE(quiet > 0, filtered);
}

void PaintedColorsTest::whatTheLegendNamesHasItsColour_data()
{
    addRows();
}

void PaintedColorsTest::whatTheLegendNamesHasItsColour()
{
    QFETCH(ColorBy, by);
    QFETCH(bool, filtered);
    const PaintedScene scene(by, filtered);
    QVERIFY(!scene.coloring.entries.empty());
    for (const LegendEntry &entry : scene.coloring.entries) {
        std::size_t members = 0;
        for (AllocationIndex at = 0; at < scene.kept.size(); ++at) {
            if (scene.coloring.groups.of[at] != entry.group)
                continue;
            ++members;
            const QRgb expected = scene.kept[at] ? entry.color : kQuiet;
            QCOMPARE(scene.shown.colors[scene.shown.of[at]], expected);
        }
        QVERIFY(members > 0);
    }
}

void PaintedColorsTest::poolsAndStreamsStandApartInTheSameColours_data()
{
    addRows();
}

void PaintedColorsTest::poolsAndStreamsStandApartInTheSameColours()
{
    QFETCH(ColorBy, by);
    QFETCH(bool, filtered);
    const PaintedScene scene(by, filtered);
    QVERIFY(scene.data.lanes.size() > 1);
    ChartArea area{QRectF(QPointF(), kSmallSize * 3),
                   scene.data.axis(),
                   {scene.data.axis().whole(), scene.data.wholeBytes()},
                   {lightTheme(), ByteUnit::Binary, {}, 1}};
    const auto body = makeBody(TimelineKind::Lanes, scene.data, area);
    QImage image(kSmallSize * 3, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    body->paint(painter, {});
    painter.end();
    std::set<std::pair<PoolId, StreamId>> seen;
    for (int y = 0; y < image.height(); y += 2) {
        for (int x = 0; x < image.width(); x += 5) {
            const AllocationIndex there = body->allocationAt({x + 0.5, y + 0.5});
            if (there == kNoAllocation)
                continue;
            QVERIFY(scene.isShade(image.pixel(x, y), there));
            seen.insert(
                {scene.device.allocations().pool[there], scene.device.allocations().stream[there]});
        }
    }
    QVERIFY(seen.size() > 1);
}

} // namespace vramscope

VRAMSCOPE_TEST(vramscope::PaintedColorsTest)
#include "tst_painted_colors.moc"
