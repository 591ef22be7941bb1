// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/read_trace.h"
#include "tests/core/analysis/model_run.h"
#include "tests/support/test.h"
#include "tests/ui/timeline/random_device.h"
#include "tests/ui/timeline/touchpad.h"
#include "ui/support/text.h"
#include "ui/timeline/pixel_lines.h"
#include "ui/timeline/scrub_strip.h"
#include "ui/timeline/space_view.h"
#include "ui/trace/timeline_source.h"

#include <QApplication>
#include <QScreen>
#include <QScrollBar>
#include <QWheelEvent>

#include <set>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

// A random program on the model of the allocator, as a device that views draw.
struct SpaceSample
{
    explicit SpaceSample(unsigned seed, const test::ModelRunOptions &options)
        : device(test::modelRun(seed, options).trace)
        , allocations(device)
        , curve(device, allocations)
        , space(AddressSpace::replay(device, allocations, {}))
    {
        colors.colors.assign(seriesColors().begin(), seriesColors().end());
        for (const StackId stack : allocations.stack)
            colors.of.push_back(static_cast<std::uint8_t>(static_cast<std::size_t>(stack) % 12));
        data.allocations = &allocations;
        data.curve = &curve;
        data.colors = &colors;
        data.space = space.get();
        data.describe = [this](AllocationIndex at) {
            return QStringList{exactBytesText(allocations.size[at]), u"site %1"_s.arg(at)};
        };
    }

    DeviceTrace device;
    Allocations allocations;
    UsageCurve curve;
    std::unique_ptr<const AddressSpace> space;
    BandColors colors;
    TimelineData data;
};

std::vector<test::ModelRunOptions> kinds()
{
    return {{},
            {.streams = true},
            {.expandable = true},
            {.streams = true, .pools = true},
            {.calls = 600, .expandable = true, .streams = true, .pools = true}};
}

// A view of a device on a widget that no screen shows.
struct SpaceScene
{
    explicit SpaceScene(const TimelineData &data, QSize size = {900, 500})
        : view(&state)
    {
        view.resize(size);
        view.setData(data);
        state.reset(data.axis(), data.wholeBytes());
        state.setCursor(data.curve->peakActiveEvent());
        shown();
    }

    QImage shown() { return view.grab().toImage(); }

    // A point where a block of at least five pixels' width is painted.
    [[nodiscard]] QPoint aBlock() const
    {
        const QRect map = view.map();
        for (int y = map.top(); y < map.bottom(); ++y) {
            for (int x = map.left(); x < map.right(); ++x) {
                const AllocationIndex at = view.allocationAt(QPointF(x, y));
                if (at != kNoAllocation && at == view.allocationAt(QPointF(x + 4, y)))
                    return {x + 2, y};
            }
        }
        return {};
    }

    TimelineState state;
    SpaceView view;
};

// Without a window there is no mouse that moves.
void moveMouse(QWidget &widget, QPoint to)
{
    QMouseEvent move(QEvent::MouseMove, to, widget.mapToGlobal(to), Qt::NoButton, Qt::NoButton,
                     Qt::NoModifier);
    QApplication::sendEvent(&widget, &move);
}

constexpr int kLine = 1;

// The colours that a pixel of a region may have.
std::set<QRgb> colorsOf(const Region &region, const BandColors &colors, const Theme &theme)
{
    if (region.allocation == kNoAllocation)
        return {theme.line.rgb(), theme.window.rgb(), theme.border.rgb()};
    return {colors.color(region.allocation), colors.color(region.allocation, true),
            theme.window.rgb()};
}

} // namespace

class SpaceViewTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void theHitTestIsTheInverseOfThePaintedMap();
    void everyPixelShowsTheFirstBlockInItElseTheHole();
    void theRegionsAddUpToTheBands();
    void segmentsStandByKindAndNeverOverlap();
    void everythingFitsAtTheFittingScale();
    void scrubbingChangesTheState();
    void aClickSelectsAndKeysMoveTheCursor();
    void whatIsPaintedAnewLeavesTheMapAsIfAllOfItWere();
    void zoomingKeepsTheBlockUnderTheMouseInSight();
    void theTextTellsWhatHoldsAHole();
    void whereNothingIsHeldTheViewSaysSo();
    void aHostileSegmentIsLookedAtByItsPixels();
    void showsRecordings_data();
    void showsRecordings();
};

