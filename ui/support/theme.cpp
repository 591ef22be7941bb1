// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/theme.h"

#include <QApplication>
#include <QFontDatabase>
#include <QWidget>

#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

QColor mixed(const QColor &a, const QColor &b, double shareOfA)
{
    const auto channel = [&](int x, int y) {
        return static_cast<int>(std::lround(shareOfA * x + (1 - shareOfA) * y));
    };
    return {channel(a.red(), b.red()), channel(a.green(), b.green()), channel(a.blue(), b.blue())};
}

} // namespace

QColor Theme::selection() const
{
    return mixed(accent, card, 0.16);
}

QColor Theme::track() const
{
    return mixed(dim, line, 0.3);
}

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
    static const Theme theme{false,
                             QColor::fromRgb(0xf6f7f9),
                             QColor::fromRgb(0xffffff),
                             QColor::fromRgb(0xe2e5ea),
                             QColor::fromRgb(0x1d2430),
                             QColor::fromRgb(0x5c6778),
                             QColor::fromRgb(0x2660c4),
                             QColor::fromRgb(0x1a7f4b),
                             QColor::fromRgb(0x9a6700),
                             QColor::fromRgb(0xb42318)};
    return theme;
}

const Theme &darkTheme()
{
    static const Theme theme{true,
                             QColor::fromRgb(0x16191f),
                             QColor::fromRgb(0x1e222a),
                             QColor::fromRgb(0x2d333d),
                             QColor::fromRgb(0xe6e9ee),
                             QColor::fromRgb(0x98a2b3),
                             QColor::fromRgb(0x6ea0ff),
                             QColor::fromRgb(0x4cc38a),
                             QColor::fromRgb(0xe0b04a),
                             QColor::fromRgb(0xff8a7a)};
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
    static constexpr std::array<QRgb, kCategoryCount> kColors = {
        0x4477aa, 0x66ccee, 0xaa3377, 0xee7733, 0x44aa99, 0xcc3311, 0xccbb44, 0x228833, 0x9aa3af};
    return QColor::fromRgb(kColors[static_cast<std::size_t>(category)]);
}

const std::array<QRgb, kSeriesColorCount> &seriesColors()
{
    static constexpr std::array<QRgb, kSeriesColorCount> kColors = {
        0xff4477aa, 0xffd98c5f, 0xff5aae9b, 0xffaa3377, 0xffccbb44, 0xff88a9d6,
        0xff228833, 0xff9b6bb3, 0xffee7733, 0xff66ccee, 0xff7a8b99, 0xffc9a66b};
    return kColors;
}

QFont monospaceFont()
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPointSizeF(QApplication::font().pointSizeF());
    return font;
}

} // namespace vramscope
