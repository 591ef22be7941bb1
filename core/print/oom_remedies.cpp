// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/oom_remedies.h"

#include "core/analysis/costs/frame_rules.h"
#include "core/analysis/costs/frame_text.h"
#include "core/analysis/study/study.h"
#include "core/print/cells.h"

#include <algorithm>
#include <numeric>

namespace vramscope {

namespace {

/// One failure's remedies in words.
class Words
{
public:
    Words(const OutOfMemoryReport &failure, const OutOfMemoryAdvice &advice, ByteUnit unit)
        : m_failure(failure)
        , m_advice(advice)
        , m_unit(unit)
    {
    }

    [[nodiscard]] RemedyText of(const Remedy &remedy) const
    {
        const Names names = namesOf(remedy.kind, m_advice.trains);
        const Verdict verdict = verdictOf(remedy);
        return {names.title,  names.name,    names.means,  givesOf(remedy),
                verdict.text, verdict.brief, verdict.tone, whyOf(remedy)};
    }

private:
    struct Names
    {
        const char *title;
        const char *name;
        const char *means;
    };
    struct Verdict
    {
        const char *text;
        const char *brief;
        Tone tone;
    };

    [[nodiscard]] std::string size(Bytes bytes) const { return formatBytes(bytes, m_unit); }
    [[nodiscard]] Bytes liveOf(Category category) const
    {
        const auto found = std::ranges::find(m_advice.live, category, &LiveKind::category);
        return found == m_advice.live.end() ? 0 : found->bytes;
    }
    [[nodiscard]] std::string sizeOf(Category category) const { return size(liveOf(category)); }

    static Names namesOf(Remedy::Kind kind, bool trains)
    {
        switch (kind) {
        case Remedy::Kind::Leak:
            return {"Dropping what grows and is never freed", "Dropping what leaks",
                    "a list, a cache or a graph keeps it"};
        case Remedy::Kind::NoGrad:
            return {"torch.no_grad() around the evaluation", "torch.no_grad()",
                    "around the evaluation"};
        case Remedy::Kind::GraphPools:
            return {"One memory pool for all CUDA graphs, or fewer graphs",
                    "One pool for all CUDA graphs", "or fewer graphs"};
        case Remedy::Kind::OtherUsers:
            return {"Less memory outside this allocator", "Less outside this allocator",
                    "other processes and libraries"};
        case Remedy::Kind::Placement:
            return {"An even placement over the devices", "An even placement",
                    "another device has room"};
        case Remedy::Kind::Checkpointing:
            return {"Activation checkpointing", "Activation checkpointing",
                    "keeps only each block's input"};
        case Remedy::Kind::FusedLoss:
            return {"A fused or chunked loss", "A fused or chunked loss",
                    "never holds the logits whole"};
        case Remedy::Kind::SmallerOptimizer:
            return {"Optimizer states sharded, in 8 bits or on the host",
                    "Optimizer states sharded", "or in 8 bits, or on the host"};
        case Remedy::Kind::FusedOptimizer:
            return {"A fused optimizer step", "A fused optimizer step", "makes no temporaries"};
        case Remedy::Kind::Sharding:
            if (!trains)
                return {"Parameters over more GPUs", "Parameters over more GPUs",
                        "tensor parallelism, or fewer bits"};
            return {"Parameters and gradients over more GPUs", "Parameters over more GPUs",
                    "and gradients: FSDP or ZeRO-3"};
        case Remedy::Kind::SmallerBatch:
            if (!trains)
                return {"Half the batch", "Half the batch", "or half the tokens of a prompt"};
            return {"Half the micro-batch, or half the sequence", "Half the micro-batch",
                    "or half the sequence"};
        case Remedy::Kind::SmallerCache:
            return {"A cache of half the bytes", "A cache of half the bytes",
                    "keys and values in 8 bits, or fewer tokens"};
        case Remedy::Kind::ExpandableSegments:
            return {"PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True", "Expandable segments",
                    "makes one piece of what is free"};
        case Remedy::Kind::OtherPools:
            return {"One pool and stream for what now has several", "One pool and stream",
                    "for what now has several"};
        case Remedy::Kind::Limit:
            return {"A higher limit", "A higher limit", "the device had room"};
        case Remedy::Kind::MoreMemory:
            return {"More memory on the device", "More memory on the device",
                    "or less outside the allocator"};
        }
        return {};
    }

