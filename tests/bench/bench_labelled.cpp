// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/usage_curve.h"
#include "core/analysis/steps/step_fold.h"
#include "core/analysis/study/study.h"
#include "core/readers/read_trace.h"
#include "tests/support/labelled_scores.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <iostream>
#include <tuple>

using namespace vramscope;
using nlohmann::ordered_json;

namespace {

struct Recording
{
    test::Labels labels;
    std::shared_ptr<const Study> study;
};
using Recordings = std::vector<Recording>;

using Thresholds = std::tuple<StepThresholds, LeakThresholds, CategoryThresholds>;

// Means over the recordings, at their peaks but for one.
struct Shares
{
    double right = 0;
    double rightAtEnd = 0;
    double wrong = 0;
    double surelyWrong = 0;
    double unknown = 0;
};

// The mean square of stated probabilities less what is so, 0 or 1.
struct Doubt
{
    double sum = 0;
    int count = 0;

    void add(double stated, bool isSo)
    {
        sum += (stated - (isSo ? 1 : 0)) * (stated - (isSo ? 1 : 0));
        ++count;
    }
    [[nodiscard]] double mean() const { return sum / std::max(count, 1); }
};

struct Finds
{
    int steps = 0; // recordings whose steps are right
    int stepsThere = 0;
    int falseSteps = 0; // recordings with steps although they have none or few
    int leaks = 0;      // recordings whose leak is found
    int leaksThere = 0;
    int falseLeaks = 0;
    int unusual = 0; // steps
    Doubt stepDoubt;
    Doubt leakDoubt;
};

struct Scores
{
    Shares shares;
    Finds finds;
};

Shares sharesOf(const Recordings &recordings, const CategoryThresholds &thresholds)
{
    Shares shares;
    const auto count = static_cast<double>(recordings.size());
    for (const auto &[labels, study] : recordings) {
        const Categories categories =
            categorize(study->trace(), study->device(), study->allocations(),
                       defaultCategoryRules(), {}, thresholds);
        const test::CategoryScore score =
            test::scoreOf(labels.peak, study->allocations(), categories);
        shares.right += score.right / count;
        shares.rightAtEnd +=
            test::scoreOf(labels.end, study->allocations(), categories).right / count;
        shares.wrong += score.wrong / count;
        shares.surelyWrong += score.surelyWrong / count;
        shares.unknown += score.unknown / count;
    }
    return shares;
}

Finds findsOf(const Recordings &recordings, const StepThresholds &ofSteps,
              const LeakThresholds &ofLeaks)
{
    Finds finds;
    for (const auto &[labels, study] : recordings) {
        const Steps steps = findSteps(study->trace(), study->device(), study->allocations(),
                                      study->curve(), {}, ofSteps);
        if (test::hasSteps(labels)) {
            const bool areRight = test::areRight(steps, labels);
            ++finds.stepsThere;
            finds.steps += areRight ? 1 : 0;
            finds.stepDoubt.add(steps.confidence, areRight);
        }
        finds.falseSteps += test::areFalse(steps, labels) ? 1 : 0;
        finds.unusual += static_cast<int>(
            foldSteps(steps.steps, study->curve().active(), {}, ofSteps).outliers.size());
        const Leaks leaks = findLeaks(study->allocations(), study->curve(), steps, ofLeaks);
        if (!labels.leakSite.empty()) {
            ++finds.leaksThere;
            finds.leaks += test::areRight(leaks, labels) ? 1 : 0;
        }
        for (const Growth &leak : leaks.leaks) {
            const bool isTrue = test::isTrue(leak, study->trace(), labels);
            finds.falseLeaks += isTrue ? 0 : 1;
            finds.leakDoubt.add(leak.confidence, isTrue);
        }
    }
    return finds;
}

// A threshold and the values that are tried.
struct Curve
{
    std::string name;
    bool isOfCategories;
    double usual;
    std::vector<double> values;
    std::function<void(Thresholds &, double)> set;
};

template<class Room, class Value>
Curve curveOf(std::string name, Value Room::*member, std::vector<double> values)
{
    const auto usual = static_cast<double>(Room{}.*member);
    std::erase_if(values, [usual](double value) { return std::abs(value - usual) < 1e-6; });
    values.insert(std::ranges::upper_bound(values, usual), usual);
    return {std::move(name), std::is_same_v<Room, CategoryThresholds>, usual, std::move(values),
            [member](Thresholds &thresholds, double value) {
                std::get<Room>(thresholds).*member = static_cast<Value>(value);
            }};
}

std::vector<Curve> curves()
{
    using S = StepThresholds;
    using L = LeakThresholds;
    using C = CategoryThresholds;
    return {
        curveOf("least_period_match", &S::leastPeriodMatch,
                {.3, .5, .6, .65, .7, .75, .8, .9, .95}),
        curveOf("least_coverage", &S::leastCoverage, {.1, .2, .3, .4, .5, .6, .7, .8, .9}),
        curveOf("candidate_share", &S::candidateShare, {0, .01, .03, .05, .1, .15, .2, .3, .5}),
        curveOf("nearly_all", &S::nearlyAll, {.5, .6, .7, .75, .8, .85, .9, .95, .98, 1}),
        curveOf("most_drift", &S::mostDrift, {.01, .02, .05, .07, .1, .11, .12, .13, .15, .2, .3}),
        curveOf("least_to_leak", &S::leastToLeak, {2, 3, 4, 5, 6, 7, 8, 10, 12}),
        curveOf("most_left", &S::mostLeft, {.05, .1, .2, .3, .4, .5, .6, .7, .9}),
        curveOf("least_tail", &S::leastTail, {0, .01, .02, .03, .05, .1, .2, .3, .5}),
        curveOf("slack", &S::slack, {0, .01, .02, .05, .1, .15, .2, .3, .5}),
        curveOf("trust_in_calls", &S::trustInCalls, {.4, .5, .6, .7, .8, .85, .9, .95, 1}),
        curveOf("tail_match", &S::tailMatch, {.3, .4, .5, .6, .7, .8, .9, .95, 1}),
        curveOf("least_match", &S::leastMatch, {.1, .2, .3, .4, .5, .6, .7, .8, .9}),
        curveOf("whole", &S::whole, {.5, .6, .7, .8, .85, .9, .95, .98, 1}),
        curveOf("least_runs", &S::leastRuns, {2, 3, 4, 5, 6, 7, 8}),
        curveOf("recurs", &S::recurs, {.3, .4, .5, .6, .7, .8, .85, .9, 1}),
        curveOf("deviations", &S::deviations, {1, 2, 3, 4, 5, 6, 7, 8, 10}),
        curveOf("least_deviation", &S::leastDeviation,
                {0, .001, .002, .005, .01, .015, .02, .05, .1}),
        curveOf("least_steps", &L::leastSteps, {2, 3, 4, 5, 6, 8, 10}),
        curveOf("least_increases", &L::leastIncreases, {1, 2, 3, 4, 5, 6, 8}),
        curveOf("least_calls", &L::leastCalls, {4, 8, 12, 16, 24, 48, 96}),
        curveOf("least_grown", &L::leastGrown, {0, 512, 4096, 16384, 65536, 262144, 1048576}),
        curveOf("most_pause", &L::mostPause, {1, 1.5, 2, 2.25, 2.5, 3, 3.5, 4, 6}),
        curveOf("most_lost", &L::mostLost, {0, .01, .03, .05, .1, .15, .2, .3, .5}),
        curveOf("window_trust", &L::windowTrust, {.1, .2, .3, .4, .5, .6, .7, .8, 1}),
        curveOf("most_climb", &L::mostClimb, {.05, .1, .15, .2, .25, .3, .4, .5, .8}),
        curveOf("flat_padding", &C::flatPadding, {0, .001, .003, .01, .02, .03, .05, .1}),
        curveOf("least_moved", &C::leastMoved, {0, .3, .5, .7, .8, .9, .95, .99, 1}),
        curveOf("least_of_kin", &C::leastOfKin, {.3, .5, .6, .65, .7, .75, .8, .85, .9}),
        curveOf("few_events", &C::fewEvents, {2, 4, 8, 12, 18, 24, 32, 40, 48, 64, 96}),
        curveOf("least_layers", &C::leastLayers, {1, 2, 3, 4, 5, 6, 8, 12}),
        curveOf("least_masters", &C::leastMasters, {0, .1, .25, .4, .5, .6, .75, .9, 1}),
        curveOf("largest_kept_share", &C::largestKeptShare, {.05, .1, .15, .2, .3, .4, .5, .6, .8}),
        curveOf("smallest_logits", &C::smallestLogits,
                {1 << 16, 1 << 17, 1 << 18, 1 << 19, 1 << 20, 1 << 21, 1 << 22, 1 << 23, 1 << 24}),
        curveOf("small_share", &C::smallShare, {2, 4, 8, 12, 16, 24, 32, 64, 128}),
        curveOf("size_slack", &C::sizeSlack, {0, .01, .02, .03, .04, .05, .08, .12, .2}),
        curveOf("most_steps", &C::mostSteps, {1, 4, 16, 32, 64, 96, 128, 256}),
        curveOf("most_copies", &C::mostCopies, {1, 2, 3, 4, 5, 6, 8}),
        curveOf("least_confidence", &C::leastConfidence,
                {0, .3, .4, .5, .55, .6, .62, .65, .68, .7, .8}),
    };
}

// The table for people goes to standard error, the JSON to standard output.
void printHead()
{
    std::fputs("     value   right     end   wrong  surely  unknown   steps false  leaks false "
               "unusual  doubts\n",
               stderr);
}

std::string rowOf(const Scores &scores)
{
    const auto &[shares, finds] = scores;
    std::array<char, 128> text{};
    std::snprintf(text.data(), text.size(),
                  "%6.2f%% %6.2f%% %6.2f%% %6.2f%%  %6.2f%%   %2d/%-2d %5d  %2d/%-2d %5d %7d  "
                  "%.3f %.3f",
                  100 * shares.right, 100 * shares.rightAtEnd, 100 * shares.wrong,
                  100 * shares.surelyWrong, 100 * shares.unknown, finds.steps, finds.stepsThere,
                  finds.falseSteps, finds.leaks, finds.leaksThere, finds.falseLeaks, finds.unusual,
                  finds.stepDoubt.mean(), finds.leakDoubt.mean());
    return text.data();
}

void print(const std::string &value, const Scores &scores)
{
    std::fprintf(stderr, "%10s %s\n", value.c_str(), rowOf(scores).c_str());
}

ordered_json jsonOf(const Scores &scores)
{
    const auto &[shares, finds] = scores;
    return {{"right", shares.right},
            {"right_at_end", shares.rightAtEnd},
            {"wrong", shares.wrong},
            {"surely_wrong", shares.surelyWrong},
            {"unknown", shares.unknown},
            {"steps_right", finds.steps},
            {"steps_there", finds.stepsThere},
            {"false_steps", finds.falseSteps},
            {"leaks_found", finds.leaks},
            {"leaks_there", finds.leaksThere},
            {"false_leaks", finds.falseLeaks},
            {"unusual_steps", finds.unusual},
            {"step_doubt", finds.stepDoubt.mean()},
            {"leak_doubt", finds.leakDoubt.mean()}};
}

std::string shown(double value)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.6g", value);
    return text.data();
}

