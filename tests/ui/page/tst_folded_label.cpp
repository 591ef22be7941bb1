// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"
#include "ui/page/folded_label.h"

#include <QTextDocument>

using namespace vramscope;
using namespace Qt::StringLiterals;

/// A head shows one line of its notes, and the others where they are asked for.
class FoldedLabelTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void theFirstLineIsShownAndTheOthersAreALinkAway();
    void oneLineHasNoLink();
    void linesAreNoMarkup();

private:
    [[nodiscard]] static QString seen(const FoldedLabel &label)
    {
        QTextDocument document;
        document.setHtml(label.text());
        return document.toPlainText();
    }
};

void FoldedLabelTest::theFirstLineIsShownAndTheOthersAreALinkAway()
{
    FoldedLabel label(u"the first\nthe second\nthe third"_s);
    QVERIFY(seen(label).startsWith(u"the first"_s));
    QVERIFY(!seen(label).contains(u"the second"_s));
    Q_EMIT label.linkActivated(u"more"_s);
    QVERIFY(seen(label).startsWith(u"the first\nthe second\nthe third"_s));
    label.setLines(u"another\nand its second"_s); // stays unfolded for who wanted to see more
    QVERIFY(seen(label).startsWith(u"another\nand its second"_s));
    Q_EMIT label.linkActivated(u"more"_s);
    QVERIFY(!seen(label).contains(u"its second"_s));
}

void FoldedLabelTest::oneLineHasNoLink()
{
    const FoldedLabel label(u"all there is"_s);
    QCOMPARE(seen(label), u"all there is"_s);
    QVERIFY(!label.text().contains(u"href"_s));
}

void FoldedLabelTest::linesAreNoMarkup()
{
    const FoldedLabel label(u"<b>a name</b> & another"_s);
    QCOMPARE(seen(label), u"<b>a name</b> & another"_s);
}

VRAMSCOPE_TEST(FoldedLabelTest)
#include "tst_folded_label.moc"
