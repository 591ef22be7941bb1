// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_document.h"

#include "core/trace/redaction.h"
#include "ui/profile/profile_items.h"
#include "ui/profile/profile_page.h"
#include "ui/profile/snapshot_memory.h"
#include "ui/support/text.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kMostMarkers = 12; // that a user chooses from

CoverClass coverClassOf(WorkClass workClass)
{
    if (workClass == WorkClass::Compute)
        return CoverClass::Compute;
    return workClass == WorkClass::Communication ? CoverClass::Communication : CoverClass::Memory;
}

void addLaunches(ProfileDocument &document)
{
    const WorkColumns &work = document.profile->work();
    document.launches.assign(document.profile->calls().count() + 1, 0);
    for (const std::uint32_t call : work.call) {
        if (call != kNoRow)
            ++document.launches[call + 1];
    }
    for (std::size_t at = 1; at < document.launches.size(); ++at)
        document.launches[at] += document.launches[at - 1];
    document.launched.resize(document.launches.back());
    auto next = document.launches;
    for (std::uint32_t at = 0; at < work.count(); ++at) {
        if (work.call[at] != kNoRow)
            document.launched[next[work.call[at]]++] = at;
    }
}

/// The stretch of time in which anything of the profile happened.
void addSpan(ProfileDocument &document)
{
    const Profile &profile = *document.profile;
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
    const auto take = [&](const auto &columns) {
        for (std::size_t at = 0; at < columns.count(); ++at) {
            first = std::min(first, columns.start[at]);
            last = std::max(last, columns.end[at]);
        }
    };
    take(profile.work());
    take(profile.calls());
    take(profile.operators());
    take(profile.ranges());
    for (const ProfileMemoryCurves &curves : document.memory) {
        if (curves.allocated.empty())
            continue;
        first = std::min(first, curves.allocated.times().front());
        last = std::max(last, curves.allocated.times().back());
    }
    document.origin = first <= last ? first : 0;
    document.end = first <= last ? last : 0;
}

TimeCurve curveOf(const SeriesDevice &device, CurveRole role, std::int64_t base)
{
    const ByteCurve *curve = device.curve(role);
    if (!curve)
        return {};
    std::vector<std::int64_t> times = device.time;
    for (std::int64_t &time : times)
        time -= base;
    return {std::move(times), curve->values};
}

void addMemory(ProfileDocument &document)
{
    if (!document.profile->curves())
        return;
    for (const SeriesDevice &device : document.profile->curves()->devices()) {
        ProfileMemoryCurves curves;
        curves.label = device.label;
        curves.ordinal = device.ordinal;
        curves.isHost = device.kind == DeviceKind::Cpu;
        curves.recorded = &device;
        curves.allocated = curveOf(device, CurveRole::Allocated, document.profile->base());
        curves.reserved = curveOf(device, CurveRole::Reserved, document.profile->base());
        if (!curves.allocated.empty())
            document.memory.push_back(std::move(curves));
    }
}

void redact(ProfileDocument &document)
{
    for (std::uint32_t at = 0; at < document.profile->textCount(); ++at) {
        const std::string_view text = document.profile->text(StringId(at));
        std::string shown = document.shown(text);
        if (shown != text)
            document.redacted.emplace(at, std::move(shown));
    }
}

std::string nameOf(const Profile &profile, std::int64_t device)
{
    for (const ProfileGpu &gpu : profile.gpus()) {
        if (gpu.id == device && gpu.name)
            return *gpu.name;
    }
    return {};
}

} // namespace

std::string_view ProfileDocument::text(StringId id) const
{
    if (!redacted.empty()) {
        const auto found = redacted.find(static_cast<std::uint32_t>(id));
        if (found != redacted.end())
            return found->second;
    }
    return profile->text(id);
}

std::string ProfileDocument::shown(std::string_view text) const
{
    return redaction ? redaction->text(text, Redaction::Kind::Prose) : std::string(text);
}

std::span<const std::uint32_t> ProfileDocument::launchedBy(std::uint32_t call) const
{
    const auto first = launched.begin() + launches[call];
    return {first, launched.begin() + launches[call + 1]};
}

std::span<const StepMarker> ProfileDocument::stepMarkers() const
{
    const std::vector<StepMarker> &markers = study->markers();
    return std::span(markers).first(std::min(markers.size(), kMostMarkers));
}

const ProfileDevice *ProfileDocument::device(std::int64_t number) const
{
    const auto found = std::ranges::find(devices, number, &ProfileDevice::device);
    return found == devices.end() ? nullptr : &*found;
}

std::unique_ptr<DocumentPage> ProfileDocument::makePage(const QString &title, const QString &path,
                                                        QWidget *parent) const
{
    return std::make_unique<ProfilePage>(shared<ProfileDocument>(), parent, title, path);
}