ordered_json vary(const Curve &curve, const Recordings &open, const Scores &usual)
{
    std::fprintf(stderr, "\n%s\n", curve.name.c_str());
    printHead();
    ordered_json points;
    std::vector<bool> isSame;
    std::size_t atUsual = 0;
    for (const double value : curve.values) {
        const bool isUsual = value == curve.usual;
        Scores scores = usual;
        Thresholds thresholds;
        curve.set(thresholds, value);
        const auto &[steps, leaks, categories] = thresholds;
        if (isUsual)
            atUsual = isSame.size();
        else if (curve.isOfCategories)
            scores.shares = sharesOf(open, categories);
        else
            scores.finds = findsOf(open, steps, leaks);
        print((isUsual ? "* " : "") + shown(value), scores);
        points.push_back(jsonOf(scores));
        points.back()["value"] = value;
        points.back()["default"] = isUsual;
        isSame.push_back(rowOf(scores) == rowOf(usual));
    }
    std::size_t first = atUsual;
    std::size_t last = atUsual;
    while (first > 0 && isSame[first - 1])
        --first;
    while (last + 1 < isSame.size() && isSame[last + 1])
        ++last;
    std::fprintf(stderr, "the same from %s to %s\n", shown(curve.values[first]).c_str(),
                 shown(curve.values[last]).c_str());
    return {{"name", curve.name},
            {"same_from", curve.values[first]},
            {"same_to", curve.values[last]},
            {"points", points}};
}

