// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"
#include "tests/ui/trace/sample_trace.h"
#include "ui/support/help_link.h"
#include "ui/timeline/view_state.h"
#include "ui/trace/what_if_view.h"
#include "ui/window/commands.h"
#include "ui/window/help.h"
#include "ui/window/main_window.h"

#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTextBrowser>

using namespace vramscope;
using namespace Qt::StringLiterals;

class HelpTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void everyPageHasATitleAndText();
    void linksLeadToPages();
    void theMenuOpensTheHelp();
    void aLinkInAPageOpensItsHelp();
};

void HelpTest::everyPageHasATitleAndText()
{
    HelpWindow help;
    QCOMPARE(help.contents()->count(), int(HelpWindow::pages().size()));
    for (int row = 0; row < help.contents()->count(); ++row) {
        help.contents()->setCurrentRow(row);
        const QString title = help.contents()->item(row)->text();
        QVERIFY(!title.isEmpty());
        const QString text = help.text()->toPlainText();
        QVERIFY(text.startsWith(title));
        QVERIFY(text.size() > 500);
        QCOMPARE(help.page(), HelpWindow::pages()[row]);
    }
}

void HelpTest::linksLeadToPages()
{
    static const QRegularExpression link(u"href=\"([^\"]+)\""_s);
    HelpWindow help;
    int links = 0;
    for (const QString &page : HelpWindow::pages()) {
        help.showPage(page);
        QRegularExpressionMatchIterator found = link.globalMatch(help.text()->toHtml());
        while (found.hasNext()) {
            const QString target = found.next().captured(1);
            QVERIFY2(HelpWindow::pages().contains(target.chopped(3)), qPrintable(target));
            Q_EMIT help.text()->anchorClicked(QUrl(target));
            QCOMPARE(help.page(), target.chopped(3));
            help.showPage(page);
            ++links;
        }
    }
    QVERIFY(links >= 2);
}

void HelpTest::theMenuOpensTheHelp()
{
    const QTemporaryDir folder;
    MainWindow::Options options;
    options.preferencesFile = folder.filePath(u"settings.ini"_s);
    MainWindow window(std::move(options));
    QVERIFY(!window.help());
    window.run(Command::Help);
    QVERIFY(window.help() && window.help()->isVisible());
    window.help()->showPage(u"reconcile"_s);
    window.run(Command::Help); // stays where it was
    QCOMPARE(window.help()->page(), u"reconcile"_s);
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

QTEST_MAIN(HelpTest)
#include "tst_help.moc"
