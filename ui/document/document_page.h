// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/trace/series.h"
#include "ui/document/compared_trace.h"
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

/// What a page of a plan can do beside what every page does.
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
    /// The plan as it is now has been written.
    virtual void markSaved() = 0;
    /// The plan stands in no file yet, though it has not been edited.
    virtual void markUnsaved() = 0;

protected:
    ~PlanEditing() = default;
};

/// What a page with a timeline can do.
class TimelineUse
{
public:
    /// Whether there is anything to draw.
    [[nodiscard]] virtual bool isDrawn() const { return timelineState() != nullptr; }
    /// Of events of an allocator; null while there is nothing to draw, and of other timelines.
    [[nodiscard]] virtual TimelineState *timelineState() const { return nullptr; }
    /// Shows everything, the range before a jump, or the one after it.
    virtual void fit();
    virtual void back();
    virtual void forward();
    /// Moves cursor and view to where most bytes are in use.
    virtual void goToPeak() = 0;

protected:
    ~TimelineUse() = default;
};

/// What a page of a trace can do.
class TraceUse
{
public:
    /// Shows a view in its colours and costs, everything worked out.
    virtual void showView(const TraceShot &shot) = 0;
    /// Whether a log of nvidia-smi can be drawn over what is seen.
    [[nodiscard]] virtual bool takesLog() const = 0;
    /// Draws it; gives what was assumed, or why it cannot be done.
    virtual QString takeLog(std::shared_ptr<const Series> log) = 0;
    /// Makes a plan of the shown device, on a thread; recoveredPlanWanted() follows.
    virtual void makePlan() = 0;

protected:
    ~TraceUse() = default;
};

/// What a page can do in which places are kept as bookmarks.
class BookmarkUse
{
public:
    /// Null where there is nothing to mark.
    [[nodiscard]] virtual BookmarkModel *bookmarks() const = 0;
    virtual void addBookmark() = 0;
    /// Goes to the next one, or to the one before.
    virtual void stepBookmark(bool forward) = 0;
    /// What is seen just now, as the bookmark that addBookmark() would make is presented; none
    /// where there is nothing to mark.
    [[nodiscard]] virtual std::optional<StageItem> viewItem() const = 0;

protected:
    ~BookmarkUse() = default;
};

/// What a page can do that shows plans beside its document: scenarios pinned to a plan, or the plan
/// that is compared with a recording or with a log.
class PlansBeside
{
public:
    [[nodiscard]] virtual std::vector<NamedPlan> plans() const = 0;
    virtual void addPlan(const NamedPlan &plan) = 0;
    /// There is no plan to show now, and why, in a sentence.
    virtual void setPlanMissing(const QString &why) = 0;

protected:
    ~PlansBeside() = default;
};

/// The page of one document, whatever its kind: what menus and the status bar ask of every page,
/// and what only some can do, or null.
class DocumentPage : public QWidget
{
    Q_OBJECT

public:
    explicit DocumentPage(DocumentPointer document, QWidget *parent = nullptr)
        : QWidget(parent)
        , m_document(std::move(document))
    {
    }

    /// Sizes in this unit from now on.
    virtual void setUnit(ByteUnit unit) { m_unit = unit; }
    [[nodiscard]] ByteUnit unit() const { return m_unit; }
    /// One line for the status bar.
    [[nodiscard]] virtual QString statusText() const = 0;
    /// What the page shows; of a plan as it is now.
    [[nodiscard]] virtual DocumentPointer document() const { return m_document; }
    /// The figures of what is in front: the rows of the view, or, of a picture that has none, those
    /// that stand beside it; at most `most` of them. Empty where nothing is shown.
    [[nodiscard]] virtual Table table(qsizetype most) const = 0;
    /// The page of the help that is about it, "trace#curves-of-other-programs".
    [[nodiscard]] virtual QString helpTopic() const = 0;
    /// What is chosen in it, as text: rows of the table that has the focus, else what is selected
    /// in a recording; empty where nothing is.
    [[nodiscard]] virtual QString selectedText() const;
    /// The page as it is seen.
    [[nodiscard]] QImage picture() const;
    void paint(QPainter &painter) const;

