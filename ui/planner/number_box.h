// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/plan/field.h"
#include "ui/planner/look.h"

#include <QLineEdit>

#include <optional>

namespace vramscope {

/// A number, count or size as text: "8,192", "0.9", "79.2 GiB".
[[nodiscard]] QString numberText(const FieldValue &value, FieldKind kind,
                                 ByteUnit unit = ByteUnit::Binary);
/// Reads what a person types as a command line does ("8k", "20B", "80 GB"), but for separators,
/// which are ignored. Nothing where the text is no number of the field.
[[nodiscard]] std::optional<FieldValue> parseNumber(const QString &text, const Field &field);

/// An input of one number, right-aligned, with the default shown greyed in an empty box. Emptying
/// it goes back to the default; a text that the field refuses sets the value from before it was
/// typed, and stays, marked, until it is mended. Arrow keys ask for the next or the previous step.
class NumberBox : public QLineEdit
{
    Q_OBJECT

public:
    /// `field` is one of the table, which stays.
    explicit NumberBox(const Field &field, QWidget *parent = nullptr);

    /// Shows what the document states, or the value in force greyed where it states none. What is
    /// being typed stays as typed while it means the same.
    void showValue(const FieldValue &stated, const FieldValue &effective);
    void setState(BoxState state);
    void setUnit(ByteUnit unit);
    /// Whether the text is one that the field refuses.
    [[nodiscard]] bool isRefused() const { return m_refused; }
    /// What is counted, shown behind the number.
    void setSuffix(const QString &suffix);

Q_SIGNALS:
    /// A new value was typed; monostate: back to the default; one that the field refuses, or the
    /// text that is no number: for whoever says why.
    void edited(const vramscope::FieldValue &value);
    void steps(int count);

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    void readText(const QString &text);
    void setRefused(bool refused);

    const Field &m_field;
    QString m_suffix;
    ByteUnit m_unit = ByteUnit::Binary;
    FieldValue m_stated;
    FieldValue m_before; ///< stated when typing began
    FieldValue m_effective;
    BoxState m_state = BoxState::Normal;
    bool m_refused = false;
    bool m_typing = false;
};

} // namespace vramscope
