// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/durations.h"
#include "tests/support/sample_profile.h"
#include "tests/support/test.h"
#include "tests/ui/support/color_distance.h"
#include "ui/profile/profile_state.h"
#include "ui/profile/profile_text.h"
#include "ui/profile/profile_timeline.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <QApplication>
#include <QScrollBar>
#include <QSignalSpy>
#include <QWheelEvent>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

// A timeline on a widget that no screen shows, laid out.
struct TimelineScene
{
    explicit TimelineScene(std::shared_ptr<const Profile> profile = test::twoStepProfile(),
                           QSize size = {1000, 700})
        : document(analyse(std::move(profile)))
        , timeline(document, &state)
    {
        state.reset(static_cast<double>(document->end - document->origin));
        timeline.setAttribute(Qt::WA_DontShowOnScreen);
        timeline.resize(size);
        timeline.show();
        QApplication::processEvents();
    }

    [[nodiscard]] QWidget *plane() const { return timeline.viewport(); }
    [[nodiscard]] ProfileEventId work(std::string_view name) const
    {
        const Profile &profile = *document->profile;
        for (std::uint32_t at = 0; at < profile.work().count(); ++at) {
            if (profile.text(profile.work().name[at]).find(name) != std::string_view::npos)
                return {EventKind::Work, at};
        }
        return {};
    }
    // The middle of an event as it is painted.
    [[nodiscard]] QPoint placeOf(const ProfileEventId &event) const
    {
        const auto line = timeline.lines().lineOfRow(*timeline.rowOf(event));
        const auto [start, end] = eventTimes(*document->profile, event);
        return QPointF(timeline.chart().x((start + end) / 2),
                       timeline.chart().lineRect(*line).center().y())
            .toPoint();
    }
    void wheel(QPoint at, int angle, Qt::KeyboardModifiers keys = Qt::NoModifier)
    {
        QWheelEvent event(at, plane()->mapToGlobal(at), {}, {0, angle}, Qt::NoButton, keys,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(plane(), &event);
    }
    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers keys = Qt::NoModifier)
    {
        QTest::mousePress(plane(), Qt::LeftButton, keys, from);
        QMouseEvent moved(QEvent::MouseMove, to, plane()->mapToGlobal(to), Qt::NoButton,
                          Qt::LeftButton, keys);
        QApplication::sendEvent(plane(), &moved);
        QTest::mouseRelease(plane(), Qt::LeftButton, keys, to);
    }

    std::shared_ptr<const ProfileDocument> document;
    ProfileState state;
    ProfileTimeline timeline;
};

} // namespace

class ProfileTimelineTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void linesStandUnderEachOther();
    void anyoneCanTellTwoKernelClassesApart();
    void aPixelLeadsToTheEventThatIsPaintedThere();
    void whatIsUnderTheMouseStaysThereWhileItZooms();
    void aDragMovesTheTimeUnderTheHand();
    void aShiftDragChoosesAStretch();
    void aClickSelectsAndTheBracketsGoOn();
    void aClickOnANameFolds();
    void goingToAFoldedEventOpensItsFold();
    void thePeakOfMemoryIsFound();
    void backLeadsToWhatWasSeen();
    void theOverlapStripSaysWhatRan();
    void whatIsNotFoundStandsBack();
    void keysAreOurs();
    void longNamesAndManyLanesStayInside();
    void aDeviceCountsTheWorkThatItRan();
    void lettersSayWhatTheyDo();
};

void ProfileTimelineTest::initTestCase()
{
    qApp->setStyle(u"Fusion"_s);
    qApp->setPalette(themePalette(lightTheme()));
    qApp->setStyleSheet(themeStyleSheet(lightTheme()));
}

void ProfileTimelineTest::anyoneCanTellTwoKernelClassesApart()
{
    for (const Theme *theme : {&lightTheme(), &darkTheme()}) {
        std::vector<QColor> colors;
        for (const WorkClass other : {WorkClass::Communication, WorkClass::Copy, WorkClass::Fill})
            colors.push_back(workColor(other, WorkFamily::None, *theme));
        for (int family = 1; family <= static_cast<int>(WorkFamily::Other); ++family)
            colors.push_back(
                workColor(WorkClass::Compute, static_cast<WorkFamily>(family), *theme));
        for (std::size_t a = 0; a < colors.size(); ++a) {
            for (std::size_t b = 0; b < a; ++b)
                QVERIFY2(test::leastDistance(colors[a], colors[b]) >= 15,
                         qPrintable(colors[a].name() + u' ' + colors[b].name()));
            if (theme->dark) // on white pale ones have a gap around them
                QVERIFY(test::contrast(colors[a], theme->card) >= 3);
        }
    }
}