ordered_json reliability(const Recordings &recordings)
{
    std::array<test::CategoryScore::Part, 10> bins{};
    for (const auto &[labels, study] : recordings) {
        for (const test::LabelledMoment *moment : {&labels.peak, &labels.end}) {
            const test::CategoryScore score =
                test::scoreOf(*moment, study->allocations(), study->categories());
            for (std::size_t bin = 0; bin < bins.size(); ++bin) {
                bins[bin].all += score.byConfidence[bin].all;
                bins[bin].right += score.byConfidence[bin].right;
            }
        }
    }
    std::fputs("\nprobability from   right   share of the bytes\n", stderr);
    ordered_json rows;
    for (std::size_t bin = 0; bin < bins.size(); ++bin) {
        const double share = bins[bin].all / (2 * static_cast<double>(recordings.size()));
        const double right = bins[bin].all > 0 ? bins[bin].right / bins[bin].all : 0;
        std::fprintf(stderr, "%14zu %%  %5.1f%%  %19.1f%%\n", 10 * bin, 100 * right, 100 * share);
        rows.push_back(
            {{"from", 0.1 * static_cast<double>(bin)}, {"right", right}, {"share", share}});
    }
    return rows;
}

// Adds the recordings of a folder to the open ones and to those that are held back.
bool readFolder(const std::filesystem::path &folder, Recordings &open, Recordings &heldBack)
{
    constexpr std::string_view kEnd = ".labels.json";
    std::vector<std::string> names;
    std::error_code error;
    for (const auto &entry : std::filesystem::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        if (name.ends_with(kEnd))
            names.push_back(name.substr(0, name.size() - kEnd.size()));
    }
    std::ranges::sort(names);
    for (const std::string &name : names) {
        const auto labels = test::readLabels(folder / (name + std::string(kEnd)));
        const auto trace = readTrace(folder / (name + ".pickle.gz"));
        if (!labels || !trace.ok() || (*trace)->devices().empty()) {
            std::cerr << (folder / name).string() << ": cannot be read\n";
            return false;
        }
        (test::isHeldBack(name) ? heldBack : open)
            .push_back(
                {*labels, std::make_shared<const Study>(*trace, (*trace)->devices().front())});
    }
    if (names.empty())
        std::cerr << folder.string() << ": no labelled recordings\n";
    return !names.empty();
}

} // namespace

