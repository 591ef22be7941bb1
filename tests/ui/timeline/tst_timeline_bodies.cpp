// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"
#include "tests/ui/trace/sample_trace.h"
#include "ui/export/drawing.h"
#include "ui/timeline/stacked_body.h"
#include "ui/timeline/timeline_chart.h"
#include "ui/trace/timeline_source.h"
#include "ui/trace/trace_document.h"

#include <QPainter>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr QSize kSize(300, 200);

// A body of a trace on a picture of its own.
struct BodyScene
{
    explicit BodyScene(TimelineKind kind, const Viewport *viewport = nullptr,
                       EventAxis::Kind axis = EventAxis::Kind::Event)
        : document(analyse(test::SampleTrace().finish()))
        , device(*document->devices.front())
        , studied(study(*document, 0))
        , data(timelineData(*document, 0, studied.get(), ByteUnit::Binary))
        , area{QRectF(QPointF(), kSize),
               data.axis(axis),
               {data.axis(axis).whole(), data.wholeBytes()},
               {lightTheme(), ByteUnit::Binary, {}, 1}}
        , image(kSize, QImage::Format_ARGB32_Premultiplied)
    {
        if (viewport)
            area.viewport = *viewport;
        body = makeBody(kind, data, area);
        image.fill(Qt::transparent);
        QPainter painter(&image);
        body->paint(painter, {});
    }

    // The events whose states a column shows, looked up one by one.
    template<class Bytes>
    [[nodiscard]] EventIndex highest(int column, Bytes bytes) const
    {
        const EventSpan events = area.axis.column(area.across(), column);
        EventIndex best = events.first;
        for (EventIndex event = events.first; event <= events.last; ++event)
            best = bytes(event) > bytes(best) ? event : best;
        return best;
    }

    // The lowest byte of a row, rows from the bottom.
    [[nodiscard]] double byteOf(int row) const
    {
        return LinearScale{area.viewport.bytes, double(kSize.height())}.toValue(row);
    }

    [[nodiscard]] QRgb pixel(int column, int row) const
    {
        return image.pixel(column, kSize.height() - 1 - row);
    }

    std::shared_ptr<const TraceDocument> document;
    const Study &device;
    std::shared_ptr<const Study> studied;
    TimelineData data;
    ChartArea area;
    std::unique_ptr<TimelineBody> body;
    QImage image;
};

} // namespace

class TimelineBodiesTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void everyPixelOfTheBandsShowsTheBandThatHoldsItsByte();
    void theBandsReachUpToTheReservedPeak();
    void theReservedPictureStandsAsHighAsTheSegments();
    void whatASegmentIsIsToldWhereItIsPainted();
    void byTimeTheStackStandsWhereItStoodThen();
    void labelsOfAnEndAndOfAPeakThereKeepApart();
    void theLabelOfAnEndIsNotCutByTheCursorAtThePeak();
    void annotationsWithoutRoomForTheirNamesAreBandsAndLeaveThePlotTheHeight();
};

void TimelineBodiesTest::everyPixelOfTheBandsShowsTheBandThatHoldsItsByte()
{
    const BodyScene scene(TimelineKind::Bands);
    for (int column = 0; column < kSize.width(); column += 3) {
        const EventIndex event =
            scene.highest(column, [&](EventIndex at) { return scene.device.curve().reserved(at); });
        QCOMPARE(scene.body->eventAt(column + 0.5), event);
        const Bands &bands = scene.studied->space().bandsAfter(event);
        for (int row = 0; row < kSize.height(); ++row) {
            QRgb expected = 0;
            Bytes top = 0;
            for (const BandLook &look : bandLooks()) {
                const Bytes bottom = top;
                top += bands.*look.bytes;
                if (static_cast<double>(bottom) <= scene.byteOf(row) &&
                    scene.byteOf(row) < static_cast<double>(top))
                    expected = look.color;
            }
            QCOMPARE(scene.pixel(column, row), expected);
        }
    }
}

void TimelineBodiesTest::theBandsReachUpToTheReservedPeak()
{
    const BodyScene scene(TimelineKind::Bands);
    int highest = 0;
    for (int column = 0; column < kSize.width(); ++column) {
        for (int row = highest; row < kSize.height(); ++row)
            highest = scene.pixel(column, row) != 0 ? row + 1 : highest;
    }
    const auto peak = static_cast<double>(
        scene.device.curve().reserved(scene.device.curve().peakReservedEvent()));
    QVERIFY(scene.byteOf(highest - 1) < peak);
    QVERIFY(scene.byteOf(highest) >= peak);
}

void TimelineBodiesTest::theReservedPictureStandsAsHighAsTheSegments()
{
    const BodyScene scene(TimelineKind::Reserved);
    for (int column = 100; column < kSize.width(); column += 7) {
        const EventIndex event = scene.body->eventAt(column + 0.5);
        Bytes held = 0;
        for (const SegmentLife &life : scene.studied->space().segments().heldAfter(event))
            held += life.size;
        QCOMPARE(held, scene.device.curve().reserved(event));
        for (int row = 0; row < kSize.height() / 2; ++row) // the ticks stand above
            QCOMPARE(scene.pixel(column, row) != 0, scene.byteOf(row) < static_cast<double>(held));
    }
}

void TimelineBodiesTest::whatASegmentIsIsToldWhereItIsPainted()
{
    const BodyScene scene(TimelineKind::Reserved);
    const QStringList text = scene.body->textAt({150.5, kSize.height() - 2.5});
    QVERIFY(text.size() >= 3);
    QVERIFY(text.at(1).contains(u"segment"));
    QVERIFY(scene.body->textAt({-5, 20}).isEmpty());
}