    [[nodiscard]] std::string givesOf(const Remedy &remedy) const
    {
        const bool half =
            remedy.kind == Remedy::Kind::SmallerBatch || remedy.kind == Remedy::Kind::SmallerCache;
        return (remedy.atMost ? "up to " : half ? "about " : "") + size(remedy.bytes);
    }

    [[nodiscard]] static Verdict verdictOf(const Remedy &remedy)
    {
        if (!remedy.servesRequest)
            return {"unknown", "unknown", Tone::Plain};
        if (!*remedy.servesRequest)
            return {"not enough", "not enough", Tone::Bad};
        if (!remedy.servesStep)
            return {"this request; the rest is unknown", "for this request", Tone::Warning};
        if (!*remedy.servesStep)
            return {"this request only", "this request only", Tone::Warning};
        return remedy.atMost ? Verdict{"may be enough for the step", "may be enough", Tone::Warning}
                             : Verdict{"enough for the step", "enough", Tone::Good};
    }

    [[nodiscard]] std::string whyOf(const Remedy &remedy) const
    {
        switch (remedy.kind) {
        case Remedy::Kind::Leak:
            return "A stack's allocations pile up to the end of the recording: a list, a cache or "
                   "a graph refers to them. The leaks of the recording name the stack.";
        case Remedy::Kind::NoGrad:
            return "Memory made in forward passes that no backward pass follows stays: the "
                   "evaluation records a graph for gradients. Under torch.no_grad() or "
                   "torch.inference_mode() each layer's output is freed after its use.";
        case Remedy::Kind::GraphPools:
            return size(remedy.bytes) +
                   " are free in private pools of CUDA graphs. No other request may use them, and "
                   "empty_cache() does not return them while a graph lives.";
        case Remedy::Kind::OtherUsers:
            return "The allocator has " + size(m_failure.bands.reserved()) +
                   " and the device had " + size(m_failure.deviceFree) +
                   " left: together the size of no whole GPU. Unless this is a part of one (MIG), "
                   "other processes or libraries use the rest; nvidia-smi names the processes.";
        case Remedy::Kind::Placement:
            return "This process uses much less of another device. A device_map, or the split of "
                   "a pipeline, can move layers there.";
        case Remedy::Kind::Checkpointing:
            return checkpointing();
        case Remedy::Kind::FusedLoss:
            return fusedLoss();
        case Remedy::Kind::SmallerOptimizer:
            return sizeOf(Category::OptimizerStates) +
                   " of states are live. In 8 bits they take a quarter of what 32 bits take; "
                   "ZeRO or FSDP leave each GPU its share; offloaded they are on the host.";
        case Remedy::Kind::FusedOptimizer:
            return "The optimizer asked for temporaries of many parameters at once (foreach). "
                   "fused=True makes none; foreach=False those of one parameter.";
        case Remedy::Kind::Sharding:
            if (!m_advice.trains)
                return "Parameters take " + sizeOf(Category::Parameters) +
                       ". Tensor parallelism leaves each of two GPUs half of them; a checkpoint "
                       "in 8 bits takes half as much as one in 16 bits.";
            return "Parameters take " + sizeOf(Category::Parameters) +
                   (liveOf(Category::Gradients) > 0 ? ", gradients " + sizeOf(Category::Gradients)
                                                    : "") +
                   ". FSDP or ZeRO-3 leave each GPU its share of them, twice the GPUs half of it.";
        case Remedy::Kind::SmallerBatch:
            if (!m_advice.trains)
                return "Activations and logits grow with the tokens of a batch.";
            return "Activations, logits and the loss grow with the tokens of a micro-batch. "
                   "Gradient accumulation keeps the batch of a step as it is.";
        case Remedy::Kind::SmallerCache:
            return "Keys and values take " + sizeOf(Category::KeyValueCache) +
                   ". They shrink with the longest sequence, the sequences at once and the bits of "
                   "an element.";
        case Remedy::Kind::ExpandableSegments:
            return expandableSegments();
        case Remedy::Kind::OtherPools:
            return "Enough is free, but for other streams, pools or sizes: allocate on one "
                   "stream, and let CUDA graphs share their pool.";
        case Remedy::Kind::Limit:
            return "The device had room. Look for set_per_process_memory_fraction, or "
                   "per_process_memory_fraction in PYTORCH_CUDA_ALLOC_CONF.";
        case Remedy::Kind::MoreMemory:
            return "The recording does not show what the device holds outside this allocator: "
                   "the CUDA context, NCCL, other processes. nvidia-smi names the processes.";
        }
        return {};
    }

