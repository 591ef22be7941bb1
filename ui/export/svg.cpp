// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/formats.h"

#include <QFontInfo>
#include <QHash>
#include <QRegularExpression>

#include <cmath>
#include <utility>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// A length with as many digits as are visible.
QString number(double value)
{
    const double rounded = std::round(value * 1000) / 1000;
    return QString::number(rounded == 0 ? 0 : rounded, 'f', QLocale::FloatingPointShortest);
}

/// A text without the characters that XML forbids.
QString xmlText(const QString &text)
{
    static const QRegularExpression forbidden(
        u"[\\x{0}-\\x{8}\\x{b}\\x{c}\\x{e}-\\x{1f}\\x{fffe}\\x{ffff}]"_s);
    return QString(text).replace(forbidden, QString(QChar::ReplacementCharacter)).toHtmlEscaped();
}

QString attribute(QStringView name, const QString &value)
{
    return u" %1=\"%2\""_s.arg(name, xmlText(value));
}

QString attribute(QStringView name, double value)
{
    return attribute(name, number(value));
}

/// A paint and, if translucent, its opacity.
QString paintText(QStringView name, const QColor &color)
{
    QString text = attribute(name, color.name());
    if (color.alpha() < 255)
        text += attribute(name.toString() + u"-opacity"_s, color.alphaF());
    return text;
}

QString pathText(const QPainterPath &path)
{
    QString text;
    const auto add = [&text](const QPainterPath::Element &at) {
        text += number(at.x) + u' ' + number(at.y);
    };
    for (int at = 0; at < path.elementCount(); ++at) {
        const QPainterPath::Element element = path.elementAt(at);
        switch (element.type) {
        case QPainterPath::MoveToElement:
            text += u'M';
            break;
        case QPainterPath::LineToElement:
            text += u'L';
            break;
        case QPainterPath::CurveToElement:
            text += u'C';
            break;
        case QPainterPath::CurveToDataElement:
            text += u' ';
            break;
        }
        add(element);
    }
    return text;
}

QString strokeText(const QPen &pen)
{
    QString text = paintText(u"stroke", pen.color()) + attribute(u"stroke-width", pen.widthF());
    if (pen.capStyle() != Qt::FlatCap)
        text +=
            attribute(u"stroke-linecap", pen.capStyle() == Qt::RoundCap ? u"round"_s : u"square"_s);
    if (pen.joinStyle() == Qt::RoundJoin || pen.joinStyle() == Qt::BevelJoin)
        text += attribute(u"stroke-linejoin",
                          pen.joinStyle() == Qt::RoundJoin ? u"round"_s : u"bevel"_s);
    QStringList dashes;
    for (const double dash : pen.dashPattern())
        dashes += number(dash * pen.widthF());
    if (!dashes.isEmpty())
        text += attribute(u"stroke-dasharray", dashes.join(u','));
    if (pen.dashOffset() != 0)
        text += attribute(u"stroke-dashoffset", pen.dashOffset() * pen.widthF());
    return text;
}

constexpr QStringView kPathStart = u"<path d=\"";

/// Whether a shape looks the same in one path with others of its kind, wherever they cross.
bool isOpaqueLine(const Drawing::Shape &shape)
{
    return shape.brush.style() == Qt::NoBrush && shape.pen.style() != Qt::NoPen &&
           shape.pen.color().alpha() == 255;
}

/// Writes the items one after the other; shared clips are written once. Lines of one look that
/// follow each other, as in a hatch, are one path.
class SvgText
{
public:
    /// `name` is the prefix of the names of clips.
    explicit SvgText(const QString &name)
        : m_name(name)
    {
    }

    void add(const Drawing::Item &item);
    [[nodiscard]] QString clips() const { return m_clips; }
    [[nodiscard]] QString body() const { return m_body; }

private:
    QString element(const Drawing::Shape &shape, const QString &common);
    QString element(const Drawing::Image &image, const QString &common);
    QString element(const Drawing::Text &text, const QString &common);
    [[nodiscard]] QString clipName(const QPainterPath &clip);

    QString m_name;
    QString m_clips;
    QString m_body;
    std::pair<QString, QString> m_look; ///< around the last path, if more lines can join it
    QHash<QString, QString> m_names;    // by path
};

QString SvgText::clipName(const QPainterPath &clip)
{
    const QString path = pathText(clip);
    QString &name = m_names[path];
    if (name.isEmpty()) {
        name = m_name + QString::number(m_names.size());
        const QString rule = clip.fillRule() == Qt::OddEvenFill ? u"evenodd"_s : u"nonzero"_s;
        m_clips += u"<clipPath id=\"%1\"><path clip-rule=\"%2\" d=\"%3\"/></clipPath>\n"_s.arg(
            name, rule, path);
    }
    return name;
}

