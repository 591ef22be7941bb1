// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"
#include "ui/export/exported_view.h"
#include "ui/export/formats.h"
#include "ui/models/estimate_model.h"
#include "ui/support/text.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QPainter>
#include <QStandardItemModel>
#include <QTextDocument>
#include <QXmlStreamReader>

using namespace vramscope;
using namespace Qt::StringLiterals;

class ExportFormatsTest : public test::Test
{
    Q_OBJECT

private:
    static Drawing drawingOf(const QString &text)
    {
        return recorded({200, 50}, [&](QPainter &painter) { painter.drawText(10, 30, text); });
    }

private Q_SLOTS:
    void anSvgIsWellFormedWhateverStandsInIt()
    {
        const QString odd = u"run\x1b%1 <a> & \"b\" \x01\xfffe"_s;
        const QByteArray file = svg(drawingOf(odd), {odd, odd, {}});
        QXmlStreamReader reader(file);
        QStringList texts;
        while (!reader.atEnd()) {
            if (reader.readNext() == QXmlStreamReader::Characters && !reader.isWhitespace())
                texts += reader.text().toString();
        }
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        QVERIFY(texts.size() >= 3); // title, description, what was drawn
        for (const QString &text : texts)
            QVERIFY2(text.contains(u"%1 <a> & \"b\""_s), qPrintable(text));
    }

    void linesOfOneLookAreOnePathUnlessTheirCrossingsShow()
    {
        const auto pathsOf = [](const std::vector<QPen> &pens) {
            const Drawing drawing = recorded({200, 50}, [&](QPainter &painter) {
                int x = 0;
                for (const QPen &pen : pens) {
                    painter.setPen(pen);
                    x += 10;
                    painter.drawLine(x, 0, x + 20, 40);
                }
            });
            const QString text = QString::fromUtf8(svgElement(drawing, u"a"_s));
            return std::pair(text.count(u" fill=\"none\""_s), text.count(u".5L"_s));
        };
        const QPen black(Qt::black);
        const QPen faint(QColor(0, 0, 0, 100));
        QCOMPARE(pathsOf({black, black, black}), std::pair(qsizetype(1), qsizetype(3)));
        QCOMPARE(pathsOf({black, QPen(Qt::red), black}), std::pair(qsizetype(3), qsizetype(3)));
        QCOMPARE(pathsOf({faint, faint}), std::pair(qsizetype(2), qsizetype(2)));
    }

    void aTableOfMarkdownReadsAsItWasSeen()
    {
        const QStringList odd{u"__init__"_s, u"4*n*h | [x] `y`"_s, u"a & b &lt; <c> \\d"_s};
        Table table{u"A *title*"_s, {u"one"_s}, {}};
        for (const QString &text : odd)
            table.rows.push_back({{text, {}}});
        QTextDocument document;
        document.setMarkdown(QString::fromUtf8(markdown(table)));
        const QString read = document.toPlainText();
        for (const QString &text : odd)
            QVERIFY2(read.contains(text), qPrintable(read));
        QVERIFY(read.startsWith(u"A *title*"_s));
    }

    void whatIsCutOffIsSaid()
    {
        QStandardItemModel model(10, 2);
        const Table whole = tableOf(model, u"t"_s);
        QCOMPARE(whole.leftOut, 0);
        const Table cut = tableOf(model, u"t"_s, 4);
        QCOMPARE(std::ssize(cut.rows), 4);
        QCOMPARE(cut.leftOut, 6);
        QCOMPARE(csv(cut).count("\r\n"), 1 + 4); // a row of a table that is no table says nothing
        QVERIFY(!csv(cut).contains("more"));
        QVERIFY(markdown(cut).endsWith("… and 6 more\n"));
        const QJsonObject read = QJsonDocument::fromJson(json(cut)).object();
        QCOMPARE(read[u"rows_left_out"_s].toInt(), 6);
        QVERIFY(!QJsonDocument::fromJson(json(whole)).object().contains(u"rows_left_out"_s));
    }

    void aCellMayHoldWhatSeparatesCells()
    {
        const Table table{{}, {u"a"_s, u"b"_s}, {{{u"x,\"y\"\nz"_s, {}}, {u"1.0 GiB"_s, 1 << 30}}}};
        QCOMPARE(csv(table), QByteArray("a,b\r\n\"x,\"\"y\"\"\nz\",1073741824\r\n"));
    }

    void whatASpreadsheetWouldRunIsText_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("runs");
        for (const char *text : {"=cmd|' /C calc'!A0", "@SUM(A1)", "+1+cmd|' /C calc'!A0", "-1+1",
                                 "-2.5+A1", "\tx", "\rx", "-x", "=1"})
            QTest::newRow(text) << QString::fromUtf8(text) << true;
        for (const char *text : {"-3.00 GiB", "+1.2 %", "-1,234", "+310 GiB·s", "12", "a=b", "-",
                                 "+12.4 µs", "torch/nn.py:12"})
            QTest::newRow(text) << QString::fromUtf8(text) << false;
    }

    void whatASpreadsheetWouldRunIsText()
    {
        QFETCH(QString, text);
        QFETCH(bool, runs);
        const Table table{{}, {u"a"_s, u"b"_s}, {{{text, {}}, {u"b"_s, {}}}}};
        const QString first = text.front() == u'\r' ? u"\"'"_s : u"'"_s; // a line end is quoted
        QCOMPARE(QString::fromUtf8(csv(table)).startsWith(u"a,b\r\n"_s + first), runs);
        QCOMPARE(plainText(table).contains(u"\n'"_s + text), runs);
        QCOMPARE(html(table).contains(u"<td>'"_s + text.toHtmlEscaped()), runs);
    }

    void theHeaderOfExactNumbersNamesTheirUnit()
    {
        Table table{{}, {u"part"_s, u"size"_s}, {{{u"a"_s, {}}, {u"1.0 GiB"_s, 1 << 30}}}};
        table.units = {QString(), u"bytes"_s};
        QCOMPARE(csv(table), QByteArray("part,size (bytes)\r\na,1073741824\r\n"));
        EstimateModel model;
        QCOMPARE(csv(tableOf(model, u"t"_s)), QByteArray("Part,Per GPU (bytes),Share,Sharded\r\n"));
    }

    void aPictureThatCannotBePaintedIsAnError()
    {
        ExportedView exhibit;
        exhibit.theme = lightTheme();
        exhibit.size = {20'000, 100};
        exhibit.captioned = false;
        exhibit.paint = [](QPainter &, double) {};
        QVERIFY(exported(exhibit, ViewFormat::Png).ok());
        const auto large = exported(exhibit, ViewFormat::Png, 4);
        QVERIFY(!large.ok());
        QVERIFY(toQString(large.error().text()).contains(u"pixels"_s));
        QVERIFY(!exported(exhibit, ViewFormat::Csv).ok()); // there is no table
    }
};

VRAMSCOPE_TEST(ExportFormatsTest)
#include "tst_export_formats.moc"
