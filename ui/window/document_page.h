// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/trace/series.h"
#include "ui/compare/comparison.h"
#include "ui/window/document.h"

#include <QImage>
#include <QObject>

#include <memory>

class QUndoStack;
class QWidget;

namespace vramscope {

enum class ColorBy;
enum class PlanView;
enum class TraceView;
class BookmarkModel;
class TimelineState;

/// The page of one document as the window sees it, whatever its kind: the widget, and the few
/// things that menus and the status bar ask of it. The widget belongs to its parent widget.
class DocumentPage : public QObject
{
    Q_OBJECT

public:
    /// `path` is that of the document, or empty.
    [[nodiscard]] static std::unique_ptr<DocumentPage> make(Document document, const QString &title,
                                                            const QString &path, QWidget *parent);

    [[nodiscard]] virtual QWidget *widget() const = 0;
    virtual void setUnit(ByteUnit unit) = 0;
    /// One line for the status bar.
    [[nodiscard]] virtual QString statusText() const = 0;
    /// What the page shows; of a plan as it is now.
    [[nodiscard]] Document document() const { return plan() ? Document(*plan()) : m_document; }
    /// The page as it is seen.
    [[nodiscard]] QImage picture() const;
    /// What is chosen in it, as text: rows of the table that has the focus, else what is selected
    /// in a recording; empty where nothing is.
    [[nodiscard]] virtual QString selectedText() const;

    /// What a page of a plan shows and edits; null otherwise.
    [[nodiscard]] virtual const Plan *plan() const { return nullptr; }
    /// The plan as it was opened.
    [[nodiscard]] virtual const Plan *openedPlan() const { return nullptr; }
    /// A page of a plan shows another one: an undoable edit of that name; others do nothing.
    virtual void replacePlan(const Plan &, const QString &) {}
    /// A page of a plan brings a view of its lower card to the front; others do nothing.
    virtual void showPlanView(PlanView) {}
    /// A page of a plan keeps another one beside it; others do nothing.
    virtual void pinPlan(const Plan &, const QString &) {}
    /// Of the edits of a plan or of bookmarks; null where there is nothing to edit.
    [[nodiscard]] virtual QUndoStack *undoStack() const { return nullptr; }
    [[nodiscard]] virtual bool isModified() const { return false; }
    /// The plan as it is now has been written.
    virtual void markSaved() {}
    /// The plan stands in no file yet, though it has not been edited.
    virtual void markUnsaved() {}

    /// A page of a recording shows another of its devices, by index; others do nothing.
    virtual void showDevice(std::size_t) {}
    /// What a page of a recording shows of its timeline; null otherwise.
    [[nodiscard]] virtual TimelineState *timeline() const { return nullptr; }
    /// A page of a trace shows a view in these colours, everything worked out; others do nothing.
    virtual void showTraceView(TraceView, ColorBy) {}
    /// The bookmarks of a page of a trace; null where it has none to make.
    [[nodiscard]] virtual BookmarkModel *bookmarks() const { return nullptr; }
    virtual void addBookmark() {}
    /// Goes to the next one, or to the one before.
    virtual void stepBookmark(bool) {}
    /// The page about measured figures shows the rows of a kind of run; others do nothing.
    virtual void showRuns(const QString &) {}
    /// A page that works off this thread does it now; others do nothing.
    virtual void workNow() {}
    /// A page of a recording moves cursor and view to where most bytes are in use.
    virtual void goToPeak() {}

    /// A page that holds a plan against its recording takes the plan as it is now; null: there is
    /// none, and `why` in a sentence. Others do nothing.
    virtual void setComparedPlan(const Plan *, const QString & /*title*/, const QString & /*why*/)
    {
    }

    /// The recordings that a comparison with this page is of; none where it shows no traces.
    [[nodiscard]] virtual std::vector<ComparedTrace> compared() const { return {}; }

    /// Whether a log of nvidia-smi can be drawn over what the page shows.
    [[nodiscard]] virtual bool takesLog() const { return false; }
    /// Draws it; gives what was assumed, or why it cannot be done.
    virtual QString takeLog(std::shared_ptr<const Series>) { return {}; }

Q_SIGNALS:
    void statusChanged();
    /// A device of a file is to be opened, by index, or recordings are to be compared.
    void openWanted(const QString &path, std::size_t device);
    void comparisonWanted(const std::vector<vramscope::ComparedTrace> &traces);
    /// A plan that no file holds is to be opened, with what there is to say of it.
    void planWanted(const vramscope::Plan &plan, const QString &notice);
    /// The plan that is held should become another one: an edit of that name.
    void editWanted(const vramscope::Plan &plan, const QString &name);
    /// The page about measured figures is to show the rows of a kind of run.
    void trustWanted(const QString &run);
    /// The plan, or what can be undone, is another one.
    void edited();

private:
    Document m_document;
};

} // namespace vramscope
