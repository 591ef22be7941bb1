// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html.h"
#include "core/report/tables.h"
#include "core/table/table.h"
#include "tests/support/test.h"

#include <QCryptographicHash>

using namespace vramscope;

namespace {

/// A row under headings; those that begin with # are of figures.
DataTable oneRow(const std::vector<std::string> &headings, std::vector<DataTable::Cell> row)
{
    std::vector<DataTable::Column> columns;
    for (const std::string &heading : headings) {
        const bool isFigure = heading.starts_with('#');
        const std::string title = heading.substr(isFigure ? 1 : 0);
        const auto kind = isFigure ? DataTable::Kind::Figure : DataTable::Kind::Text;
        columns.push_back({{}, title, kind, {}, title});
    }
    return madeTable({}, std::move(columns), {std::move(row)});
}

Report hostileReport()
{
    const std::string hostile = "\"><script>alert('1')</script><img src=http://a.example/x.png>";
    Report report;
    report.title = hostile;
    addHeading(report, 1, hostile);
    addAnswer(report, hostile, Tone::Bad);
    addParagraph(report, hostile, Tone::Warning);
    addParagraph(report, "The file ends in the middle.", Tone::Problem);
    addTable(report, hostile, oneRow({hostile, "#n", "", hostile}, {hostile, "1", "", hostile}),
             {});
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
        QCOMPARE(text.count("<script"), 1); // that of the page
        QCOMPARE(text.count("<img "), 4);   // the picture
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

    void runsOnlyTheScriptAndTheStyleThatItsPolicyNames()
    {
        const QString page = QString::fromStdString(htmlPage(hostileReport(), samplePictures()));
        const auto hashOf = [&](const QString &element) {
            const qsizetype first = page.lastIndexOf("<" + element + ">") + element.size() + 2;
            const qsizetype end = page.lastIndexOf("</" + element + ">");
            return "'sha256-" +
                   QCryptographicHash::hash(page.mid(first, end - first).toUtf8(),
                                            QCryptographicHash::Sha256)
                       .toBase64() +
                   "'";
        };
        const QString policy = page.section("http-equiv=\"Content-Security-Policy\"", 1)
                                   .section("content=\"", 1)
                                   .section('"', 0, 0);
        QVERIFY(policy.startsWith("default-src 'none'; img-src data:; "));
        QVERIFY(policy.contains("script-src " + hashOf("script") + ";"));
        QVERIFY(policy.contains("style-src-elem " + hashOf("style") + ";"));
        QVERIFY(!policy.contains("connect-src") && !policy.contains("eval"));
    }

    void hasTheDataOfAPictureNextToIt()
    {
        Pictures pictures = samplePictures();
        QVERIFY(htmlPage(hostileReport(), pictures).find("class=\"data\"") == std::string::npos);
        pictures.begin()->second.data = "{\"version\":1}";
        const QString page = QString::fromStdString(htmlPage(hostileReport(), pictures));
        const QString figure = page.section("<figure>", 1, 1).section("</figure>", 0, 0);
        QVERIFY(figure.contains("<script type=\"application/json\" class=\"data\" id=\"" +
                                QString::fromStdString(pictures.begin()->first) +
                                "\">{\"version\":1}</script>"));
    }

    void beginsWithLinksToItsSections()
    {
        QVERIFY(htmlPage(hostileReport(), {}).find("<nav") == std::string::npos); // of one
        Report report = hostileReport();
        addHeading(report, 1, "Second");
        addAnswer(report, "It fits.", Tone::Good);
        addAnswer(report, "Another sentence.", Tone::Plain);
        const QString page = QString::fromStdString(htmlPage(report, {}));
        const QString links =
            page.section("<nav aria-label=\"Contents\">", 1).section("</nav>", 0, 0);
        QVERIFY(links.contains("<a href=\"#section-1\">&quot;&gt;&lt;script&gt;"));
        QVERIFY(links.contains("<a href=\"#section-2\">Second</a><br/>It fits.</li>"));
        QVERIFY(!links.contains("Another"));
        QVERIFY(page.contains("<h1 id=\"section-2\">Second</h1>"));
    }

    void hasNoScriptWhereNothingAnswers()
    {
        Report report;
        addHeading(report, 1, "A picture");
        addFigure(report, "bars", 1, "Its caption");
        const QString page = QString::fromStdString(htmlPage(report, samplePictures()));
        QVERIFY(!page.contains("<script"));
        QVERIFY(page.contains("script-src 'none'"));
        Pictures explored = samplePictures();
        explored.begin()->second.data = "{}";
        QVERIFY(htmlPage(report, explored).find("<script>") != std::string::npos);
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
        QVERIFY(!page(PageColors::Light).contains("@media screen and (prefers-color-scheme"));
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
        addTable(report, "T", oneRow({"", "#one", "#two", "#three"}, {"a", "1", "2", "3"}), {});
        addTable(report, "", oneRow({"", "#one"}, {"a", "1"}), {});
        const QString page = QString::fromStdString(htmlPage(report, {}));
        QVERIFY(page.contains("<td class=\"n\" data-label=\"Two\">2</td>"));
        QVERIFY(page.contains("<td class=\"n\">1</td>"));
    }

    void makesCardsOfRowsUnderLongHeadingsAndLeavesOutEmptyColumns()
    {
        Report report;
        addTable(report, "",
                 oneRow({"setting", "a plan with a name of some length", "b", "c"},
                        {"GPUs", "1", "2", ""}),
                 {});
        const QString page = QString::fromStdString(htmlPage(report, {}));
        QVERIFY(page.contains("<td data-label=\"A plan with a name of some length\">1</td>"));
        QVERIFY(!page.contains("<th>C</th>"));
    }

    void setsNamesAndValuesApartFromTables()
    {
        Report report;
        addPairs(report, oneRow({"", ""}, {"Strategy", "fsdp2"}), {});
        QVERIFY(htmlPage(report, {}).find("<table class=\"pairs\">") != std::string::npos);
    }
};

VRAMSCOPE_TEST(TestHtml)
#include "tst_html.moc"
