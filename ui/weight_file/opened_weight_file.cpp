// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/weight_file/opened_weight_file.h"

#include "core/print/weights_report.h"
#include "core/report/redacted_plan.h"
#include "ui/document/document_page.h"
#include "ui/export/exported_view.h"
#include "ui/support/text.h"
#include "ui/weight_file/weight_file_page.h"

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// The page as the window sees it.
class WeightFileDocumentPage : public DocumentPage
{
public:
    WeightFileDocumentPage(DocumentPointer document, std::shared_ptr<const WeightFile> file,
                           QWidget *parent)
        : DocumentPage(std::move(document))
        , m_file(file)
        , m_page(new WeightFilePage(std::move(file), parent))
    {
        connect(m_page, &WeightFilePage::statusChanged, this, &DocumentPage::statusChanged);
        connect(m_page, &WeightFilePage::planWanted, this, [this] { makePlan(); });
    }

    [[nodiscard]] QWidget *widget() const override { return m_page; }
    void setUnit(ByteUnit unit) override { m_page->setUnit(unit); }
    [[nodiscard]] QString statusText() const override { return m_page->statusText(); }
    [[nodiscard]] QString helpTopic() const override { return u"plan#weight-files"_s; }
    [[nodiscard]] Table table(qsizetype) const override { return m_page->table(); }
    [[nodiscard]] QVariantMap state(const Redaction *) const override { return m_page->state(); }
    void restore(const QVariantMap &state) override { m_page->restore(state); }

private:
    void makePlan()
    {
        if (!m_file->plan)
            return;
        QStringList notes;
        for (const ImportNote &note : m_file->plan->notes)
            notes << toQString(note.text);
        Q_EMIT planWanted(m_file->plan->plan, notes.join(u' '));
    }

    std::shared_ptr<const WeightFile> m_file;
    WeightFilePage *m_page;
};

class OpenedWeightFile : public Document
{
public:
    explicit OpenedWeightFile(std::shared_ptr<const WeightFile> file)
        : m_file(std::move(file))
    {
    }

    [[nodiscard]] std::unique_ptr<DocumentPage> makePage(const QString &, const QString &,
                                                         QWidget *parent) const override
    {
        return std::make_unique<WeightFileDocumentPage>(shared_from_this(), m_file, parent);
    }
    [[nodiscard]] Caption caption(const QString &title, const QString &file,
                                  ByteUnit) const override
    {
        return captionOf(title, file, toQString(m_file->checkpoint.kind));
    }
    [[nodiscard]] QString unfitText(RenderView view) const override
    {
        return view == RenderView::Weights ? QString()
                                           : u"This is a weight file; its view is weights."_s;
    }

    void gatherNames(Redaction &redaction) const override
    {
        vramscope::gatherNames(redaction, m_file->checkpoint);
        if (m_file->plan)
            gatherPlan(redaction, m_file->plan->plan);
    }
    [[nodiscard]] DocumentPointer withoutNames(const Redaction &redaction,
                                               const Progress &) const override
    {
        Checkpoint checkpoint = redacted(m_file->checkpoint, redaction);
        auto model = llamaModel(checkpoint);
        return opened(std::make_shared<const WeightFile>(WeightFile{
            std::move(checkpoint), std::move(model), withoutNames(m_file->plan, redaction)}));
    }

private:
    [[nodiscard]] static Result<Imported> withoutNames(const Result<Imported> &plan,
                                                       const Redaction &redaction)
    {
        if (!plan)
            return Error{plan.error().code, redaction.sentence(plan.error().detail)};
        Imported made = *plan;
        made.plan = redactedPlan(redaction, std::move(made.plan));
        for (ImportNote &note : made.notes)
            note.text = redaction.sentence(note.text);
        return made;
    }

    std::shared_ptr<const WeightFile> m_file;
};

} // namespace

DocumentPointer opened(std::shared_ptr<const WeightFile> file)
{
    return std::make_shared<const OpenedWeightFile>(std::move(file));
}

} // namespace vramscope
