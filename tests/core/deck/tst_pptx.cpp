// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deck/arial.h"
#include "core/deck/pptx.h"
#include "core/deck/pptx_slide.h"
#include "core/deck/slide_layout.h"
#include "tests/support/package_parts.h"
#include "tests/support/test.h"

using namespace Qt::StringLiterals;

namespace vramscope {

namespace {

QMap<QString, QByteArray> partsOf(const SlideDeck &deck)
{
    return test::packageParts(QByteArray::fromStdString(*pptx(deck)));
}

SlideDeck sampleDeck()
{
    SlideDeck deck;
    deck.title = "Llama <70B> & more";
    deck.source = "a.vramplan";
    deck.date = "2024-05-01T12:00:00Z";
    deck.colors = {"1A1A1A", "FFFFFF", "666666", "DDDDDD", "2255CC", "118844", "AA7700", "BB2222"};
    Slide answer;
    answer.kicker = "ZeRO-3 on 8 × H200";
    answer.headline = "It does not fit: 34.1 GiB too much";
    answer.verdict = "does not fit";
    answer.speech = "Parameters: 16.4 GiB (source)\nGradients: 16.4 GiB";
    answer.tone = SlideTone::Bad;
    answer.table = SlideTable{{"", ""}, {{"Model", "Llama"}, {"GPUs", "8 × H200"}}, {0, 1}, {}};
    answer.picture = SlidePicture{"png bytes", "<svg/>", "Levels against \"capacity\""};
    Slide options;
    options.headline = "Two ways";
    options.table =
        SlideTable{{"Option", "Memory"}, {{"As it is", "174 GiB"}, {"Fused", "120 GiB"}}, {0}, 1};
    options.note = "Say this.\nAnd that.";
    deck.slides = {answer, options};
    return deck;
}

} // namespace

class TestPptx : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void everyPartIsWellFormedTypedAndRelated()
    {
        const QMap<QString, QByteArray> parts = partsOf(sampleDeck());
        QVERIFY(parts.contains(u"ppt/slides/slide2.xml"_s));
        QVERIFY(parts.contains(u"ppt/theme/theme1.xml"_s));
        QCOMPARE(test::packageFaults(parts), QStringList());
    }

    void wordsAreCutBeforeFigures()
    {
        const SlideTable table{{"Operator", "Calls", "Device self", "Host total"},
                               {{std::string(120, 'x'), "1,024", "47.64 ms", "2.014 s"}},
                               {0},
                               {}};
        const Measure measure = [](std::string_view text, double points, bool) {
            return 0.5 * points * static_cast<double>(text.size());
        };
        const TableLayout layout = tableLayout(table, 500, 300, measure);
        QVERIFY(layout.cells[0][0].lines.back().ends_with("…"));
        for (std::size_t column = 1; column < table.columns.size(); ++column) {
            QCOMPARE(layout.cells[0][column].lines.size(), std::size_t(1));
            QVERIFY(!layout.cells[0][column].lines[0].ends_with("…"));
        }
    }

    void textsAndCellsAreTexts()
    {
        const QMap<QString, QByteArray> parts = partsOf(sampleDeck());
        QCOMPARE(test::slideTexts(parts[u"ppt/slides/slide1.xml"_s]),
                 QStringList({u"It "_s, u"does not fit"_s, u": 34.1\u00A0GiB too much"_s,
                              u"ZeRO-3 on 8\u00A0×\u00A0H200"_s, u"Model"_s, u"Llama"_s, u"GPUs"_s,
                              u"8\u00A0×\u00A0H200"_s, u"Llama <70B> & more"_s, u"‹#›"_s}));
        QCOMPARE(test::slideTexts(parts[u"ppt/slides/slide2.xml"_s]),
                 QStringList({u"Two ways"_s, u"Option"_s, u"Memory"_s, u"As it is"_s,
                              u"174\u00A0GiB"_s, u"Fused"_s, u"120\u00A0GiB"_s, u"Say this."_s,
                              u"And that."_s, u"Llama <70B> & more"_s, u"‹#›"_s}));
        QCOMPARE(
            test::slideTexts(parts[u"ppt/notesSlides/notesSlide1.xml"_s]),
            QStringList({u"Parameters: 16.4\u00A0GiB (source)"_s, u"Gradients: 16.4\u00A0GiB"_s}));
        QVERIFY(!parts.contains(u"ppt/notesSlides/notesSlide2.xml"_s));
        // Colours and faces are those of the theme, so that a company's own can take their place.
        for (const char *slide : {"ppt/slides/slide1.xml", "ppt/slides/slide2.xml"}) {
            const QByteArray xml = parts[QString::fromLatin1(slide)];
            QVERIFY(!xml.contains("srgbClr"));
            QCOMPARE(xml.count("typeface"), xml.count("typeface=\"+mn-lt\""));
        }
    }

