// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/package_parts.h"
#include "tests/support/test.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QXmlStreamReader>

#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kTitleType = 2400; ///< hundredths of a point; 3000 where the title has room
constexpr int kLeastType = 1400;
constexpr int kFootType = 1100;
constexpr double kLeastPixels = 18.6; ///< of a picture's type: 14 points

/// What a shape or a cell of a slide holds.
struct Texts
{
    QString name;
    QList<int> sizes;
    int breaks = 0;
    int rows = 0;
};

/// The shapes of a slide, a table as one.
QList<Texts> shapesOf(const QByteArray &slide)
{
    QList<Texts> shapes;
    QXmlStreamReader xml(slide);
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement)
            continue;
        const QStringView tag = xml.qualifiedName();
        if (tag == u"p:cNvPr" && xml.attributes().value("id") != u"1")
            shapes.push_back({xml.attributes().value("name").toString(), {}, 0, 0});
        else if (shapes.isEmpty())
            continue;
        else if (tag == u"a:rPr" && xml.attributes().hasAttribute("sz"))
            shapes.back().sizes += xml.attributes().value("sz").toInt();
        else if (tag == u"a:br")
            ++shapes.back().breaks;
        else if (tag == u"a:tr")
            ++shapes.back().rows;
    }
    return shapes;
}

/// A number that may part from what it counts.
bool isBreakable(const QString &text)
{
    static const QRegularExpression kLoose(
        u"[0-9] (GiB|MiB|KiB|TiB|GB|MB|bytes|s|ms|h|days|GPUs?|tokens|tokens/s|%)(?![a-z])|× [A-Z]"_s);
    return text.contains(kLoose);
}

QStringList examplesToPresent()
{
    const QDir folder(test::projectFile(u"resources/examples"_s));
    return folder.entryList({u"*.vramplan"_s, u"*.pickle"_s}, QDir::Files, QDir::Name);
}

} // namespace

// Every slide of every example can be read from the last row.
class SlidesTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void everySlideCanBeRead_data()
    {
        QTest::addColumn<QStringList>("files");
        for (const QString &name : examplesToPresent())
            QTest::newRow(qPrintable(name)) << QStringList{name};
        QTest::newRow("two plans")
            << QStringList{u"llama-70b-8xh200.vramplan"_s, u"llama-70b-4xa100.vramplan"_s};
        QTest::newRow("two that fit")
            << QStringList{u"gpt2-small-h100.vramplan"_s, u"gpt2-large-2xh100.vramplan"_s};
    }

    void everySlideCanBeRead()
    {
        QFETCH(QStringList, files);
        const QTemporaryDir folder;
        const QString out = folder.filePath(u"a.pptx"_s);
        QStringList arguments{u"present"_s, u"--out"_s, out};
        for (const QString &file : files)
            arguments += test::projectFile(u"resources/examples/"_s + file);
        QCOMPARE(QProcess::execute(QStringLiteral(VRAMSCOPE_PROGRAM), arguments), 0);
        QFile file(out);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto parts = test::packageParts(file.readAll());
        QCOMPARE(test::packageFaults(parts), QStringList());
        int slides = 0;
        for (auto part = parts.begin(); part != parts.end(); ++part) {
            if (part.key().startsWith(u"ppt/slides/slide"_s)) {
                checkSlide(part.key(), part.value());
                ++slides;
            } else if (part.key().endsWith(u".svg"_s)) {
                checkPicture(part.key(), part.value());
            }
            if (QTest::currentTestFailed())
                return;
        }
        QVERIFY(slides > 1);
    }

private:
    static void checkSlide(const QString &name, const QByteArray &slide)
    {
        for (const Texts &shape : shapesOf(slide)) {
            const auto said = [&] { return qPrintable(name + u": "_s + shape.name); };
            const bool isFoot = shape.name == u"Footer" || shape.name == u"Slide number";
            const int least = shape.name == u"Title" ? kTitleType : isFoot ? kFootType : kLeastType;
            for (const int size : shape.sizes)
                QVERIFY2(size >= least, said());
            if (shape.name == u"Title")
                QVERIFY2(shape.breaks <= 1, said());
            QVERIFY2(shape.rows <= 6, said()); // with its head
        }
        for (const QString &text : test::slideTexts(slide))
            QVERIFY2(!isBreakable(text), qPrintable(text));
    }

    static void checkPicture(const QString &name, const QByteArray &svg)
    {
        static const QRegularExpression kSize(
            u"font-size=\"([0-9.]+)\"[^>]*?(?:transform=\"matrix\\(([-0-9.]+) ([-0-9.]+)|>)"_s);
        auto texts = kSize.globalMatch(QString::fromUtf8(svg));
        while (texts.hasNext()) {
            const QRegularExpressionMatch text = texts.next();
            const bool scales = text.hasCaptured(2);
            const double size =
                text.captured(1).toDouble() *
                (scales ? std::hypot(text.captured(2).toDouble(), text.captured(3).toDouble()) : 1);
            QVERIFY2(size >= kLeastPixels, qPrintable(u"%1: %2"_s.arg(name).arg(size)));
        }
    }
};

} // namespace vramscope

VRAMSCOPE_TEST(vramscope::SlidesTest)
#include "tst_slides.moc"
