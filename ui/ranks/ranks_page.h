// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document_page.h"
#include "ui/ranks/rank_tables.h"
#include "ui/ranks/ranks_document.h"

#include <functional>

class QCheckBox;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QSplitter;
class QStackedWidget;

namespace vramscope {

class BreakdownBar;
class HeatMap;
class Job;
class RankDetails;
class DataTableView;
class RankGrid;
class RankPicture;
class TabbedTables;

/// More ranks than these are one heat map.
inline constexpr std::size_t kMostTiles = 64;

/// The page of the ranks of a run: who ran out of memory first, is an outlier or is late, and what
/// is missing; all ranks in one picture, their memory as small multiples or a heat map, their time
/// as bars; their table with its filter, and of whole profiler traces the collectives; the chosen
/// rank next to the typical one of its group.
class RanksPage : public DocumentPage
{
    Q_OBJECT

public:
    /// Where the curves of the study are not read yet, a job reads them.
    explicit RanksPage(const std::shared_ptr<const RanksDocument> &document,
                       QWidget *parent = nullptr);
    explicit RanksPage(RunStudyPointer study, QWidget *parent = nullptr);

    /// Reads the curves of the ranks now, on this thread, where they are still to be read.
    void workNow() override;

    void setUnit(ByteUnit unit) override;
    [[nodiscard]] const RunStudy &study() const { return *m_study; }
    [[nodiscard]] const RunStudyPointer &sharedStudy() const { return m_study; }
    void setCurrent(std::size_t rank);
    [[nodiscard]] std::size_t current() const { return m_current; }
    /// What is typed into the filter; one that cannot be understood changes nothing.
    void setFilter(const QString &text);
    [[nodiscard]] QString filter() const;
    [[nodiscard]] QString heading() const;
    /// The current rank in one line, or why what was wanted last could not be done.
    [[nodiscard]] QString statusText() const override;
    [[nodiscard]] QString helpTopic() const override
    {
        return m_study->hasMemory() ? QStringLiteral("compare#ranks")
                                    : QStringLiteral("profile#ranks");
    }
    [[nodiscard]] Table table(qsizetype most) const override;
    [[nodiscard]] bool isPresentable() const override { return true; }
    [[nodiscard]] std::vector<StageItem> stageItems() override;
    [[nodiscard]] QVariantMap chosen(const Redaction *redaction) const override;
    void restore(const QVariantMap &chosen) override;

    void goTo(const QString &place) override;

    /// Null where the other one is shown, both without snapshots.
    [[nodiscard]] RankGrid *grid() const;
    [[nodiscard]] HeatMap *heatMap() const { return m_heat; }
    /// Null without profiler traces.
    [[nodiscard]] BreakdownBar *bar() const { return m_bar; }
    [[nodiscard]] DataTableView *view() const { return m_view; }
    [[nodiscard]] RanksTab tab() const;
    void setTab(RanksTab tab);
    /// Of the table of ranks: the rank of a row, and the row of a rank, -1 where it is not shown.
    [[nodiscard]] std::size_t rank(int row) const;
    [[nodiscard]] int rowOf(std::size_t rank) const;

    /// Gives the folder in which the recordings lie, or nothing: a dialog, but for tests.
    std::function<QString()> askForFolder;

Q_SIGNALS:
    /// The curves have been read: study() is another one.
    void curvesRead();

protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    [[nodiscard]] QWidget *makeHead();
    [[nodiscard]] QWidget *makePicture();
    [[nodiscard]] QWidget *makeMemoryPicture();
    [[nodiscard]] QWidget *makeBars();
    [[nodiscard]] QWidget *makeTable();
    void makeBar(QHBoxLayout &bar);
    void fillAxes();
    void readCurves();
    void takeCurves(const Result<RunStudyPointer> &study);
    void applyFilter();
    void showTable();
    void showTexts();
    void showCoverage();
    void follow();
    void showRow();
    void open(std::size_t rank);
    void compare(std::size_t rank);
    /// Where its recording lies; asks where it is in none of the known folders.
    [[nodiscard]] QString recordingPathOf(std::size_t rank);

    RunStudyPointer m_study;
    Job *m_job = nullptr; ///< that reads the curves
    std::size_t m_current;
    QString m_elsewhere; ///< the folder that was named
    QString m_complaint; ///< why the last wish could not be done
    QLabel *m_headline;
    QLabel *m_spread;
    QLabel *m_coverage;
    QLineEdit *m_filter;
    QLabel *m_count;
    DataTableView *m_view;
    TabbedTables *m_tables;
    std::vector<std::uint8_t> m_kept; ///< by rank, as the filter has it; empty: all
    std::vector<std::size_t> m_shown; ///< by row of the table of ranks, before it is sorted
    BreakdownBar *m_bar = nullptr;
    RankPicture *m_picture = nullptr; ///< null without snapshots
    HeatMap *m_heat = nullptr;        ///< the picture, of many ranks
    QComboBox *m_order = nullptr;
    QComboBox *m_axis = nullptr;
    QCheckBox *m_fold = nullptr;
    QLabel *m_reading = nullptr; ///< that the curves are still to come, or why they do not
    RankDetails *m_details;
    QSplitter *m_across;
    bool m_isSized = false;
};

} // namespace vramscope
