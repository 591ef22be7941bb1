// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/categories/categories.h"
#include "core/analysis/study/study.h"
#include "core/session/session_json.h"
#include "tests/support/test.h"
#include "ui/bookmarks/bookmark_model.h"
#include "ui/offscreen/examples.h"
#include "ui/profile/profile_document.h"
#include "ui/profile/profile_page.h"
#include "ui/timeline/view_state.h"
#include "ui/trace/allocation_panel.h"
#include "ui/trace/filter_field.h"
#include "ui/trace/trace_document.h"
#include "ui/trace/trace_page.h"
#include "ui/window/commands.h"
#include "ui/window/document_tab.h"
#include "ui/window/error_page.h"
#include "ui/window/main_window.h"
#include "ui/window/notice_bar.h"
#include "ui/window/preferences.h"
#include "ui/window/session_keeper.h"

#include <QApplication>
#include <QLabel>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QUndoStack>

using namespace vramscope;
using namespace Qt::StringLiterals;

using State = DocumentTab::State;

namespace {

QByteArray bytesIn(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void put(const QString &path, const QByteArray &content)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(content), content.size());
}

Bookmark named(const char *name)
{
    Bookmark bookmark;
    bookmark.name = name;
    return bookmark;
}

QStringList namesOf(const std::vector<Bookmark> &bookmarks)
{
    QStringList names;
    for (const Bookmark &bookmark : bookmarks)
        names += QString::fromStdString(bookmark.name);
    return names;
}

QString exampleTrace()
{
    const auto &all = examples();
    return std::ranges::find(all, false, &Example::plan)->path;
}

} // namespace

/// The session document beside a recording, and the window around it.
class TestSessions : public test::Test
{
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;