    [[nodiscard]] std::string checkpointing() const
    {
        std::string text = "The activations that are kept for backward take " +
                           sizeOf(Category::Activations) +
                           ". Recomputed in backward, of each block only its input stays.";
        if (!m_advice.trains)
            text += " The recording shows no gradients: where nothing is trained, "
                    "torch.inference_mode() keeps none of them.";
        return text;
    }

    [[nodiscard]] std::string fusedLoss() const
    {
        const Bytes live = wrappingSum(liveOf(Category::LossAndLogits), m_advice.logits);
        const bool asked = m_advice.request == Category::LossAndLogits;
        std::string text = live > 0 ? "Logits and loss take " + size(live) : "The loss";
        if (asked)
            text += (live > 0 ? ", and it asked for " : " asked for ") + size(m_failure.requested) +
                    " more";
        return text + ". A loss that takes the tokens in parts, or that is fused with the head "
                      "(Liger, cut cross entropy), never holds the logits whole.";
    }

    [[nodiscard]] std::string expandableSegments() const
    {
        std::string text = size(m_failure.freeForIt) +
                           " are free for this request, but in pieces between blocks in use.";
        if (m_advice.expandableServes)
            text += *m_advice.expandableServes
                        ? " Simulated under this setting, the request is served."
                        : " Simulated under this setting, the request fails all the same.";
        const bool serves = m_advice.expandableServes.value_or(m_advice.left >= 0);
        if (serves && m_advice.left >= 0)
            text += " At most " + size(m_advice.left) + " would be left for the rest of the step.";
        return text;
    }

    const OutOfMemoryReport &m_failure;
    const OutOfMemoryAdvice &m_advice;
    ByteUnit m_unit;
};

} // namespace

std::vector<RemedyText> remedyTexts(const OutOfMemoryReport &failure,
                                    const OutOfMemoryAdvice &advice, ByteUnit unit)
{
    const Words words(failure, advice, unit);
    std::vector<RemedyText> texts;
    for (const Remedy &remedy : advice.remedies)
        texts.push_back(words.of(remedy));
    return texts;
}

std::vector<RemedyText> peakRemedyTexts(const OutOfMemoryAdvice &advice, ByteUnit unit)
{
    return remedyTexts(OutOfMemoryReport(), advice, unit);
}

std::vector<std::size_t> surestFirst(const OutOfMemoryAdvice &advice,
                                     const std::vector<RemedyText> &texts)
{
    std::vector<std::size_t> order(texts.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](std::size_t at) {
        const bool isDevice = advice.remedies[at].kind == Remedy::Kind::MoreMemory;
        return isDevice                       ? 1
               : texts[at].tone == Tone::Good ? 0
               : texts[at].tone == Tone::Bad  ? 2
                                              : 1;
    });
    return order;
}

namespace {

/// "cross_entropy (train.py:74)": what allocates, and where the user's code calls it.
std::string allocatorOf(const Trace &trace, StackId stack)
{
    FrameOrigins origins(trace);
    const std::optional<StackSite> site = siteOf(trace, stack, origins);
    if (!site)
        return "the program";
    const Frame &best = trace.frame(site->best);
    const Frame &made = trace.frame(site->callee.value_or(site->best));
    return shownName(trace.text(made.name)) + " (" + std::string(fileName(trace.text(best.file))) +
           (best.line > 0 ? ":" + std::to_string(best.line) : "") + ")";
}

} // namespace

