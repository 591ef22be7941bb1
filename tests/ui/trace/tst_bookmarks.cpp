// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/session_json.h"
#include "tests/support/test.h"
#include "tests/ui/trace/sample_trace.h"
#include "ui/bookmarks/bookmark_model.h"
#include "ui/bookmarks/bookmark_panel.h"
#include "ui/support/theme.h"
#include "ui/timeline/overview.h"
#include "ui/timeline/view_state.h"
#include "ui/trace/filter_field.h"
#include "ui/trace/trace_page.h"

#include <QApplication>
#include <QLabel>
#include <QListView>
#include <QPlainTextEdit>
#include <QPushButton>

#include <random>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// The sample on device 0, and on device 2 an allocation alone.
std::shared_ptr<const TraceDocument> bookmarkedDocument(bool secondDevice = false)
{
    test::SampleTrace sample;
    if (secondDevice) {
        Event event;
        event.action = Action::Alloc;
        event.address = 0x7f8000000000;
        event.size = 64 * kMiB;
        event.stream = sample.builder().internStream(0);
        event.time = 1'700'000'000'000'000;
        sample.builder().addEvent(2, event);
        event.action = Action::FreeCompleted;
        event.time += 500;
        sample.builder().addEvent(2, event);
    }
    return analyse(sample.finish());
}

/// As a document holds it, so that a difference can be read.
QString textOf(const Bookmark &bookmark)
{
    Session session;
    session.bookmarks = {bookmark};
    return QString::fromStdString(sessionJson(session));
}

} // namespace

class BookmarksTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void aBookmarkBringsBackWhatWasSeen();
    void aBookmarkOfAnotherDeviceLeadsThere();
    void aViewThatIsBeingWorkedOutIsShownOnceItIsThere();
    void whateverABookmarkSaysIsBroughtInsideTheRecording();
    void aRecordingOfTheStateAloneTakesBookmarks();
    void namesTellWhatIsSeen();
    void theListExplainsItselfWhileItIsEmpty();
    void bookmarksAreSteppedThrough();
    void aFlagLeadsToItsBookmark();
    void looksRightInBothThemes();
};

void BookmarksTest::initTestCase()
{
    qApp->setStyle(u"Fusion"_s);
}

void BookmarksTest::aBookmarkBringsBackWhatWasSeen()
{
    TracePage page(bookmarkedDocument());
    page.studyNow();
    const QSignalSpy kept(page.state(), &TimelineState::keptChanged);
    page.setView(TraceView::Reserved);
    page.setColorBy(ColorBy::Size);
    page.findChild<FilterField *>()->setFilter(u"size>100MiB"_s);
    page.setAxisKind(EventAxis::Kind::Time);
    page.state()->show({{1000.5, 9000.25}, {kGiB + 0.5, 1.5 * kGiB}});
    page.state()->setCursor(41);
    page.state()->select(9);
    const Bookmark bookmark = page.bookmark();
    QTRY_VERIFY(page.state()->kept());
    const auto filtered = *page.state()->kept();

    page.setView(TraceView::Stacks);
    page.setColorBy(ColorBy::Stack);
    page.findChild<FilterField *>()->setFilter({});
    page.setAxisKind(EventAxis::Kind::Event);
    page.state()->fit();
    page.state()->setCursor(3);
    page.state()->select(kNoAllocation);
    QVERIFY(!page.state()->kept());

    page.apply(bookmark);
    QCOMPARE(page.view(), TraceView::Reserved);
    QCOMPARE(page.colorBy(), ColorBy::Size);
    QCOMPARE(page.state()->axis().kind(), EventAxis::Kind::Time);
    QCOMPARE(page.state()->visible().x.low, 1000.0); // whole units
    QCOMPARE(page.state()->visible().x.high, 9001.0);
    QCOMPARE(page.state()->visible().bytes.low, 1.0 * kGiB);
    QCOMPARE(page.state()->visible().bytes.high, 1.5 * kGiB);
    QCOMPARE(page.state()->cursor(), 41);
    QCOMPARE(page.state()->selected(), 9u);
    QCOMPARE(page.findChild<FilterField *>()->text(), u"size>100MiB"_s);
    QTRY_VERIFY(page.state()->kept());
    QCOMPARE(*page.state()->kept(), filtered);
    QCOMPARE(textOf(page.bookmark()), textOf(bookmark));
}

