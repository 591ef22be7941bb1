// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/recipes.h"
#include "tests/support/test.h"
#include "tests/ui/trace/sample_trace.h"
#include "ui/support/help_link.h"
#include "ui/support/text.h"
#include "ui/timeline/view_state.h"
#include "ui/trace/coloring.h"
#include "ui/trace/render.h"
#include "ui/trace/trace_view.h"
#include "ui/trace/what_if_view.h"
#include "ui/window/commands.h"
#include "ui/window/document_tab.h"
#include "ui/window/help.h"
#include "ui/window/main_window.h"

#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTextBlock>
#include <QTextBrowser>

using namespace vramscope;
using namespace Qt::StringLiterals;

class HelpTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void everyPageHasATitleAndText();
    void linksLeadToPages();
    void theMenuOpensTheHelpOfWhatIsInFront();
    void aPageOpensAtAHeading();
    void theSearchLeavesPagesThatHaveTheWords();
    void theRecipesOfTheProgramStandInTheHelp();
    void aLinkInAPageOpensItsHelp();
};

void HelpTest::everyPageHasATitleAndText()
{
    HelpWindow help;
    QCOMPARE(help.contents()->count(), int(helpPages().size()));
    for (int row = 0; row < help.contents()->count(); ++row) {
        help.contents()->setCurrentRow(row);
        const QString title = help.contents()->item(row)->text();
        QVERIFY(!title.isEmpty());
        const QString text = help.text()->toPlainText();
        QVERIFY(text.startsWith(title));
        QVERIFY(text.size() > 500);
        QCOMPARE(help.page(), helpPages()[row]);
    }
}

void HelpTest::linksLeadToPages()
{
    static const QRegularExpression link(u"href=\"([^\"]+)\""_s);
    HelpWindow help;
    int links = 0;
    for (const QString &page : helpPages()) {
        help.showPage(page);
        QRegularExpressionMatchIterator found = link.globalMatch(help.text()->toHtml());
        while (found.hasNext()) {
            const QUrl target(found.next().captured(1));
            const QString name = target.path().chopped(3);
            QVERIFY2(helpPages().contains(name), qPrintable(target.toString()));
            Q_EMIT help.text()->anchorClicked(target);
            QCOMPARE(help.page(), name);
            help.showPage(page);
            ++links;
        }
    }
    QVERIFY(links >= 2);
}

void HelpTest::theMenuOpensTheHelpOfWhatIsInFront()
{
    const QTemporaryDir folder;
    MainWindow::Options options;
    options.preferencesFile = folder.filePath(u"settings.ini"_s);
    MainWindow window(std::move(options));
    QVERIFY(!window.help());
    window.run(Command::Help);
    QVERIFY(window.help() && window.help()->isVisible());
    QCOMPARE(window.help()->page(), u"index"_s);
    window.run(Command::NewPlan);
    window.run(Command::Help); // what is in front
    QCOMPARE(window.help()->page(), u"plan"_s);
    window.openFiles({u":/examples/training-out-of-memory.pickle"_s});
    DocumentTab *trace = window.tabs()->current();
    QTRY_COMPARE(trace->state(), DocumentTab::State::Ready);
    window.run(Command::Help);
    QCOMPARE(window.help()->page(), u"trace"_s);
    trace->page()->traceUse()->showView({.view = TraceView::WhatIf, .colorBy = ColorBy::Stack});
    window.run(Command::Help);
    QCOMPARE(window.help()->page(), u"what-if"_s);
}

void HelpTest::aPageOpensAtAHeading()
{
    HelpWindow help;
    help.show();
    help.showPage(u"trace#findings"_s);
    QCOMPARE(help.page(), u"trace"_s);
    QCOMPARE(help.text()->textCursor().block().text(), u"Findings"_s);
    help.showPage(u"no-such-page"_s);
    QCOMPARE(help.page(), u"trace"_s);
}

void HelpTest::theSearchLeavesPagesThatHaveTheWords()
{
    HelpWindow help;
    help.show();
    help.search()->setText(u"Skew"_s); // of ranks
    QCOMPARE(help.page(), u"compare"_s);
    QVERIFY(help.contents()->item(0)->isHidden());
    QVERIFY(!help.text()->extraSelections().isEmpty());
    QCOMPARE(help.text()->textCursor().selectedText().toLower(), u"skew"_s);
    help.search()->setText(u"stranded"_s);
    help.search()->setFocus();
    QSet<QString> pages;
    for (int step = 0; step < 60; ++step) {
        QTest::keyClick(help.search(), Qt::Key_Return);
        QCOMPARE(help.text()->textCursor().selectedText().toLower(), u"stranded"_s);
        pages += help.page();
    }
    QVERIFY(pages.contains(u"trace"_s) && pages.contains(u"what-if"_s));
    QTest::keyClick(help.search(), Qt::Key_Escape);
    QVERIFY(help.search()->text().isEmpty() && help.isVisible());
    QVERIFY(!help.contents()->item(0)->isHidden());
}

void HelpTest::theRecipesOfTheProgramStandInTheHelp()
{
    HelpWindow help;
    help.showPage(u"recording"_s);
    const QString text = help.text()->toPlainText();
    for (const Recipe &each : recipes()) {
        const QString lines = toQString(each.lines).trimmed();
        const QString first = // of a whole program only what is said of it
            (lines.size() > 10'000 ? toQString(each.notes) : lines).section(u'\n', 0, 0);
        QVERIFY2(text.contains(first), qPrintable(toQString(each.topic)));
        QVERIFY2(text.contains(toQString(each.title).mid(1)), qPrintable(toQString(each.topic)));
    }
}

void HelpTest::aLinkInAPageOpensItsHelp()
{
    const QTemporaryDir folder;
    MainWindow::Options options;
    options.preferencesFile = folder.filePath(u"settings.ini"_s);
    MainWindow window(std::move(options));
    auto *link = helpLink(u"reconcile"_s);
    auto *inside = new QWidget(&window);
    link->setParent(inside);
    link->click();
    QVERIFY(window.help());
    QCOMPARE(window.help()->page(), u"reconcile"_s);
    TimelineState state;
    WhatIfView view(analyse(test::SampleTrace().finish()), &state);
    view.setParent(&window);
    for (QPushButton *button : view.findChildren<QPushButton *>()) {
        if (button->text() == link->text())
            button->click();
    }
    QCOMPARE(window.help()->page(), u"what-if"_s);
}

VRAMSCOPE_TEST(HelpTest)
#include "tst_help.moc"
