// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/sample_profile.h"
#include "tests/support/test.h"
#include "ui/bookmarks/bookmark_model.h"
#include "ui/profile/profile_items.h"
#include "ui/profile/profile_page.h"
#include "ui/profile/profile_tables_view.h"
#include "ui/profile/profile_timeline.h"

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

struct MarkedPage
{
    MarkedPage()
        : document(analyse(test::twoStepProfile()))
        , page(document)
    {
        page.setAttribute(Qt::WA_DontShowOnScreen);
        page.resize(1280, 720);
        page.show();
        page.workNow();
    }

    [[nodiscard]] ProfileEventId work(const QString &name) const
    {
        const WorkColumns &columns = document->profile->work();
        for (std::uint32_t row = 0; row < columns.count(); ++row) {
            if (eventNameOf(row).contains(name))
                return {EventKind::Work, row};
        }
        return {};
    }
    [[nodiscard]] QString eventNameOf(std::uint32_t row) const
    {
        return QString::fromStdString(
            std::string(document->text(document->profile->work().name[row])));
    }

    std::shared_ptr<const ProfileDocument> document;
    ProfilePage page;
};

} // namespace

class ProfileBookmarksTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsSeenComesBack();
    void whatAPartOfTheBarMarksIsMarkedAgain();
    void allOfANameIsMarkedAgain();
    void aBookmarkOfAnotherRecordingSelectsNothingElse_data();
    void aBookmarkOfAnotherRecordingSelectsNothingElse();
    void itsNameAndPlaceSayWhatIsSeen();
    void theyAreMadeAndSteppedThrough();
    void aPresentationShowsThemWithTheirNotes();
};

void ProfileBookmarksTest::whatIsSeenComesBack()
{
    MarkedPage made;
    ProfilePage &page = made.page;
    const std::int64_t origin = made.document->origin;
    page.tables()->setChoice({ProfileTab::Operators, 2});
    page.setSearch(u"gemm"_s);
    page.state()->choose(TimeSpan{origin + 20'000, origin + 90'000});
    page.state()->select(made.work(u"gemm"_s));
    page.state()->show({10'000, 60'000});
    const Bookmark bookmark = page.bookmark();
    QCOMPARE(bookmark.view, "operators/2");
    QCOMPARE(bookmark.axis, "ns");

    page.tables()->setTab(ProfileTab::Steps);
    page.setSearch({});
    page.state()->choose({});
    page.state()->select({});
    page.state()->fit();
    QVERIFY(!(page.bookmark() == bookmark));
    page.apply(bookmark);
    QVERIFY(page.bookmark() == bookmark);
    QCOMPARE(page.state()->visible(), (Range{10'000, 60'000}));
    QCOMPARE(page.search(), u"gemm"_s);
    QVERIFY(page.tables()->choice() == (ProfileTableChoice{ProfileTab::Operators, 2}));
}

void ProfileBookmarksTest::whatAPartOfTheBarMarksIsMarkedAgain()
{
    MarkedPage made;
    Q_EMIT made.page.bar()->partClicked(BarPart::Communication);
    QTRY_VERIFY(made.page.state()->found());
    const std::size_t marked = made.page.state()->found()->events;
    QVERIFY(marked > 0);
    const Bookmark bookmark = made.page.bookmark();
    QCOMPARE(bookmark.part, "communication");
    made.page.apply({});
    QTRY_VERIFY(!made.page.state()->found());
    made.page.apply(bookmark);
    QTRY_VERIFY(made.page.state()->found());
    QCOMPARE(made.page.state()->found()->events, marked);
}

void ProfileBookmarksTest::allOfANameIsMarkedAgain()
{
    MarkedPage made;
    const ProfileEventId gemm = made.work(u"gemm"_s);
    Q_EMIT made.page.tables()->rowChosen(
        {.kind = static_cast<int>(gemm.kind),
         .at = gemm.row,
         .named = static_cast<int>(EventKind::Work),
         .name = static_cast<std::uint64_t>(made.document->profile->work().name[gemm.row])});
    QTRY_VERIFY(made.page.state()->found());
    QCOMPARE(made.page.state()->found()->events, std::size_t(2));
    const Bookmark bookmark = made.page.bookmark();
    QVERIFY(bookmark.markedByName);
    made.page.apply({});
    QTRY_VERIFY(!made.page.state()->found());
    made.page.apply(bookmark);
    QTRY_VERIFY(made.page.state()->found());
    QCOMPARE(made.page.state()->found()->events, std::size_t(2));
    QVERIFY(made.page.state()->selected() == gemm);
}

