// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/stage/slide.h"
#include "ui/stage/stage_item.h"

#include <QImage>
#include <QTimer>
#include <QWidget>

class QScreen;

namespace vramscope {

/// A presentation: one item at a time in full screen, its sentence large above it, below it the
/// note and the position. Everything has the same share of the screen on a projector and on a large
/// display. Right, Down, Space, Enter, PageDown, a click and the wheel go on; Left, Up, Backspace
/// and PageUp go back; Home, End, a number and Enter jump; N shows or hides notes, B or a full stop
/// blacks the screen out, T switches the colours, Escape ends. The mouse is visible while it moves.
class StageWindow : public QWidget
{
    Q_OBJECT

public:
    /// Shows the items that are to be shown; `title` names the document.
    StageWindow(const std::vector<StageItem> &items, const QString &title,
                QWidget *parent = nullptr);

    /// Fills a screen.
    void present(QScreen *screen);

    [[nodiscard]] int count() const { return static_cast<int>(m_items.size()); }
    [[nodiscard]] int current() const { return m_current; }
    /// Goes to an item, or as near as there is one.
    void goTo(int item);
    [[nodiscard]] QString headline() const { return m_scene.headline; }
    /// The foot of the slide with its page, and where Enter would go.
    [[nodiscard]] QString footer() const;
    [[nodiscard]] bool areNotesShown() const { return m_notes; }

Q_SIGNALS:
    /// Light in place of dark colours, or dark in place of light ones.
    void otherColorsWanted();
    void ended();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void closeEvent(QCloseEvent *event) override;
    void changeEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;

private:
    [[nodiscard]] QString note() const;
    [[nodiscard]] SlideText text() const;
    void discardPicture();
    void setBlack(bool black);
    /// Whether the key is part of a number, or ends one.
    bool takeNumber(int key);

    std::vector<StageItem> m_items;
    QString m_title;
    int m_current = -1;
    StageScene m_scene;
    std::shared_ptr<QWidget> m_view; ///< of the scene; null: the sentence alone
    QImage m_picture;                ///< of the scene's view; null: to be painted
    bool m_notes = true;
    bool m_black = false;
    int m_number = 0; ///< that was typed: an item, from 1; 0: none
    QTimer m_still;   ///< runs while the mouse is seen
    int m_wheel = 0;  ///< wheel movement since the last step, in eighths of a degree
};

} // namespace vramscope
