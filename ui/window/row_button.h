// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/verdict.h"

#include <QPushButton>

#include <optional>

namespace vramscope {

/// A button as wide as its place, for lists of things to do or to open: under a hairline an icon, a
/// title, a detail next to it, and at the right its key or what it is. Text that does not fit is
/// elided, and complete in the tooltip. Its colours follow the theme.
class RowButton : public QPushButton
{
    Q_OBJECT

public:
    RowButton(const QString &icon, const QString &title, const QString &detail,
              QWidget *parent = nullptr);

    /// In the colour of the verdict, if it is one.
    void setEnd(const QString &text, std::optional<Verdict> verdict = {});

    [[nodiscard]] QString detail() const { return m_detail; }
    [[nodiscard]] QString end() const { return m_end; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

    /// How far its texts and the hairline stay from its sides.
    static constexpr int kInset = 8;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_icon;
    QString m_detail;
    QString m_end;
    std::optional<Verdict> m_verdict;
};

} // namespace vramscope
