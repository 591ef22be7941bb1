// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>

namespace vramscope {

/// One entry of a list to choose from: the document's word and what people read.
struct ChoiceItem
{
    QString value;
    QString title;
    QString toolTip;
};

/// A combo box over the choices of a field. The wheel scrolls what lies around it. With search,
/// typing filters by any part of the title.
class ChoiceBox : public QComboBox
{
    Q_OBJECT

public:
    ChoiceBox(const QList<ChoiceItem> &items, bool search, QWidget *parent = nullptr);

    /// Shows a value; one that is not in the list is shown as it stands.
    void showValue(const QString &value);

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
};

class PresetPopup;

/// The box of the architecture: shows its name and opens a PresetPopup. Typing on it opens the list
/// with what is typed.
class PresetBox : public ChoiceBox
{
    Q_OBJECT

public:
    explicit PresetBox(QWidget *parent = nullptr);

    void showPopup() override;
    void hidePopup() override;
    /// Null until it has been opened once.
    [[nodiscard]] PresetPopup *popup() const { return m_popup; }

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    PresetPopup *m_popup = nullptr;
};

} // namespace vramscope
