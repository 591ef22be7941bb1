// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/base/format.h"

#include <QWidget>

class QPainter;

namespace vramscope {

struct OutOfMemoryReport;

/// The device's memory when a request failed, on one scale: what was in use, the holes between,
/// what was free, and under it the request, hollow, that went past the end.
class BudgetBar : public QWidget
{
    Q_OBJECT

public:
    explicit BudgetBar(QWidget *parent = nullptr);

    void setFailure(const OutOfMemoryReport &failure, ByteUnit unit);
    /// What it shows, as text.
    [[nodiscard]] QString text() const;

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void paintRequest(QPainter &painter, double from, double perByte) const;

    Bytes m_used = 0;
    Bytes m_holes = 0; ///< with what waits for another stream
    Bytes m_free = -1; ///< of the device; -1: unknown
    Bytes m_asked = 0;
    ByteUnit m_unit = ByteUnit::Binary;
};

} // namespace vramscope
