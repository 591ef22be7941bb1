// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/breakdown.h"
#include "core/profile/coverage.h"

#include <QString>
#include <QWidget>

#include <array>
#include <optional>
#include <vector>

namespace vramscope {

/// Where the time of a stretch went on one device: the parts of the bar add up to its length.
struct BarTimes
{
    QString name; ///< "GPU 0"
    std::int64_t compute = 0;
    std::int64_t exposedCommunication = 0;
    std::int64_t exposedCopies = 0;
    std::int64_t idle = 0;
    std::int64_t hidden = 0; ///< of compute: communication ran beside it

    [[nodiscard]] std::int64_t span() const
    {
        return compute + exposedCommunication + exposedCopies + idle;
    }
    bool operator==(const BarTimes &) const = default;
};

[[nodiscard]] BarTimes barTimes(const QString &name, const TimeBreakdown &times);
[[nodiscard]] BarTimes barTimes(const QString &name, const CoverTimes &times);
/// Of each device, "GPU 0".
[[nodiscard]] std::vector<BarTimes> barTimes(const std::vector<DeviceBreakdown> &devices);

/// The parts of the bar, from left to right, and the thin one below it.
enum class BarPart : std::uint8_t { Compute, Communication, Copies, Idle, Hidden };
inline constexpr std::size_t kBarPartCount = 5;
[[nodiscard]] std::int64_t timeOf(const BarTimes &times, BarPart part);
[[nodiscard]] QString barPartName(BarPart part);
/// Whether work of a class makes up a part; none makes up idle time.
[[nodiscard]] bool belongsTo(WorkClass workClass, BarPart part);

/// One stacked bar a device: compute, exposed communication, exposed copies and idle, which add up
/// to the span; under it, thin, the communication that compute hid. Names, times and shares stand
/// below. A click on a part chooses it.
class BreakdownBar : public QWidget
{
    Q_OBJECT

public:
    explicit BreakdownBar(QWidget *parent = nullptr);

    void setTimes(std::vector<BarTimes> times);
    /// Whether a bar is as long as its span beside the longest one's; else each is as long as any.
    void setCommonScale(bool common);
    [[nodiscard]] const std::vector<BarTimes> &times() const { return m_times; }
    /// The part that the rest of the page is filtered to; none: it is not.
    void setChosen(std::optional<BarPart> part);

    /// The place of a part in the bar of a device.
    [[nodiscard]] QRectF partRect(std::size_t device, BarPart part) const;
    /// A name below the bars stands for its part too.
    [[nodiscard]] std::optional<BarPart> partAt(QPointF point) const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    /// The names below the bars take as many lines as they need.
    [[nodiscard]] int heightForWidth(int width) const override;

Q_SIGNALS:
    void partClicked(vramscope::BarPart part);

protected:
    bool event(QEvent *event) override;
    void changeEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;

private:
    /// Measures what all bars share, which there may be a thousand of.
    void measure();
    /// One device needs no name; what is compared does, even where only one side is known.
    [[nodiscard]] bool showsNames() const { return m_times.size() > 1 || m_hasCommonScale; }
    [[nodiscard]] QRectF barRect(std::size_t device) const;
    [[nodiscard]] std::array<QRectF, kBarPartCount> legendRects(double width) const;
    [[nodiscard]] QString legendText(BarPart part) const;
    [[nodiscard]] QString tipText(std::size_t device, BarPart part) const;

    /// What a bar as long as its place stands for.
    [[nodiscard]] std::int64_t fullSpan(std::size_t device) const;

    std::vector<BarTimes> m_times;
    std::optional<BarPart> m_chosen;
    bool m_hasCommonScale = false;
    double m_namesWidth = 0;
    std::int64_t m_longestSpan = 0;
};

} // namespace vramscope
