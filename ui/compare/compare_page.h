// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/compare/compare_scene.h"
#include "ui/compare/comparison.h"
#include "ui/document/document_page.h"

class QButtonGroup;
class QComboBox;
class QLabel;
class QStackedWidget;
class QTableWidget;

namespace vramscope {

class AlignmentBar;
class CompareLegend;
class CompareView;
class DifferenceView;
class ElidedLabel;
class Job;
class Overview;
class SitesTable;
class TimelineState;

/// The page of a comparison: the curves of all recordings on one axis, and below them two of the
/// recordings, A and B, compared at a moment: site by site, as a flame graph of
/// differences, and in their settings. Draws from constant documents; knows no file. Steps and
/// differences are found off the GUI thread.
class ComparePage : public DocumentPage, private TimelineUse
{
    Q_OBJECT

public:
    enum class Moment { Peaks, Cursor };
    enum class Part { Sites, Differences, Settings };

    explicit ComparePage(const std::shared_ptr<const ComparisonDocument> &document,
                         QWidget *parent = nullptr);
    ~ComparePage() override;

    void setUnit(ByteUnit unit) override;
    /// Which two are compared, by index.
    void setPair(std::size_t a, std::size_t b);
    void swapPair() { setPair(m_b, m_a); }
    void setMoment(Moment moment);
    void setPart(Part part);
    void setDevice(std::size_t trace, std::size_t device);
    void goToPeak() override;

    /// One line for the status bar: the cursor and what each recording holds there.
    [[nodiscard]] QString statusText() const override;
    [[nodiscard]] QString helpTopic() const override { return QStringLiteral("compare"); }
    [[nodiscard]] Table table(qsizetype most) const override;
    [[nodiscard]] bool isPresentable() const override { return true; }
    [[nodiscard]] std::vector<StageItem> stageItems() override;
    [[nodiscard]] std::vector<ReportSource> reportSources(const QString &file,
                                                          const QDateTime &date) const override;
    [[nodiscard]] std::vector<ComparedTrace> compared() const override { return m_document.traces; }
    [[nodiscard]] TimelineUse *timelineUse() override { return this; }
    /// Null where there is no curve to draw.
    [[nodiscard]] TimelineState *state() const { return m_scene.valid() ? m_state : nullptr; }
    [[nodiscard]] const std::vector<ComparedTrace> &traces() const { return m_document.traces; }
    [[nodiscard]] const CompareScene &scene() const { return m_scene; }
    [[nodiscard]] const AlignmentBar *alignment() const { return m_alignment; }
    [[nodiscard]] const SitesTable *sites() const { return m_sites; }
    /// What is shown; null until the first is there.
    [[nodiscard]] const std::shared_ptr<const TracePair> &pair() const { return m_pair; }
    /// Works out steps and differences now, on this thread: for pictures without an event loop.
    void workNow() override;

private:
    [[nodiscard]] TimelineState *timelineState() const override { return state(); }
    void buildParts();
    [[nodiscard]] QWidget *makeChartPart();
    [[nodiscard]] QWidget *makePairPart();
    void connectParts();
    void findSteps();
    void rebuildScene();
    void paintOverview();
    void fillPairChoices();
    void refreshPair();
    void showPair(std::shared_ptr<const TracePair> pair);
    void showNote();
    void showTexts();
    /// Of the base; none where it is not recorded there.
    [[nodiscard]] std::optional<EventIndex> eventAtCursor() const;
    [[nodiscard]] PairSide sideOf(std::size_t trace) const;
    [[nodiscard]] QString momentText(const PairSide &side) const;
    [[nodiscard]] QString noteText() const;

    ComparisonDocument m_document;
    CompareScene m_scene;
    TimelineState *m_state;
    std::size_t m_a = 0;
    std::size_t m_b = 1;
    Moment m_moment = Moment::Peaks;
    std::shared_ptr<const TracePair> m_pair;
    std::unique_ptr<Job> m_steps;
    std::unique_ptr<Job> m_pairJob;

    CompareLegend *m_legend;
    AlignmentBar *m_alignment;
    QWidget *m_chartPart;
    QLabel *m_note;
    QWidget *m_charts;
    Overview *m_overview;
    CompareView *m_view;
    QComboBox *m_baseBox;
    QComboBox *m_otherBox;
    QComboBox *m_momentBox;
    QButtonGroup *m_partButtons;
    QLabel *m_answer;
    ElidedLabel *m_about;
    QStackedWidget *m_parts;
    SitesTable *m_sites;
    DifferenceView *m_differences;
    QTableWidget *m_settings;
};

} // namespace vramscope
