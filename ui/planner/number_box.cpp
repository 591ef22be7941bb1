// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/number_box.h"

#include "core/settings/field_text.h"
#include "ui/support/text.h"

#include <QKeyEvent>
#include <QPainter>

#include <cmath>
#include <utility>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kSuffixMargin = 6;

} // namespace

QString numberText(const FieldValue &value, FieldKind kind, ByteUnit unit)
{
    if (const auto *whole = std::get_if<std::int64_t>(&value))
        return kind == FieldKind::Size ? bytesText(*whole, unit) : countText(*whole);
    if (const auto *real = std::get_if<double>(&value))
        return toQString(formatNumber(*real));
    return {};
}

std::optional<FieldValue> parseNumber(const QString &text, const Field &field)
{
    QString bare = text;
    bare.remove(u' ').remove(QChar(QChar::Nbsp));
    if (field.kind != FieldKind::Number) // where "0,9" is no 9
        bare.remove(u',');
    FieldValue value = writtenValue(field, bare.toStdString());
    const auto *real = std::get_if<double>(&value);
    if (std::holds_alternative<std::string>(value) || (real && !std::isfinite(*real)))
        return std::nullopt;
    return value;
}

NumberBox::NumberBox(const Field &field, QWidget *parent)
    : QLineEdit(parent)
    , m_field(field)
{
    setAlignment(Qt::AlignRight);
    setFocusPolicy(Qt::StrongFocus);
    connect(this, &QLineEdit::textEdited, this, &NumberBox::readText);
    connect(this, &QLineEdit::editingFinished, this, [this] { m_typing = false; });
}

void NumberBox::showValue(const FieldValue &stated, const FieldValue &effective)
{
    m_stated = stated;
    m_effective = effective;
    const QString fallback = numberText(effective, m_field.kind, m_unit);
    setPlaceholderText(fallback.isEmpty() ? u"–"_s : fallback);
    if (m_refused && stated == m_before)
        return; // what was typed stays until it is mended or another value comes
    const bool typing = hasFocus() && isModified();
    const bool same = text().isEmpty() ? stated.index() == 0
                                       : parseNumber(text(), m_field) == std::optional(stated);
    if (typing && same)
        return;
    setRefused(false);
    setText(numberText(stated, m_field.kind, m_unit));
}

void NumberBox::setState(BoxState state)
{
    m_state = state;
    setRefused(m_refused);
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
    if (!std::exchange(m_typing, true))
        m_before = m_stated;
    const FieldValue value =
        text.trimmed().isEmpty()
            ? FieldValue()
            : parseNumber(text, m_field).value_or(text.trimmed().toStdString());
    const bool wasRefused = m_refused;
    setRefused(isStated(value) && !checkValue(m_field, value));
    // What is refused sets nothing, nor does the part of it that was typed first: the 20 of "20x".
    if (m_refused && m_stated != m_before)
        Q_EMIT edited(m_before);
    if (m_refused || wasRefused || value != m_stated)
        Q_EMIT edited(value);
}

void NumberBox::setRefused(bool refused)
{
    m_refused = refused;
    setBoxLook(this, m_refused ? BoxState::Error : m_state, false);
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
    if (m_refused)
        return;
    setModified(false);
    setText(numberText(m_stated, m_field.kind, m_unit)); // what was typed, in its usual form
}

} // namespace vramscope
