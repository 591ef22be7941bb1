// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/series_builder.h"
#include "tests/support/test.h"
#include "tests/ui/trace/sample_trace.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"
#include "ui/timeline/timeline_view.h"
#include "ui/trace/filter_field.h"
#include "ui/trace/trace_page.h"

#include <QApplication>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr Bytes kUsed = Bytes(8) << 30;

// A log of the GPU over the time of a trace, whose clock is `minutes` ahead.
std::shared_ptr<const Series> logOf(const Study &device, std::int64_t minutes)
{
    SeriesBuilder builder("nvidia-smi");
    builder.setClock(Clock::LocalTime);
    SeriesDevice gpu;
    gpu.ordinal = device.device().device;
    gpu.label = "GPU 0";
    const std::int64_t start = device.times().front() - 1000 + minutes * 60'000'000;
    const std::int64_t step =
        std::max((device.times().back() - device.times().front()) / 50, std::int64_t(1));
    for (int at = 0; at < 80; ++at)
        gpu.time.push_back((start + at * step) * 1000);
    gpu.bytes.push_back(
        {"memory.used", CurveRole::DeviceUsed, std::vector<Bytes>(gpu.time.size(), kUsed)});
    builder.addDevice(std::move(gpu));
    return builder.finish();
}

} // namespace

class LogOverlayTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QApplication::setPalette(themePalette(lightTheme())); }

    void aLogIsDrawnByTimeWithWhatLiesOutsideTheAllocator()
    {
        const auto document = analyse(test::SampleTrace(test::SampleOptions{}).finish());
        const Study &device = *document->devices[0];
        QVERIFY(device.hasTimes());
        TracePage page(document);
        page.setAttribute(Qt::WA_DontShowOnScreen);
        page.resize(1400, 900);
        page.show();
        QVERIFY(page.takesLog());
        const EventIndex cursor = page.state()->cursor();
        const QString text = page.takeLog(logOf(device, 540));
        QVERIFY2(text.contains(u"taken as UTC+09:00"_s), qPrintable(text));
        QCOMPARE(page.state()->axis().kind(), EventAxis::Kind::Time);
        QCOMPARE(page.state()->cursor(), cursor);
        QVERIFY(page.state()->whole().bytes.high > static_cast<double>(kUsed));
        const Bytes gap = kUsed - device.curve().reserved(cursor);
        QVERIFY2(page.statusText().contains(u"device used 8.00 GiB · outside the allocator "_s +
                                            toQString(formatBytes(gap))),
                 qPrintable(page.statusText()));
        const auto *view = page.findChild<TimelineView *>();
        const QImage image = page.findChild<TimelineView *>()->grab().toImage();
        const LinearScale up{page.state()->visible().bytes, view->plot().height()};
        const auto y = static_cast<int>(
            std::floor(view->plot().bottom() - up.toPixel(static_cast<double>(kUsed))));
        const auto x = static_cast<int>(view->plot().center().x());
        QCOMPARE(image.pixel(x, y), lightTheme().text.rgb());
    }

    void aFilterStaysWhenALogIsTaken()
    {
        const auto document = analyse(test::SampleTrace(test::SampleOptions{}).finish());
        TracePage page(document);
        auto *field = page.findChild<FilterField *>();
        field->setText(u"size>=60MiB"_s);
        QTest::keyClick(field, Qt::Key_Return);
        QTRY_VERIFY(page.state()->kept() != nullptr);
        const std::vector<std::uint8_t> kept = *page.state()->kept();
        (void)page.takeLog(logOf(*document->devices[0], 0));
        QVERIFY(page.overlay());
        QTRY_VERIFY(page.state()->kept() != nullptr);
        QCOMPARE(*page.state()->kept(), kept);
    }

    void aLogOfAnotherTimeIsRefusedInOneSentence()
    {
        const auto document = analyse(test::SampleTrace(test::SampleOptions{}).finish());
        TracePage page(document);
        const QString text = page.takeLog(logOf(*document->devices[0], 3 * 24 * 60));
        QVERIFY2(text.contains(u"another time"_s), qPrintable(text));
        QVERIFY(!page.overlay());
        QCOMPARE(page.state()->axis().kind(), EventAxis::Kind::Event);
    }
};

} // namespace vramscope

VRAMSCOPE_TEST(vramscope::LogOverlayTest)
#include "tst_log_overlay.moc"
