// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document_page.h"
#include "ui/ranks/ranks_document.h"

#include <functional>

class QCheckBox;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QSplitter;
class QTableView;

namespace vramscope {

class HeatMap;
class Job;
class RankDetails;
class RankGrid;
class RanksModel;

/// More ranks than these are one heat map.
inline constexpr std::size_t kMostTiles = 64;

/// The page of the ranks of a run: who ran out of memory first or stands out, and what is missing;
/// all ranks in one picture, small multiples or a heat map; their table with its filter; the chosen
/// one beside the typical one of its group.
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
    [[nodiscard]] QString helpTopic() const override { return QStringLiteral("compare#ranks"); }
    [[nodiscard]] Table table(qsizetype most) const override;
    [[nodiscard]] bool isPresentable() const override { return true; }
    [[nodiscard]] std::vector<StageItem> stageItems() override;
    [[nodiscard]] QVariantMap chosen(const Redaction *redaction) const override;
    void restore(const QVariantMap &chosen) override;

    /// Null where the other one is shown.
    [[nodiscard]] RankGrid *grid() const { return m_grid; }
    [[nodiscard]] HeatMap *heatMap() const { return m_heat; }
    [[nodiscard]] RanksModel *model() const { return m_model; }

    /// Gives the folder in which the recordings lie, or nothing: a dialog, but for tests.
    std::function<QString()> askForFolder;

Q_SIGNALS:
    /// The curves have been read: study() is another one.
    void curvesRead();

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    [[nodiscard]] QWidget *makeHead();
    [[nodiscard]] QWidget *makePicture();
    [[nodiscard]] QWidget *makeTable();
    void makeBar(QHBoxLayout &bar);
    void fillAxes();
    void connectPicture();
    void readCurves();
    void takeCurves(const Result<RunStudyPointer> &study);
    void applyFilter();
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
    QTableView *m_table;
    RanksModel *m_model;
    RankGrid *m_grid = nullptr;
    HeatMap *m_heat = nullptr;
    QComboBox *m_order = nullptr;
    QComboBox *m_axis = nullptr;
    QCheckBox *m_fold = nullptr;
    QLabel *m_reading = nullptr; ///< that the curves are still to come, or why they do not
    RankDetails *m_details;
    QSplitter *m_across;
    bool m_isSized = false;
};

} // namespace vramscope
