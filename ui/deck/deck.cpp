// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deck/deck.h"

#include "core/deck/pptx.h"
#include "ui/export/exported_view.h"
#include "ui/export/formats.h"
#include "ui/export/report_figure.h"
#include "ui/stage/large_picture.h"
#include "ui/stage/slide.h"
#include "ui/stage/slide_table.h"
#include "ui/stage/stage_views.h"
#include "ui/support/theme.h"

#include <QFileInfo>
#include <QGuiApplication>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>

#include <algorithm>
#include <array>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::array<std::pair<QStringView, DeckFormat>, 2> kDeckEndings = {{
    {u"pptx", DeckFormat::Pptx},
    {u"pdf", DeckFormat::Pdf},
}};

constexpr QSize kPage(1280, 720); ///< in pixels of 1/96 inch, as PowerPoint has it
constexpr double kPageScale = 4.0 / 3 / kViewPoint; ///< of a view on it, against one in a window

/// The colours of an item, which are those of the program.
const Theme &themeInForce()
{
    const QPalette palette = QGuiApplication::palette();
    return palette.color(QPalette::Window) == darkTheme().window ? darkTheme() : lightTheme();
}

/// The picture of a view, with its many shapes as pixels where vectors would be too large.
struct ViewPicture
{
    Drawing drawing;
    bool vectors = true;

    [[nodiscard]] QImage pixels() const
    {
        return image([this](QPainter &painter, double) { paint(painter, drawing); }, drawing.size,
                     kFineness);
    }
};

ViewPicture pictureOf(QWidget &view, QSize size)
{
    ViewPicture picture;
    picture.drawing = pageDrawing(size, themeInForce(), [&](QPainter &painter) {
        paintLarge(painter, view, QRectF(QPointF(), QSizeF(size)), kPageScale);
    });
    picture.vectors = staysVectors(picture.drawing);
    return picture;
}

void paintPage(QPainter &painter, const StageItem &item, const QString &title, int number,
               int count)
{
    const StageScene scene = item.scene();
    const Theme &theme = themeInForce();
    const SlideText text = slideText(scene, item.note, title, number, count);
    const SlidePlaces places = slidePlaces(text, kPage);
    const std::shared_ptr<QWidget> view = sceneView(scene);
    painter.fillRect(QRect(QPoint(), kPage), theme.card);
    if (view) {
        const ViewPicture picture = pictureOf(*view, places.picture.size().toSize());
        painter.save();
        painter.translate(places.picture.topLeft());
        if (picture.vectors)
            paint(painter, picture.drawing);
        else
            painter.drawImage(QRectF(QPointF(), QSizeF(picture.drawing.size)), picture.pixels());
        painter.restore();
    }
    paintSlideText(painter, text, places, theme);
}

QByteArray deckPdf(const Deck &deck, const std::vector<StageItem> &shown)
{
    return pdfFile(deck.date, [&](QPdfWriter &writer) {
        constexpr int kPixelsPerInch = 96;
        writer.setResolution(kPixelsPerInch);
        writer.setPageSize(
            QPageSize(QSizeF(kPage) / kPixelsPerInch, QPageSize::Inch, {}, QPageSize::ExactMatch));
        writer.setPageMargins({});
        writer.setTitle(deck.title.isEmpty() ? deck.source : deck.title);
        writer.setCreator(deck.source.isEmpty() ? u"VRAMscope"_s : u"VRAMscope, "_s + deck.source);
        QPainter painter(&writer);
        painter.setRenderHint(QPainter::LosslessImageRendering);
        const int count = static_cast<int>(shown.size());
        for (int at = 0; at < count; ++at) {
            if (at > 0)
                writer.newPage();
            const Drawing page = recorded(kPage, [&](QPainter &onPage) {
                paintPage(onPage, shown[static_cast<std::size_t>(at)], deck.title, at + 1, count);
            });
            paint(painter, page);
        }
    });
}

std::string textOf(const QString &text)
{
    return text.toStdString();
}

Slide slideOf(const StageItem &item, const QString &title, int number)
{
    const StageScene scene = item.scene();
    Slide slide;
    slide.problem = textOf(scene.problem);
    slide.headline = textOf(scene.headline);
    slide.verdict = textOf(verdictWords(scene.headline, scene.verdict));
    slide.tone = toneOf(scene.verdict);
    slide.kicker = textOf(scene.kicker);
    slide.foot = textOf(scene.foot);
    slide.note = textOf(item.note);
    const auto *table = dynamic_cast<const SlideTableView *>(scene.view.get());
    if (scene.table)
        slide.table = scene.table;
    else if (table)
        slide.table = table->table();
    QStringList speech = scene.speech;
    if (!item.note.isEmpty())
        speech.prepend(item.note);
    slide.speech = textOf(speech.join(u'\n'));
    if (scene.view && !table) {
        const PictureRoom room = pictureRoom(slide);
        const ViewPicture picture = pictureOf(*scene.view, {room.width, room.height});
        slide.picture = SlidePicture{
            png(picture.pixels().convertToFormat(QImage::Format_RGB888)).toStdString(),
            picture.vectors ? svg(picture.drawing, {title, item.title, {}}).toStdString()
                            : std::string(),
            textOf(u"%1, slide %2: %3"_s.arg(title, QString::number(number), scene.headline))};
    }
    return slide;
}

Result<QByteArray> deckPptx(const Deck &deck, const std::vector<StageItem> &shown)
{
    const Theme &theme = themeInForce();
    const auto color = [](const QColor &of) { return textOf(of.name().mid(1).toUpper()); };
    SlideDeck made;
    made.title = textOf(deck.title);
    made.source = textOf(deck.source);
    if (deck.date.isValid())
        made.date = textOf(deck.date.toUTC().toString(Qt::ISODate));
    made.colors = {color(theme.text),   color(theme.card), color(theme.dim),  color(theme.line),
                   color(theme.accent), color(theme.good), color(theme.warn), color(theme.bad)};
    for (const StageItem &item : shown)
        made.slides.push_back(slideOf(item, deck.title, int(made.slides.size()) + 1));
    const Result<std::string> bytes = pptx(made);
    if (!bytes.ok())
        return bytes.error();
    return QByteArray::fromStdString(*bytes);
}

} // namespace

QString endingOf(DeckFormat format)
{
    return kDeckEndings[static_cast<std::size_t>(format)].first.toString();
}

std::optional<DeckFormat> deckFormatOf(const QString &fileName)
{
    const QString ending = QFileInfo(fileName).suffix().toLower();
    const auto *found = std::ranges::find(kDeckEndings, QStringView(ending),
                                          &std::pair<QStringView, DeckFormat>::first);
    return found == kDeckEndings.end() ? std::nullopt : std::optional(found->second);
}

QString noDeckFormat(const QString &name)
{
    return u"%1: A presentation ends in .pptx or .pdf; name it so, or say which with --format."_s
        .arg(name);
}

Result<QByteArray> deckFile(const Deck &deck, DeckFormat format)
{
    std::vector<StageItem> shown;
    std::ranges::copy_if(deck.items, std::back_inserter(shown), &StageItem::shown);
    if (shown.empty())
        return Error{ErrorCode::OtherContent,
                     "There is nothing to present: the running order has nothing ticked."};
    if (format == DeckFormat::Pdf)
        return deckPdf(deck, shown);
    return deckPptx(deck, shown);
}

} // namespace vramscope
