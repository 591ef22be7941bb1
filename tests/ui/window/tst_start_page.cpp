// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"
#include "ui/window/loading_page.h"
#include "ui/window/recent_files.h"
#include "ui/window/start_page.h"

#include <QDir>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

QPushButton *buttonWith(const QWidget &page, const QString &text)
{
    for (auto *button : page.findChildren<QPushButton *>()) {
        if (button->text().startsWith(text))
            return button;
    }
    return nullptr;
}

} // namespace

class TestStartPage : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void aRecentFileComesFirstAndOnce()
    {
        const QStringList files = {u"/a"_s, u"/b"_s, u"/c"_s};
        QCOMPARE(withRecentFile(files, u"/c"_s), QStringList({u"/c"_s, u"/a"_s, u"/b"_s}));
        QCOMPARE(withRecentFile(files, u"/d"_s).first(), u"/d"_s);
    }

    void theListOfRecentFilesEnds()
    {
        QStringList files;
        for (int at = 0; at < 40; ++at)
            files = withRecentFile(files, u"/file%1"_s.arg(at));
        QCOMPARE(files.size(), kRecentFileCount);
        QCOMPARE(files.first(), u"/file39"_s);
    }

    void aRelativeNameIsRememberedFromTheRoot()
    {
        QVERIFY(QDir::isAbsolutePath(withRecentFile({}, u"run.pickle"_s).first()));
    }

    void theHomeFolderIsWrittenShort()
    {
        const auto described = describeRecentFiles(
            {QDir::homePath() + u"/runs/a.pickle"_s, QDir::homePath() + u"er/b.pickle"_s});
        QCOMPARE(described[0].folder, u"~/runs"_s);
        QCOMPARE(described[1].folder, QDir::homePath() + u"er"_s);
    }

    void missingFilesAreGreyedAndOthersOpen()
    {
        const QTemporaryDir folder;
        const QString there = folder.filePath(u"there.pickle"_s);
        QFile file(there);
        QVERIFY(file.open(QIODevice::WriteOnly));
        StartPage page;
        page.setRecentFiles({there, folder.filePath(u"gone.pickle"_s)});
        const QSignalSpy wanted(&page, &StartPage::documentWanted);
        QVERIFY(!buttonWith(page, u"gone.pickle"_s)->isEnabled());
        buttonWith(page, u"there.pickle"_s)->click();
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(wanted.first().first().toString(), there);
    }

    void offersToOpenAndToPlan()
    {
        StartPage page;
        const QSignalSpy open(&page, &StartPage::openWanted);
        const QSignalSpy plan(&page, &StartPage::newPlanWanted);
        buttonWith(page, u"Open file…"_s)->click();
        buttonWith(page, u"New plan"_s)->click();
        QCOMPARE(open.count(), 1);
        QCOMPARE(plan.count(), 1);
    }

    void timeLeftFollowsTheShareDone_data()
    {
        QTest::addColumn<int>("elapsed");
        QTest::addColumn<double>("share");
        QTest::addColumn<QString>("text");
        QTest::newRow("too early to say") << 100 << 0.5 << QString();
        QTest::newRow("nothing done yet") << 5000 << 0.0 << QString();
        QTest::newRow("done") << 5000 << 1.0 << QString();
        QTest::newRow("half after ten seconds") << 10'000 << 0.5 << u"about 10 s left"_s;
        QTest::newRow("nearly there") << 10'000 << 0.99 << u"less than a second left"_s;
        QTest::newRow("long") << 60'000 << 0.1 << u"about 9 min left"_s;
    }

    void timeLeftFollowsTheShareDone()
    {
        QFETCH(int, elapsed);
        QFETCH(double, share);
        QTEST(timeLeftText(elapsed, share), "text");
    }
};

QTEST_MAIN(TestStartPage)
#include "tst_start_page.moc"
