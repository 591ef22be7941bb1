// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"
#include "ui/support/theme.h"
#include "ui/window/examples.h"
#include "ui/window/render.h"

#include <QImage>
#include <QSet>
#include <QTemporaryDir>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

/// Distinct colours on a coarse grid: a page has many, a blank one few.
qsizetype colorCount(const QImage &image)
{
    QSet<QRgb> colors;
    for (int y = 0; y < image.height(); y += 3) {
        for (int x = 0; x < image.width(); x += 3)
            colors.insert(image.pixel(x, y));
    }
    return colors.size();
}

RenderRequest requestFor(const QString &file, RenderView view, const QString &out)
{
    RenderRequest request;
    request.file = file;
    request.view = view;
    request.out = out;
    request.size = {900, 600};
    return request;
}

} // namespace

class TestRender : public test::Test
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    QString m_out = m_folder.filePath(u"out.png"_s);

private Q_SLOTS:
    void drawsEveryViewOfEveryExampleInTheSizeAsked_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<RenderView>("view");
        QTest::addColumn<bool>("dark");
        for (const Example &example : examples()) {
            for (const bool whole : {true, false}) {
                for (const bool dark : {true, false}) {
                    const RenderView view =
                        example.plan ? (whole ? RenderView::Plan : RenderView::Breakdown)
                                     : (whole ? RenderView::Trace : RenderView::Timeline);
                    QTest::addRow("%s, %s, %s", qPrintable(example.title), whole ? "page" : "view",
                                  dark ? "dark" : "light")
                        << example.path << view << dark;
                }
            }
        }
    }

    void drawsEveryViewOfEveryExampleInTheSizeAsked()
    {
        QFETCH(QString, file);
        QFETCH(RenderView, view);
        QFETCH(bool, dark);
        RenderRequest request = requestFor(file, view, m_out);
        request.dark = dark;
        const Outcome outcome = render(request);
        QVERIFY2(outcome.status == 0, qPrintable(outcome.message));
        const QImage image(m_out);
        QCOMPARE(image.size(), request.size);
        QVERIFY(colorCount(image) > 12);
        const int lightness = image.pixelColor(1, 1).lightness();
        QCOMPARE(lightness < 128, dark);
    }

    void theSizeMayBeSmallOrLarge_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("small") << QSize(320, 200);
        QTest::newRow("large") << QSize(3840, 2160);
    }

    void theSizeMayBeSmallOrLarge()
    {
        QFETCH(QSize, size);
        for (const auto &[file, view] : {std::pair(examples().front().path, RenderView::Plan),
                                         std::pair(examples().back().path, RenderView::Trace)}) {
            RenderRequest request = requestFor(file, view, m_out);
            request.size = size;
            QCOMPARE(render(request).status, 0);
            QCOMPARE(QImage(m_out).size(), size);
        }
    }

    void aViewOfTheOtherKindIsRefused()
    {
        const Outcome plan =
            render(requestFor(examples().front().path, RenderView::Timeline, m_out));
        QCOMPARE(plan.status, 1);
        QVERIFY(plan.message.contains(u"plan and breakdown"_s));
        const Outcome trace = render(requestFor(examples().back().path, RenderView::Plan, m_out));
        QCOMPARE(trace.status, 1);
        QVERIFY(trace.message.contains(u"its views are trace, active-memory"_s));
        const Outcome curves =
            render(requestFor(examples().back().path, RenderView::Series, m_out));
        QCOMPARE(curves.status, 1);
        QVERIFY(curves.message.contains(u"its views are trace, active-memory"_s));
    }

    void drawsCurvesOverTimeAndNoOtherViewOfThem()
    {
        const QString log = m_folder.filePath(u"usage.csv"_s);
        QFile file(log);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("timestamp, index, memory.used [MiB], memory.total [MiB]\n");
        for (int second = 0; second < 100; ++second) {
            for (int gpu = 0; gpu < 2; ++gpu)
                file.write(QByteArray::number(1'700'000'000 + second) + ", " +
                           QByteArray::number(gpu) + ", " +
                           QByteArray::number(1000 + second * 50 * (gpu + 1)) +
                           " MiB, 16000 MiB\n");
        }
        file.close();
        RenderRequest request = requestFor(log, RenderView::Series, m_out);
        const Outcome all = render(request);
        QVERIFY2(all.status == 0, qPrintable(all.message));
        const QImage both(m_out);
        QCOMPARE(both.size(), request.size);
        QVERIFY(colorCount(both) > 12);
        request.device = 1;
        QCOMPARE(render(request).status, 0);
        QVERIFY(QImage(m_out) != both);
        request.device = 7;
        QVERIFY(render(request).message.contains(u"no device 7"_s));
        request.view = RenderView::Timeline;
        QVERIFY(render(request).message.contains(u"its view is series"_s));
    }

    void aDeviceThatIsNotThereIsNamed()
    {
        RenderRequest request = requestFor(examples().back().path, RenderView::Timeline, m_out);
        request.device = 7;
        const Outcome outcome = render(request);
        QCOMPARE(outcome.status, 1);
        QVERIFY(outcome.message.contains(u'7'));
    }

    void anUnusableFileIsNamedWithItsSentence()
    {
        const Outcome outcome = render(requestFor(u"/no/such/file"_s, RenderView::Plan, m_out));
        QCOMPARE(outcome.status, 1);
        QVERIFY(outcome.message.startsWith(u"/no/such/file: "_s));
        QVERIFY(outcome.message.endsWith(u'.'));
    }

    void aPictureThatCannotBeWrittenIsSaidSo()
    {
        const Outcome outcome = render(requestFor(examples().front().path, RenderView::Plan,
                                                  m_folder.filePath(u"no/such/folder.png"_s)));
        QCOMPARE(outcome.status, 1);
        QVERIFY(outcome.message.contains(u"folder.png"_s));
    }
};

QTEST_MAIN(TestRender)
#include "tst_render.moc"
