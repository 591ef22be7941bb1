// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan_json.h"
#include "core/print/serving_log_report.h"
#include "core/report/html.h"
#include "core/report/serving_log_section.h"
#include "core/serving_logs/log_patterns.h"
#include "core/serving_logs/log_redaction.h"
#include "core/serving_logs/read_serving_log.h"
#include "tests/fuzz/fuzzer.h"
#include "tests/fuzz/text_check.h"

#include <map>

using namespace vramscope;
using fuzz::check;

namespace {

void checkLog(const ServingLog &log)
{
    for (const LogFigure &figure : log.figures) {
        check(figure.line >= 1 && figure.line <= log.lines);
        check(logQuantity(figure.key) != nullptr);
    }
    for (const BestFigure &best : log.best)
        check(best.count >= 1 && log.find(best.key) != nullptr);
    for (const LogRefusal &refusal : log.refusals) {
        check(refusal.count >= 1 && refusal.line >= 1 && refusal.line <= log.lines);
        fuzz::checkText(refusal.sentence);
    }
}

/// What the command and the page say of a log beside its plan.
void show(const ServingLog &log, const Plan &given)
{
    const LogPlan plan = planOfServingLog(log, given);
    const auto same = parsePlan(planJson(plan.plan));
    check(same.ok() && *same == plan.plan);
    LogAgainstPlan against{plan, compareWithLog(plan.plan, log), {}};
    if (plan.hasModel) {
        against.takeOver = takeOverLog(plan.plan, log);
        const auto taken = parsePlan(planJson(against.takeOver->plan));
        check(taken.ok() && *taken == against.takeOver->plan);
    }
    fuzz::checkJsonText(fuzz::twice([&] { return servingLogJson(log, "file", &against); }));
    fuzz::checkText(fuzz::twice([&] { return logAgainstPlanText(against); }));
    Report report;
    addServingLogSection(report, {log, plan, against.comparison, "file", 1, {}});
    fuzz::checkText(htmlPage(report, {}));
}

/// A line of a shape, with `number` in the place of each of its numbers.
std::string lineOf(std::string_view shape, const std::string &number)
{
    static const std::map<char, std::string> places{
        {'@', "CUDA0"}, {'=', "auto"}, {'*', " "}, {'|', "|"}, {'^', ""}};
    std::string line;
    for (std::size_t at = 0; at < shape.size(); ++at) {
        const char c = shape[at];
        const std::size_t end = shape.find(c == '{' ? '}' : '>', at);
        if ((c == '{' || (c == '<' && places.contains(shape[at + 1]))) && end != shape.npos) {
            line += c != '{' ? places.at(shape[at + 1])
                             : number + (shape[end - 1] == '?' ? " GiB" : "");
            at = end;
        } else {
            line += c;
        }
    }
    return line + '\n';
}

} // namespace

/// Any bytes are an error or a log, which can be shown, with and without names, and implies a plan
/// that can be written, read and compared with it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    static const std::vector<Plan> plans = [] {
        std::vector<Plan> all{Plan()};
        for (const std::string &file : fuzz::filesOf("resources/examples", ".vramplan"))
            all.push_back(parsePlan(file).value());
        std::erase_if(all, [](const Plan &plan) {
            return plan.workload && plan.workload != Workload::Inference;
        });
        return all;
    }();
    const auto log = readServingLogText({reinterpret_cast<const char *>(data), size});
    if (!log) {
        check(!log.error().text().empty());
        return 0;
    }
    Redaction names;
    gatherNames(names, *log);
    for (const ServingLog &each : {*log, redacted(*log, names)}) {
        checkLog(each);
        fuzz::checkText(fuzz::twice([&] { return servingLogText(each, "file"); }));
        show(each, plans[size % plans.size()]);
    }
    return 0;
}

std::vector<std::string> fuzzSeeds()
{
    std::map<LogEngine, std::string> logs;
    std::vector<std::string> seeds;
    for (const LogPattern &pattern : logPatterns())
        logs[pattern.engine] += lineOf(pattern.shape, "12.5");
    for (const auto &[engine, log] : logs)
        seeds.push_back(log);
    for (const LogPattern &pattern : logPatterns())
        seeds.push_back(lineOf(pattern.shape, "40,960"));
    seeds.emplace_back(
        "(APIServer pid=1) INFO 01-27 00:31:59 [utils.py:233] non-default args: {'model': "
        "'meta-llama/Llama-3.1-8B', 'max_model_len': 8192, 'tensor_parallel_size': 2}\n"
        "\x1b[0;36m(Worker_TP0 pid=7)\x1b[0;0m INFO 01-27 00:32:09 [m.py:1] Model loading took "
        "7.51 GiB memory and 14.38 seconds\n"
        "(Worker_TP0 pid=7) INFO 01-27 00:32:19 [w.py:1] Available KV cache memory: 60.5 GiB\n"
        "(EngineCore pid=5) INFO 01-27 00:32:20 [k.py:1] GPU KV cache size: 991,232 tokens\n"
        "(EngineCore pid=5) INFO 01-27 00:32:20 [k.py:1] Maximum concurrency for 8,192 tokens per "
        "request: 121.00x\n");
    return seeds;
}
