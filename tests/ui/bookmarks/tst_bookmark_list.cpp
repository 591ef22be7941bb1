// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"
#include "ui/bookmarks/bookmark_model.h"
#include "ui/bookmarks/bookmark_panel.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QLineEdit>
#include <QListView>
#include <QPlainTextEdit>
#include <QUndoStack>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

Bookmark named(const char *name)
{
    Bookmark bookmark;
    bookmark.name = name;
    return bookmark;
}

QStringList namesOf(const BookmarkModel &model)
{
    QStringList names;
    for (int row = 0; row < model.rowCount(); ++row)
        names += model.index(row).data().toString();
    return names;
}

} // namespace

/// The list of bookmarks and its history, without a page.
class BookmarkListTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void everyEditIsOneStepBack();
    void aNoteIsOneStepHoweverManyKeysItTook();
    void longTextsAreCutBetweenCharacters();
    void thereAreOnlyAsManyAsADocumentHolds();
    void theListIsWorkedByKeyboardAndMouse();
    void theNoteIsEditedUnderTheList();
};

void BookmarkListTest::everyEditIsOneStepBack()
{
    BookmarkModel model({});
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    const QSignalSpy edited(&model, &BookmarkModel::edited);
    for (const char *name : {"a", "b", "c", "d"})
        QVERIFY(model.append(named(name)));
    model.move(0, 2);
    QCOMPARE(namesOf(model), (QStringList{u"b"_s, u"c"_s, u"a"_s, u"d"_s}));
    model.move(3, 0);
    QCOMPARE(namesOf(model), (QStringList{u"d"_s, u"b"_s, u"c"_s, u"a"_s}));
    QVERIFY(model.moveRow({}, 0, {}, 2)); // as a drag does: before the row
    QCOMPARE(namesOf(model), (QStringList{u"b"_s, u"d"_s, u"c"_s, u"a"_s}));
    model.remove(1);
    model.rename(0, u"  new\nname "_s);
    model.rename(0, u"  "_s); // no name
    QCOMPARE(namesOf(model), (QStringList{u"new name"_s, u"c"_s, u"a"_s}));
    QCOMPARE(edited.count(), 9);
    for (const int row : {-1, 3, 99}) { // nothing there
        model.remove(row);
        model.rename(row, u"x"_s);
        model.setNote(row, u"x"_s);
        model.move(row, 0);
        model.move(0, row);
    }
    QCOMPARE(edited.count(), 9);
    model.undoStack()->undo();
    model.undoStack()->undo();
    QCOMPARE(namesOf(model), (QStringList{u"b"_s, u"d"_s, u"c"_s, u"a"_s}));
    while (model.undoStack()->canUndo())
        model.undoStack()->undo();
    QCOMPARE(model.rowCount(), 0);
    while (model.undoStack()->canRedo())
        model.undoStack()->redo();
    QCOMPARE(namesOf(model), (QStringList{u"new name"_s, u"c"_s, u"a"_s}));
    model.setBookmarks({named("z")}); // not an edit
    QVERIFY(!model.undoStack()->canUndo());
}

void BookmarkListTest::aNoteIsOneStepHoweverManyKeysItTook()
{
    BookmarkModel model({});
    model.setBookmarks({named("a"), named("b")});
    for (const char *typed : {"o", "on", "one"})
        model.setNote(0, QString::fromLatin1(typed));
    model.setNote(1, u"two"_s); // of another row
    model.endGesture();
    model.setNote(1, u"two, later"_s);
    const auto note = [&model](int row) {
        return model.index(row).data(BookmarkModel::NoteRole).toString();
    };
    model.undoStack()->undo();
    QCOMPARE(note(1), u"two"_s);
    model.undoStack()->undo();
    QCOMPARE(note(1), QString());
    QCOMPARE(note(0), u"one"_s);
    model.undoStack()->undo();
    QCOMPARE(note(0), QString());
    QVERIFY(!model.undoStack()->canUndo());
}

void BookmarkListTest::longTextsAreCutBetweenCharacters()
{
    BookmarkModel model({});
    QVERIFY(model.append(named("a")));
    model.rename(0, u"x"_s + QString(300, u'€')); // three bytes each
    model.setNote(0, QString(5000, u'é'));
    const Bookmark &cut = model.bookmarks().at(0);
    QCOMPARE(cut.name.size(), 199u); // the whole characters within 200 bytes
    QCOMPARE(cut.note.size(), kLongestNote);
    QVERIFY(!QString::fromStdString(cut.name).contains(QChar::ReplacementCharacter));
}

