// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/planner/field.h"
#include "ui/planner/look.h"

#include <QLineEdit>

#include <optional>

namespace vramscope {

/// A number, count or size as text: "8,192", "0.9", "79.2 GiB".
[[nodiscard]] QString numberText(const FieldValue &value, FieldKind kind,
                                 ByteUnit unit = ByteUnit::Binary);
/// Reads what a person types: separators are ignored, sizes may carry a unit. Nothing where the
/// text is no such number.
[[nodiscard]] std::optional<FieldValue> parseNumber(const QString &text, FieldKind kind);

/// An input of one number, right-aligned, with the default shown greyed in an empty box. Emptying
/// it goes back to the default. Arrow keys ask for the next or the previous step.
class NumberBox : public QLineEdit
{
    Q_OBJECT

public:
    explicit NumberBox(FieldKind kind, QWidget *parent = nullptr);

    /// Shows what the document states, or the value in force greyed where it states none. What is
    /// being typed stays as typed while it means the same.
    void showValue(const FieldValue &stated, const FieldValue &effective);
    void setState(BoxState state);
    void setUnit(ByteUnit unit);
    /// What is counted, shown behind the number.
    void setSuffix(const QString &suffix);

Q_SIGNALS:
    /// A new value was typed; monostate: back to the default.
    void edited(const vramscope::FieldValue &value);
    void steps(int count);

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    void readText(const QString &text);
    void setUnreadable(bool unreadable);

    FieldKind m_kind;
    QString m_suffix;
    ByteUnit m_unit = ByteUnit::Binary;
    FieldValue m_stated;
    FieldValue m_effective;
    BoxState m_state = BoxState::Normal;
    bool m_unreadable = false;
};

} // namespace vramscope
