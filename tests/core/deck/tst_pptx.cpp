// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deck/pptx.h"
#include "core/deck/pptx_slide.h"
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
    answer.question = "Does it fit?";
    answer.headline = "Does not fit: 34.1 GiB too much";
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

    void textsAndCellsAreTexts()
    {
        const QMap<QString, QByteArray> parts = partsOf(sampleDeck());
        QCOMPARE(
            test::slideTexts(parts[u"ppt/slides/slide1.xml"_s]),
            QStringList({u"Does not fit: 34.1 GiB too much"_s, u"Does it fit?"_s, u"Model"_s,
                         u"Llama"_s, u"GPUs"_s, u"8 × H200"_s, u"Llama <70B> & more"_s, u"‹#›"_s}));
        QCOMPARE(test::slideTexts(parts[u"ppt/slides/slide2.xml"_s]),
                 QStringList({u"Two ways"_s, u"Option"_s, u"Memory"_s, u"As it is"_s, u"174 GiB"_s,
                              u"Fused"_s, u"120 GiB"_s, u"Say this."_s, u"And that."_s,
                              u"Llama <70B> & more · end"_s, u"‹#›"_s}));
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
        QVERIFY(pictureRoom(deck.slides[0]).height < room.height);
        const QMap<QString, QByteArray> parts = partsOf(deck);
        QCOMPARE(test::packageFaults(parts), QStringList());
        const QStringList texts = test::slideTexts(parts[u"ppt/slides/slide1.xml"_s]);
        QCOMPARE(texts.mid(0, 2), QStringList({u"Problem: The file ends in the middle."_s,
                                               u"Does not fit: 34.1 GiB too much"_s}));
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
