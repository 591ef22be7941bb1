// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_document.h"

#include "core/analysis/replayed/address_space.h"
#include "core/analysis/replayed/usage_curve.h"
#include "core/base/ordered_jobs.h"

#include <array>

namespace vramscope {

namespace {

using Part = Study::Part;

// What a page waits for after its first picture.
constexpr std::array kStudied{Part::Segments, Part::Lanes,    Part::StepFolds, Part::Categories,
                              Part::Peak,     Part::Failures, Part::Advice,    Part::Findings};

} // namespace

std::shared_ptr<const TraceDocument> analyse(std::shared_ptr<const Trace> trace,
                                             const Progress &progress)
{
    constexpr double kStudying = 0.95; // of the work
    const auto document = std::make_shared<TraceDocument>();
    document->devices = studiesOf(trace, BandsKept::Every);
    document->byStack.resize(document->devices.size());
    document->trace = std::move(trace);
    const auto analyseOne = [&](std::size_t at, const Progress &each) {
        const Study &study = *document->devices[at];
        if (study.make({Part::Summary, Part::Times, Part::Annotations}, partOf(each, 0, kStudying)))
            document->byStack[at] =
                colorGroups(colorKeys(ColorBy::Stack, study), study.allocations(),
                            study.curve().peakActiveEvent());
    };
    if ((progress && !progress(0)) || !runTogether(document->devices.size(), analyseOne, progress))
        return nullptr;
    return document;
}

std::shared_ptr<const Study> study(const TraceDocument &document, std::size_t device,
                                   const Progress &progress)
{
    const std::shared_ptr<const Study> &study = document.devices[device];
    return study->make(kStudied, progress) ? study : nullptr;
}

bool isStudied(const Study &study)
{
    return study.areMade(kStudied);
}

} // namespace vramscope
