// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document_page.h"
#include "ui/series/series_scene.h"

class QLabel;

namespace vramscope {

class Overview;
class ChoiceTable;
class SeriesStrip;
class SeriesView;
class TimelineState;

/// The page of a recording of curves over time: a strip of figures, the overview, the chart, and a
/// table of peaks. It explains why if there is nothing, or one sample, to draw. Draws from a
/// constant document; does not depend on a file.
class SeriesPage : public DocumentPage, private TimelineUse
{
    Q_OBJECT

public:
    explicit SeriesPage(std::shared_ptr<const SeriesDocument> document, QWidget *parent = nullptr);
    ~SeriesPage() override;

    void setUnit(ByteUnit unit) override;
    void showDevice(std::size_t device) override { showDevices(device); }
    /// Shows one device, an index into SeriesDocument::devices, or the use of all devices.
    void showDevices(std::optional<std::size_t> device);
    /// Draws a curve of the scene or leaves it out.
    void showCurve(std::size_t curve, bool shown);

    /// One line for the status bar: the cursor's time and the values of the curves.
    [[nodiscard]] QString statusText() const override;
    [[nodiscard]] QString helpTopic() const override
    {
        return QStringLiteral("trace#curves-of-other-programs");
    }
    [[nodiscard]] Table table(qsizetype most) const override;
    [[nodiscard]] bool isPresentable() const override { return m_view != nullptr; }
    [[nodiscard]] std::vector<StageItem> stageItems() override;
    [[nodiscard]] QVariantMap chosen(const Redaction *redaction) const override;
    void restore(const QVariantMap &chosen) override;
    [[nodiscard]] TimelineUse *timelineUse() override { return this; }

    /// Null if there is nothing to draw.
    [[nodiscard]] TimelineState *state() const { return m_view ? m_state : nullptr; }
    [[nodiscard]] const SeriesScene &scene() const { return m_scene; }
    void goToPeak() override;
    /// Null if there is nothing to draw.
    [[nodiscard]] ChoiceTable *peaks() const { return m_table; }

private:
    [[nodiscard]] TimelineState *timelineState() const override { return state(); }
    void buildParts();
    void connectParts();
    void showPeaks();
    void paintOverview();
    [[nodiscard]] QString noteText() const;

    std::shared_ptr<const SeriesDocument> m_document;
    SeriesScene m_scene;
    TimelineState *m_state;
    // Null while there is nothing to draw.
    SeriesStrip *m_strip = nullptr;
    QLabel *m_note = nullptr;
    Overview *m_overview = nullptr;
    SeriesView *m_view = nullptr;
    ChoiceTable *m_table = nullptr;
};

} // namespace vramscope
