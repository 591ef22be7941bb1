// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/trace/series.h"
#include "ui/document/document.h"
#include "ui/export/table.h"
#include "ui/stage/stage_item.h"

#include <QImage>
#include <QVariantMap>
#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QUndoStack;

namespace vramscope {

enum class PlanView;
class BookmarkModel;
class TimelineState;
struct TraceShot;

/// Additional functions of a plan's page.
class PlanEditing
{
public:
    [[nodiscard]] virtual const Plan &plan() const = 0;
    /// The plan as it was opened.
    [[nodiscard]] virtual const Plan &openedPlan() const = 0;
    /// Shows another plan: an undoable edit of that name.
    virtual void replacePlan(const Plan &plan, const QString &name) = 0;
    /// Brings a view of the lower card to the front.
    virtual void showPlanView(PlanView view) = 0;
    [[nodiscard]] virtual bool isModified() const = 0;
    /// Call this once the current plan has been written.
    virtual void markSaved() = 0;
    /// The plan is in no file yet, though it has not been edited.
    virtual void markUnsaved() = 0;

protected:
    ~PlanEditing() = default;
};

/// Additional functions of a page with a timeline.
class TimelineUse
{
public:
    /// Whether there is anything to draw.
    [[nodiscard]] virtual bool isDrawn() const { return timelineState() != nullptr; }
    /// The state for events of an allocator; null while there is nothing to draw, and for other
    /// timelines.
    [[nodiscard]] virtual TimelineState *timelineState() const { return nullptr; }
    /// Shows everything, the range before a jump, or the one after it.
    virtual void fit();
    virtual void back();
    virtual void forward();
    /// Moves cursor and view to the peak of memory in use.
    virtual void goToPeak() = 0;

protected:
    ~TimelineUse() = default;
};

/// Additional functions of a trace's page.
class TraceUse
{
public:
    /// Shows a view in its colours and costs, fully computed.
    virtual void showView(const TraceShot &shot) = 0;
    /// Whether a log of nvidia-smi can be drawn over the current view.
    [[nodiscard]] virtual bool takesLog() const = 0;
    /// Draws it; returns the assumptions made, or why it cannot be done.
    virtual QString takeLog(std::shared_ptr<const Series> log) = 0;
    /// Makes a plan of the shown device, on a thread; recoveredPlanWanted() follows.
    virtual void makePlan() = 0;

protected:
    ~TraceUse() = default;
};

/// Additional functions of a page with bookmarks.
class BookmarkUse
{
public:
    /// Null if there is nothing to mark.
    [[nodiscard]] virtual BookmarkModel *bookmarks() const = 0;
    virtual void addBookmark() = 0;
    /// Goes to the next or the previous bookmark.
    virtual void stepBookmark(bool forward) = 0;
    /// The current view, presented like the bookmark that addBookmark() would make; empty if there
    /// is nothing to mark.
    [[nodiscard]] virtual std::optional<StageItem> viewItem() const = 0;

protected:
    ~BookmarkUse() = default;
};

/// Additional functions of a page that shows plans next to its document: scenarios pinned to a
/// plan, or the plan that is compared with a recording or with a log.
class PlansBeside
{
public:
    [[nodiscard]] virtual std::vector<NamedPlan> plans() const = 0;
    virtual void addPlan(const NamedPlan &plan) = 0;
    /// There is no plan to show now; `why` is the reason in a sentence.
    virtual void setPlanMissing(const QString &why) = 0;

protected:
    ~PlansBeside() = default;
};

/// The page of one document, whatever its kind: what menus and the status bar need from every page,
/// and the additional functions that only some have, or null.
class DocumentPage : public QWidget
{
    Q_OBJECT

public:
    explicit DocumentPage(DocumentPointer document, QWidget *parent = nullptr)
        : QWidget(parent)
        , m_document(std::move(document))
    {
    }

    /// Shows sizes in this unit from now on.
    virtual void setUnit(ByteUnit unit) { m_unit = unit; }
    [[nodiscard]] ByteUnit unit() const { return m_unit; }
    /// One line for the status bar.
    [[nodiscard]] virtual QString statusText() const = 0;
    /// The document shown; for a plan in its current state.
    [[nodiscard]] virtual DocumentPointer document() const { return m_document; }
    /// The figures of the current view: its rows, or, for a picture without rows, those next to it;
    /// at most `most` rows. Empty if nothing is shown.
    [[nodiscard]] virtual Table table(qsizetype most) const = 0;
    /// The help page about it, "trace#curves-of-other-programs".
    [[nodiscard]] virtual QString helpTopic() const = 0;
    /// The selection as text: rows of the table with the focus, else the selection in a recording;
    /// empty without a selection.
    [[nodiscard]] virtual QString selectedText() const;
    /// The page as shown.
    [[nodiscard]] QImage picture() const;
    void paint(QPainter &painter) const;