void SpaceViewTest::theHitTestIsTheInverseOfThePaintedMap()
{
    const Theme &theme = lightTheme();
    for (const test::ModelRunOptions &kind : kinds()) {
        for (unsigned seed = 1; seed <= 3; ++seed) {
            const SpaceSample sample(seed, kind);
            const SpaceState state = sample.space->stateAfter(sample.curve.peakActiveEvent());
            const SpaceGroups groups = groupsOf(state, sample.allocations);
            const SpaceMetrics metrics{150, 5, 3, 9, Bytes(1) << (12 + seed * 3)};
            const SpaceGeometry geometry(state, groups, sample.allocations, metrics);
            const auto height = static_cast<int>(std::min<std::int64_t>(geometry.height(), 2000));
            const std::int64_t top = std::min<std::int64_t>(7, geometry.height() - height);
            QImage image(160, height, QImage::Format_RGB32);
            paintSpace(geometry, state, {theme, &sample.colors, kLine}, top,
                       linesFromBelow(image, image.rect()), image.width());
            std::set<std::uint32_t> hits;
            for (int y = 0; y < height; ++y) {
                for (int x = 0; x < metrics.columns; ++x) {
                    const auto hit = geometry.at(x, y + top);
                    const QRgb pixel = image.pixel(x + kLine, y);
                    if (!hit) {
                        QVERIFY(pixel == theme.window.rgb() || pixel == theme.border.rgb());
                        continue;
                    }
                    hits.insert(hit->region);
                    const Region &region = state.regions[hit->region];
                    QVERIFY(colorsOf(region, sample.colors, theme).contains(pixel));
                    const SpaceState::Segment &segment = state.segments[hit->segment];
                    QVERIFY(hit->region - segment.firstRegion < segment.regionCount);
                }
            }
            // What is painted can be hit, and nothing else.
            std::set<std::uint32_t> painted;
            for (const SpaceGeometry::Run &run : geometry.runs(top, top + height)) {
                if (run.y >= top && run.y < top + height)
                    painted.insert(run.region);
            }
            QVERIFY(std::ranges::includes(hits, painted));
        }
    }
}

void SpaceViewTest::everyPixelShowsTheFirstBlockInItElseTheHole()
{
    for (const test::ModelRunOptions &kind : kinds()) {
        const SpaceSample sample(5, kind);
        const SpaceState state = sample.space->stateAfter(sample.curve.peakActiveEvent());
        const SpaceGroups groups = groupsOf(state, sample.allocations);
        const Bytes scale = 300'000; // no round number of pixels a block
        const SpaceGeometry geometry(state, groups, sample.allocations, {97, 2, 1, 3, scale});
        for (std::size_t place = 0; place < geometry.places().size(); ++place) {
            const SpaceGeometry::Place &at = geometry.places()[place];
            const SpaceState::Segment &segment = state.segments[groups.segments[place]];
            for (std::int64_t pixel = 0; pixel < at.pixels; ++pixel) {
                const std::uint64_t from =
                    segment.life.address + static_cast<std::uint64_t>(pixel * scale);
                std::optional<std::uint32_t> expected;
                for (std::uint32_t index = 0; index < segment.regionCount; ++index) {
                    const Region &region = state.regions[segment.firstRegion + index];
                    const bool touches =
                        region.address < from + static_cast<std::uint64_t>(scale) &&
                        region.address + static_cast<std::uint64_t>(region.size) > from;
                    const bool better =
                        !expected || state.regions[*expected].allocation == kNoAllocation;
                    if (touches && better && (!expected || region.allocation != kNoAllocation))
                        expected = segment.firstRegion + index;
                }
                const auto row = (at.x + pixel) / 97;
                const auto hit = geometry.at(static_cast<int>((at.x + pixel) % 97), at.y + row * 3);
                QVERIFY(hit && expected);
                QCOMPARE(hit->segment, groups.segments[place]);
                QCOMPARE(hit->region, *expected);
            }
        }
    }
}