void TimelineBodiesTest::byTimeTheStackStandsWhereItStoodThen()
{
    const BodyScene scene(TimelineKind::Active, nullptr, EventAxis::Kind::Time);
    for (int column = 0; column < kSize.width(); ++column) {
        const EventIndex event =
            scene.highest(column, [&](EventIndex at) { return scene.device.curve().active(at); });
        QCOMPARE(scene.body->eventAt(column + 0.5), event);
        for (int row = 0; row < kSize.height(); ++row)
            QCOMPARE(scene.pixel(column, row) != 0,
                     scene.byteOf(row) < static_cast<double>(scene.device.curve().active(event)));
    }
}

void TimelineBodiesTest::labelsOfAnEndAndOfAPeakThereKeepApart()
{
    const auto document = analyse(test::SampleTrace().finish());
    TimelineData data = timelineData(*document, 0, nullptr, ByteUnit::Binary);
    const EventIndex peak = data.curve->peakActiveEvent();
    data.outOfMemory = {{peak, QStringLiteral("out of memory")}};
    data.snapshots = {{peak, QStringLiteral("snapshot")}};
    data.limit = data.curve->active(peak);
    const EventAxis axis = data.axis(EventAxis::Kind::Event);
    const QSize size(600, 240);
    const TimelineChart chart(TimelineKind::Active, data, axis, {axis.whole(), data.wholeBytes()},
                              QRectF(QPointF(), size), {lightTheme(), ByteUnit::Binary, {}, 1});
    const Drawing drawing = recorded(size, [&](QPainter &painter) { chart.paint(painter); });
    std::vector<QRectF> places;
    for (const Drawing::Item &item : drawing.items) {
        const auto *text = std::get_if<Drawing::Text>(&item.what);
        const QStringList wanted{u"out of memory"_s, u"snapshot"_s, u"peak "_s,
                                 u"the device had"_s};
        const auto has = [&](const QString &part) { return text->text.contains(part); };
        if (text && std::ranges::any_of(wanted, has))
            places.emplace_back(text->at.x(), text->at.y() - text->pixelSize * 0.8, text->width,
                                text->pixelSize);
    }
    QCOMPARE(places.size(), std::size_t(4));
    for (std::size_t at = 0; at < places.size(); ++at) {
        for (std::size_t other = 0; other < at; ++other)
            QVERIFY(!places[at].intersects(places[other]));
    }
}

void TimelineBodiesTest::theLabelOfAnEndIsNotCutByTheCursorAtThePeak()
{
    const auto document = analyse(test::SampleTrace().finish());
    TimelineData data = timelineData(*document, 0, nullptr, ByteUnit::Binary);
    const EventIndex peak = data.curve->peakActiveEvent();
    const EventAxis axis = data.axis(EventAxis::Kind::Event);
    const QSize size(600, 240);
    for (const EventIndex later : {1, 2, 3}) {
        data.outOfMemory = {{peak + later, QStringLiteral("out of memory")}};
        const TimelineChart chart(TimelineKind::Active, data, axis,
                                  {axis.whole(), data.wholeBytes()}, QRectF(QPointF(), size),
                                  {lightTheme(), ByteUnit::Binary, {}, 1});
        const double cursor = std::floor(chart.area().x(axis.mark(peak)));
        const Drawing drawing = recorded(size, [&](QPainter &painter) { chart.paint(painter); });
        for (const Drawing::Item &item : drawing.items) {
            const auto *text = std::get_if<Drawing::Text>(&item.what);
            if (text && text->text == u"out of memory"_s)
                QVERIFY(text->at.x() + text->width <= cursor || text->at.x() > cursor);
        }
    }
}

void TimelineBodiesTest::annotationsWithoutRoomForTheirNamesAreBandsAndLeaveThePlotTheHeight()
{
    const auto document = analyse(test::SampleTrace().finish());
    TimelineData data = timelineData(*document, 0, nullptr, ByteUnit::Binary);
    const EventAxis axis = data.axis(EventAxis::Kind::Event);
    const QSize size(600, 240);
    const auto chartOf = [&](const Range &x) {
        return TimelineChart(TimelineKind::Active, data, axis, {x, data.wholeBytes()},
                             QRectF(QPointF(), size), {lightTheme(), ByteUnit::Binary, {}, 1});
    };
    data.annotations.clear();
    const double without = chartOf(axis.whole()).plot().height();
    for (EventIndex first = 0; first + 2 < axis.count(); first += 4)
        data.annotations.push_back({first, first + 2, 0, u"FSDP::all_gather"_s});
    const TimelineChart whole = chartOf(axis.whole());
    QVERIFY(whole.plot().height() > without - 16); // no line for names that nobody can read
    // Its height depends on the zoom alone, not on what of it is in sight.
    const Range near{10, 18};
    QVERIFY(chartOf(near).plot().height() < whole.plot().height());
    QCOMPARE(chartOf(near).plot().height(), chartOf({12.5, 20.5}).plot().height());

    QImage image(size, QImage::Format_ARGB32_Premultiplied);
    QPainter painter(&image);
    whole.paint(painter);
    painter.end();
    int bands = 0;
    for (int x = static_cast<int>(whole.plot().left()) + 1; x < whole.plot().right() - 1; ++x) {
        for (int y = static_cast<int>(whole.plot().bottom()) + 1; y < size.height(); ++y) {
            if (whole.annotationAt(QPointF(x, y)).isEmpty() ||
                image.pixelColor(x, y) == lightTheme().window)
                continue;
            ++bands;
            QCOMPARE(image.pixelColor(x, y), lightTheme().border); // no frame around nothing
        }
    }
    QVERIFY(bands > 100);
}

} // namespace vramscope

VRAMSCOPE_TEST(vramscope::TimelineBodiesTest)
#include "tst_timeline_bodies.moc"