    // What limits the figures has a place of its own, before the sentence that it limits.
    void aProblemComesFirstAndTakesRoom()
    {
        SlideDeck deck = sampleDeck();
        const PictureRoom room = pictureRoom(deck.slides[0]);
        deck.slides[0].problem = "Problem: The file ends in the middle.";
        for (int more = 0; more < 8; ++more)
            deck.slides[0].problem += " So what follows is not known.";
        QVERIFY(pictureRoom(deck.slides[0]).height < room.height);
        deck.slides[0].problem = "Problem: The file ends in the middle.";
        const QMap<QString, QByteArray> parts = partsOf(deck);
        QCOMPARE(test::packageFaults(parts), QStringList());
        const QStringList texts = test::slideTexts(parts[u"ppt/slides/slide1.xml"_s]);
        QCOMPARE(texts.first(), u"Problem: The file ends in the middle."_s);
    }

    void aPictureIsPixelsWithVectorsBeside()
    {
        const QMap<QString, QByteArray> parts = partsOf(sampleDeck());
        QCOMPARE(parts[u"ppt/media/image1.png"_s], QByteArray("png bytes"));
        QCOMPARE(parts[u"ppt/media/image1.svg"_s], QByteArray("<svg/>"));
        const QByteArray slide = parts[u"ppt/slides/slide1.xml"_s];
        QVERIFY(slide.contains("{96DAC541-7B7A-43D3-8B79-37D633B846F1}"));
        QVERIFY(slide.indexOf("r:embed=\"rId2\"") < slide.indexOf("asvg:svgBlip"));
        SlideDeck pixels = sampleDeck();
        pixels.slides[0].picture->svg.clear();
        const QMap<QString, QByteArray> without = partsOf(pixels);
        QVERIFY(!without.contains(u"ppt/media/image1.svg"_s));
        QVERIFY(!without[u"ppt/slides/slide1.xml"_s].contains("svgBlip"));
    }

    void aTableKeepsToFiveRowsAndTheStrongOneIsAmongThem()
    {
        SlideTable table{{"Option", "Memory"}, {}, {0}, 7};
        for (int row = 0; row < 9; ++row)
            table.rows.push_back({"option " + std::to_string(row), std::to_string(row) + " GiB"});
        const SlideTable shown = shownRows(table);
        QCOMPARE(shown.rows.size(), std::size_t(5));
        QCOMPARE(shown.rows[*shown.strong][0], std::string("option 7"));
        const TableLayout layout = tableLayout(shown, kContentWide, 340, arialWidth);
        const std::vector<std::string> left = leftOutRows(table, layout);
        QCOMPARE(left.size(), std::size_t(4));
        QCOMPARE(left.front(), std::string("Option: option 4; Memory: 4 GiB"));
    }

    void figuresHaveTheWidthThatTheyNeedAndWordsTheRest()
    {
        const SlideTable table{{"Option", "Memory", "Cost"},
                               {{"Offload the states\n8 GPUs", "38.6", "98.6 GiB of host memory"}},
                               {0, 2},
                               {}};
        const TableLayout layout = tableLayout(table, kContentWide, 340, arialWidth);
        QCOMPARE(layout.type, 18.0);
        QCOMPARE(layout.cells[0][0].below, std::string("8\u00A0GPUs"));
        QVERIFY(layout.columns[1] < 100 && layout.columns[2] > 400);
        QVERIFY(std::abs(layout.left(3) - kContentWide) < 0.01);
    }

    void aTitlePartsAfterAClauseAndKeepsItsNumbersWhole()
    {
        const auto lines = [](const char *title) {
            return titleLines(title, kContentWide, arialWidth);
        };
        const TitleLines two =
            lines("Llama 3.1 70B does not fit on 8 × H200: each GPU needs 174 of "
                  "140 GiB");
        QCOMPARE(two.lines.size(), std::size_t(2));
        QVERIFY(two.lines[0].ends_with("H200:"));
        QCOMPARE(two.type, kTitleType);
        const TitleLines much = lines(std::string(400, 'x').insert(200, " ").c_str());
        QVERIFY(much.lines.size() <= 2 && much.type >= kLeastTitleType);
        QCOMPARE(unbroken("174 GiB, 1,024 tokens"), std::string("174\u00A0GiB, 1,024\u00A0tokens"));
    }

    void theSameDeckGivesTheSameBytes() { QVERIFY(*pptx(sampleDeck()) == *pptx(sampleDeck())); }

    void whatXmlCannotHoldIsLeftOut()
    {
        QCOMPARE(xmlText("a\x01<b>\"\xFF&\xEF\xBF\xBF\xC3\xA9"),
                 std::string("a&lt;b&gt;&quot;&amp;\xC3\xA9"));
    }
};

} // namespace vramscope

VRAMSCOPE_TEST(vramscope::TestPptx)
#include "tst_pptx.moc"