    [[nodiscard]] QString path(const QString &name) const { return m_folder->filePath(name); }
    /// A file that stands for a recording.
    [[nodiscard]] QString recording() const { return path(u"rank0.pickle"_s); }
    [[nodiscard]] QString session() const { return path(u"rank0.pickle.vramscope.json"_s); }
    [[nodiscard]] QStringList written() const
    {
        const auto read = parseSession(bytesIn(session()).toStdString());
        return read ? namesOf(read->bookmarks) : QStringList{u"unreadable"_s};
    }
    std::unique_ptr<MainWindow> makeWindow()
    {
        MainWindow::Options options;
        options.preferencesFile = path(u"settings.ini"_s);
        return std::make_unique<MainWindow>(std::move(options));
    }
    static DocumentTab *openIn(MainWindow &window, const QString &file)
    {
        window.openFiles({file});
        DocumentTab *tab = window.findChild<DocumentTabs *>()->current();
        return QTest::qWaitFor([tab] { return tab->state() != State::Loading; }, 20'000) ? tab
                                                                                         : nullptr;
    }

private Q_SLOTS:
    void init() override
    {
        test::Test::init();
        m_folder = std::make_unique<QTemporaryDir>();
        put(recording(), "a recording");
    }

    void aStatedCategoryIsKeptBesideTheRecording()
    {
        QFile::remove(recording());
        QVERIFY(QFile::copy(exampleTrace(), recording()));
        const auto window = makeWindow();
        DocumentTab *tab = openIn(*window, recording());
        QVERIFY(tab);
        const auto shown = [tab] { return qobject_cast<TracePage *>(tab->page()); };
        const auto categoryText = [&] {
            return shown()
                ->findChild<AllocationPanel *>()
                ->text()
                .section(u"Category: "_s, 1)
                .section(u'\n', 0, 0);
        };
        shown()->studyNow();
        const Study &study = *documentAs<TraceDocument>(shown()->document())->devices.front();
        AllocationIndex chosen = 0;
        while (study.allocations().birth[chosen] < 0 ||
               study.categories().of(chosen).category != Category::Activations)
            ++chosen;
        shown()->state()->select(chosen);
        QVERIFY(categoryText().startsWith(u"activations, "_s));
        const auto state = [&](const QString &text) {
            const TracePage *before = shown();
            const auto actions =
                shown()->findChild<AllocationPanel *>()->findChild<QMenu *>()->actions();
            const auto action = std::ranges::find(actions, text, &QAction::text);
            QVERIFY(action != actions.end());
            (*action)->trigger();
            QTRY_VERIFY(tab->page() && shown() != before);
            shown()->studyNow();
            QCOMPARE(shown()->state()->selected(), chosen);
        };
        state(u"Inputs"_s);
        QCOMPARE(categoryText(), u"inputs, 100 %"_s);
        QVERIFY(bytesIn(recording() + u".vramrules"_s).contains("\"inputs\""));
        // Who opens it again has it too.
        const auto again = makeWindow();
        DocumentTab *other = openIn(*again, recording());
        QVERIFY(other);
        const auto document = documentAs<TraceDocument>(other->page()->document());
        QCOMPARE(document->devices.front()->categories().of(chosen).category, Category::Inputs);
        state(u"What the evidence shows"_s);
        QVERIFY(categoryText().startsWith(u"activations, "_s));
        put(recording() + u".vramrules"_s, "{}");
        const auto last = makeWindow();
        DocumentTab *broken = openIn(*last, recording());
        QVERIFY(broken && broken->state() == State::Ready);
        QVERIFY2(
            broken->notice()->text().contains(u"The built-in rules of categories are used alone"_s),
            qPrintable(broken->notice()->text()));
    }

    void theRunningOrderIsKeptBesideTheRecording()
    {
        BookmarkModel model({});
        const RunningOrder mine{{"peak", true, "Say this."}, {"answer", false, ""}};
        {
            SessionKeeper keeper(recording(), &model);
            keeper.load();
            QVERIFY(keeper.order().empty());
            keeper.setOrder(mine);
        }
        SessionKeeper again(recording(), &model);
        again.load();
        QVERIFY(again.order() == mine);
        auto other = parseSession(bytesIn(session()).toStdString());
        QVERIFY(other.ok());
        other->order.pop_back(); // somebody else arranged it
        put(session(), QByteArray::fromStdString(sessionJson(*other)));
        QTRY_VERIFY(again.order() == other->order);
        again.setOrder({}); // and now it stands by itself again
        QVERIFY(again.flush());
        QVERIFY(!QFile::exists(session()));
    }

    void aSessionIsThereAsLongAsThereAreBookmarks()
    {
        BookmarkModel model({});
        SessionKeeper keeper(recording(), &model);
        keeper.load();
        QVERIFY(keeper.flush());
        QVERIFY(!QFile::exists(session()));
        model.append(named("a"));
        QTRY_VERIFY(QFile::exists(session())); // without being asked
        const auto read = parseSession(bytesIn(session()).toStdString());
        QVERIFY(read.ok());
        QCOMPARE(read->recording, "rank0.pickle");
        QCOMPARE(read->recordingBytes, 11);
        QCOMPARE(written(), QStringList{u"a"_s});
        model.remove(0);
        QVERIFY(keeper.flush());
        QVERIFY(!QFile::exists(session()));
        model.undoStack()->undo();
        QVERIFY(keeper.flush());
        QCOMPARE(written(), QStringList{u"a"_s});
        QCOMPARE(bytesIn(recording()), "a recording");
    }

    void whatIsNotOursInADocumentStays()
    {
        put(session(), R"({"vramscope": "session", "version": 1, "theme": "dark",
            "recording": {"file": "rank0.pickle", "bytes": 11}, "bookmarks": [{"name": "a"}]})");
        BookmarkModel model({});
        SessionKeeper keeper(recording(), &model);
        keeper.load();
        QCOMPARE(namesOf(model.bookmarks()), QStringList{u"a"_s});
        model.remove(0);
        QVERIFY(keeper.flush());
        QVERIFY(bytesIn(session()).contains("\"theme\": \"dark\""));
        QCOMPARE(written(), QStringList());
    }

