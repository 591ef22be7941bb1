// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/weight_file/weight_file.h"

#include "core/print/weights_report.h"
#include "core/report/redacted_plan.h"
#include "ui/support/file_path.h"
#include "ui/support/text.h"
#include "ui/weight_file/weight_file_page.h"

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

Result<Imported> withoutNames(const Result<Imported> &plan, const Redaction &redaction)
{
    if (!plan)
        return Error{plan.error().code, redaction.sentence(plan.error().detail)};
    Imported made = *plan;
    made.plan = redactedPlan(redaction, std::move(made.plan));
    for (ImportNote &note : made.notes)
        note.text = redaction.sentence(note.text);
    return made;
}

} // namespace

WeightFile::WeightFile(Checkpoint of, Result<Imported> planned)
    : checkpoint(std::move(of))
    , model(llamaModel(checkpoint))
    , plan(std::move(planned))
{
}

bool isWeightFile(const QString &path)
{
    return factsOf(path).isFile &&
           (path.endsWith(u".gguf"_s) || startsAsGguf(beginningOf(path, 4).toStdString()));
}

Result<DocumentPointer> readWeightFile(const QString &path, const Progress &)
{
    auto checkpoint = readWeights(nativePath(path));
    if (!checkpoint)
        return checkpoint.error();
    return DocumentPointer(std::make_shared<const WeightFile>(std::move(checkpoint).value(),
                                                              importFile({}, nativePath(path))));
}

std::unique_ptr<DocumentPage> WeightFile::makePage(const QString &, const QString &,
                                                   QWidget *parent) const
{
    return std::make_unique<WeightFilePage>(shared<WeightFile>(), parent);
}

DocumentKind WeightFile::kind() const
{
    return {toQString(checkpoint.kind), u"weights"_s,
            u"This is a weight file; its view is weights."_s};
}

void WeightFile::gatherNames(Redaction &redaction) const
{
    vramscope::gatherNames(redaction, checkpoint);
    if (plan)
        gatherPlan(redaction, plan->plan);
}

DocumentPointer WeightFile::withoutNames(const Redaction &redaction, const Progress &) const
{
    return std::make_shared<const WeightFile>(redacted(checkpoint, redaction),
                                              vramscope::withoutNames(plan, redaction));
}

} // namespace vramscope