std::string outOfMemorySentence(const Study &study, const OutOfMemoryReport &failure, ByteUnit unit)
{
    const std::string asked = printable(allocatorOf(study.trace(), failure.stack)) + " asked for " +
                              formatBytes(failure.requested, unit);
    switch (failure.cause) {
    case OutOfMemoryCause::Limit:
        return "A limit stopped it, not the device: " + asked + " while the device had " +
               formatBytes(failure.deviceFree, unit) + " left.";
    case OutOfMemoryCause::Elsewhere:
        return "Enough was free, but not for this request: " + asked +
               ", and what is free belongs to other pools, streams or sizes.";
    case OutOfMemoryCause::Fragmented:
        return "The free memory was in pieces: " + asked +
               ", and the largest piece free for it "
               "had " +
               formatBytes(failure.largestForIt, unit) + ".";
    case OutOfMemoryCause::Full:
        return "The device was full: " + asked + ", and " + formatBytes(failure.shortage, unit) +
               " were missing" +
               (failure.lastRelease.bytes > 0 ? " even with the cache emptied." : ".");
    case OutOfMemoryCause::Unknown:
        break;
    }
    return "The cause is not recorded: " + asked +
           ", and the file does not say what the device had left.";
}

std::string filledText(const OutOfMemoryAdvice &advice, ByteUnit unit)
{
    constexpr std::size_t kShown = 4;
    Wide all = 0;
    for (const LiveKind &kind : advice.live)
        all += kind.bytes;
    std::string text;
    Wide shown = 0;
    for (std::size_t at = 0; at < std::min(kShown, advice.live.size()); ++at) {
        const LiveKind &kind = advice.live[at];
        const bool known = kind.category != Category::Unknown;
        shown += kind.bytes;
        text += (at == 0 ? "" : ", ") + formatBytes(kind.bytes, unit) + " " +
                (known ? std::string(categoryPhrase(kind.category)) : "of unknown kind") + " (" +
                formatShare(kind.bytes, all) + ")";
    }
    if (shown < all)
        text += ", " + formatBytes(static_cast<Bytes>(all - shown), unit) + " others";
    if (advice.logits > 0)
        text += "; " + formatBytes(advice.logits, unit) + " of it has the size of logits";
    return text;
}

std::string restText(const RestOfStep &rest, ByteUnit unit)
{
    const std::string ends = rest.endsThere
                                 ? "The recording ends with this failure"
                                 : "After this failure the recording has what the program did "
                                   "about it, not the rest of the step";
    if (!rest.isKnown)
        return ends + ", and no earlier complete step made this request: what the rest of the "
                      "step needs is unknown. A plan of the run tells it (vramscope-cli "
                      "reconcile, or the recording compared with a plan in the window).";
    std::string text = ends + ". Step " + formatCount(rest.step) +
                       ", which was complete, made the same request (" +
                       formatBytes(rest.askedThere, unit) + ") and ";
    if (rest.more < kMiB)
        return text + "had its most memory in use right then: the rest of this step should need "
                      "no more.";
    return text + "then needed more; so this step is estimated to need another " +
           formatBytes(rest.more, unit) + " after it.";
}

std::string stepText(const OutOfMemoryReport &failure, const OutOfMemoryAdvice &advice,
                     ByteUnit unit)
{
    std::string text = restText(advice.rest, unit);
    if (!failure.isLeftTold())
        return text;
    if (advice.left < 0)
        return text + " With all free memory in one piece the request alone would still lack " +
               formatBytes(-advice.left, unit) + ".";
    text += " With all free memory in one piece " + formatBytes(advice.left, unit) +
            " would be left after the request";
    if (!advice.rest.isKnown)
        return text + ".";
    return text +
           (advice.rest.more <= advice.left ? ", which is enough." : ", which is too little.");
}

std::string adviceText(const OutOfMemoryReport &failure, const OutOfMemoryAdvice &advice,
                       ByteUnit unit)
{
    std::string text;
    const std::string filled = filledText(advice, unit);
    if (!filled.empty())
        text += "In use: " + filled + ".\n";
    text += stepText(failure, advice, unit) + "\n";
    for (const RemedyText &remedy : remedyTexts(failure, advice, unit))
        text += "\n" + remedy.title + ": " + remedy.gives + " (" + remedy.verdict + ")\n" +
                remedy.text + "\n";
    return text;
}

} // namespace vramscope
