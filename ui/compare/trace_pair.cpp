// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/trace_pair.h"

#include "core/analysis/comparison/difference_tree.h"

namespace vramscope {

using namespace Qt::StringLiterals;

std::shared_ptr<const TracePair> compare(const PairSide &a, const PairSide &b,
                                         const Progress &progress)
{
    const auto isWanted = [&](double share) { return !progress || progress(share); };
    const auto pair = std::make_shared<TracePair>();
    pair->a = a;
    pair->b = b;
    const Trace &traceA = a.recorded();
    const Trace &traceB = b.recorded();
    pair->sites = compareSites({a.trace.shown(), a.event}, {b.trace.shown(), b.event},
                               partOf(progress, 0, 0.5));
    if (!isWanted(0.5))
        return pair;
    for (const ComparedSite &site : pair->sites) {
        pair->bytesA = wrappingSum(pair->bytesA, site.bytesA);
        pair->bytesB = wrappingSum(pair->bytesB, site.bytesB);
        pair->countA += site.countA;
        pair->countB += site.countB;
    }
    pair->settings = compareSettings(traceA, traceB);
    SiteStacks stacks = stacksOfSites(pair->sites, traceA, traceB);
    const auto tree = std::make_shared<StackTree>();
    if (isWanted(0.7))
        tree->tree = CallTree(*stacks.trace, stacks.byStack, CallTree::Direction::TopDown,
                              defaultFrameFilter(), partOf(progress, 0.7, 1));
    tree->trace = std::move(stacks.trace);
    pair->tree = tree;
    return pair;
}

QString matchTitle(const ComparedSite &site, const TracePair &pair)
{
    switch (site.match) {
    case SiteMatch::Exact:
        return u"exact"_s;
    case SiteMatch::Function:
        return u"function"_s;
    case SiteMatch::UserCode:
        return u"own code"_s;
    case SiteMatch::None:
        break;
    }
    return u"only %1"_s.arg(letterOf(site.countA > 0 ? pair.a.at : pair.b.at));
}

QString matchExplanation(const ComparedSite &site, const TracePair &pair)
{
    switch (site.match) {
    case SiteMatch::Exact:
        return u"The stacks agree in every frame: function, file and line."_s;
    case SiteMatch::Function:
        return u"The stacks agree in functions and names of files; lines or folders differ."_s;
    case SiteMatch::UserCode:
        return u"The stacks agree in the frames of the program's own code; the framework's "
               "differ."_s;
    case SiteMatch::None:
        break;
    }
    return u"No stack of %1 is like this one."_s.arg(
        letterOf(site.countA > 0 ? pair.b.at : pair.a.at));
}

} // namespace vramscope