DocumentKind ProfileDocument::kind() const
{
    return {u"Profiler trace"_s, u"profile"_s, u"This is a profiler trace; its view is profile."_s,
            true};
}

QString ProfileDocument::unfitText(const QString &view) const
{
    const bool isOverlaid = snapshot || study->counters();
    return view == u"compare"_s && isOverlaid ? QString() : Document::unfitText(view);
}

void ProfileDocument::gatherNames(Redaction &names) const
{
    if (profile->curves())
        names.gather(*profile->curves());
    for (std::uint32_t at = 0; at < profile->textCount(); ++at)
        names.gather(profile->text(StringId(at)), Redaction::Kind::Prose);
    for (const ProfileThread &thread : profile->threads())
        names.gather(thread.name, Redaction::Kind::Prose);
}

DocumentPointer ProfileDocument::withoutNames(const Redaction &names,
                                              const Progress &progress) const
{
    ProfileAnalysis how = analysis();
    how.redaction = std::make_shared<const Redaction>(names);
    const auto made = analyse(profile, progress, std::move(how));
    return made ? made : shared_from_this();
}

DocumentPointer ProfileDocument::withRules(const std::vector<WorkRule> &rules,
                                           const Progress &progress) const
{
    ProfileAnalysis how = analysis();
    if (how.rules == rules)
        return nullptr;
    how.rules = rules;
    return analyse(profile, progress, std::move(how));
}

std::vector<Replaced> ProfileDocument::replacements(const Redaction &names) const
{
    std::vector<Replaced> replaced;
    const auto look = [&](std::string_view text) {
        const std::string without = names.text(text, Redaction::Kind::Prose);
        if (without != text)
            replaced.emplace_back(foreignText(text), foreignText(without));
    };
    for (std::uint32_t at = 0; at < profile->textCount(); ++at)
        look(profile->text(StringId(at)));
    for (const ProfileThread &thread : profile->threads())
        look(thread.name);
    return replaced;
}

Result<std::vector<ReportSource>> ProfileDocument::reportSources(const QString &file) const
{
    return Document::reportSources(file.isEmpty() && !madeOf.isEmpty() ? madeOf.front() : file);
}

void ProfileDocument::addReportSection(Report &report, const std::string &name, std::size_t number,
                                       ByteUnit unit) const
{
    addProfileSection(report, *this, name, number, unit);
}

std::vector<ReportFigure> ProfileDocument::reportFigures(std::size_t number,
                                                         const FigureOptions &options) const
{
    return profileFigures(shared<ProfileDocument>(), number, options);
}

std::shared_ptr<const ProfileDocument> analyse(std::shared_ptr<const Profile> profile,
                                               const Progress &progress, ProfileAnalysis how)
{
    double share = 0;
    const auto goOn = [&] { return !progress || progress(share); };
    auto document = std::make_shared<ProfileDocument>();
    document->profile = std::move(profile);
    const Profile &of = *document->profile;
    document->study = std::make_shared<const ProfileStudy>(document->profile, std::move(how.rules),
                                                           std::move(how.counters));
    document->redaction = std::move(how.redaction);
    document->madeOf = std::move(how.files);
    if (document->redaction)
        redact(*document);
    (void)document->classes();
    (void)document->study->devices();
    (void)document->study->problems(); // which the page begins with
    (void)document->study->markers();
    (void)document->study->counters();
    if (document->study->steps().hasMedian)
        document->completeSteps = breakdownByDevice(of, document->classes(), workOfAllSteps(of));
    share = 0.1;
    if (!goOn())
        return nullptr;
    addLaunches(*document);
    addMemory(*document);
    addSpan(*document);
    if (how.snapshot) {
        auto during = memoryDuring(*document, *how.snapshot);
        if (during)
            std::ranges::move(*during, std::back_inserter(document->memory));
        document->snapshot = std::move(how.snapshot);
    }
    share = 0.2;
    document->rows = timelineRows(of, goOn);
    if (!document->rows)
        return nullptr;
    std::vector<CoverClass> covers(of.work().count());
    std::ranges::transform(document->classes().workClass, covers.begin(), coverClassOf);
    share = 0.6;
    for (const std::int64_t device : devicesOf(of)) {
        if (!goOn())
            return nullptr;
        std::size_t events = 0;
        for (const RowGroup &group : document->rows->groups) {
            if (group.kind == RowGroupKind::Lane && of.lanes()[group.of].device == device)
                events += group.events;
        }
        document->devices.push_back({device, nameOf(of, device), events,
                                     DeviceCover(of, device, covers),
                                     queueLength(of, device, goOn)});
    }
    return goOn() ? document : nullptr;
}

} // namespace vramscope