    /// Whether the plan of another tab can stand beside it, whose edits plansBeside() is told of.
    [[nodiscard]] virtual bool takesPlan() const { return false; }

    /// Whether a presentation can show anything of it.
    [[nodiscard]] virtual bool isPresentable() const { return false; }
    /// What it can show, as the page is now; may work that out.
    [[nodiscard]] virtual std::vector<StageItem> stageItems() { return {}; }
    /// What a report of it is made of. `file` and `date` are those of its tab.
    [[nodiscard]] virtual std::vector<ReportSource> reportSources(const QString &file,
                                                                  const QDateTime &date) const;
    /// The recordings that a comparison with this page is of; none where it shows no traces.
    [[nodiscard]] virtual std::vector<ComparedTrace> compared() const { return {}; }
    /// The snapshot that it shows, where it shows one alone: what a plan is compared with.
    [[nodiscard]] std::optional<ComparedTrace> snapshot() const;

    /// What is chosen, as far as another page of the same document can show it; what was typed
    /// there, without names where there is a redaction. restore() takes it.
    [[nodiscard]] virtual QVariantMap chosen(const Redaction *) const { return {}; }
    virtual void restore(const QVariantMap &) {}
    /// Shows another of the devices, by index; pages without devices do nothing.
    virtual void showDevice(std::size_t) {}
    /// Shows a place that planWanted() and the like name: a kind of run of the measured figures.
    virtual void goTo(const QString &) {}
    /// Works out now, on this thread, what it would show a moment later.
    virtual void workNow() {}

    /// Of the edits of a plan or of bookmarks; null where there is nothing to edit.
    [[nodiscard]] virtual QUndoStack *undoStack() const { return nullptr; }
    [[nodiscard]] virtual PlanEditing *planEditing() { return nullptr; }
    [[nodiscard]] virtual TimelineUse *timelineUse() { return nullptr; }
    [[nodiscard]] virtual TraceUse *traceUse() { return nullptr; }
    [[nodiscard]] virtual BookmarkUse *bookmarkUse() { return nullptr; }
    [[nodiscard]] virtual PlansBeside *plansBeside() { return nullptr; }

    // The same of a page that is only looked at, and what is asked of it most.
    [[nodiscard]] const PlanEditing *planEditing() const { return changed()->planEditing(); }
    [[nodiscard]] const TimelineUse *timelineUse() const { return changed()->timelineUse(); }
    [[nodiscard]] const TraceUse *traceUse() const { return changed()->traceUse(); }
    [[nodiscard]] const BookmarkUse *bookmarkUse() const { return changed()->bookmarkUse(); }
    [[nodiscard]] const PlansBeside *plansBeside() const { return changed()->plansBeside(); }
    /// The plan that is edited; null where there is none.
    [[nodiscard]] const Plan *plan() const;
    [[nodiscard]] bool isModified() const;
    /// Null where there is no timeline, or nothing in it.
    [[nodiscard]] TimelineState *timeline() const;
    /// Null where there is nothing to mark.
    [[nodiscard]] BookmarkModel *bookmarks() const;
    [[nodiscard]] bool takesLog() const;

Q_SIGNALS:
    void statusChanged();
    /// A device of a file is to be opened, by index, or recordings are to be compared.
    void openWanted(const QString &path, std::size_t device);
    void comparisonWanted(const std::vector<vramscope::ComparedTrace> &traces);
    /// A plan that no file holds is to be opened, with what there is to say of it.
    void planWanted(const vramscope::Plan &plan, const QString &notice);
    /// The same of a plan made from a recording, with which it may be compared.
    void recoveredPlanWanted(const vramscope::Plan &plan, const QString &notice,
                             const vramscope::ComparedTrace &recording);
    /// The plan that is compared should become another one: an edit of that name.
    void editWanted(const vramscope::Plan &plan, const QString &name);
    /// The plan, or what can be undone, is another one.
    void edited();

private:
    // Asking for what a page can do changes nothing.
    [[nodiscard]] DocumentPage *changed() const { return const_cast<DocumentPage *>(this); }

    DocumentPointer m_document;
    ByteUnit m_unit = ByteUnit::Binary;
};

} // namespace vramscope
