// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deck/pptx.h"
#include "core/deck/pptx_slide.h"
#include "tests/support/test.h"

#include <QDir>
#include <QMap>
#include <QRegularExpression>
#include <QXmlStreamReader>

#include <zip.h>

using namespace Qt::StringLiterals;

namespace vramscope {

namespace {

/// The files of an archive by their names, as a program that opens it finds them.
QMap<QString, QByteArray> partsOf(const std::string &archive)
{
    QMap<QString, QByteArray> parts;
    zip_source_t *source = zip_source_buffer_create(archive.data(), archive.size(), 0, nullptr);
    zip_t *zip = zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, nullptr);
    if (!zip)
        return parts;
    for (zip_int64_t at = 0; at < zip_get_num_entries(zip, 0); ++at) {
        zip_stat_t stat;
        zip_stat_index(zip, static_cast<zip_uint64_t>(at), 0, &stat);
        QByteArray bytes(static_cast<qsizetype>(stat.size), '\0');
        zip_file_t *file = zip_fopen_index(zip, static_cast<zip_uint64_t>(at), 0);
        zip_fread(file, bytes.data(), stat.size);
        zip_fclose(file);
        parts[QString::fromUtf8(stat.name)] = bytes;
    }
    zip_discard(zip);
    return parts;
}

/// The texts of a slide, each of its runs.
QStringList textsOf(const QByteArray &slide)
{
    QStringList texts;
    QXmlStreamReader xml(slide);
    while (!xml.atEnd()) {
        if (xml.readNext() == QXmlStreamReader::StartElement && xml.qualifiedName() == u"a:t")
            texts += xml.readElementText();
    }
    return texts;
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
    void everyPartIsWellFormedAndNamedByItsType()
    {
        const QMap<QString, QByteArray> parts = partsOf(*pptx(sampleDeck()));
        QVERIFY(parts.size() > 12);
        QStringList overridden;
        QStringList endings;
        for (auto part = parts.begin(); part != parts.end(); ++part) {
            if (part.key().startsWith(u"ppt/media/"_s))
                continue;
            QXmlStreamReader xml(part.value());
            while (!xml.atEnd()) {
                xml.readNext();
                if (xml.name() == u"Override" && xml.isStartElement())
                    overridden += xml.attributes().value(u"PartName"_s).toString().mid(1);
                if (xml.name() == u"Default" && xml.isStartElement())
                    endings += xml.attributes().value(u"Extension"_s).toString();
            }
            QVERIFY2(!xml.hasError(), qPrintable(part.key() + u": "_s + xml.errorString()));
        }
        for (const QString &name : overridden)
            QVERIFY2(parts.contains(name), qPrintable(name));
        for (auto part = parts.begin(); part != parts.end(); ++part)
            QVERIFY2(overridden.contains(part.key()) ||
                         endings.contains(part.key().section(u'.', -1)),
                     qPrintable(part.key()));
        QVERIFY(overridden.contains(u"ppt/slides/slide2.xml"_s));
    }

    void everyRelationLeadsToAPartAndEveryReferenceToARelation()
    {
        const QMap<QString, QByteArray> parts = partsOf(*pptx(sampleDeck()));
        int relations = 0;
        for (auto part = parts.begin(); part != parts.end(); ++part) {
            if (!part.key().endsWith(u".rels"_s))
                continue;
            // "ppt/slides/_rels/slide1.xml.rels" is of "ppt/slides/slide1.xml".
            const QString folder = part.key().section(u"_rels/"_s, 0, 0);
            const QString owner = folder + part.key().section(u"_rels/"_s, 1).chopped(5);
            QStringList ids;
            QXmlStreamReader xml(part.value());
            while (!xml.atEnd()) {
                if (xml.readNext() != QXmlStreamReader::StartElement ||
                    xml.name() != u"Relationship")
                    continue;
                const QString target = xml.attributes().value(u"Target"_s).toString();
                const QString path = QDir::cleanPath(folder + target);
                QVERIFY2(parts.contains(path), qPrintable(part.key() + u" → "_s + path));
                ids += xml.attributes().value(u"Id"_s).toString();
                ++relations;
            }
            static const QRegularExpression reference(u"r:(?:id|embed)=\"(\\w+)\""_s);
            auto matches = reference.globalMatch(QString::fromUtf8(parts.value(owner)));
            while (matches.hasNext())
                QVERIFY2(ids.contains(matches.next().captured(1)), qPrintable(owner));
        }
        QCOMPARE(relations, 3 + 4 + 2 + 1 + 3 + 1);
    }

    void textsAndCellsAreTexts()
    {
        const QMap<QString, QByteArray> parts = partsOf(*pptx(sampleDeck()));
        QCOMPARE(
            textsOf(parts[u"ppt/slides/slide1.xml"_s]),
            QStringList({u"Does not fit: 34.1 GiB too much"_s, u"Does it fit?"_s, u"Model"_s,
                         u"Llama"_s, u"GPUs"_s, u"8 × H200"_s, u"Llama <70B> & more"_s, u"‹#›"_s}));
        QCOMPARE(textsOf(parts[u"ppt/slides/slide2.xml"_s]),
                 QStringList({u"Two ways"_s, u"Option"_s, u"Memory"_s, u"As it is"_s, u"174 GiB"_s,
                              u"Fused"_s, u"120 GiB"_s, u"Say this."_s, u"And that."_s,
                              u"Llama <70B> & more"_s, u"‹#›"_s}));
        // Colours and faces are those of the theme, so that a company's own can take their place.
        for (const char *slide : {"ppt/slides/slide1.xml", "ppt/slides/slide2.xml"}) {
            const QByteArray xml = parts[QString::fromLatin1(slide)];
            QVERIFY(!xml.contains("srgbClr") && !xml.contains("typeface"));
        }
    }

    void aPictureIsPixelsWithVectorsBeside()
    {
        const QMap<QString, QByteArray> parts = partsOf(*pptx(sampleDeck()));
        QCOMPARE(parts[u"ppt/media/image1.png"_s], QByteArray("png bytes"));
        QCOMPARE(parts[u"ppt/media/image1.svg"_s], QByteArray("<svg/>"));
        const QByteArray slide = parts[u"ppt/slides/slide1.xml"_s];
        QVERIFY(slide.contains("{96DAC541-7B7A-43D3-8B79-37D633B846F1}"));
        QVERIFY(slide.indexOf("r:embed=\"rId2\"") < slide.indexOf("asvg:svgBlip"));
        SlideDeck pixels = sampleDeck();
        pixels.slides[0].picture->svg.clear();
        const QMap<QString, QByteArray> without = partsOf(*pptx(pixels));
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
