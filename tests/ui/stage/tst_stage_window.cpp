// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"
#include "ui/stage/slide_bars.h"
#include "ui/stage/stage_window.h"

#include <QApplication>
#include <QPointer>
#include <QSignalSpy>
#include <QWheelEvent>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// Items "0", "1" and so on, of which the second is not shown.
std::vector<StageItem> items()
{
    std::vector<StageItem> made;
    for (int at = 0; at < 4; ++at) {
        const QString name = QString::number(at);
        made.push_back({name.toStdString(), name,
                        [name] {
                            const SlideBars bars =
                                levelBars({{u"in use"_s, kGiB}}, ByteUnit::Binary, 2 * kGiB);
                            return StageScene{name, std::make_shared<SlideBarsView>(bars)};
                        },
                        at != 1, u"note "_s + name});
    }
    return made;
}

bool isAllOf(const QImage &image, QRgb color)
{
    for (int y = 0; y < image.height(); y += 7) {
        for (int x = 0; x < image.width(); x += 7) {
            if (image.pixel(x, y) != color)
                return false;
        }
    }
    return true;
}

} // namespace

class StageWindowTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void keysStepThroughWhatIsShown()
    {
        StageWindow stage(items(), u"Plan"_s);
        QCOMPARE(stage.count(), 3);
        QCOMPARE(stage.footer(), u"Plan · 1 / 3"_s);
        const auto after = [&](Qt::Key key) {
            QTest::keyClick(&stage, key);
            return stage.headline();
        };
        for (const Qt::Key key : {Qt::Key_Right, Qt::Key_Down, Qt::Key_Space, Qt::Key_PageDown}) {
            QCOMPARE(after(Qt::Key_Home), u"0"_s);
            QCOMPARE(after(key), u"2"_s); // what is not shown is passed over
        }
        for (const Qt::Key key : {Qt::Key_Left, Qt::Key_Up, Qt::Key_Backspace, Qt::Key_PageUp}) {
            QCOMPARE(after(Qt::Key_End), u"3"_s);
            QCOMPARE(after(key), u"2"_s);
        }
        QCOMPARE(after(Qt::Key_End), u"3"_s);
        QCOMPARE(after(Qt::Key_Right), u"3"_s); // the last one stays
        QCOMPARE(after(Qt::Key_Home), u"0"_s);
        QCOMPARE(after(Qt::Key_Left), u"0"_s);
    }

    void aNumberAndEnterGoToAnItem()
    {
        StageWindow stage(items(), u"Plan"_s);
        QTest::keyClick(&stage, Qt::Key_3);
        QCOMPARE(stage.footer(), u"Plan · 1 / 3 → 3"_s);
        QTest::keyClick(&stage, Qt::Key_Return);
        QCOMPARE(stage.current(), 2);
        QCOMPARE(stage.footer(), u"Plan · 3 / 3"_s);
        QTest::keyClick(&stage, Qt::Key_1);
        QTest::keyClick(&stage, Qt::Key_Left); // forgets the number
        QCOMPARE(stage.current(), 1);
        QTest::keyClick(&stage, Qt::Key_Enter);
        QCOMPARE(stage.current(), 2); // one on, as ever
        for (const Qt::Key key : {Qt::Key_9, Qt::Key_9, Qt::Key_9, Qt::Key_9, Qt::Key_Enter})
            QTest::keyClick(&stage, key);
        QCOMPARE(stage.current(), 2); // as near as there is one
    }

    void theMouseIsHiddenUntilItMoves()
    {
        StageWindow stage(items(), u"Plan"_s);
        QCOMPARE(stage.cursor().shape(), Qt::BlankCursor);
        QMouseEvent moved(QEvent::MouseMove, QPointF(5, 5), QPointF(5, 5), Qt::NoButton,
                          Qt::NoButton, Qt::NoModifier);
        QApplication::sendEvent(&stage, &moved);
        QCOMPARE(stage.cursor().shape(), Qt::ArrowCursor);
        QTest::keyClick(&stage, Qt::Key_Right);
        QCOMPARE(stage.cursor().shape(), Qt::BlankCursor);
    }

    void tAsksForTheOtherColours()
    {
        StageWindow stage(items(), u"Plan"_s);
        QSignalSpy wanted(&stage, &StageWindow::otherColorsWanted);
        QTest::keyClick(&stage, Qt::Key_T);
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(stage.current(), 0);
    }

    void mouseAndWheelStepToo()
    {
        StageWindow stage(items(), u"Plan"_s);
        QTest::mouseClick(&stage, Qt::LeftButton);
        QCOMPARE(stage.current(), 1);
        QTest::mouseClick(&stage, Qt::RightButton);
        QCOMPARE(stage.current(), 0);
        for (const int turned : {-60, -60}) { // a touchpad turns by little
            QCOMPARE(stage.current(), 0);
            QWheelEvent wheel({5, 5}, {5, 5}, {}, {0, turned}, Qt::NoButton, {}, Qt::NoScrollPhase,
                              false);
            QApplication::sendEvent(&stage, &wheel);
        }
        QCOMPARE(stage.current(), 1);
    }

    void theScreenTurnsBlackAndBack()
    {
        StageWindow stage(items(), u"Plan"_s);
        stage.resize(640, 360);
        const QImage before = stage.grab().toImage();
        QTest::keyClick(&stage, Qt::Key_B);
        QVERIFY(isAllOf(stage.grab().toImage(), qRgb(0, 0, 0)));
        QTest::keyClick(&stage, Qt::Key_Right); // lights it, no more
        QCOMPARE(stage.current(), 0);
        QVERIFY(stage.grab().toImage() == before);
    }

    void notesAreShownAndHidden()
    {
        StageWindow stage(items(), u"Plan"_s);
        stage.resize(640, 360);
        QVERIFY(stage.areNotesShown());
        const QImage with = stage.grab().toImage();
        QTest::keyClick(&stage, Qt::Key_N);
        QVERIFY(stage.grab().toImage() != with);
        QTest::keyClick(&stage, Qt::Key_N);
        QVERIFY(stage.grab().toImage() == with);
    }

    void everySizeOfScreenShowsTheSame()
    {
        for (const QSize size :
             {QSize(1280, 720), QSize(3840, 2160), QSize(1024, 768), QSize(1, 1)}) {
            StageWindow stage(items(), u"Plan"_s);
            stage.resize(size);
            QCOMPARE(stage.grab().toImage().size(), size);
        }
    }

    void escapeEnds()
    {
        QPointer<StageWindow> stage = new StageWindow(items(), u"Plan"_s);
        stage->setAttribute(Qt::WA_DeleteOnClose);
        stage->show();
        QTest::keyClick(stage, Qt::Key_Escape);
        QTRY_VERIFY(!stage);
    }

    void nothingToShowSaysSo()
    {
        StageWindow stage({}, u"Plan"_s);
        stage.resize(640, 360);
        QTest::keyClick(&stage, Qt::Key_Right);
        QVERIFY(stage.headline().startsWith(u"Nothing is to be shown"));
        QVERIFY(!stage.grab().isNull());
    }
};

} // namespace vramscope

VRAMSCOPE_TEST(vramscope::StageWindowTest)
#include "tst_stage_window.moc"
