// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"
#include "ui/support/wrapped_label.h"

using namespace vramscope;
using namespace Qt::StringLiterals;

class WrappedLabelTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void heightsAreThoseOfALabel_data()
    {
        QTest::addColumn<QString>("first");
        QTest::addColumn<Qt::TextInteractionFlags>("flags");
        const QString plain = u"allocated 61.6 GiB and reserved 65.9 GiB on the device "_s;
        const QString rich = u"<p><b>Weights</b>: %1</p><table><tr><td>%1</td></tr></table>"_s.arg(
            plain.repeated(2));
        QTest::newRow("plain") << plain << Qt::TextInteractionFlags(Qt::NoTextInteraction);
        QTest::newRow("selectable")
            << plain << Qt::TextInteractionFlags(Qt::TextBrowserInteraction);
        QTest::newRow("rich") << rich << Qt::TextInteractionFlags(Qt::NoTextInteraction);
        QTest::newRow("rich, selectable")
            << rich << Qt::TextInteractionFlags(Qt::TextSelectableByMouse);
    }

    void heightsAreThoseOfALabel()
    {
        QFETCH(QString, first);
        QFETCH(Qt::TextInteractionFlags, flags);
        WrappedLabel label;
        QLabel usual;
        usual.setWordWrap(true);
        for (QLabel *one : {static_cast<QLabel *>(&label), &usual}) {
            one->setTextFormat(Qt::mightBeRichText(first) ? Qt::RichText : Qt::PlainText);
            one->setTextInteractionFlags(flags);
            one->setContentsMargins(3, 4, 5, 6);
            one->setMargin(2);
            one->resize(300, 200);
            one->show();
        }
        for (const QString &text : {first, first + first, u"one line"_s, first}) {
            label.setText(text);
            usual.setText(text);
            for (const int width : {300, 180, 420}) {
                QCOMPARE(label.heightForWidth(width), usual.heightForWidth(width));
                QCOMPARE(label.grab().toImage(), usual.grab().toImage());
            }
            label.resize(label.width() - 40, 220);
            usual.resize(usual.width() - 40, 220);
            QCOMPARE(label.heightForWidth(label.width()), usual.heightForWidth(usual.width()));
            QCOMPARE(label.grab().toImage(), usual.grab().toImage());
        }
    }
};

VRAMSCOPE_TEST(WrappedLabelTest)
#include "tst_wrapped_label.moc"
