// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/theme.h"

#include <QApplication>
#include <QDir>
#include <QFontDatabase>
#include <QWidget>

#include <algorithm>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr QRgb kInk = 0x14181f;

QColor mixed(const QColor &a, const QColor &b, double shareOfA)
{
    const auto channel = [&](int x, int y) {
        return static_cast<int>(std::lround(shareOfA * x + (1 - shareOfA) * y));
    };
    return {channel(a.red(), b.red()), channel(a.green(), b.green()), channel(a.blue(), b.blue())};
}

/// Relative luminance and contrast ratio as WCAG 2.1 defines them.
double luminance(const QColor &color)
{
    const auto linear = [](double channel) {
        return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) +
           0.0722 * linear(color.blueF());
}

double contrast(const QColor &a, const QColor &b)
{
    const double x = luminance(a);
    const double y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

/// The compiled-in fonts become known to the application; without them the next names apply.
const QStringList &families(bool large)
{
    static const bool added = [] {
        for (const QString &file : QDir(u":/fonts"_s).entryList())
            QFontDatabase::addApplicationFont(u":/fonts/"_s + file);
        return true;
    }();
    Q_UNUSED(added);
    static const QStringList kRest{u"Inter"_s, u"Noto Sans"_s, u"DejaVu Sans"_s};
    static const QStringList kBody = QStringList(u"VRAMscope Inter"_s) + kRest;
    static const QStringList kLarge = QStringList(u"VRAMscope Inter Head"_s) + kRest;
    return large ? kLarge : kBody;
}

} // namespace

QColor Theme::faint() const
{
    return mixed(dim, card, 0.6);
}

QColor Theme::onAccent() const
{
    return dark ? window : card;
}

const Theme &lightTheme()
{
    static const Theme theme{.dark = false,
                             .window = QColor::fromRgb(0xf5f6f8),
                             .card = QColor::fromRgb(0xffffff),
                             .raised = QColor::fromRgb(0xeff1f5),
                             .line = QColor::fromRgb(0xe2e6ec),
                             .border = QColor::fromRgb(0xc9d0da),
                             .control = QColor::fromRgb(0x8a94a6),
                             .text = QColor::fromRgb(kInk),
                             .dim = QColor::fromRgb(0x4b5563),
                             .hint = QColor::fromRgb(0x5f6b7e),
                             .accent = QColor::fromRgb(0x2450b8),
                             .selection = QColor::fromRgb(0xe8eefb),
                             .good = QColor::fromRgb(0x17693a),
                             .warn = QColor::fromRgb(0x8a5300),
                             .bad = QColor::fromRgb(0xb42318),
                             .goodFill = QColor::fromRgb(0xe6f4eb),
                             .warnFill = QColor::fromRgb(0xfff3db),
                             .badFill = QColor::fromRgb(0xfdecea)};
    return theme;
}

const Theme &darkTheme()
{
    static const Theme theme{.dark = true,
                             .window = QColor::fromRgb(0x0f1116),
                             .card = QColor::fromRgb(0x171a21),
                             .raised = QColor::fromRgb(0x20242d),
                             .line = QColor::fromRgb(0x2a303b),
                             .border = QColor::fromRgb(0x3a4250),
                             .control = QColor::fromRgb(0x6b7689),
                             .text = QColor::fromRgb(0xedf0f5),
                             .dim = QColor::fromRgb(0xb3bccb),
                             .hint = QColor::fromRgb(0x98a3b4),
                             .accent = QColor::fromRgb(0x8cb0ff),
                             .selection = QColor::fromRgb(0x233252),
                             .good = QColor::fromRgb(0x6fd49a),
                             .warn = QColor::fromRgb(0xf2c063),
                             .bad = QColor::fromRgb(0xff8a80),
                             .goodFill = QColor::fromRgb(0x16301f),
                             .warnFill = QColor::fromRgb(0x33270f),
                             .badFill = QColor::fromRgb(0x2b1b1f)};
    return theme;
}

