// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>

namespace vramscope {

/// A button as wide as its place, for lists of things to do or to open: an icon, a title, a detail
/// below it or next to it, and at the right the keyboard shortcut. Text that does not fit is
/// elided, and complete in the tooltip. Its colours follow the theme.
class RowButton : public QPushButton
{
    Q_OBJECT

public:
    enum class Detail { Below, Beside };

    RowButton(const QString &icon, const QString &title, QWidget *parent = nullptr);

    void setDetail(const QString &detail, Detail place);
    void setKey(const QString &key);
    void setIconName(const QString &icon);

    [[nodiscard]] QString detail() const { return m_detail; }
    [[nodiscard]] QString key() const { return m_key; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_icon;
    QString m_detail;
    QString m_key;
    Detail m_place = Detail::Beside;
};

} // namespace vramscope