void SpaceViewTest::theRegionsAddUpToTheBands()
{
    for (const test::ModelRunOptions &kind : kinds()) {
        const SpaceSample sample(9, kind);
        for (EventIndex event = -1; event < sample.curve.count(); event += 23) {
            const SpaceState state = sample.space->stateAfter(event);
            Bands sum;
            for (const SpaceGroup &group : groupsOf(state, sample.allocations).groups) {
                for (const auto part : {&Bands::requested, &Bands::rounding, &Bands::pendingFree,
                                        &Bands::stranded, &Bands::releasable})
                    sum.*part += group.bands.*part;
            }
            QVERIFY(sum == sample.space->bandsAfter(event));
        }
    }
}

void SpaceViewTest::segmentsStandByKindAndNeverOverlap()
{
    const SpaceSample sample(3, {.calls = 900, .streams = true, .pools = true});
    const SpaceState state = sample.space->stateAfter(sample.curve.peakReservedEvent());
    const SpaceGroups groups = groupsOf(state, sample.allocations);
    QCOMPARE(groups.segments.size(), state.segments.size());
    QVERIFY(groups.groups.size() > 3);
    QVERIFY(std::ranges::is_sorted(groups.groups, {}, &SpaceGroup::kind));
    for (const Bytes scale : {Bytes(1), kMiB / 3, 5 * kMiB, kGiB}) {
        const SpaceGeometry geometry(state, groups, sample.allocations, {80, 4, 2, 7, scale});
        for (std::size_t at = 1; at < geometry.places().size(); ++at) {
            const SpaceGeometry::Place &before = geometry.places()[at - 1];
            const SpaceGeometry::Place &place = geometry.places()[at];
            const auto rows = [](const SpaceGeometry::Place &of) {
                return (of.x + of.pixels - 1) / 80;
            };
            const std::int64_t lastRow = before.y + rows(before) * 6;
            const std::int64_t end = before.x + before.pixels - rows(before) * 80;
            QVERIFY(place.y > lastRow || (place.y == lastRow && place.x >= end + 2));
            QVERIFY(place.x == 0 || place.x + place.pixels <= 80); // else it has a row of its own
        }
    }
}

void SpaceViewTest::everythingFitsAtTheFittingScale()
{
    const SpaceSample sample(4, {.streams = true});
    const SpaceState state = sample.space->stateAfter(sample.curve.peakReservedEvent());
    const SpaceGroups groups = groupsOf(state, sample.allocations);
    SpaceMetrics metrics{700, 12, 3, 20, 1};
    metrics.perPixel = fittingScale(state, groups, sample.allocations, metrics, 400);
    QVERIFY(SpaceGeometry(state, groups, sample.allocations, metrics).height() <= 400);
    metrics.perPixel = metrics.perPixel * 2 / 3;
    QVERIFY(SpaceGeometry(state, groups, sample.allocations, metrics).height() > 400);
}

void SpaceViewTest::scrubbingChangesTheState()
{
    const SpaceSample sample(6, {});
    SpaceScene scene(sample.data);
    auto *strip = scene.view.findChild<ScrubStrip *>();
    QVERIFY(strip && !strip->isHidden());
    const QImage before = scene.shown();
    QTest::mousePress(strip, Qt::LeftButton, {}, {strip->width() / 4, 10});
    const EventIndex quarter = scene.state.cursor();
    QVERIFY(std::abs(quarter - sample.curve.count() / 4) < sample.curve.count() / 50);
    const QImage then = scene.shown();
    QVERIFY(then != before);
    QTest::mouseMove(strip, {strip->width() / 2, 10});
    QVERIFY(std::abs(scene.state.cursor() - sample.curve.count() / 2) < sample.curve.count() / 50);
    QVERIFY(scene.shown() != then);
    QTest::mouseRelease(strip, Qt::LeftButton, {}, {strip->width() / 2, 10});
    scene.state.setCursor(quarter); // wherever the cursor is moved
    QCOMPARE(scene.shown(), then);
}

void SpaceViewTest::aClickSelectsAndKeysMoveTheCursor()
{
    const SpaceSample sample(7, {.streams = true});
    SpaceScene scene(sample.data);
    const QPoint block = scene.aBlock();
    QVERIFY(!block.isNull());
    const AllocationIndex there = scene.view.allocationAt(block);
    QTest::mouseClick(&scene.view, Qt::LeftButton, {}, block);
    QCOMPARE(scene.state.selected(), there);
    const EventIndex cursor = scene.state.cursor();
    QTest::keyClick(&scene.view, Qt::Key_Left);
    QCOMPARE(scene.state.cursor(), cursor - 1);
    QTest::keyClick(&scene.view, Qt::Key_Right);
    QCOMPARE(scene.state.cursor(), cursor);
    QTest::keyClick(&scene.view, Qt::Key_Escape);
    QCOMPARE(scene.state.selected(), kNoAllocation);
    QVERIFY(!scene.view.accessibleName().isEmpty() &&
            !scene.view.accessibleDescription().isEmpty());
}

