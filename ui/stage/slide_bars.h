// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/estimate/verdict.h"

#include <QColor>
#include <QStringList>
#include <QWidget>

#include <numeric>
#include <optional>
#include <vector>

class QPainter;

namespace vramscope {

struct Theme;

/// A bar of a slide, in pieces of any unit, named at its left, with its figure at its right.
struct SlideBar
{
    struct Piece
    {
        QString name = {}; ///< in the bar where it has room; may be empty
        double value = 0;
        QString text = {}; ///< of the value
        QColor color = {}; ///< without one that of its verdict or side
        bool hatched = false;
        bool hollow = false; ///< was asked for and not given
        std::optional<Verdict> verdict = {};
        std::optional<std::size_t> side = {};
    };
    QString name;
    std::vector<Piece> pieces;
    QString text;   ///< may be empty
    double low = 0; ///< the likely range; without one equal to `high`
    double high = 0;
    QString range; ///< at its whisker
    std::optional<double> limit;
    QString limitText;
    bool joined = false; ///< belongs to the bar above it
    QString gap;         ///< between the bar's end and the limit: "34.4 GiB too much"

    [[nodiscard]] double total() const
    {
        return std::accumulate(pieces.begin(), pieces.end(), 0.0,
                               [](double sum, const Piece &piece) { return sum + piece.value; });
    }
};

struct SlideBars
{
    std::vector<SlideBar> bars;
    QStringList remarks; ///< below them
};

/// Bars on one scale from 0, painted into a place in points; pieces without room for their names
/// are named in a line below.
void paintBars(QPainter &painter, const SlideBars &bars, QSizeF place, const Theme &theme);

/// A bar for each piece, which it names at its left.
[[nodiscard]] std::vector<SlideBar> barOfEach(std::vector<SlideBar::Piece> pieces);

/// Sizes on one scale, the first letter of each name a capital; beyond the limit they are red.
[[nodiscard]] SlideBars levelBars(const std::vector<std::pair<QString, Bytes>> &levels,
                                  ByteUnit unit, std::optional<Bytes> limit = {},
                                  QStringList remarks = {});

/// The colours of two compared plans or recordings; no category has them.
[[nodiscard]] QColor sideColor(std::size_t side, const Theme &theme);

class SlideBarsView : public QWidget
{
    Q_OBJECT

public:
    explicit SlideBarsView(SlideBars bars, QWidget *parent = nullptr);

    [[nodiscard]] const SlideBars &bars() const { return m_bars; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    SlideBars m_bars;
};

} // namespace vramscope
