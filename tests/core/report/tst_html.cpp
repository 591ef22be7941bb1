// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html.h"
#include "core/report/tables.h"
#include "tests/support/test.h"

using namespace vramscope;

namespace {

Report hostileReport()
{
    const std::string hostile = "\"><script>alert('1')</script><img src=http://a.example/x.png>";
    Report report;
    report.title = hostile;
    addHeading(report, 1, hostile);
    addAnswer(report, hostile, Tone::Bad);
    addParagraph(report, hostile, Tone::Warning);
    addParagraph(report, "The file ends in the middle.", Tone::Problem);
    TextTable table({Align::Left, Align::Right, Align::Left, Align::Left});
    table.addRow({hostile, "1", "", hostile});
    addTable(report, hostile, {hostile, "n", "", hostile}, table);
    addFigure(report, "bars", 1, hostile);
    report.origin = hostile;
    return report;
}

Pictures samplePictures()
{
    Picture picture;
    picture.light = {"light", 100, 50};
    picture.dark = {"dark!", 100, 50};
    picture.narrowLight = {"narrow", 50, 50};
    picture.narrowDark = {"narrow dark", 50, 50};
    return {{"bars-1", picture}};
}

} // namespace

class TestHtml : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void writesTextAsTextWhateverItHolds()
    {
        QCOMPARE(htmlText("<a href=\"x\">&</a>"), "&lt;a href=&quot;x&quot;&gt;&amp;&lt;/a&gt;");
        QCOMPARE(htmlText("GiB·s 4 × 8\n\t"), "GiB·s 4 × 8\n\t");
        QCOMPARE(htmlText(std::string("a\0b\x1b", 4)), "a\uFFFD"
                                                       "b\uFFFD");
        QCOMPARE(htmlText("\xff\xc0\xaf\xed\xa0\x80 \xf4\x90\x80\x80"),
                 "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD \uFFFD\uFFFD\uFFFD\uFFFD");
        QCOMPARE(htmlText("cut \xe2\x82"), "cut \uFFFD\uFFFD");
    }

    void letsNoNameOutOfItsPlace()
    {
        const std::string page = htmlPage(hostileReport(), samplePictures());
        const QString text = QString::fromStdString(page);
        QVERIFY(!text.contains("<script"));
        QCOMPARE(text.count("<img "), 4); // the picture
        QVERIFY(text.contains("</footer>"));
        QVERIFY(text.contains("<p class=\"warning\"><b>Problem:</b> The file ends in"));
        QVERIFY(text.count("alert") > 10);
        QCOMPARE(text.count("&lt;script&gt;alert"), text.count("alert"));
    }

    void asksForNothingBesideItself()
    {
        const QString page = QString::fromStdString(htmlPage(hostileReport(), samplePictures()));
        static const QRegularExpression kAddress(
            "<[^>]*(?:src|srcset|href|action)=\"(?!data:)|<link|<base|@import|url\\(");
        const auto match = kAddress.match(page);
        QVERIFY2(!match.hasMatch(), qPrintable(match.captured()));
        QVERIFY(page.contains("default-src 'none'"));
    }

    void hasThePicturesOfTheColoursThatAreWanted()
    {
        const auto encoded = [](const char *bytes) {
            return QString::fromLatin1(QByteArray(bytes).toBase64());
        };
        const auto page = [&](PageColors colors) {
            return QString::fromStdString(htmlPage(hostileReport(), samplePictures(), colors));
        };
        const QString both = page(PageColors::Both);
        for (const char *bytes : {"light", "dark!", "narrow", "narrow dark"})
            QCOMPARE(both.count(";base64," + encoded(bytes) + "\""), 1);
        QVERIFY(!page(PageColors::Light).contains(encoded("dark!")));
        QVERIFY(!page(PageColors::Light).contains("prefers-color-scheme"));
        QVERIFY(page(PageColors::Dark).contains("src=\"data:image/png;base64," + encoded("dark!")));
        QVERIFY(!page(PageColors::Dark).contains(encoded("narrow") + "\""));
    }

    void leavesOutFiguresWithoutAPicture()
    {
        QVERIFY(htmlPage(hostileReport(), {}).find("<figure") == std::string::npos);
    }

    void labelsTheCellsOfWideTablesForNarrowPages()
    {
        Report report;
        TextTable wide({Align::Left, Align::Right, Align::Right, Align::Right});
        wide.addRow({"a", "1", "2", "3"});
        addTable(report, "T", {"", "one", "two", "three"}, wide);
        TextTable narrow({Align::Left, Align::Right});
        narrow.addRow({"a", "1"});
        addTable(report, "", {"", "one"}, narrow);
        const QString page = QString::fromStdString(htmlPage(report, {}));
        QVERIFY(page.contains("<td class=\"n\" data-label=\"two\">2</td>"));
        QVERIFY(page.contains("<td class=\"n\">1</td>"));
    }

    void makesCardsOfRowsUnderLongHeadingsAndLeavesOutEmptyColumns()
    {
        Report report;
        TextTable settings({Align::Left, Align::Left, Align::Left, Align::Left});
        settings.addRow({"GPUs", "1", "2", ""});
        addTable(report, "", {"setting", "a plan with a name of some length", "b", "c"}, settings);
        const QString page = QString::fromStdString(htmlPage(report, {}));
        QVERIFY(page.contains("<td data-label=\"a plan with a name of some length\">1</td>"));
        QVERIFY(!page.contains("<th>c</th>"));
    }

    void setsNamesAndValuesApartFromTables()
    {
        Report report;
        TextTable pairs({Align::Left, Align::Left});
        pairs.addRow({"Strategy", "fsdp2"});
        addPairs(report, pairs);
        QVERIFY(htmlPage(report, {}).find("<table class=\"pairs\">") != std::string::npos);
    }
};

VRAMSCOPE_TEST(TestHtml)
#include "tst_html.moc"