void SpaceViewTest::whatIsPaintedAnewLeavesTheMapAsIfAllOfItWere()
{
    const SpaceSample sample(3, {.streams = true, .pools = true});
    SpaceScene scene(sample.data);
    scene.view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&scene.view));
    test::Dice dice(9);
    const QRect map = scene.view.map();
    for (int round = 0; round < 40; ++round) {
        const QPoint at(static_cast<int>(dice.share() * map.width()),
                        map.top() + static_cast<int>(dice.share() * map.height() / 2));
        if (round % 3 == 0)
            QTest::mouseClick(&scene.view, Qt::LeftButton, {}, at);
        moveMouse(scene.view, at);
        QCoreApplication::processEvents();
        if (round % 4 == 3) {
            const QImage shown = scene.view.screen()->grabWindow(scene.view.winId()).toImage();
            QCOMPARE(shown.convertToFormat(QImage::Format_RGB32),
                     scene.shown().convertToFormat(QImage::Format_RGB32));
        }
    }
}

void SpaceViewTest::zoomingKeepsTheBlockUnderTheMouseInSight()
{
    const SpaceSample sample(8, {.calls = 800});
    SpaceScene scene(sample.data);
    const auto *scroll = scene.view.findChild<QScrollBar *>();
    QVERIFY(scroll->maximum() == 0);
    const QPoint block = scene.aBlock();
    const AllocationIndex there = scene.view.allocationAt(block);
    test::pinch(scene.view, block, 3); // two fingers moved apart
    scene.shown();
    QVERIFY(scroll->maximum() > 0);
    QTest::keyClick(&scene.view, Qt::Key_F);
    scene.shown();
    QVERIFY(scroll->maximum() == 0);
    for (int notch = 0; notch < 12; ++notch) {
        QWheelEvent wheel(block, scene.view.mapToGlobal(block), {}, {0, 120}, Qt::NoButton,
                          Qt::ControlModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&scene.view, &wheel);
        moveMouse(scene.view, block);
    }
    scene.shown();
    QVERIFY(scroll->maximum() > 0);
    bool seen = false;
    for (int y = scene.view.map().top(); y < scene.view.map().bottom(); ++y) {
        for (int x = 0; x < scene.view.map().right(); x += 2)
            seen = seen || scene.view.allocationAt(QPointF(x, y)) == there;
    }
    QVERIFY(seen);
    QTest::keyClick(&scene.view, Qt::Key_F);
    QVERIFY(scroll->maximum() == 0);
}

void SpaceViewTest::theTextTellsWhatHoldsAHole()
{
    const SpaceSample sample(11, {});
    SpaceScene scene(sample.data);
    QStringList hole;
    QStringList block;
    const QRect map = scene.view.map();
    for (int y = map.top(); y < map.bottom(); y += 2) {
        for (int x = map.left(); x < map.right(); ++x) {
            const QStringList lines = scene.view.textAt(QPointF(x, y));
            const QString all = lines.join(u'\n');
            if (all.contains(u"stranded: other blocks of the same segment") &&
                all.contains(u"site"))
                hole = lines;
            else if (all.contains(u"block of"))
                block = lines;
        }
    }
    QVERIFY(!hole.isEmpty());
    QVERIFY(hole[0].startsWith(u"Free: ") && hole[0].contains(u"bytes)"));
    QVERIFY(hole.join(u'\n').contains(u"behind it: "));
    QVERIFY(!block.isEmpty());
    QVERIFY2(block[1].contains(u"at 0x7f"), qPrintable(block[1]));
    const QStringList caption = scene.view.textAt(QPointF(20, map.top() + 4));
    QVERIFY2(caption.value(1).contains(u"segments, reserved"), qPrintable(caption.join(u'|')));
}

