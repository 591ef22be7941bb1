// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/profile/profile_chart.h"
#include "ui/support/in_unit.h"
#include "ui/support/kept_picture.h"

#include <QAbstractScrollArea>

#include <memory>
#include <optional>
#include <vector>

namespace vramscope {

/// The timeline of a profile, explored like the other timelines: wheel zooms at the mouse (over the
/// names or with Ctrl it scrolls), drag moves, shift-drag chooses a stretch, click selects an
/// event, double click zooms to it; W S A D, F, P, [ ], /, Esc, Ctrl+C by keyboard. The chart is
/// painted once a stretch and kept; what follows the mouse is painted over it.
class ProfileTimeline : public QAbstractScrollArea, public InUnit
{
    Q_OBJECT

public:
    ProfileTimeline(std::shared_ptr<const ProfileDocument> document, ProfileState *state,
                    QWidget *parent = nullptr);

    /// Selects an event and brings it into view; what is folded over it is opened.
    void goTo(const ProfileEventId &event);
    /// To where most memory was allocated on a device; on the host where only that was recorded.
    void goToPeak();
    /// To the event after the selected one in its row, or to the one before; of what is found,
    /// where something is.
    void step(bool forward);
    void setFolds(const Folds &folds);
    [[nodiscard]] const Folds &folds() const { return m_folds; }
    /// The row that an event stands in.
    [[nodiscard]] std::optional<std::size_t> rowOf(const ProfileEventId &event) const;

    /// The lines that tell of a point of the viewport, the first one a heading.
    [[nodiscard]] QStringList textAt(QPointF position) const;
    /// As it is painted now.
    [[nodiscard]] const ProfileChart &chart() const;
    [[nodiscard]] const TimelineLines &lines() const { return m_lines; }
    [[nodiscard]] const std::vector<TimelineSection> &sections() const { return m_sections; }

    [[nodiscard]] QSize sizeHint() const override { return {900, 480}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {320, 160}; }

Q_SIGNALS:
    void searchWanted();
    void copyWanted();

protected:
    bool event(QEvent *event) override;
    bool viewportEvent(QEvent *event) override;
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;
    void paintEvent(QPaintEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void takeUnit() override { discard(); }
    enum class Gesture { None, Press, Pan, Choose };

    void arrange();
    void discard();
    [[nodiscard]] ProfileScene scene() const;
    [[nodiscard]] double anchor() const;
    [[nodiscard]] std::int64_t timeAt(double x) const; ///< as the file counts
    void click(QPointF point);
    bool toggleFold(std::size_t line);
    bool handleKey(int key, Qt::KeyboardModifiers modifiers);
    void zoomToSelected();
    void scrollTo(std::size_t line);
    [[nodiscard]] QStringList markText(const TimelineLine &line, const RowMark &mark) const;
    [[nodiscard]] QStringList coverText(const TimelineLine &line, double x) const;
    [[nodiscard]] QStringList memoryText(const TimelineLine &line, double x) const;
    // What changes without the chart.
    void paintOver(QPainter &painter) const;
    void paintSelected(QPainter &painter) const;
    void paintArrows(QPainter &painter) const;
    void paintChosen(QPainter &painter) const;
    [[nodiscard]] std::optional<QRectF> placeOf(const ProfileEventId &event) const;

    std::shared_ptr<const ProfileDocument> m_document;
    ProfileState *m_state;
    std::vector<TimelineSection> m_sections;
    Folds m_folds;
    TimelineLines m_lines;
    mutable std::optional<EventColors> m_colors; // of the current theme
    KeptPicture<ProfileChart> m_picture;
    Gesture m_gesture = Gesture::None;
    QPointF m_pressed;
    QPointF m_moved;
    double m_pressedScroll = 0;
    std::optional<QPointF> m_mouse;
};

} // namespace vramscope
