// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/planner/look.h"

#include <QComboBox>
#include <QPushButton>

namespace vramscope {

/// One entry of a list to choose from: the document's word and what people read.
struct ChoiceItem
{
    QString value;
    QString title;
    QString toolTip;
};

/// A combo box over the choices of a field, greyed where the choice is a default. The wheel scrolls
/// what lies around it. With search, typing filters by any part of the title.
class ChoiceBox : public QComboBox
{
    Q_OBJECT

public:
    ChoiceBox(const QList<ChoiceItem> &items, bool search, QWidget *parent = nullptr);

    /// Shows a value; one that is not in the list is shown as it stands.
    void showValue(const QString &value, bool isDefault);
    void setState(BoxState state);

Q_SIGNALS:
    void chosen(const QString &value);

protected:
    void paintEvent(QPaintEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void addSearch();
    void takeTypedText();

    QString m_shown;
    bool m_default = false;
    BoxState m_state = BoxState::Normal;
};

/// A button that opens a list of which several may be chosen.
class ChoicesBox : public QPushButton
{
    Q_OBJECT

public:
    explicit ChoicesBox(const QList<ChoiceItem> &items, QWidget *parent = nullptr);

    void showValue(const QStringList &values, bool isDefault);
    void setState(BoxState state);
    [[nodiscard]] QList<QAction *> choices() const;

Q_SIGNALS:
    void chosen(const QStringList &values);

private:
    bool m_default = false;
    BoxState m_state = BoxState::Normal;
};

} // namespace vramscope