void ProfileTimelineTest::linesStandUnderEachOther()
{
    TimelineScene scene;
    double free = 0;
    for (const TimelineLine &line : scene.timeline.lines().lines()) {
        QVERIFY(line.top >= free && line.height > 4);
        free = line.top + line.height;
        QCOMPARE(scene.timeline.lines().lineAt(line.top),
                 scene.timeline.lines().lineAt(line.top + line.height - 0.5));
    }
    QCOMPARE(scene.timeline.lines().height(), free);
    QVERIFY(!scene.timeline.lines().lineAt(free + 1));
}

void ProfileTimelineTest::aPixelLeadsToTheEventThatIsPaintedThere()
{
    TimelineScene scene;
    for (const double share : {1.0, 0.3, 0.01}) {
        scene.state.show({0, 200'000 * share});
        const ProfileChart &chart = scene.timeline.chart();
        std::vector<RowMark> marks;
        int seen = 0;
        for (std::size_t line = 0; line < scene.timeline.lines().lines().size(); ++line) {
            const TimelineLine &of = scene.timeline.lines().lines()[line];
            if (of.kind != TimelineLine::Kind::Row)
                continue;
            scene.document->rows->rows[of.at].marks(chart.window(), marks);
            for (const RowMark &mark : marks) {
                const QRectF rect = chart.markRect(line, mark);
                if (!scene.plane()->rect().toRectF().contains(rect.center()))
                    continue;
                for (const double x :
                     {rect.left() + 0.01, rect.center().x(), rect.right() - 0.01}) {
                    const auto place = chart.at({x, rect.center().y()});
                    QVERIFY(place && place->mark);
                    QCOMPARE(place->line, line);
                    QCOMPARE(*place->mark, mark);
                    ++seen;
                }
            }
        }
        QVERIFY(seen > 0);
    }
}

void ProfileTimelineTest::whatIsUnderTheMouseStaysThereWhileItZooms()
{
    TimelineScene scene;
    const QPoint at(600, 200);
    const double before = scene.timeline.chart().timeAt(at.x());
    scene.wheel(at, 240);
    QVERIFY(scene.state.visible().length() < scene.state.whole().length());
    QVERIFY(std::abs(scene.timeline.chart().timeAt(at.x()) - before) < 1);
    for (int turn = 0; turn < 100; ++turn)
        scene.wheel(at, 240);
    QCOMPARE(scene.state.visible().length(), ProfileState::kShortest);
}

void ProfileTimelineTest::aDragMovesTheTimeUnderTheHand()
{
    TimelineScene scene;
    scene.state.show({20'000, 60'000});
    const double before = scene.timeline.chart().timeAt(500);
    scene.drag({500, 200}, {560, 200});
    QVERIFY(std::abs(scene.timeline.chart().timeAt(560) - before) < 1);
    QVERIFY(!scene.state.selected().valid());
}

void ProfileTimelineTest::aShiftDragChoosesAStretch()
{
    TimelineScene scene;
    scene.drag({500, 200}, {620, 210}, Qt::ShiftModifier);
    QVERIFY(scene.state.chosen());
    const auto at = [&](double x) {
        return static_cast<std::int64_t>(std::floor(scene.timeline.chart().timeAt(x)));
    };
    QCOMPARE(scene.state.chosen()->from, at(500) + scene.document->origin);
    QCOMPARE(scene.state.chosen()->to, at(620) + scene.document->origin);
    scene.drag({500, 200}, {501, 200}, Qt::ShiftModifier); // too short: nothing is chosen
    QVERIFY(!scene.state.chosen());
}

void ProfileTimelineTest::aClickSelectsAndTheBracketsGoOn()
{
    TimelineScene scene;
    const ProfileEventId product = scene.work("gemm");
    QTest::mouseClick(scene.plane(), Qt::LeftButton, {}, scene.placeOf(product));
    QCOMPARE(scene.state.selected(), product);
    QTest::keyClick(&scene.timeline, Qt::Key_BracketRight);
    QVERIFY(scene.state.selected() != product);
    QCOMPARE(scene.timeline.rowOf(scene.state.selected()), scene.timeline.rowOf(product));
    QTest::keyClick(&scene.timeline, Qt::Key_BracketLeft);
    QCOMPARE(scene.state.selected(), product);
    QTest::keyClick(&scene.timeline, Qt::Key_BracketLeft); // it is the first
    QCOMPARE(scene.state.selected(), product);
    QTest::keyClick(&scene.timeline, Qt::Key_Escape);
    QVERIFY(!scene.state.selected().valid());
}

void ProfileTimelineTest::aClickOnANameFolds()
{
    TimelineScene scene;
    const double before = scene.timeline.lines().height();
    const QRectF heading = scene.timeline.chart().lineRect(0);
    const QPoint name(30, static_cast<int>(heading.center().y()));
    QTest::mouseClick(scene.plane(), Qt::LeftButton, {}, name);
    QVERIFY(scene.timeline.lines().height() < before);
    QVERIFY(!scene.timeline.lines().lineOfRow(*scene.timeline.rowOf(scene.work("gemm"))));
    QTest::mouseClick(scene.plane(), Qt::LeftButton, {}, name);
    QCOMPARE(scene.timeline.lines().height(), before);
}

void ProfileTimelineTest::goingToAFoldedEventOpensItsFold()
{
    TimelineScene scene;
    Folds folds;
    folds.sections = {0, 1};
    scene.timeline.setFolds(folds);
    scene.state.show({150'000, 160'000});
    const ProfileEventId event = scene.work("elementwise");
    scene.timeline.goTo(event);
    QVERIFY(scene.timeline.lines().lineOfRow(*scene.timeline.rowOf(event)));
    QCOMPARE(scene.state.selected(), event);
    QVERIFY(scene.plane()->rect().contains(scene.placeOf(event)));
    QVERIFY(scene.timeline.folds().sections.contains(1));
}

void ProfileTimelineTest::thePeakOfMemoryIsFound()
{
    TimelineScene scene;
    scene.state.show({0, 10'000});
    QTest::keyClick(&scene.timeline, Qt::Key_P);
    QVERIFY(scene.state.moment());
    QCOMPARE(*scene.state.moment() - scene.document->origin, 102'500);
    QVERIFY(scene.state.visible().contains(102'500));
}

void ProfileTimelineTest::backLeadsToWhatWasSeen()
{
    TimelineScene scene;
    const Range whole = scene.state.visible();
    scene.state.show({0, 1000});
    scene.state.zoom(0.5, 500);
    scene.state.zoom(0.5, 500);
    scene.state.back();
    QCOMPARE(scene.state.visible(), (Range{0, 1000}));
    scene.state.back();
    QCOMPARE(scene.state.visible(), whole);
    QVERIFY(!scene.state.canGoBack());
    scene.state.forward();
    scene.state.forward();
    QCOMPARE(scene.state.visible(), (Range{375, 625}));
}

void ProfileTimelineTest::theOverlapStripSaysWhatRan()
{
    TimelineScene scene;
    scene.state.show({0, 100'000});
    const ProfileChart &chart = scene.timeline.chart();
    std::size_t strip = 0;
    while (scene.timeline.lines().lines()[strip].kind != TimelineLine::Kind::Cover)
        ++strip;
    const double y = chart.lineRect(strip).center().y();
    const auto told = [&](std::int64_t time) {
        return scene.timeline.textAt({chart.x(scene.document->origin + time), y}).join(u' ');
    };
    QVERIFY(told(20'000).contains(coverName(CoverKind::Compute)));
    QVERIFY(told(47'000).contains(coverName(CoverKind::Both)));
    QVERIFY(told(55'000).contains(coverName(CoverKind::Communication)));
    QVERIFY(told(75'000).contains(coverName(CoverKind::Copies)));
    QVERIFY(told(90'000).contains(coverName(CoverKind::Idle)));
    const QImage image = scene.plane()->grab().toImage();
    const auto colorAt = [&](std::int64_t time) {
        const double ratio = image.devicePixelRatio();
        return image.pixelColor(static_cast<int>(chart.x(scene.document->origin + time) * ratio),
                                static_cast<int>(y * ratio));
    };
    QCOMPARE(colorAt(20'000), coverColor(CoverKind::Compute, lightTheme()));
    QCOMPARE(colorAt(47'000), coverColor(CoverKind::Both, lightTheme()));
    QCOMPARE(colorAt(55'000), coverColor(CoverKind::Communication, lightTheme()));
    QCOMPARE(colorAt(75'000), coverColor(CoverKind::Copies, lightTheme()));
}

void ProfileTimelineTest::whatIsNotFoundStandsBack()
{
    TimelineScene scene;
    scene.state.show({0, 100'000});
    const QPoint product = scene.placeOf(scene.work("gemm"));
    const QPoint copy = scene.placeOf(scene.work("Memcpy"));
    const auto colorAt = [&](QPoint at) {
        const QImage image = scene.plane()->grab().toImage();
        return image.pixelColor(at - QPoint(0, 5)); // above its name
    };
    const QColor before = colorAt(product);
    ProfileQuery query;
    query.text = u"MEMCPY"_s;
    scene.state.setFound(findEvents(*scene.document, query));
    QCOMPARE(scene.state.found()->events, std::size_t(4)); // two copies and their calls
    QVERIFY(colorAt(product) != before);
    QCOMPARE(colorAt(copy), workColor(WorkClass::Copy, WorkFamily::None, lightTheme()));
    scene.timeline.goTo(scene.work("Memcpy"));
    QTest::keyClick(&scene.timeline, Qt::Key_BracketRight); // only what was found counts
    QCOMPARE(eventName(*scene.document, scene.state.selected()),
             u"Memcpy DtoH (Device -> Pinned)"_s);
}

void ProfileTimelineTest::keysAreOurs()
{
    TimelineScene scene;
    QSignalSpy searched(&scene.timeline, &ProfileTimeline::searchWanted);
    QTest::keyClick(&scene.timeline, Qt::Key_Slash);
    QCOMPARE(searched.count(), 1);
    const double whole = scene.state.visible().length();
    QTest::keyClick(&scene.timeline, Qt::Key_W);
    QVERIFY(scene.state.visible().length() < whole);
    const double low = scene.state.visible().low;
    QTest::keyClick(&scene.timeline, Qt::Key_D);
    QVERIFY(scene.state.visible().low > low);
    QTest::keyClick(&scene.timeline, Qt::Key_F);
    QCOMPARE(scene.state.visible(), scene.state.whole());
    for (const int key : {Qt::Key_W, Qt::Key_Slash, Qt::Key_BracketLeft}) {
        QKeyEvent event(QEvent::ShortcutOverride, key, Qt::NoModifier);
        event.ignore();
        QApplication::sendEvent(&scene.timeline, &event);
        QVERIFY(event.isAccepted());
    }
}

void ProfileTimelineTest::longNamesAndManyLanesStayInside()
{
    test::SampleProfile made;
    const std::string name(20'000, 'k');
    for (int stream = 0; stream < 60; ++stream) {
        for (int at = 0; at < 20; ++at)
            made.work(name + std::to_string(at), at * 100, at * 100 + 250, stream);
    }
    TimelineScene scene(made.finish(), {640, 360});
    QVERIFY(scene.timeline.verticalScrollBar()->maximum() > 0);
    scene.timeline.verticalScrollBar()->setValue(scene.timeline.verticalScrollBar()->maximum());
    const QImage image = scene.plane()->grab().toImage();
    QVERIFY(!image.isNull());
    const std::size_t last = scene.timeline.lines().lines().size() - 1;
    QVERIFY(scene.timeline.chart().lineRect(last).bottom() <= scene.plane()->height());
    scene.timeline.goTo({EventKind::Work, 0});
    QVERIFY(scene.plane()->rect().contains(scene.placeOf({EventKind::Work, 0})));
}

void ProfileTimelineTest::aDeviceCountsTheWorkThatItRan()
{
    test::SampleProfile made;
    made.work("gemm", 100, 200);
    made.work("add", 300, 400);
    ProfileEvent range = made.event(ProfileEventKind::Range, "forward", 90, 410);
    range.range = RangeKind::Device;
    range.device = 0;
    range.stream = 7;
    made.builder().add(range);
    const auto document = analyse(made.finish());
    const std::vector<TimelineSection> sections = timelineSections(*document);
    QCOMPARE(sections.front().kind, TimelineSection::Kind::Device);
    QCOMPARE(sections.front().events, document->profile->work().count());
    QCOMPARE(sections.front().events, document->devices.front().events);
}

void ProfileTimelineTest::lettersSayWhatTheyDo()
{
    QCOMPARE(durationText(853), u"853 ns"_s);
    QCOMPARE(durationText(12'345), u"12.35 µs"_s);
    QCOMPARE(durationText(464'594'123), u"464.6 ms"_s);
    QCOMPARE(durationText(14'522'911'000), u"14.52 s"_s);
    QCOMPARE(durationText(-1500), u"-1.5 µs"_s);
    QCOMPARE(exactDurationText(12'345), u"12.35 µs (12,345 ns)"_s);
    QCOMPARE(momentText(232'012'534), u"232.012534 ms"_s);
    QCOMPARE(momentText(12), u"12 ns"_s);
    QCOMPARE(timeShareText(1, 3), u"33.3 %"_s);
    QCOMPARE(timeShareText(1, 0), u"–"_s);
    // One formatter for the window and the terminal.
    for (const std::int64_t time : {999'499, 999'949, 999'950, 999'960, 999'999'999, 1'000, 999})
        QCOMPARE(durationText(time), toQString(formatNanoseconds(time)));
    QCOMPARE(durationText(999'960), u"1 ms"_s);
    QCOMPARE(timeShareText(1, 2000), u"<0.1 %"_s);
    const auto ticks = timeTicks({1'000'000, 1'000'100}, 5);
    QVERIFY(ticks.size() >= 3);
    QVERIFY(ticks[0].second != ticks[1].second);
}

} // namespace vramscope

VRAMSCOPE_TEST(vramscope::ProfileTimelineTest)
#include "tst_profile_timeline.moc"