void SpaceViewTest::whereNothingIsHeldTheViewSaysSo()
{
    const SpaceSample sample(12, {});
    SpaceScene scene(sample.data);
    QVERIFY(scene.view.emptyText().isEmpty());
    scene.state.setCursor(-1); // the model starts with nothing
    scene.shown();
    QVERIFY(scene.view.emptyText().contains(u"before the first event"));
    QVERIFY(scene.view.textAt(scene.view.map().center()).isEmpty());
    TimelineData unknown = sample.data;
    unknown.space = nullptr;
    scene.view.setData(unknown);
    scene.shown();
    QVERIFY(!scene.view.emptyText().isEmpty());
    QTest::mouseClick(&scene.view, Qt::LeftButton, {}, scene.view.map().center());
    QTest::keyClick(&scene.view, Qt::Key_W);
    // A state alone: the strip has nothing to scrub.
    DeviceTrace last = sample.device;
    last.events = {};
    last.outOfMemory.clear();
    const Allocations allocations(last);
    const UsageCurve curve(last, allocations);
    const auto space = AddressSpace::replay(last, allocations, {});
    TimelineData only = sample.data;
    only.allocations = &allocations;
    only.curve = &curve;
    only.space = space.get();
    SpaceScene alone(only);
    QVERIFY(alone.view.emptyText().isEmpty());
    QVERIFY(alone.view.findChild<ScrubStrip *>()->isHidden());
    QVERIFY(!alone.aBlock().isNull());
}

void SpaceViewTest::aHostileSegmentIsLookedAtByItsPixels()
{
    constexpr Bytes kHuge = Bytes(1) << 55;
    DeviceTrace trace;
    trace.blocks = {{.address = 0, .size = 512, .requested = 512, .state = BlockState::Allocated},
                    {.address = 512, .size = kHuge - 512}};
    trace.segments = {{.address = 0, .size = kHuge, .blockCount = 2}};
    const Allocations allocations(trace);
    const UsageCurve curve(trace, allocations);
    const auto space = AddressSpace::replay(trace, allocations, {});
    const BandColors colors{{0}, {0xff4477aa}};
    TimelineData data;
    data.allocations = &allocations;
    data.curve = &curve;
    data.colors = &colors;
    data.space = space.get();
    SpaceScene scene(data);
    QVERIFY(!scene.view.textAt(scene.view.map().center()).isEmpty());
    for (int step = 0; step < 200; ++step)
        QTest::keyClick(&scene.view, Qt::Key_W);
    scene.shown();
    QTest::keyClick(&scene.view, Qt::Key_PageDown);
    scene.shown();
}

void SpaceViewTest::showsRecordings_data()
{
    QTest::addColumn<QString>("file");
    for (const char *file : {"fsdp_oom_rank0", "oom_expandable_3of4gpus", "torch211_train_orphans",
                             "big_27k_entries", "diffusers_2dev_state_only"})
        QTest::newRow(file) << QString::fromLatin1(file);
}

void SpaceViewTest::showsRecordings()
{
    if (test::corpusFolder().isEmpty())
        QSKIP("The recordings are not there (VRAMSCOPE_CORPUS).");
    QFETCH(QString, file);
    const auto trace = readTrace(u"%1/%2.pickle"_s.arg(test::corpusFolder(), file).toStdString());
    QVERIFY2(trace.ok(), trace.ok() ? "" : trace.error().text().c_str());
    const auto document = analyse(*trace);
    const std::size_t device = document->mainDevice();
    const auto known = study(*document, device);
    const TimelineData data = timelineData(*document, device, known.get(), ByteUnit::Binary);
    for (const Theme *theme : {&lightTheme(), &darkTheme()}) {
        qApp->setPalette(themePalette(*theme));
        qApp->setStyleSheet(themeStyleSheet(*theme));
        for (const QSize size : {QSize(1000, 700), QSize(2560, 1440)}) {
            SpaceScene scene(data, size);
            const QPoint block = scene.aBlock();
            QVERIFY(!block.isNull());
            QTest::mouseClick(&scene.view, Qt::LeftButton, {}, block);
            moveMouse(scene.view, scene.view.map().center());
            QVERIFY(scene.shown().save(u"%1/space-%2-%3-%4.png"_s.arg(
                test::pictureFolder(), file, theme->dark ? u"dark"_s : u"light"_s,
                QString::number(size.width()))));
        }
    }
}

} // namespace vramscope

VRAMSCOPE_TEST(vramscope::SpaceViewTest)
#include "tst_space_view.moc"
