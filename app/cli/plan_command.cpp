// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/plan_input.h"
#include "core/base/output_file.h"
#include "core/base/path_text.h"
#include "core/base/written_size.h"
#include "core/estimate/verdict.h"
#include "core/plan/plan_json.h"
#include "core/print/asked_report.h"
#include "core/print/lifecycle_report.h"
#include "core/print/plan_report.h"
#include "core/print/reserve_report.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <iterator>

namespace vramscope::cli {

namespace {

/// A plan is beyond --must-fit or --fail-over.
constexpr int kBeyondLimit = 3;

constexpr auto kPlanOptions = joined(
    kReportOptions, kAskOptions,
    std::array{
        Option{"--lifecycle", "", "instead of the peak, the step block by block"},
        Option{"--simulate", "", "instead, what the simulated allocator reserves"},
        Option{"--alloc-conf", "CONF", "with --simulate: under this PYTORCH_CUDA_ALLOC_CONF too",
               true},
        Option{"--out", "PLAN", "write the plan to this file as well"},
        Option{"--must-fit", "", "end with status 3 unless every plan fits or is tight"},
        Option{"--fail-over", "SIZE", "end with status 3 where the likely peak is above: 72GiB"},
    });

std::vector<PlannedReserve> simulated(const Plan &plan, const Arguments &arguments)
{
    std::vector<std::string> configurations = {"", "expandable_segments:True"};
    std::ranges::move(arguments.values("--alloc-conf"), std::back_inserter(configurations));
    return plannedReserves(plan, withOwnConfiguration(plan, std::move(configurations)));
}

std::string answerJson(const PlanInput &input, const Estimate &answer, const Arguments &arguments)
{
    if (arguments.has("--lifecycle"))
        return lifecycleJson(lifecycle(answer), input.label);
    if (arguments.has("--simulate"))
        return reserveJson(answer, simulated(input.plan, arguments), input.label);
    return planEstimateJson(input.plan, answer, input.label);
}

std::string answerText(const PlanInput &input, const Estimate &answer, const Arguments &arguments)
{
    const ByteUnit unit = unitOf(arguments);
    if (arguments.has("--lifecycle"))
        return lifecycleText(lifecycle(answer), input.label, unit);
    if (arguments.has("--simulate"))
        return reserveText(input.plan, answer, simulated(input.plan, arguments), input.label, unit);
    return planEstimateText(input.plan, answer, input.label, unit);
}

/// The answer to the request, in a sentence, or else which GPUs fit a plan without a GPU.
std::string soughtText(const PlanInput &input)
{
    std::string text = input.sought ? input.sought->sentence : smallestGpusSentence(input.plan);
    if (const std::string versions = askedVersions(*input.asked); !versions.empty())
        text += (text.empty() ? "" : "\n") + versions;
    return text.empty() ? text : text + "\n\n";
}

void print(const PlanInput &input, const Estimate &answer, const Arguments &arguments, bool isFirst)
{
    if (arguments.has("--json")) {
        const std::string json = jsonAnswer(input, answerJson(input, answer, arguments));
        std::cout << (input.sought ? withSought(json, *input.sought) + '\n' : json) << std::flush;
        return;
    }
    const std::string sought = input.asked ? soughtText(input) : std::string();
    std::cout << (isFirst ? "" : "\n")
              << textAnswer(input, sought + answerText(input, answer, arguments)) << std::flush;
}

/// Complains of each limit that the plan is beyond.
bool keepsLimits(const PlanInput &input, const Estimate &answer, const Arguments &arguments)
{
    bool keeps = true;
    const auto fail = [&](std::string_view option, std::string_view why) {
        complain(input.label, std::string(option) + ": " + std::string(why));
        keeps = false;
    };
    const std::string why = whyNotComputed(answer);
    if (arguments.has("--must-fit")) {
        const std::optional<Verdict> verdict = verdictOf(answer);
        if (!verdict)
            fail("--must-fit", why.empty() ? "the capacity of the GPU is not known" : why);
        else if (*verdict == Verdict::DoesNotFit)
            fail("--must-fit", "the plan " + verdictWord(answer));
    }
    if (arguments.has("--fail-over")) {
        const ByteUnit unit = unitOf(arguments);
        const Bytes limit = writtenBytes(arguments.value("--fail-over")).value_or(0);
        if (!answer.computed)
            fail("--fail-over", why);
        else if (answer.peakDevice > limit)
            fail("--fail-over", "the likely peak on the device is " +
                                    formatBytes(answer.peakDevice, unit) + ", more than " +
                                    formatBytes(limit, unit));
    }
    return keeps;
}

/// What is wrong with the options together; empty: nothing.
std::string wrongOptions(const Arguments &arguments, std::size_t plans)
{
    if (arguments.has("--alloc-conf") && !arguments.has("--simulate"))
        return "--alloc-conf says under which settings to simulate; give --simulate too.";
    if (arguments.has("--fail-over") && !writtenBytes(arguments.value("--fail-over")))
        return "--fail-over: \"" + std::string(arguments.value("--fail-over")) +
               "\" is not a size; give one such as 72GiB";
    if (arguments.has("--out") && plans > 1)
        return "--out writes one plan; give one";
    if (arguments.value("--out") == "-")
        return "--out names a file; the output holds the answer. vramscope-cli import writes plans "
               "to the output";
    return {};
}

Result<void> write(const Plan &plan, const Arguments &arguments)
{
    const std::filesystem::path out = pathOf(arguments.value("--out"));
    const std::vector<std::filesystem::path> inputs = pathsOf(arguments.files);
    const Result<void> kept = keepInputs(out, inputs);
    return kept ? writePlan(plan, out) : kept;
}

/// The exit status of one plan.
int runOne(const std::string &source, const Arguments &arguments, bool isFirst)
{
    const Result<PlanInput> input = readPlanInput(source, arguments);
    if (!input)
        return complainOfPlan(source, input.error());
    const Estimate answer = estimate(input->plan);
    print(*input, answer, arguments, isFirst);
    if (arguments.has("--out")) {
        if (const Result<void> written = write(input->plan, arguments); !written)
            return unusable(arguments.value("--out"), written.error().text());
    }
    return keepsLimits(*input, answer, arguments) ? kSuccess : kBeyondLimit;
}

int runPlan(const Arguments &arguments)
{
    const std::vector<std::string> sources = planSources(arguments);
    if (const std::string wrong = wrongOptions(arguments, sources.size()); !wrong.empty())
        return badArguments("plan", wrong);
    int status = kSuccess;
    for (const std::string &source : sources) {
        const int one = runOne(source, arguments, &source == &sources.front());
        // That a plan could not be read comes before that another does not fit.
        if (one != kSuccess && (status == kSuccess || status == kBeyondLimit))
            status = one;
    }
    return status;
}

constexpr std::string_view kPlanDetails =
    R"(A plan is a file (a .vramplan, a model's config.json or checkpoint, a command line of vLLM), - for
standard input, or words, where no operand names a file:
  model           qwen3-32b, "llama 3.1 70b", Qwen/Qwen3-32B; vramscope-cli presets lists them
  task            full, lora, qlora, grpo, serve, vllm
  GPUs            8xh100, "2 nodes of 8 H200", "a 4090"
  numbers         8k, "seq 8192", "batch 4", "tp 8", "rank 32", "20B tokens" of the run
  and more        zero-3, fsdp, adamw, 8-bit, fp8, "no checkpointing", FIELD=VALUE
What nobody says is named as assumed, and the plan is without a word that is not known, which is
told. A question asks for a value: "largest batch", "how many h100", "which model", "4090 or 5090".
)";

} // namespace

const Subcommand kPlanCommand{
    {"plan", "FILE… or WORDS…", "What each plan needs on one GPU, and whether it fits.", 1,
     kAnyNumber, kPlanOptions, kPlanDetails, ", 3 a plan is beyond --must-fit or --fail-over"},
    runPlan};

} // namespace vramscope::cli