void BookmarksTest::aBookmarkOfAnotherDeviceLeadsThere()
{
    TracePage page(bookmarkedDocument(true));
    QCOMPARE(page.device(), 0u);
    page.state()->setCursor(7);
    const Bookmark first = page.bookmark();
    page.showDevice(1);
    const Bookmark second = page.bookmark();
    QCOMPARE(second.device, 2);
    page.apply(first);
    QCOMPARE(page.device(), 0u);
    QCOMPARE(page.state()->cursor(), 7);
    page.apply(second);
    QCOMPARE(page.device(), 1u);
    QCOMPARE(textOf(page.bookmark()), textOf(second));
    page.bookmarks()->append(second);
    QVERIFY(page.bookmarks()
                ->index(0)
                .data(BookmarkModel::PlaceRole)
                .toString()
                .startsWith(u"Device 2 · Active memory"));
}

void BookmarksTest::aViewThatIsBeingWorkedOutIsShownOnceItIsThere()
{
    TracePage page(bookmarkedDocument());
    Bookmark bookmark = page.bookmark();
    bookmark.view = "bands";
    page.apply(bookmark);
    QVERIFY(!page.isAvailable(TraceView::Bands));
    page.studyNow();
    QCOMPARE(page.view(), TraceView::Bands);
    QVERIFY(page.isAvailable(TraceView::Bands));
    QCOMPARE(textOf(page.bookmark()), textOf(bookmark));
}

void BookmarksTest::whateverABookmarkSaysIsBroughtInsideTheRecording()
{
    const auto document = bookmarkedDocument(true);
    TracePage page(document);
    page.studyNow();
    std::mt19937 random(7);
    const auto any = [&random]() -> std::int64_t {
        constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();
        const std::int64_t values[] = {
            0, -1, 1, 41, 1'000'000, kEnd, -kEnd - 1, kEnd / 2, std::int64_t(1) << 32, 10 * kGiB};
        return values[random() % std::size(values)];
    };
    const char *words[] = {"", "active-memory", "lanes", "time", "event", "size", "no such", "/(/"};
    for (int run = 0; run < 300; ++run) {
        Bookmark bookmark;
        bookmark.device = any();
        bookmark.view = words[random() % std::size(words)];
        bookmark.color = words[random() % std::size(words)];
        bookmark.axis = words[random() % std::size(words)];
        bookmark.filter = words[random() % std::size(words)];
        bookmark.from = any();
        bookmark.to = any();
        bookmark.bytesFrom = any();
        bookmark.bytesTo = any();
        bookmark.cursor = any();
        bookmark.selected = any();
        page.apply(bookmark);
        const TimelineState &state = *page.state();
        const Study &device = *document->devices.at(page.device());
        QVERIFY(-1 <= state.cursor() && state.cursor() < device.curve().count());
        QVERIFY(state.selected() == kNoAllocation ||
                state.selected() < device.allocations().count());
        const auto inside = [](const Range &part, const Range &whole) {
            return whole.low <= part.low && part.low < part.high && part.high <= whole.high;
        };
        QVERIFY(inside(state.visible().x, state.whole().x));
        QVERIFY(inside(state.visible().bytes, state.whole().bytes));
    }
}

void BookmarksTest::aRecordingOfTheStateAloneTakesBookmarks()
{
    TraceBuilder builder;
    FinalSegment segment;
    segment.address = 0x7f4000000000;
    segment.stream = builder.internStream(0);
    segment.size = 64 * kMiB;
    builder.addSegment(0, segment,
                       {{FinalBlock{segment.address, segment.size, segment.size, StackId::None,
                                    BlockState::Allocated}}});
    const auto trace = builder.finish();
    QVERIFY(trace.ok());
    TracePage page(analyse(*trace));
    page.state()->select(0);
    page.addBookmark();
    QCOMPARE(page.bookmarks()->bookmarks().at(0).name, "Final state");
    page.state()->select(kNoAllocation);
    page.stepBookmark(true);
    QCOMPARE(page.state()->selected(), 0u);
    TracePage empty(analyse(*TraceBuilder().finish()));
    QVERIFY(!empty.bookmarks());
    empty.apply(page.bookmark());
    empty.addBookmark();
    empty.stepBookmark(true);
}

void BookmarksTest::namesTellWhatIsSeen()
{
    const auto document = bookmarkedDocument();
    const Study &device = *document->devices[0];
    TracePage page(document);
    page.state()->setCursor(device.curve().peakActiveEvent());
    QVERIFY(page.bookmark().name.starts_with("Peak · "));
    QVERIFY(page.bookmark().name.find(" GiB at event ") != std::string::npos);
    page.state()->setCursor(device.device().outOfMemory.at(0).event);
    QVERIFY(page.bookmark().name.starts_with("Out of memory at event "));
    page.setView(TraceView::Events);
    page.state()->setCursor(12);
    QCOMPARE(page.bookmark().name, "Events at event 12");
    page.state()->setCursor(-1);
    QCOMPARE(page.bookmark().name, "Events before the first event");
}

