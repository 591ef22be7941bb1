// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/plan/field.h"
#include "ui/planner/look.h"

#include <QWidget>

namespace vramscope {

/// The input of one field: shows a value, tells what the user makes of it, decides nothing.
class FieldControl : public QWidget
{
    Q_OBJECT

public:
    using QWidget::QWidget;
    /// A box that has the focus loses it when the control is gone but for its QWidget, and would
    /// tell that it was left.
    ~FieldControl() override
    {
        for (QWidget *box : findChildren<QWidget *>())
            box->disconnect(this);
    }

    /// Shows what the document states, or greyed what is in force where it states nothing.
    virtual void showValue(const FieldValue &stated, const FieldValue &effective) = 0;
    /// Marks the input.
    virtual void setState(BoxState state);
    virtual void setUnit(ByteUnit) {}
    /// Whether what stands in it is no value of the field.
    [[nodiscard]] virtual bool isRefused() const { return false; }

Q_SIGNALS:
    /// The user wants this value; monostate: the default.
    void edited(const vramscope::FieldValue &value);
    /// A drag or a typed number came to its end: what follows is another edit.
    void gestureEnded();

protected:
    /// The one input, which fills the control.
    void setBox(QWidget *box);
    /// Whether what it shows is a default.
    void setDefault(bool isDefault);

private:
    BoxState m_state = BoxState::Normal;
    bool m_isDefault = false;
};

[[nodiscard]] FieldControl *makeControl(const Field &field, QWidget *parent);

} // namespace vramscope