/// How much of what labelled recordings show is found, by each threshold: curves over the open
/// two thirds, then the reliability of probabilities and, last, the third that is held back, by the
/// defaults alone. A table on standard error, JSON on standard output.
/// bench_labelled [FOLDER…], each with NAME.pickle.gz and NAME.labels.json; tests/data/labelled
int main(int argc, char *argv[])
{
    Recordings open;
    Recordings heldBack;
    std::vector<std::string> folders(argv + 1, argv + argc);
    if (folders.empty())
        folders = {"tests/data/labelled"};
    for (const std::string &folder : folders) {
        if (!readFolder(folder, open, heldBack))
            return 1;
    }
    const Scores usual{sharesOf(open, {}), findsOf(open, {}, {})};
    ordered_json report{{"open", open.size()}, {"held_back", heldBack.size()}};
    for (const Curve &curve : curves())
        report["curves"].push_back(vary(curve, open, usual));
    report["reliability"] = reliability(open);
    const Scores last{sharesOf(heldBack, {}), findsOf(heldBack, {}, {})};
    std::fprintf(stderr, "\nby the defaults: %zu open, then %zu held back\n", open.size(),
                 heldBack.size());
    printHead();
    print("open", usual);
    print("held back", last);
    report["usual"] = jsonOf(usual);
    report["usual_held_back"] = jsonOf(last);
    std::cout << report.dump() << '\n';
    return 0;
}