void BookmarksTest::theListExplainsItselfWhileItIsEmpty()
{
    TracePage page(bookmarkedDocument());
    page.resize(1000, 700);
    page.show();
    auto *panel = page.findChild<BookmarkPanel *>();
    auto *list = panel->findChild<QListView *>();
    const auto labels = panel->findChildren<QLabel *>();
    const auto hint = std::ranges::find_if(
        labels, [](const QLabel *label) { return label->text().contains(u"Ctrl+D"); });
    QVERIFY(hint != labels.end());
    QVERIFY((*hint)->isVisible());
    QVERIFY(!list->isVisible());
    panel->findChild<QPushButton *>()->click();
    QVERIFY(!(*hint)->isVisible());
    QVERIFY(list->isVisible());
    QCOMPARE(page.bookmarks()->rowCount(), 1);
    QCOMPARE(panel->current(), 0); // ready for its note
    QVERIFY(panel->findChild<QPlainTextEdit *>()->isVisible());
    for (const QWidget *widget : panel->findChildren<QWidget *>()) {
        if (widget->focusPolicy() & Qt::TabFocus)
            QVERIFY(!widget->accessibleName().isEmpty() ||
                    qobject_cast<const QPushButton *>(widget));
    }
    page.bookmarks()->remove(0);
    QVERIFY((*hint)->isVisible());
}

void BookmarksTest::bookmarksAreSteppedThrough()
{
    TracePage page(bookmarkedDocument());
    page.stepBookmark(true); // none: nothing happens
    for (const EventIndex at : {5, 50, 20}) {
        page.state()->setCursor(at);
        page.addBookmark();
    }
    auto *panel = page.findChild<BookmarkPanel *>();
    panel->setCurrent(0);
    page.stepBookmark(true);
    QCOMPARE(page.state()->cursor(), 50);
    page.stepBookmark(true);
    page.stepBookmark(true); // the last one stays
    QCOMPARE(page.state()->cursor(), 20);
    QCOMPARE(panel->current(), 2);
    page.stepBookmark(false);
    QCOMPARE(page.state()->cursor(), 50);
    QCOMPARE(panel->current(), 1);
}

void BookmarksTest::aFlagLeadsToItsBookmark()
{
    TracePage page(bookmarkedDocument(true));
    page.resize(1300, 800);
    page.show();
    auto *overview = page.findChild<Overview *>();
    page.showDevice(1);
    page.addBookmark(); // of the other device, without a flag here
    page.showDevice(0);
    page.state()->setCursor(60);
    page.addBookmark();
    page.state()->setCursor(10);
    QTest::mouseClick(overview, Qt::LeftButton, {}, overview->flag(0).center().toPoint());
    QCOMPARE(page.state()->cursor(), 60);
    QCOMPARE(page.findChild<BookmarkPanel *>()->current(), 1);
}

void BookmarksTest::looksRightInBothThemes()
{
    const QString folder = test::pictureFolder();
    for (const Theme *theme : {&lightTheme(), &darkTheme()}) {
        qApp->setPalette(themePalette(*theme));
        qApp->setStyleSheet(themeStyleSheet(*theme));
        for (const QSize size : {QSize(1000, 640), QSize(2560, 1440)}) {
            TracePage page(bookmarkedDocument());
            page.studyNow();
            page.resize(size);
            page.show();
            const QString name =
                u"%1/bookmarks-%2-%3.png"_s.arg(folder, theme->dark ? u"dark"_s : u"light"_s)
                    .arg(size.width());
            QVERIFY(page.grab().save(QString(name).replace(u".png"_s, u"-empty.png"_s)));
            for (const EventIndex at : {15, 16, 90, 170}) {
                page.state()->setCursor(at);
                page.addBookmark();
            }
            page.state()->setCursor(15);
            page.state()->select(13);
            page.bookmarks()->rename(1, QString(30, u'W') + u" a name much too long"_s);
            page.bookmarks()->setNote(1, u"A note of many words, "_s.repeated(20));
            for (int turn = 0; turn < 5; ++turn)
                QApplication::processEvents();
            QVERIFY(page.grab().save(name));
        }
    }
}

} // namespace vramscope

VRAMSCOPE_TEST(vramscope::BookmarksTest)
#include "tst_bookmarks.moc"