const Theme &themeOf(const QWidget *widget)
{
    // Told by the text: the style sheet gives some widgets a background of their own.
    return widget->palette().color(QPalette::WindowText).lightness() < 128 ? lightTheme()
                                                                           : darkTheme();
}

QPalette themePalette(const Theme &theme)
{
    QPalette palette;
    palette.setColor(QPalette::Window, theme.window);
    palette.setColor(QPalette::WindowText, theme.text);
    palette.setColor(QPalette::Base, theme.card);
    palette.setColor(QPalette::AlternateBase, theme.window);
    palette.setColor(QPalette::Text, theme.text);
    palette.setColor(QPalette::PlaceholderText, theme.dim);
    palette.setColor(QPalette::Button, theme.card);
    palette.setColor(QPalette::ButtonText, theme.text);
    palette.setColor(QPalette::BrightText, theme.bad);
    palette.setColor(QPalette::Highlight, theme.accent);
    palette.setColor(QPalette::HighlightedText, theme.onAccent());
    palette.setColor(QPalette::Link, theme.accent);
    palette.setColor(QPalette::LinkVisited, theme.accent);
    palette.setColor(QPalette::ToolTipBase, theme.card);
    palette.setColor(QPalette::ToolTipText, theme.text);
    palette.setColor(QPalette::Light, theme.card);
    palette.setColor(QPalette::Midlight, theme.line);
    palette.setColor(QPalette::Mid, theme.line);
    palette.setColor(QPalette::Dark, theme.dim);
    palette.setColor(QPalette::Shadow, theme.dark ? QColor(Qt::black) : theme.dim);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, theme.faint());
    return palette;
}

QColor categoryColor(Category category)
{
    static constexpr std::array<QRgb, kRecordedCategoryCount> kColors = {
        0x2767d3, 0x7cc1f7, 0x875197, 0xcf7212, 0xb2dc96, 0xc12932,
        0xf9ce49, 0x19937d, 0xbcc7cf, 0x57d2c7, 0x98a3b4};
    return QColor::fromRgb(kColors[static_cast<std::size_t>(category)]);
}

QColor textOn(const QColor &color)
{
    const QColor ink = QColor::fromRgb(kInk);
    return contrast(ink, color) > contrast(Qt::white, color) ? ink : QColor(Qt::white);
}

const std::array<QRgb, kSeriesColorCount> &seriesColors()
{
    static constexpr std::array<QRgb, kSeriesColorCount> kColors = {
        0xff2767d3, 0xffcf7212, 0xff19937d, 0xff875197, 0xfff9ce49, 0xff7cc1f7,
        0xffc12932, 0xffb2dc96, 0xffa73150, 0xffff3884, 0xff478ed2, 0xff57d2c7};
    return kColors;
}

int typePixels(Type type)
{
    static constexpr std::array<int, 5> kPixels{32, 24, 15, 13, 12};
    return kPixels[static_cast<std::size_t>(type)];
}

QFont typeFont(Type type, bool bold)
{
    constexpr double kPointsPerPixel = 72.0 / 96;
    const bool large = type <= Type::Head;
    QFont font;
    font.setFamilies(families(large));
    font.setPointSizeF(typePixels(type) * kPointsPerPixel);
    font.setBold(bold || large);
    if (large)
        font.setLetterSpacing(QFont::PercentageSpacing, 99);
    return font;
}

QFont typeFont(const QWidget *widget, Type type, bool bold)
{
    QFont font = typeFont(type, bold);
    font.setPointSizeF(widget->font().pointSizeF() * typePixels(type) / typePixels(Type::Body));
    return font;
}

QFont monospaceFont()
{
    QFont font = typeFont(Type::Small);
    font.setFamilies({u"JetBrains Mono"_s, u"Noto Sans Mono"_s, u"DejaVu Sans Mono"_s,
                      QFontDatabase::systemFont(QFontDatabase::FixedFont).family()});
    font.setStyleHint(QFont::Monospace);
    return font;
}

} // namespace vramscope