    /// Whether the plan of another tab can be shown next to it; its edits then go to plansBeside().
    [[nodiscard]] virtual bool takesPlan() const { return false; }

    /// Whether a presentation can show anything of it.
    [[nodiscard]] virtual bool isPresentable() const { return false; }
    /// The items that it can present in its current state; may compute them.
    [[nodiscard]] virtual std::vector<StageItem> stageItems() { return {}; }
    /// The sources of a report on it. `file` and `date` are those of its tab.
    [[nodiscard]] virtual std::vector<ReportSource> reportSources(const QString &file,
                                                                  const QDateTime &date) const;
    /// The recordings for a comparison with this page; empty if it shows no traces.
    [[nodiscard]] virtual std::vector<ComparedTrace> compared() const { return {}; }
    /// The snapshot shown, if it is the only one: a plan can be compared with it.
    [[nodiscard]] std::optional<ComparedTrace> snapshot() const;

    /// The state that another page of the same document can show, including typed text, without
    /// names if there is a redaction. restore() takes it.
    [[nodiscard]] virtual QVariantMap chosen(const Redaction *) const { return {}; }
    virtual void restore(const QVariantMap &) {}
    /// Shows another of the devices, by index; no effect on pages without devices.
    virtual void showDevice(std::size_t) {}
    /// Goes to a place that planWanted() and similar signals name: a kind of run of the measured
    /// figures.
    virtual void goTo(const QString &) {}
    /// Computes now, on this thread, what it would otherwise show a moment later.
    virtual void workNow() {}

    /// The undo stack for edits of a plan or of bookmarks; null if there is nothing to edit.
    [[nodiscard]] virtual QUndoStack *undoStack() const { return nullptr; }
    [[nodiscard]] virtual PlanEditing *planEditing() { return nullptr; }
    [[nodiscard]] virtual TimelineUse *timelineUse() { return nullptr; }
    [[nodiscard]] virtual TraceUse *traceUse() { return nullptr; }
    [[nodiscard]] virtual BookmarkUse *bookmarkUse() { return nullptr; }
    [[nodiscard]] virtual PlansBeside *plansBeside() { return nullptr; }

    // The same for a constant page, and the most frequent queries.
    [[nodiscard]] const PlanEditing *planEditing() const { return changed()->planEditing(); }
    [[nodiscard]] const TimelineUse *timelineUse() const { return changed()->timelineUse(); }
    [[nodiscard]] const TraceUse *traceUse() const { return changed()->traceUse(); }
    [[nodiscard]] const BookmarkUse *bookmarkUse() const { return changed()->bookmarkUse(); }
    [[nodiscard]] const PlansBeside *plansBeside() const { return changed()->plansBeside(); }
    /// The plan being edited, or null.
    [[nodiscard]] const Plan *plan() const;
    [[nodiscard]] bool isModified() const;
    /// Null if there is no timeline, or nothing in it.
    [[nodiscard]] TimelineState *timeline() const;
    /// Null if there is nothing to mark.
    [[nodiscard]] BookmarkModel *bookmarks() const;
    [[nodiscard]] bool takesLog() const;

Q_SIGNALS:
    void statusChanged();
    /// The user wants to open a device of a file, by index, or to compare recordings.
    void openWanted(const QString &path, std::size_t device);
    void comparisonWanted(const std::vector<vramscope::ComparedTrace> &traces);
    /// The user wants to open a plan that is in no file, with a notice about it.
    void planWanted(const vramscope::Plan &plan, const QString &notice);
    /// The same of a plan made from a recording, with which it may be compared.
    void recoveredPlanWanted(const vramscope::Plan &plan, const QString &notice,
                             const vramscope::ComparedTrace &recording);
    /// The compared plan should be replaced: an edit of that name.
    void editWanted(const vramscope::Plan &plan, const QString &name);
    /// The plan, or the undo stack, has changed.
    void edited();

private:
    // Getting an interface of a page does not change the page.
    [[nodiscard]] DocumentPage *changed() const { return const_cast<DocumentPage *>(this); }

    DocumentPointer m_document;
    ByteUnit m_unit = ByteUnit::Binary;
};

} // namespace vramscope
