// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/planner/field_control.h"

class QLineEdit;
class QPushButton;

namespace vramscope {

/// Free text in a line.
class TextControl : public FieldControl
{
    Q_OBJECT

public:
    TextControl(const Field &field, QWidget *parent);

    void showValue(const FieldValue &stated, const FieldValue &effective) override;
    void setState(BoxState state) override;

private:
    QLineEdit *m_box;
};

/// Several texts, written with semicolons between them: names of files may hold commas.
class TextsControl : public FieldControl
{
    Q_OBJECT

public:
    TextsControl(const Field &field, QWidget *parent);

    void showValue(const FieldValue &stated, const FieldValue &effective) override;
    void setState(BoxState state) override;

private:
    void take(const QString &text);

    QLineEdit *m_box;
};

/// Several whole numbers, written with commas between them.
class CountsControl : public FieldControl
{
    Q_OBJECT

public:
    CountsControl(const Field &field, QWidget *parent);

    void showValue(const FieldValue &stated, const FieldValue &effective) override;
    void setState(BoxState state) override;

private:
    void take(const QString &text);

    const Field &m_field;
    QLineEdit *m_box;
    FieldValue m_stated;
    FieldValue m_before; ///< stated when typing began
};

/// A whole config.json: a button that says what is there and opens its text for editing.
class ConfigControl : public FieldControl
{
    Q_OBJECT

public:
    ConfigControl(const Field &field, QWidget *parent);

    void showValue(const FieldValue &stated, const FieldValue &effective) override;
    void setState(BoxState state) override;

private:
    void openEditor();

    const Field &m_field;
    QPushButton *m_button;
    std::string m_config;
};

} // namespace vramscope
