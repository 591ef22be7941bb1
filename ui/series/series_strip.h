// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/series/series_scene.h"
#include "ui/support/in_unit.h"

#include <QWidget>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QPushButton;

namespace vramscope {

class ElidedLabel;

/// The top of the page of a series: its headline; the device, its recorded values, its anomalies;
/// and a button for each of its curves in the curve's colour.
class SeriesStrip : public QWidget, public InUnit
{
    Q_OBJECT

public:
    explicit SeriesStrip(std::shared_ptr<const SeriesDocument> document, QWidget *parent = nullptr);

    /// `device`: index into SeriesDocument::devices; none: all. The scene shows that device.
    void setScene(const SeriesScene &scene, std::optional<std::size_t> device);

    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void deviceChosen(std::optional<std::size_t> device);
    void curveToggled(std::size_t curve, bool shown);

protected:
    void changeEvent(QEvent *event) override;

private:
    void takeUnit() override { refresh(); }
    void refresh();
    void addCurveButtons();
    [[nodiscard]] QIcon swatch(QRgb color) const;

    std::shared_ptr<const SeriesDocument> m_document;
    const SeriesScene *m_scene = nullptr;
    QComboBox *m_devices;
    ElidedLabel *m_recorded;
    QLabel *m_headline;
    QPushButton *m_problems;
    QHBoxLayout *m_curves;
};

} // namespace vramscope
