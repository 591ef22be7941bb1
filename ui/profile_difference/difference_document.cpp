// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile_difference/difference_document.h"

#include "core/trace/redaction.h"
#include "ui/export/exported_view.h"
#include "ui/profile_difference/difference_items.h"
#include "ui/profile_difference/difference_page.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kLeastSteps = 3; ///< that show how much a run's own steps differ

std::optional<std::int64_t> spreadOf(const ProfileSteps &steps)
{
    std::vector<std::int64_t> spans;
    for (const ProfileStep &step : steps.steps) {
        if (step.device && !step.isOutlier)
            spans.push_back(step.device->span);
    }
    if (spans.size() < kLeastSteps)
        return std::nullopt;
    const auto [shortest, longest] = std::ranges::minmax(spans);
    return longest - shortest;
}

} // namespace

std::optional<std::int64_t> ProfileDifferenceDocument::spanChange() const
{
    if (difference.devices.empty())
        return std::nullopt;
    const auto &[a, b] = difference.devices.front().sides;
    return b.times.span - a.times.span;
}

bool ProfileDifferenceDocument::isWithinSpread() const
{
    const std::optional<std::int64_t> change = spanChange();
    if (!change || !difference.steps[0] || !difference.steps[1])
        return false;
    return std::ranges::any_of(spreads, [&](const std::optional<std::int64_t> &spread) {
        return spread && std::abs(*change) <= *spread;
    });
}

std::unique_ptr<DocumentPage> ProfileDifferenceDocument::makePage(const QString &, const QString &,
                                                                  QWidget *parent) const
{
    return std::make_unique<DifferencePage>(shared<ProfileDifferenceDocument>(), parent);
}

DocumentKind ProfileDifferenceDocument::kind() const
{
    return {u"Comparison of two profiler traces"_s, u"compare"_s,
            u"These are two profiler traces; their view is compare."_s, true};
}

Caption ProfileDifferenceDocument::caption(const QString &, const QString &, ByteUnit) const
{
    return captionOf(u"%1 · %2"_s.arg(sides[0].title, sides[1].title), {}, kind().source);
}

void ProfileDifferenceDocument::gatherNames(Redaction &redaction) const
{
    for (const ComparedTrace &side : sides)
        side.profile->gatherNames(redaction);
}

DocumentPointer ProfileDifferenceDocument::withoutNames(const Redaction &redaction,
                                                        const Progress &progress) const
{
    auto result = std::make_shared<ProfileDifferenceDocument>(*this);
    for (ComparedTrace &side : result->sides) {
        side.title = fileWithoutNames(side.title, redaction);
        side.profile = documentAs<ProfileDocument>(side.profile->withoutNames(redaction, progress));
    }
    return result;
}

DocumentPointer ProfileDifferenceDocument::withRules(const std::vector<WorkRule> &rules,
                                                     const Progress &progress) const
{
    std::array<ComparedTrace, 2> changed = sides;
    for (ComparedTrace &side : changed) {
        if (side.profile->study->rules() == rules)
            continue;
        side.profile = documentAs<ProfileDocument>(side.profile->withRules(rules, progress));
        if (!side.profile)
            return nullptr;
    }
    if (changed[0].profile == sides[0].profile && changed[1].profile == sides[1].profile)
        return nullptr;
    return compareSides(std::move(changed), scope);
}

std::vector<Replaced> ProfileDifferenceDocument::replacements(const Redaction &redaction) const
{
    std::vector<Replaced> replaced;
    for (const ComparedTrace &side : sides)
        std::ranges::move(side.profile->replacements(redaction), std::back_inserter(replaced));
    return replaced;
}

Result<std::vector<ReportSource>>
ProfileDifferenceDocument::reportSources(const QString &file) const
{
    return Document::reportSources(file.isEmpty() ? sides[0].title : file);
}

void ProfileDifferenceDocument::addReportSection(Report &report, const std::string &,
                                                 std::size_t number, ByteUnit) const
{
    addDifferenceSection(report, *this, number);
}

std::vector<ReportFigure> ProfileDifferenceDocument::reportFigures(std::size_t number,
                                                                   const FigureOptions &) const
{
    return differenceFigures(shared<ProfileDifferenceDocument>(), number);
}

DifferencePointer compareSides(std::array<ComparedTrace, 2> sides, const DifferenceScope &scope)
{
    auto document = std::make_shared<ProfileDifferenceDocument>();
    document->sides = std::move(sides);
    document->scope = scope;
    const ProfileStudy &a = *document->profile(0).study;
    const ProfileStudy &b = *document->profile(1).study;
    document->difference = compareProfiles(a, b, scope);
    document->spreads = {spreadOf(a.steps()), spreadOf(b.steps())};
    return document;
}

} // namespace vramscope
