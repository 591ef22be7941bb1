// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/package_parts.h"
#include "tests/support/test.h"
#include "ui/deck/deck.h"
#include "ui/stage/slide_bars.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

QString example(const QString &name)
{
    return test::projectFile(u"resources/examples/"_s + name);
}

/// Runs `vramscope present` over files; what it complains of.
QString presented(const QStringList &arguments)
{
    QProcess process;
    process.start(QStringLiteral(VRAMSCOPE_PROGRAM), QStringList{u"present"_s} + arguments);
    if (!process.waitForFinished(120'000) || process.exitStatus() != QProcess::NormalExit)
        return process.errorString();
    const QByteArray said = process.readAllStandardError();
    return process.exitCode() == 0 ? QString() : QString::fromUtf8(said);
}

QByteArray bytesOfFile(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

StageItem sampleSlide(const QString &name, bool shown)
{
    return {name.toStdString(), name,
            [name] {
                const SlideBars bars = levelBars({{u"in use"_s, kGiB}}, ByteUnit::Binary, 2 * kGiB);
                StageScene scene{u"headline of "_s + name, std::make_shared<SlideBarsView>(bars)};
                scene.kicker = u"kicker of "_s + name;
                scene.table = SlideTable{{"What", "How much"}, {{"a & b", "1 GiB"}}, {0}};
                return scene;
            },
            shown, u"note of "_s + name};
}

} // namespace

class DeckTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsShownIsASlideWithTextsATableAndAPicture()
    {
        const Deck deck{u"A plan"_s,
                        u"a.vramplan"_s,
                        {},
                        {sampleSlide(u"one"_s, true), sampleSlide(u"two"_s, false),
                         sampleSlide(u"three"_s, true)}};
        const auto bytes = deckFile(deck, DeckFormat::Pptx);
        QVERIFY(bytes.ok());
        const auto parts = test::packageParts(*bytes);
        QCOMPARE(test::packageFaults(parts), QStringList());
        QVERIFY(!parts.contains(u"ppt/slides/slide3.xml"_s));
        const QStringList texts = test::slideTexts(parts[u"ppt/slides/slide2.xml"_s]);
        for (const QString &text :
             {u"kicker of three"_s, u"headline of three"_s, u"What"_s, u"How much"_s, u"a & b"_s,
              u"1\u00A0GiB"_s, u"note of three"_s, u"A plan"_s})
            QVERIFY2(texts.contains(text), qPrintable(text));
        QVERIFY(QImage::fromData(parts[u"ppt/media/image1.png"_s]).width() > 1000);
        QVERIFY(parts[u"ppt/media/image1.svg"_s].contains("In use"));
    }

    void aPageIsWrittenForEachSlide()
    {
        const Deck deck{
            u"A plan"_s, {}, {}, {sampleSlide(u"one"_s, true), sampleSlide(u"three"_s, true)}};
        const auto bytes = deckFile(deck, DeckFormat::Pdf);
        QVERIFY(bytes.ok() && bytes->startsWith("%PDF"));
        QCOMPARE(bytes->count("/Type /Page\n"), 2);
        QVERIFY(*bytes == *deckFile(deck, DeckFormat::Pdf));
    }

    void nothingShownIsNoPresentation()
    {
        const auto bytes =
            deckFile({u"A plan"_s, {}, {}, {sampleSlide(u"one"_s, false)}}, DeckFormat::Pptx);
        QVERIFY(!bytes.ok());
        QVERIFY(QString::fromStdString(bytes.error().detail).contains(u"nothing ticked"));
    }

    void theProgramPresentsPlansAndRecordings_data()
    {
        QTest::addColumn<QStringList>("files");
        QTest::addColumn<QStringList>("says");
        QTest::newRow("a plan") << QStringList{example(u"llama-70b-8xh200.vramplan"_s)}
                                << QStringList{u"does not fit"_s, u"As planned"_s, u"Costs"_s,
                                               u"Next"_s};
        QTest::newRow("two plans")
            << QStringList{example(u"llama-70b-8xh200.vramplan"_s),
                           example(u"llama-70b-4xa100.vramplan"_s)}
            << QStringList{u"Neither A nor B fits as it is:"_s, u"Tokens/s"_s};
        QTest::newRow("two plans that fit") << QStringList{example(u"gpt2-small-h100.vramplan"_s),
                                                           example(u"gpt2-large-2xh100.vramplan"_s)}
                                            << QStringList{u"Spare on each GPU"_s};
        QTest::newRow("a recording")
            << QStringList{example(u"training-out-of-memory.pickle"_s)}
            << QStringList{u"Why did it run out of memory?"_s, u"Remedy"_s};
    }

    void theProgramPresentsPlansAndRecordings()
    {
        QFETCH(QStringList, files);
        QFETCH(QStringList, says);
        const QTemporaryDir folder;
        for (const QString &ending : {u"pptx"_s, u"pdf"_s}) {
            QByteArrayList written;
            for (const QString &name : {u"a."_s, u"b."_s}) {
                const QString out = folder.filePath(name + ending);
                QCOMPARE(presented(files + QStringList{u"--out"_s, out}), QString());
                written += bytesOfFile(out);
            }
            QVERIFY(written[0].size() > 10'000);
            QVERIFY(written[0] == written[1]);
        }
        const auto parts = test::packageParts(bytesOfFile(folder.filePath(u"a.pptx"_s)));
        QCOMPARE(test::packageFaults(parts), QStringList());
        QStringList texts;
        for (auto part = parts.begin(); part != parts.end(); ++part) {
            if (part.key().startsWith(u"ppt/slides/slide"_s))
                texts += test::slideTexts(part.value());
        }
        for (const QString &text : says)
            QVERIFY2(texts.contains(text), qPrintable(text));
    }

    void whatCannotBePresentedIsSaid()
    {
        const QTemporaryDir folder;
        const QString plan = example(u"gpt2-small-h100.vramplan"_s);
        QVERIFY(presented({plan, u"--out"_s, folder.filePath(u"a.key"_s)})
                    .contains(u"neither .pptx nor .pdf"));
        QVERIFY(presented({plan}).contains(u"needs --out"));
        QVERIFY(presented({folder.filePath(u"none"_s), u"--out"_s, folder.filePath(u"a.pdf"_s)})
                    .contains(u"There is no such file"));
        QVERIFY(presented({plan, u"--out"_s, u"/dev/full"_s, u"--format"_s, u"pdf"_s})
                    .contains(u"No space left"));
    }

    void redactedSlidesNameNobody()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(u"of-alice.pickle"_s);
        QVERIFY(QFile::copy(example(u"training-out-of-memory.pickle"_s), file));
        const QString out = folder.filePath(u"a.pptx"_s);
        QCOMPARE(presented({file, u"--redact"_s, u"--out"_s, out}), QString());
        const auto parts = test::packageParts(bytesOfFile(out));
        QVERIFY(!parts.isEmpty());
        for (const QByteArray &part : parts)
            QVERIFY(!part.contains("alice"));
    }
};

} // namespace vramscope

VRAMSCOPE_TEST(vramscope::DeckTest)
#include "tst_deck.moc"