    void aDocumentThatIsNotUnderstoodStaysAsItIs_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("reason");
        QTest::newRow("newer") << QByteArray(R"({"vramscope": "session", "version": 2})")
                               << u"which a newer VRAMscope wrote"_s;
        QTest::newRow("damaged") << QByteArray(R"({"vramscope": "session", )")
                                 << u"The JSON ends before it is complete"_s;
        QTest::newRow("empty") << QByteArray() << u"The JSON ends before it is complete"_s;
        QTest::newRow("of another program")
            << QByteArray("[1, 2]") << u"This JSON holds no bookmarks"_s;
    }

    void aDocumentThatIsNotUnderstoodStaysAsItIs()
    {
        QFETCH(QByteArray, content);
        QFETCH(QString, reason);
        put(session(), content);
        BookmarkModel model({});
        SessionKeeper keeper(recording(), &model);
        const QSignalSpy noticed(&keeper, &SessionKeeper::noticed);
        keeper.load();
        QCOMPARE(noticed.count(), 1);
        const QString text = noticed[0][0].toString();
        QVERIFY2(text.startsWith(u"rank0.pickle.vramscope.json: ") && text.contains(reason),
                 qPrintable(text));
        QVERIFY(!noticed[0][1].toBool());
        model.append(named("a"));
        model.append(named("b"));
        QVERIFY(!keeper.flush());
        QCOMPARE(noticed.count(), 1); // said once
        QCOMPARE(bytesIn(session()), content);
        QCOMPARE(model.rowCount(), 2);
        QVERIFY(QFile::remove(session())); // out of the way
        QVERIFY(keeper.flush());
        QCOMPARE(written(), (QStringList{u"a"_s, u"b"_s}));
    }

    void theSessionOfAnotherRecordingIsOffered()
    {
        Session other;
        other.recordingBytes = 1'000'000;
        other.bookmarks = {named("a")};
        const QByteArray content = QByteArray::fromStdString(sessionJson(other));
        put(session(), content);
        BookmarkModel model({});
        SessionKeeper keeper(recording(), &model);
        const QSignalSpy noticed(&keeper, &SessionKeeper::noticed);
        keeper.load();
        QCOMPARE(noticed.count(), 1);
        QVERIFY(noticed[0][0].toString().contains(u"of 1,000,000 bytes, this one has 11"));
        QVERIFY(noticed[0][1].toBool());
        model.append(named("b"));
        QVERIFY(!keeper.flush());
        QCOMPARE(bytesIn(session()), content);
        QCOMPARE(namesOf(model.bookmarks()), QStringList{u"b"_s});
        keeper.takeNevertheless();
        QCOMPARE(namesOf(model.bookmarks()), (QStringList{u"a"_s, u"b"_s}));
        QVERIFY(keeper.flush());
        QCOMPARE(written(), (QStringList{u"a"_s, u"b"_s}));
        QCOMPARE(parseSession(bytesIn(session()).toStdString())->recordingBytes, 11);
    }

    void twoPeopleLoseNothingOfEachOther()
    {
        BookmarkModel mine({});
        BookmarkModel theirs({});
        SessionKeeper me(recording(), &mine);
        SessionKeeper they(recording(), &theirs);
        me.load();
        they.load();
        mine.append(named("a"));
        QVERIFY(me.flush());
        theirs.append(named("b")); // before they have seen "a"
        QVERIFY(they.flush());
        QCOMPARE(written(), (QStringList{u"a"_s, u"b"_s}));
        QTRY_COMPARE(namesOf(mine.bookmarks()), (QStringList{u"a"_s, u"b"_s})); // by watching
        mine.remove(0);
        QVERIFY(me.flush());
        theirs.rename(1, u"c"_s);
        QVERIFY(they.flush());
        QCOMPARE(written(), QStringList{u"c"_s});
        QVERIFY(!theirs.undoStack()->canUndo()); // it would take theirs away
    }

    void aFileThatIsGoneTakesNoBookmarkAway()
    {
        BookmarkModel model({});
        SessionKeeper keeper(recording(), &model);
        model.append(named("a"));
        QVERIFY(keeper.flush());
        const QByteArray content = bytesIn(session());
        QVERIFY(QFile::remove(session()));
        keeper.load();
        QCOMPARE(namesOf(model.bookmarks()), QStringList{u"a"_s});
        Session other;
        other.recordingBytes = 11;
        other.bookmarks = {named("b")};
        put(session(), QByteArray::fromStdString(sessionJson(other)));
        model.append(named("c"));
        QVERIFY(keeper.flush());
        QCOMPARE(written(), (QStringList{u"b"_s, u"a"_s, u"c"_s}));
    }

    void whatCannotBeWrittenIsSaidOnceAndKept()
    {
        BookmarkModel model({});
        SessionKeeper keeper(recording(), &model);
        const QSignalSpy noticed(&keeper, &SessionKeeper::noticed);
        keeper.load();
        QVERIFY(m_folder->remove()); // for root, too, nothing can be written there
        model.append(named("a"));
        QVERIFY(!keeper.flush());
        model.append(named("b"));
        QVERIFY(!keeper.flush());
        QCOMPARE(noticed.count(), 1);
        QCOMPARE(noticed[0][0].toString(),
                 u"rank0.pickle.vramscope.json: The file could not be written: No such file or "
                 "directory. Bookmarks stay until this tab is closed."_s);
        QCOMPARE(model.rowCount(), 2);
    }

    void bookmarksComeBackWithTheirRecording()
    {
        QFile::remove(recording());
        QVERIFY(QFile::copy(exampleTrace(), recording()));
        const QByteArray content = bytesIn(recording());
        const auto window = makeWindow();
        DocumentTab *tab = openIn(*window, recording());
        QVERIFY(tab && tab->state() == State::Ready);
        tab->page()->timeline()->setCursor(17);
        tab->page()->bookmarkUse()->addBookmark();
        QVERIFY(!tab->isModified()); // nothing to ask about when it closes
        const std::vector<Bookmark> made = tab->page()->bookmarks()->bookmarks();
        QVERIFY(window->findChild<DocumentTabs *>()->close(tab)); // at once: it is written still
        QTRY_VERIFY(QFile::exists(session()));

        tab = openIn(*window, recording());
        QVERIFY(tab && tab->state() == State::Ready);
        QVERIFY(tab->page()->bookmarks()->bookmarks() == made);
        tab->page()->timeline()->setCursor(3);
        tab->page()->bookmarkUse()->stepBookmark(true);
        QCOMPARE(tab->page()->timeline()->cursor(), 17);
        QVERIFY(!tab->notice()->isVisibleTo(tab));
        QCOMPARE(bytesIn(recording()), content);
    }

    void bookmarksOfAProfileAndItsRulesComeBack()
    {
        const QString trace = path(u"rank0.json.gz"_s);
        QVERIFY(QFile::copy(test::projectFile(u"tests/data/profiles/late/rank0.json.gz"_s), trace));
        auto window = makeWindow();
        DocumentTab *tab = openIn(*window, trace);
        QVERIFY(tab && tab->state() == State::Ready);
        tab->page()->bookmarkUse()->addBookmark();
        const std::vector<Bookmark> made = tab->page()->bookmarks()->bookmarks();
        QCOMPARE(made.size(), std::size_t(1));
        QCOMPARE(made[0].axis, "ns");
        // Other rules make another page of the same recording, which keeps what was marked.
        std::vector<WorkRule> rules = defaultWorkRules();
        rules.erase(rules.begin());
        const DocumentPointer before = tab->page()->document();
        QSignalSpy gone(tab->page(), &QObject::destroyed); // by which style sheets forget it
        Q_EMIT qobject_cast<ProfilePage *>(tab->page())->rulesWanted(rules);
        QTRY_VERIFY(tab->page()->document() != before);
        QTRY_COMPARE(gone.count(), 1);
        QVERIFY(documentAs<ProfileDocument>(tab->page()->document())->study->rules() == rules);
        QVERIFY(tab->page()->bookmarks()->bookmarks() == made);
        window.reset();
        QVERIFY(QFile::exists(trace + u".vramscope.json"_s));

        window = makeWindow(); // with the settings that the first one wrote
        tab = openIn(*window, trace);
        QVERIFY(tab && tab->state() == State::Ready);
        QVERIFY(documentAs<ProfileDocument>(tab->page()->document())->study->rules() == rules);
        QVERIFY(tab->page()->bookmarks()->bookmarks() == made);
        // A folder with such a session beside its traces is read without a word about it.
        tab = openIn(*window, m_folder->path());
        QVERIFY(tab && tab->state() == State::Ready);
        QVERIFY(!tab->page()->statusText().contains(u"left out"_s));
        Q_EMIT window->findChild<DocumentTabs *>()->rulesWanted(defaultWorkRules());
        QTRY_COMPARE(Preferences(path(u"settings.ini"_s)).workRules().size(),
                     defaultWorkRules().size());
    }

    void aSessionOpensItsRecording()
    {
        QFile::remove(recording());
        QVERIFY(QFile::copy(exampleTrace(), recording()));
        Session kept;
        kept.recordingBytes = QFileInfo(recording()).size();
        kept.bookmarks = {named("a")};
        put(session(), QByteArray::fromStdString(sessionJson(kept)));
        const auto window = makeWindow();
        DocumentTab *tab = openIn(*window, session());
        QVERIFY(tab && tab->state() == State::Ready);
        QCOMPARE(tab->path(), recording());
        QCOMPARE(namesOf(tab->page()->bookmarks()->bookmarks()), QStringList{u"a"_s});
        QCOMPARE(openIn(*window, recording()), tab); // one file, one tab
    }

    void aSessionAloneSaysWhatIsMissing()
    {
        QFile::remove(recording());
        put(session(), QByteArray::fromStdString(sessionJson({})));
        put(path(u"notes.json"_s), QByteArray::fromStdString(sessionJson({})));
        const auto window = makeWindow();
        const auto told = [&](const QString &file) {
            DocumentTab *tab = openIn(*window, file);
            if (!tab || tab->state() != State::Failed)
                return QString();
            QStringList texts;
            for (const QLabel *label : tab->errorPage()->findChildren<QLabel *>())
                texts += label->text();
            return texts.join(u'\n');
        };
        QVERIFY(told(session()).contains(u"These are the bookmarks of rank0.pickle, which is not "
                                         "beside them; put both into one folder."_s));
        QVERIFY(told(path(u"notes.json"_s)).contains(u"give them its name"_s));
    }

    void bookmarksOfAnExampleStayInMemory()
    {
        const auto window = makeWindow();
        DocumentTab *tab = openIn(*window, exampleTrace());
        QVERIFY(tab && tab->state() == State::Ready);
        tab->page()->bookmarkUse()->addBookmark();
        QCOMPARE(tab->page()->bookmarks()->rowCount(), 1);
        QVERIFY(!tab->notice()->isVisibleTo(tab));
    }

    void keysMakeAndStepThroughBookmarks()
    {
        const auto window = makeWindow();
        window->show();
        window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window.get()));
        DocumentTab *tab = openIn(*window, exampleTrace());
        QVERIFY(tab && tab->state() == State::Ready);
        TimelineState *state = tab->page()->timeline();
        state->setCursor(5);
        QTest::keyClick(window.get(), Qt::Key_D, Qt::ControlModifier);
        state->setCursor(9);
        auto *filter = tab->findChild<FilterField *>();
        filter->setFocus();
        QTest::keyClick(filter, Qt::Key_D, Qt::ControlModifier); // not the Delete of line edits
        QCOMPARE(tab->page()->bookmarks()->rowCount(), 2);
        auto *note = tab->findChild<QPlainTextEdit *>();
        note->setFocus();
        state->setCursor(12);
        QTest::keyClick(note, Qt::Key_D, Qt::ControlModifier);
        QTest::keyClicks(note, u"of the third"_s);
        QCOMPARE(tab->page()->bookmarks()->rowCount(), 3);
        QCOMPARE(tab->page()->bookmarks()->bookmarks()[2].note, "of the third");
        QTest::keyClick(note, Qt::Key_PageUp, Qt::ControlModifier);
        QCOMPARE(state->cursor(), 9);
        QTest::keyClick(window.get(), Qt::Key_PageUp, Qt::ControlModifier);
        QCOMPARE(state->cursor(), 5);
        QTest::keyClick(window.get(), Qt::Key_PageDown, Qt::ControlModifier);
        QCOMPARE(state->cursor(), 9);
        auto *undo = window->findChild<Commands *>()->action(Command::Undo);
        QVERIFY(undo->isEnabled());
        undo->trigger(); // the note
        undo->trigger();
        QCOMPARE(tab->page()->bookmarks()->rowCount(), 2);
    }

    void theNoticeOffersTheBookmarksOfAnotherRecording()
    {
        QFile::remove(recording());
        QVERIFY(QFile::copy(exampleTrace(), recording()));
        Session other;
        other.recordingBytes = 5;
        other.bookmarks = {named("a")};
        put(session(), QByteArray::fromStdString(sessionJson(other)));
        const auto window = makeWindow();
        DocumentTab *tab = openIn(*window, recording());
        QVERIFY(tab && tab->state() == State::Ready);
        QVERIFY(tab->notice()->isVisibleTo(tab));
        QVERIFY(tab->notice()->minimumSizeHint().width() < 700); // the window stays narrow
        QCOMPARE(tab->page()->bookmarks()->rowCount(), 0);
        const auto buttons = tab->notice()->findChildren<QPushButton *>();
        const auto use = std::ranges::find(buttons, u"Use its bookmarks"_s, &QPushButton::text);
        QVERIFY(use != buttons.end());
        (*use)->click();
        QCOMPARE(namesOf(tab->page()->bookmarks()->bookmarks()), QStringList{u"a"_s});
    }
};

VRAMSCOPE_TEST(TestSessions)
#include "tst_sessions.moc"
