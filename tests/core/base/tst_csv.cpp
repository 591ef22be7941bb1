// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/csv.h"
#include "tests/support/test.h"

using namespace vramscope;
using namespace Qt::StringLiterals;

class TestCsv : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void cellsInQuotesMayHoldCommasQuotesAndLineBreaks();
    void rowsKnowTheirLineInTheFile();
    void lineEndsAndByteOrderMarksOfOtherSystemsAreRead();
    void aColumnThatIsNotThereIsNamedWithThoseThatAre();
    void badTextIsRefusedWithItsLine_data();
    void badTextIsRefusedWithItsLine();
};

void TestCsv::cellsInQuotesMayHoldCommasQuotesAndLineBreaks()
{
    const auto table = parseCsv("a,b,c\n\"1,5\",\"say \"\"so\"\"\",\"two\nlines\"\n,,\n");
    QVERIFY(table.ok());
    QCOMPARE(table->rows.size(), 2U);
    const std::vector<std::string> first = {"1,5", "say \"so\"", "two\nlines"};
    const std::vector<std::string> second = {"", "", ""};
    QCOMPARE(table->rows[0].cells, first);
    QCOMPARE(table->rows[1].cells, second);
}

void TestCsv::rowsKnowTheirLineInTheFile()
{
    const auto table = parseCsv("a,b\n\"x\ny\",1\n\n2,3");
    QVERIFY(table.ok());
    QCOMPARE(table->rows.size(), 2U);
    QCOMPARE(table->rows[0].line, 2);
    QCOMPARE(table->rows[1].line, 5);
}

void TestCsv::lineEndsAndByteOrderMarksOfOtherSystemsAreRead()
{
    const auto table = parseCsv("\xef\xbb\xbfid,value\r\nx,1\r\n");
    QVERIFY(table.ok());
    QVERIFY(table->column("id").ok());
    QCOMPARE(table->rows.at(0).cells.at(1), std::string("1"));
}

void TestCsv::aColumnThatIsNotThereIsNamedWithThoseThatAre()
{
    const auto table = parseCsv("id,value\n");
    QVERIFY(table.ok());
    QCOMPARE(*table->column("value"), 1U);
    const auto missing = table->column("setup");
    QVERIFY(!missing.ok());
    QCOMPARE(missing.error().text(),
             std::string("Line 1: there is no column \"setup\"; the columns are: id, value."));
}

void TestCsv::badTextIsRefusedWithItsLine_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("nothing") << ""_ba
                             << "no header line"_ba;
    QTest::newRow("too few cells") << "a,b\n1,2\n3\n"_ba
                                   << "Line 3: it has 1 cell,"_ba;
    QTest::newRow("too many cells") << "a,b\n1,2,3\n"_ba
                                    << "Line 2: it has 3 cells,"_ba;
    QTest::newRow("a quote left open") << "a,b\n1,\"2\n3,4\n"_ba
                                       << "Line 2: a quote is opened"_ba;
    QTest::newRow("text behind a quote") << "a,b\n\"1\"x,2\n"_ba
                                         << "Line 2: text follows"_ba;
    QTest::newRow("a quote within") << "a,b\n1,2\" x\n"_ba
                                    << "Line 2: a quote stands inside"_ba;
}

void TestCsv::badTextIsRefusedWithItsLine()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, says);
    const auto table = parseCsv(text.toStdString());
    QVERIFY(!table.ok());
    QVERIFY2(table.error().text().find(says.toStdString()) != std::string::npos,
             table.error().text().c_str());
}

VRAMSCOPE_TEST(TestCsv)
#include "tst_csv.moc"