void ProfileBookmarksTest::aBookmarkOfAnotherRecordingSelectsNothingElse_data()
{
    QTest::addColumn<std::int64_t>("selected");
    QTest::addColumn<QString>("kind");
    QTest::addColumn<std::int64_t>("cursor");
    QTest::newRow("a row that there is not")
        << std::int64_t(99'999) << u"work"_s << std::int64_t(0);
    QTest::newRow("below all rows") << std::int64_t(-7) << u"work"_s << std::int64_t(0);
    QTest::newRow("an unknown kind") << std::int64_t(0) << u"thread"_s << std::int64_t(0);
    QTest::newRow("an event of another time")
        << std::int64_t(0) << u"work"_s << std::int64_t(123'456'789);
}

void ProfileBookmarksTest::aBookmarkOfAnotherRecordingSelectsNothingElse()
{
    QFETCH(std::int64_t, selected);
    QFETCH(QString, kind);
    QFETCH(std::int64_t, cursor);
    MarkedPage made;
    made.page.state()->select(made.work(u"gemm"_s));
    Bookmark bookmark = made.page.bookmark();
    bookmark.selected = selected;
    bookmark.selectedKind = kind.toStdString();
    bookmark.cursor = cursor;
    bookmark.view = "operators/17";
    bookmark.from = Bookmark::kEnd;
    bookmark.to = -5;
    bookmark.stretchFrom = 5;
    bookmark.stretchTo = Bookmark::kEnd;
    made.page.apply(bookmark);
    QVERIFY(!made.page.state()->selected().valid());
    QCOMPARE(made.page.tables()->choice().choice, std::size_t(0));
    const Range &whole = made.page.state()->whole();
    QVERIFY(made.page.state()->visible().low >= whole.low);
    QVERIFY(made.page.state()->visible().high <= whole.high);
    QCOMPARE(made.page.state()->chosen()->to, made.document->end);

    bookmark.axis = "event"; // of a snapshot: its range and cursor mean nothing here
    made.page.apply(bookmark);
    QVERIFY(!made.page.state()->chosen());
    QCOMPARE(made.page.state()->visible().high,
             static_cast<double>(made.document->end - made.document->origin));
}

void ProfileBookmarksTest::itsNameAndPlaceSayWhatIsSeen()
{
    MarkedPage made;
    made.page.state()->show({10'000, 60'000});
    made.page.addBookmark();
    made.page.state()->select(made.work(u"gemm"_s));
    made.page.addBookmark();
    const BookmarkModel &model = *made.page.bookmarks();
    QCOMPARE(model.index(0).data().toString(), u"50 µs from 10.000 µs"_s);
    QCOMPARE(model.index(1).data().toString(), u"sm90_xmma_gemm_bf16"_s);
    QVERIFY(
        model.index(1).data(BookmarkModel::PlaceRole).toString().startsWith(u"Kernels · at "_s));
}

void ProfileBookmarksTest::theyAreMadeAndSteppedThrough()
{
    MarkedPage made;
    made.page.stepBookmark(true); // none: nothing happens
    const auto visible = [&made] { return made.page.state()->visible(); };
    for (const double low : {0.0, 10'000.0, 20'000.0}) {
        made.page.state()->show({low, low + 5'000});
        made.page.addBookmark();
    }
    made.page.stepBookmark(false);
    QCOMPARE(visible().low, 10'000);
    made.page.stepBookmark(false);
    made.page.stepBookmark(false); // the first one stays
    QCOMPARE(visible().low, 0);
    made.page.stepBookmark(true);
    QCOMPARE(visible().low, 10'000);
    ProfilePage empty(analyse(test::SampleProfile().finish()));
    QVERIFY(!empty.bookmarks());
    empty.addBookmark();
    empty.stepBookmark(true);
    empty.apply(made.page.bookmark());
}

void ProfileBookmarksTest::aPresentationShowsThemWithTheirNotes()
{
    MarkedPage made;
    made.page.state()->show({10'000, 60'000});
    std::vector<Bookmark> bookmarks(2, made.page.bookmark());
    bookmarks[0].name = bookmarks[1].name = "the bubble";
    bookmarks[1].note = "Nothing runs here.";
    const std::vector<StageItem> items = profileItems(made.document, bookmarks, ByteUnit::Binary);
    const auto item = [&items](std::string_view key) {
        return std::ranges::find(items, key, &StageItem::key);
    };
    QVERIFY(item("bookmark:the bubble") != items.end());
    const auto second = item("bookmark:the bubble#2");
    QVERIFY(second != items.end());
    QCOMPARE(second->note, u"Nothing runs here."_s);
    const StageScene scene = second->scene();
    QCOMPARE(scene.headline, u"the bubble"_s);
    const auto *state = scene.view->findChild<ProfileState *>();
    QVERIFY(state);
    QCOMPARE(state->visible(), (Range{10'000, 60'000}));
}

VRAMSCOPE_TEST(ProfileBookmarksTest)

} // namespace vramscope

#include "tst_profile_bookmarks.moc"
