// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"
#include "tests/ui/timeline/random_device.h"
#include "tests/ui/timeline/touchpad.h"
#include "ui/timeline/overview.h"
#include "ui/timeline/timeline_view.h"

#include <QApplication>
#include <QScreen>
#include <QWheelEvent>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

// A view of a random device on a widget that no screen shows.
struct GestureScene
{
    explicit GestureScene(int events = 4000)
        : device(test::randomDevice(77, events))
        , allocations(device)
        , curve(device)
        , view(&state)
        , overview(&state)
    {
        colors.colors.assign(seriesColors().begin(), seriesColors().end());
        for (const StackId stack : allocations.stack)
            colors.of.push_back(static_cast<std::uint8_t>(static_cast<std::size_t>(stack) % 12));
        data.allocations = &allocations;
        data.curve = &curve;
        data.colors = &colors;
        view.resize(900, 500);
        overview.resize(900, 60);
        view.setData(data);
        overview.setData(data);
        state.reset(data.axis(), data.wholeBytes());
    }

    [[nodiscard]] double eventUnder(double x) const
    {
        const LinearScale scale{state.visible().x, view.plot().width()};
        return scale.toValue(x - view.plot().left());
    }

    // A point of the widget where an allocation of at least six pixels' height is painted.
    [[nodiscard]] QPoint aBand() const
    {
        const QRect plot = view.plot().toRect();
        for (int x = plot.center().x(); x < plot.right(); ++x) {
            for (int y = plot.bottom() - 3; y > plot.top() + 3; --y) {
                const AllocationIndex at = view.allocationAt(QPointF(x, y));
                if (at != kNoAllocation && at == view.allocationAt(QPointF(x, y - 3)) &&
                    at == view.allocationAt(QPointF(x, y + 3)))
                    return {x, y};
            }
        }
        return {};
    }

    void wheel(QPoint at, QPoint angle, Qt::KeyboardModifiers keys = Qt::NoModifier)
    {
        QWheelEvent event(at, view.mapToGlobal(at), {}, angle, Qt::NoButton, keys,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(&view, &event);
    }

    static void drag(QWidget &widget, QPoint from, QPoint to,
                     Qt::KeyboardModifiers keys = Qt::NoModifier)
    {
        QTest::mousePress(&widget, Qt::LeftButton, keys, from);
        for (int step = 1; step <= 4; ++step)
            QTest::mouseMove(&widget, from + (to - from) * step / 4);
        QTest::mouseRelease(&widget, Qt::LeftButton, keys, to);
    }

    DeviceTrace device;
    Allocations allocations;
    UsageCurve curve;
    BandColors colors;
    TimelineData data;
    TimelineState state;
    TimelineView view;
    Overview overview;
};

} // namespace

class TimelineGesturesTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void theWheelKeepsTheEventUnderTheMouse();
    void theWheelWithControlKeepsTheBytesUnderTheMouse();
    void aPinchKeepsTheEventUnderTheFingers();
    void scrollingSidewaysMoves();
    void dragMovesThePictureWithTheHand();
    void shiftDragShowsTheChosenRange();
    void aClickSelectsWhatIsPaintedThere();
    void aClickAboveTheStackClearsTheSelection();
    void aDoubleClickShowsTheWholeLifetime();
    void hoveringTellsWhatIsUnderTheMouse();
    void whatIsPaintedAnewLeavesTheViewAsIfAllOfItWere();
    void theKeysZoomMoveFitAndFindThePeak();
    void altAndArrowsGoThroughTheHistory();
    void aLargePictureIsCoarserOnlyWhileItMoves();
    void theBrushIsDraggedByItsEdgesItsBodyAndAnew();
    void theBrushStandsAboveThePlot();
};

void TimelineGesturesTest::theWheelKeepsTheEventUnderTheMouse()
{
    GestureScene scene;
    const QPoint mouse(333, 200);
    for (int notch = 0; notch < 12; ++notch) {
        const double before = scene.eventUnder(mouse.x());
        const double length = scene.state.visible().x.length();
        scene.wheel(mouse, {0, 120});
        QVERIFY(scene.state.visible().x.length() < length);
        QVERIFY(std::abs(scene.eventUnder(mouse.x()) - before) < 1e-6);
    }
    for (int notch = 0; notch < 20; ++notch)
        scene.wheel(mouse, {0, -120});
    QCOMPARE(scene.state.visible().x, scene.state.whole().x);
}

