// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"
#include "ui/page/head.h"

#include <QLabel>
#include <QPushButton>

using namespace vramscope;
using namespace Qt::StringLiterals;

/// A head shows one line of its notes, and the others where they are asked for.
class FoldedLabelTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void theFirstLineIsShownAndTheOthersAreAClickAway();
    void oneLineHasNoButton();
    void linesAreNoMarkup();

private:
    [[nodiscard]] static QString seen(const FoldedLabel &label)
    {
        return label.findChild<QLabel *>()->text();
    }
};

void FoldedLabelTest::theFirstLineIsShownAndTheOthersAreAClickAway()
{
    FoldedLabel label(u"the first\nthe second\nthe third"_s);
    auto *more = label.findChild<QPushButton *>();
    QCOMPARE(seen(label), u"the first"_s);
    QVERIFY(!more->isHidden());
    more->click();
    QCOMPARE(seen(label), u"the first\nthe second\nthe third"_s);
    label.setLines(u"another\nand its second"_s); // stays unfolded for who wanted to see more
    QCOMPARE(seen(label), u"another\nand its second"_s);
    more->click();
    QCOMPARE(seen(label), u"another"_s);
}

void FoldedLabelTest::oneLineHasNoButton()
{
    FoldedLabel label(u"all there is"_s);
    QCOMPARE(seen(label), u"all there is"_s);
    QVERIFY(!label.findChild<QPushButton *>());
    label.setLines(u"one\ntwo"_s);
    QVERIFY(!label.findChild<QPushButton *>()->isHidden());
}

void FoldedLabelTest::linesAreNoMarkup()
{
    const FoldedLabel label(u"<b>a name</b> & another"_s);
    QCOMPARE(label.findChild<QLabel *>()->textFormat(), Qt::PlainText);
}

VRAMSCOPE_TEST(FoldedLabelTest)
#include "tst_folded_label.moc"