void SvgText::add(const Drawing::Item &item)
{
    const QTransform &by = item.transform;
    QString common;
    if (!by.isIdentity()) {
        common += attribute(u"transform", u"matrix(%1 %2 %3 %4 %5 %6)"_s.arg(
                                              number(by.m11()), number(by.m12()), number(by.m21()),
                                              number(by.m22()), number(by.dx()), number(by.dy())));
    }
    if (item.opacity < 1)
        common += attribute(u"opacity", item.opacity);
    QString text = std::visit([&](const auto &what) { return element(what, common); }, item.what);
    // A clip is in coordinates of the whole, so it encloses the item's own transform.
    if (item.clip)
        text = u"<g clip-path=\"url(#%1)\">%2</g>"_s.arg(clipName(*item.clip), text);
    const auto *shape = std::get_if<Drawing::Shape>(&item.what);
    const bool isLine = shape && item.opacity >= 1 && isOpaqueLine(*shape);
    const qsizetype path = text.indexOf(kPathStart) + kPathStart.size();
    const qsizetype end = text.indexOf(u'"', path);
    const std::pair<QString, QString> look =
        isLine ? std::pair(text.left(path), text.mid(end)) : std::pair(QString(), QString());
    if (isLine && look == m_look) {
        m_body.chop(look.second.size() + 1);
        text.remove(0, path);
    }
    m_look = look;
    m_body += text + u'\n';
}

QString SvgText::element(const Drawing::Shape &shape, const QString &common)
{
    QString text = kPathStart.toString() + pathText(shape.path) + u'"';
    if (shape.brush.style() == Qt::NoBrush)
        text += attribute(u"fill", u"none"_s);
    else
        text += paintText(u"fill", shape.brush.color());
    if (shape.brush.style() != Qt::NoBrush && shape.path.fillRule() == Qt::OddEvenFill)
        text += attribute(u"fill-rule", u"evenodd"_s);
    if (shape.pen.style() != Qt::NoPen)
        text += strokeText(shape.pen);
    return text + common + u"/>"_s;
}

QString SvgText::element(const Drawing::Image &image, const QString &common)
{
    return u"<image"_s + attribute(u"x", image.place.x()) + attribute(u"y", image.place.y()) +
           attribute(u"width", image.place.width()) + attribute(u"height", image.place.height()) +
           attribute(u"preserveAspectRatio", u"none"_s) + common +
           attribute(u"xlink:href", u"data:image/png;base64,"_s +
                                        QString::fromLatin1(png(image.image).toBase64())) +
           u"/>"_s;
}

QString SvgText::element(const Drawing::Text &text, const QString &common)
{
    QString family = QFontInfo(text.font).family();
    if (family.startsWith(u"VRAMscope Inter"_s)) // known to this program alone
        family = u"Inter"_s;
    const bool even = QFontInfo(text.font).fixedPitch();
    QString out = u"<text"_s + attribute(u"x", text.at.x()) + attribute(u"y", text.at.y()) +
                  attribute(u"font-family",
                            u"'%1', %2"_s.arg(family, even ? u"monospace"_s : u"sans-serif"_s)) +
                  attribute(u"font-size", text.pixelSize) + paintText(u"fill", text.color);
    if (text.font.weight() != QFont::Normal)
        out += attribute(u"font-weight", text.font.weight());
    if (text.font.italic())
        out += attribute(u"font-style", u"italic"_s);
    if (text.text.size() > 1)
        out += attribute(u"textLength", text.width);
    return out + common + attribute(u"xml:space", u"preserve"_s) + u'>' + xmlText(text.text) +
           u"</text>"_s;
}

/// The opening tag of a drawing's element, with `attributes` first.
QString opening(const Drawing &drawing, const QString &attributes)
{
    return u"<svg %1 width=\"%2\" height=\"%3\" viewBox=\"0 0 %2 %3\">\n"_s.arg(
        attributes, QString::number(drawing.size.width()), QString::number(drawing.size.height()));
}

/// The items inside their clips.
QString content(const Drawing &drawing, const QString &name)
{
    SvgText text(name);
    for (const Drawing::Item &item : drawing.items)
        text.add(item);
    const QString clips =
        text.clips().isEmpty() ? QString() : u"<defs>\n"_s + text.clips() + u"</defs>\n"_s;
    return clips + text.body() + u"</svg>"_s;
}

} // namespace

QByteArray svg(const Drawing &drawing, const About &about)
{
    QString out = u"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"_s +
                  opening(drawing, u"xmlns=\"http://www.w3.org/2000/svg\" "
                                   u"xmlns:xlink=\"http://www.w3.org/1999/xlink\""_s);
    out += u"<title>"_s + xmlText(about.title) + u"</title>\n"_s;
    QStringList says{about.subject};
    if (about.date.isValid())
        says += about.date.toUTC().toString(Qt::ISODate);
    says.removeAll(QString());
    if (!says.isEmpty())
        out += u"<desc>"_s + xmlText(says.join(u", "_s)) + u"</desc>\n"_s;
    return (out + content(drawing, u"c"_s) + u'\n').toUtf8();
}

QByteArray svgElement(const Drawing &drawing, const QString &name)
{
    return (opening(drawing, u"xmlns:xlink=\"http://www.w3.org/1999/xlink\""_s) +
            content(drawing, name + u'-'))
        .toUtf8();
}

} // namespace vramscope