void TimelineGesturesTest::theWheelWithControlKeepsTheBytesUnderTheMouse()
{
    GestureScene scene;
    const QPoint mouse(333, 200);
    const auto bytesUnder = [&scene, &mouse] {
        const LinearScale scale{scene.state.visible().bytes, scene.view.plot().height()};
        return scale.toValue(scene.view.plot().bottom() - mouse.y());
    };
    const double before = bytesUnder();
    scene.wheel(mouse, {0, 360}, Qt::ControlModifier);
    QVERIFY(scene.state.visible().bytes.length() < scene.state.whole().bytes.length() * 0.7);
    QVERIFY(std::abs(bytesUnder() - before) < 1);
    QCOMPARE(scene.state.visible().x, scene.state.whole().x);
}

void TimelineGesturesTest::aPinchKeepsTheEventUnderTheFingers()
{
    GestureScene scene;
    const QPoint fingers(333, 200);
    const double event = scene.eventUnder(fingers.x());
    const double whole = scene.state.visible().x.length();
    test::pinch(scene.view, fingers, 0.25); // moved apart
    QVERIFY(std::abs(scene.state.visible().x.length() - whole / 1.25) < 1e-6 * whole);
    QVERIFY(std::abs(scene.eventUnder(fingers.x()) - event) < 1e-6 * whole);
    test::pinch(scene.view, fingers, -0.9); // and together: no further than everything
    QCOMPARE(scene.state.visible().x, scene.state.whole().x);
}

void TimelineGesturesTest::scrollingSidewaysMoves()
{
    GestureScene scene;
    scene.state.showX({1000, 1500});
    scene.wheel({300, 200}, {-120, 0});
    QVERIFY(scene.state.visible().x.low > 1000);
    QVERIFY(std::abs(scene.state.visible().x.length() - 500) < 1e-6);
}

void TimelineGesturesTest::dragMovesThePictureWithTheHand()
{
    GestureScene scene;
    scene.state.showX({1000, 1500});
    const double before = scene.eventUnder(300);
    GestureScene::drag(scene.view, {300, 200}, {420, 210});
    QVERIFY(std::abs(scene.eventUnder(420) - before) < 1e-6);
    QCOMPARE(scene.state.selected(), kNoAllocation);
}

void TimelineGesturesTest::shiftDragShowsTheChosenRange()
{
    GestureScene scene;
    const double from = scene.eventUnder(300);
    const double to = scene.eventUnder(500);
    GestureScene::drag(scene.view, {500, 200}, {300, 220}, Qt::ShiftModifier);
    QVERIFY(std::abs(scene.state.visible().x.low - from) < 1e-6);
    QVERIFY(std::abs(scene.state.visible().x.high - to) < 1e-6);
    scene.state.back();
    QCOMPARE(scene.state.visible(), scene.state.whole());
}

void TimelineGesturesTest::aClickSelectsWhatIsPaintedThere()
{
    GestureScene scene;
    const QPoint place = scene.aBand();
    QVERIFY(!place.isNull());
    const QColor painted = scene.view.grab().toImage().pixelColor(place);
    QTest::mouseClick(&scene.view, Qt::LeftButton, {}, place);
    const AllocationIndex selected = scene.state.selected();
    QVERIFY(selected != kNoAllocation);
    QCOMPARE(painted.rgb(), scene.colors.color(selected));
    QVERIFY(scene.allocations.birth[selected] <= scene.state.cursor());
    QVERIFY(scene.allocations.death[selected] > scene.state.cursor());
}

void TimelineGesturesTest::aClickAboveTheStackClearsTheSelection()
{
    GestureScene scene;
    scene.state.select(5);
    QTest::mouseClick(&scene.view, Qt::LeftButton, {}, {400, int(scene.view.plot().top()) + 1});
    QCOMPARE(scene.state.selected(), kNoAllocation);
    scene.state.select(5);
    QTest::keyClick(&scene.view, Qt::Key_Escape);
    QCOMPARE(scene.state.selected(), kNoAllocation);
}