void BookmarkListTest::thereAreOnlyAsManyAsADocumentHolds()
{
    BookmarkModel model({});
    model.setBookmarks(std::vector<Bookmark>(kMostBookmarks - 1, named("a")));
    QVERIFY(model.append(named("last")));
    QVERIFY(!model.append(named("too many")));
    QCOMPARE(model.rowCount(), static_cast<int>(kMostBookmarks));
}

void BookmarkListTest::theListIsWorkedByKeyboardAndMouse()
{
    BookmarkModel model({});
    model.setBookmarks({named("a"), named("b"), named("c")});
    BookmarkPanel panel(&model);
    panel.show();
    panel.activateWindow();
    auto *list = panel.findChild<QListView *>();
    const QSignalSpy chosen(&panel, &BookmarkPanel::chosen);
    panel.setCurrent(1);
    list->setFocus();
    QVERIFY(QTest::qWaitForWindowActive(&panel));
    QTest::keyClick(list, Qt::Key_Return);
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen[0][0].toInt(), 1);
    const QPoint first = list->visualRect(model.index(0)).center();
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, first);
    QTest::mouseDClick(list->viewport(), Qt::LeftButton, {}, first);
    QCOMPARE(chosen.count(), 2);
    QCOMPARE(chosen[1][0].toInt(), 0);
    panel.setCurrent(1);
    QTest::keyClick(list, Qt::Key_Up, Qt::AltModifier);
    QCOMPARE(namesOf(model), (QStringList{u"b"_s, u"a"_s, u"c"_s}));
    QCOMPARE(panel.current(), 0); // goes with its row
    QTest::keyClick(list, Qt::Key_Down, Qt::AltModifier);
    QTest::keyClick(list, Qt::Key_Down, Qt::AltModifier);
    QTest::keyClick(list, Qt::Key_Down, Qt::AltModifier); // there is no further
    QCOMPARE(namesOf(model), (QStringList{u"a"_s, u"c"_s, u"b"_s}));
    QCOMPARE(panel.current(), 2);
    QTest::keyClick(list, Qt::Key_F2);
    auto *editor = list->findChild<QLineEdit *>();
    QVERIFY(editor);
    editor->setText(u"renamed"_s);
    QTest::keyClick(editor, Qt::Key_Return);
    QTRY_COMPARE(namesOf(model), (QStringList{u"a"_s, u"c"_s, u"renamed"_s}));
    QCOMPARE(chosen.count(), 2);
    QTest::keyClick(list, Qt::Key_Delete);
    QCOMPARE(namesOf(model), (QStringList{u"a"_s, u"c"_s}));
    QCOMPARE(panel.current(), 1);
    QTest::keyClick(list, Qt::Key_Return, Qt::AltModifier);
    QVERIFY(panel.findChild<QPlainTextEdit *>()->hasFocus());
}

void BookmarkListTest::theNoteIsEditedUnderTheList()
{
    BookmarkModel model({});
    model.setBookmarks({named("a"), named("b")});
    BookmarkPanel panel(&model);
    panel.show();
    auto *note = panel.findChild<QPlainTextEdit *>();
    QVERIFY(!note->isEnabled()); // of which?
    auto *list = panel.findChild<QListView *>();
    const QRect before = list->geometry();
    panel.setCurrent(0);
    QVERIFY(note->isEnabled());
    QApplication::processEvents();
    QCOMPARE(list->geometry(), before); // a row stays under the mouse that chooses it
    QTest::keyClicks(note, u"why"_s);
    QCOMPARE(model.bookmarks()[0].note, "why");
    panel.setCurrent(1);
    QCOMPARE(note->toPlainText(), QString());
    QTest::keyClicks(note, u"how"_s);
    panel.setCurrent(0);
    QCOMPARE(note->toPlainText(), u"why"_s);
    model.undoStack()->undo();
    QCOMPARE(model.bookmarks()[1].note, "");
    QCOMPARE(panel.current(), 1); // what was undone is seen
    QCOMPARE(note->toPlainText(), QString());
}

} // namespace vramscope

VRAMSCOPE_TEST(vramscope::BookmarkListTest)
#include "tst_bookmark_list.moc"
