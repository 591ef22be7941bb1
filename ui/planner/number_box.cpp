// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/number_box.h"

#include "ui/support/text.h"

#include <QKeyEvent>
#include <QPainter>

#include <cmath>
#include <limits>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

struct SizeSuffix
{
    const char *text;
    double factor;
};
constexpr int kSuffixMargin = 6;
constexpr double kBinaryStep = 1024;
constexpr SizeSuffix kSuffixes[] = {
    {"kib", kBinaryStep},
    {"mib", kBinaryStep *kBinaryStep},
    {"gib", kBinaryStep *kBinaryStep *kBinaryStep},
    {"tib", kBinaryStep *kBinaryStep *kBinaryStep *kBinaryStep},
    {"kb", 1e3},
    {"mb", 1e6},
    {"gb", 1e9},
    {"tb", 1e12},
    {"b", 1},
};

} // namespace

QString numberText(const FieldValue &value, FieldKind kind, ByteUnit unit)
{
    if (const auto *whole = std::get_if<std::int64_t>(&value))
        return kind == FieldKind::Size ? bytesText(*whole, unit) : countText(*whole);
    if (const auto *real = std::get_if<double>(&value))
        return toQString(formatNumber(*real));
    return {};
}

std::optional<FieldValue> parseNumber(const QString &text, FieldKind kind)
{
    QString bare = text.toLower().remove(u',').remove(u' ').remove(QChar(QChar::Nbsp));
    double factor = 1;
    if (kind == FieldKind::Size) {
        for (const SizeSuffix &suffix : kSuffixes) {
            const QLatin1StringView ending(suffix.text);
            if (bare.endsWith(ending)) {
                factor = suffix.factor;
                bare.chop(ending.size());
                break;
            }
        }
    }
    bool ok = false;
    if (kind == FieldKind::Count || factor == 1) {
        const qlonglong whole = bare.toLongLong(&ok);
        if (ok && kind != FieldKind::Number)
            return FieldValue(std::int64_t(whole));
    }
    const double real = bare.toDouble(&ok) * factor;
    constexpr double kLargest = 9e18;
    if (!ok || !std::isfinite(real) || std::abs(real) > kLargest)
        return std::nullopt;
    if (kind == FieldKind::Number)
        return FieldValue(real);
    if (kind == FieldKind::Size && factor > 1)
        return FieldValue(std::int64_t(std::llround(real)));
    return std::nullopt;
}

NumberBox::NumberBox(FieldKind kind, QWidget *parent)
    : QLineEdit(parent)
    , m_kind(kind)
{
    setAlignment(Qt::AlignRight);
    setFocusPolicy(Qt::StrongFocus);
    connect(this, &QLineEdit::textEdited, this, &NumberBox::readText);
}

void NumberBox::showValue(const FieldValue &stated, const FieldValue &effective)
{
    m_stated = stated;
    m_effective = effective;
    const QString fallback = numberText(effective, m_kind, m_unit);
    setPlaceholderText(fallback.isEmpty() ? u"–"_s : fallback);
    const bool typing = hasFocus() && isModified();
    const bool same = text().isEmpty() ? stated.index() == 0
                                       : parseNumber(text(), m_kind) == std::optional(stated);
    if (typing && (same || m_unreadable))
        return;
    setUnreadable(false);
    setText(numberText(stated, m_kind, m_unit));
}

void NumberBox::setState(BoxState state)
{
    m_state = state;
    setUnreadable(m_unreadable);
}

void NumberBox::setUnit(ByteUnit unit)
{
    m_unit = unit;
    showValue(m_stated, m_effective);
}

void NumberBox::setSuffix(const QString &suffix)
{
    m_suffix = suffix;
    setTextMargins(0, 0, suffix.isEmpty() ? 0 : fontMetrics().horizontalAdvance(suffix) + 4, 0);
}

void NumberBox::paintEvent(QPaintEvent *event)
{
    QLineEdit::paintEvent(event);
    if (m_suffix.isEmpty())
        return;
    QPainter painter(this);
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(rect().adjusted(0, 0, -kSuffixMargin, 0), Qt::AlignRight | Qt::AlignVCenter,
                     m_suffix);
}

void NumberBox::readText(const QString &text)
{
    const std::optional<FieldValue> value =
        text.trimmed().isEmpty() ? FieldValue() : parseNumber(text, m_kind);
    setUnreadable(!value);
    if (value && *value != m_stated)
        Q_EMIT edited(*value);
}

void NumberBox::setUnreadable(bool unreadable)
{
    m_unreadable = unreadable;
    setBoxLook(this, m_unreadable ? BoxState::Error : m_state, false);
}

void NumberBox::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down)
        Q_EMIT steps(event->key() == Qt::Key_Up ? 1 : -1);
    else if (event->key() == Qt::Key_PageUp || event->key() == Qt::Key_PageDown)
        Q_EMIT steps(event->key() == Qt::Key_PageUp ? 8 : -8);
    else
        QLineEdit::keyPressEvent(event);
}

void NumberBox::focusOutEvent(QFocusEvent *event)
{
    QLineEdit::focusOutEvent(event);
    setModified(false);
    setUnreadable(false);
    setText(numberText(m_stated, m_kind, m_unit)); // what was typed, in its usual form
}

} // namespace vramscope