void TimelineGesturesTest::aDoubleClickShowsTheWholeLifetime()
{
    GestureScene scene;
    const QPoint place = scene.aBand();
    const AllocationIndex at = scene.view.allocationAt(place);
    QTest::mouseDClick(&scene.view, Qt::LeftButton, {}, place);
    const Range &events = scene.state.visible().x;
    QVERIFY(events.low <= scene.allocations.birth[at]);
    QVERIFY(events.high >= scene.allocations.death[at]);
    QVERIFY(events.length() < scene.state.whole().x.length());
}

void TimelineGesturesTest::hoveringTellsWhatIsUnderTheMouse()
{
    GestureScene scene;
    const QPoint place = scene.aBand();
    QTest::mouseMove(&scene.view, place);
    QMouseEvent move(QEvent::MouseMove, place, scene.view.mapToGlobal(place), Qt::NoButton,
                     Qt::NoButton, {});
    QApplication::sendEvent(&scene.view, &move);
    QCOMPARE(scene.state.hovered(), scene.view.allocationAt(place));
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(&scene.view, &leave);
    QCOMPARE(scene.state.hovered(), kNoAllocation);
}

void TimelineGesturesTest::whatIsPaintedAnewLeavesTheViewAsIfAllOfItWere()
{
    GestureScene scene;
    scene.data.describe = [](AllocationIndex at) {
        return QStringList{u"allocation %1"_s.arg(at), QString(qsizetype(at % 40), u'x')};
    };
    scene.view.setData(scene.data);
    scene.view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&scene.view));
    test::Dice dice(8);
    const QRect plot = scene.view.plot().toRect();
    for (int round = 0; round < 60; ++round) {
        const QPoint at = plot.topLeft() + QPoint(static_cast<int>(dice.share() * plot.width()),
                                                  static_cast<int>(dice.share() * plot.height()));
        if (round % 3 == 0)
            QTest::mouseClick(&scene.view, Qt::LeftButton, {}, at);
        QTest::mouseMove(&scene.view, at + QPoint(0, 5));
        if (round % 5 == 0)
            scene.state.setCursor(static_cast<EventIndex>(dice.below(4000)));
        if (round % 15 == 0)
            scene.wheel(at, {0, 120});
        QCoreApplication::processEvents();
        if (round % 4 == 3) {
            const QImage shown = scene.view.screen()->grabWindow(scene.view.winId()).toImage();
            QCOMPARE(shown.convertToFormat(QImage::Format_RGB32),
                     scene.view.grab().toImage().convertToFormat(QImage::Format_RGB32));
        }
    }
}

void TimelineGesturesTest::theKeysZoomMoveFitAndFindThePeak()
{
    GestureScene scene;
    for (int times = 0; times < 4; ++times)
        QTest::keyClick(&scene.view, Qt::Key_W);
    const Range zoomedIn = scene.state.visible().x;
    QVERIFY(zoomedIn.length() < scene.state.whole().x.length());
    QTest::keyClick(&scene.view, Qt::Key_D);
    QVERIFY(scene.state.visible().x.low > zoomedIn.low);
    QTest::keyClick(&scene.view, Qt::Key_A);
    QVERIFY(std::abs(scene.state.visible().x.low - zoomedIn.low) < 1e-6);
    QTest::keyClick(&scene.view, Qt::Key_S);
    QTest::keyClick(&scene.view, Qt::Key_F);
    QCOMPARE(scene.state.visible(), scene.state.whole());
    QTest::keyClick(&scene.view, Qt::Key_P);
    QCOMPARE(scene.state.cursor(), scene.curve.peakActiveEvent());
    QTest::keyClick(&scene.view, Qt::Key_Right);
    QCOMPARE(scene.state.cursor(), scene.curve.peakActiveEvent() + 1);
}

void TimelineGesturesTest::altAndArrowsGoThroughTheHistory()
{
    GestureScene scene;
    scene.state.showX({100, 200});
    QTest::keyClick(&scene.view, Qt::Key_Left, Qt::AltModifier);
    QCOMPARE(scene.state.visible(), scene.state.whole());
    QTest::keyClick(&scene.view, Qt::Key_Right, Qt::AltModifier);
    QCOMPARE(scene.state.visible().x, (Range{100, 200}));
}

void TimelineGesturesTest::aLargePictureIsCoarserOnlyWhileItMoves()
{
    constexpr std::size_t together = 3; // as many as events a column
    GestureScene scene(6000);
    scene.view.resize(2000, 1800);
    const auto picture = [&scene] { return scene.view.grab().toImage(); };
    const auto highest = [&scene] { // by column
        const QRectF plot = scene.view.plot();
        std::vector<Bytes> bytes;
        for (double x = plot.left(); x < plot.right(); ++x)
            bytes.push_back(scene.curve.active(scene.view.eventAt({x, plot.center().y()})));
        return bytes;
    };
    const QImage whole = picture();
    const Range wanted{1, 5900};
    scene.state.showX(wanted); // a jump
    QVERIFY(!scene.state.isMoving());
    const QImage atRest = picture();
    const std::vector<Bytes> heights = highest();
    scene.state.fit();
    QSignalSpy settled(&scene.state, &TimelineState::settled);
    scene.state.setX(wanted); // a small step to the same place
    QVERIFY(scene.state.isMoving());
    QVERIFY(picture() != atRest);
    const std::vector<Bytes> moving = highest();
    for (std::size_t column = 0; column < heights.size(); ++column) { // no peak is lost
        const std::size_t first = column / together * together;
        const auto from = heights.begin() + static_cast<std::ptrdiff_t>(first);
        const auto to = heights.begin() +
                        static_cast<std::ptrdiff_t>(std::min(first + together, heights.size()));
        QCOMPARE(moving[column], *std::max_element(from, to));
    }
    QVERIFY(settled.wait());
    QVERIFY(!scene.state.isMoving());
    QVERIFY(picture() == atRest);
    scene.state.fit();
    QVERIFY(picture() == whole);
}

void TimelineGesturesTest::theBrushIsDraggedByItsEdgesItsBodyAndAnew()
{
    GestureScene scene;
    scene.state.showX({1000, 2000});
    QRectF brush = scene.overview.brush();
    const double perPixel = scene.state.whole().x.length() /
                            (scene.view.plot().width()); // both stand on the same pixels
    const int y = 30;

    GestureScene::drag(scene.overview, {int(brush.right()), y}, {int(brush.right()) + 50, y});
    QVERIFY(std::abs(scene.state.visible().x.low - 1000) < 1e-6);
    QVERIFY(std::abs(scene.state.visible().x.high - (2000 + 50 * perPixel)) < 2 * perPixel);

    brush = scene.overview.brush();
    const Range before = scene.state.visible().x;
    const QPoint middle = brush.center().toPoint();
    GestureScene::drag(scene.overview, middle, middle + QPoint(-30, 0));
    QVERIFY(std::abs(scene.state.visible().x.length() - before.length()) < 1e-6);
    QVERIFY(std::abs(scene.state.visible().x.low - (before.low - 30 * perPixel)) < 1e-6);

    GestureScene::drag(scene.overview, {700, y}, {800, y});
    QVERIFY(std::abs(scene.overview.brush().left() - 700) < 1);
    QVERIFY(std::abs(scene.overview.brush().right() - 800) < 1);

    QTest::mouseDClick(&scene.overview, Qt::LeftButton, {}, {750, y});
    QCOMPARE(scene.state.visible(), scene.state.whole());
}

void TimelineGesturesTest::theBrushStandsAboveThePlot()
{
    GestureScene scene;
    QVERIFY(std::abs(scene.overview.brush().left() - scene.view.plot().left()) <= 1);
    QVERIFY(std::abs(scene.overview.brush().right() - scene.view.plot().right()) <= 1);
}

} // namespace vramscope

VRAMSCOPE_TEST(vramscope::TimelineGesturesTest)
#include "tst_timeline_gestures.moc"
