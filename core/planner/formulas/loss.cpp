// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/formulas/training.h"

namespace vramscope {

namespace {

/// Bytes per token at the worst moment of a loss: `vocab` · V + `hidden` · h, beside what the final
/// norm leaves.
struct LossTerm
{
    std::int64_t vocab;
    std::int64_t hidden;
    std::int64_t keptLogit; ///< bytes of a logit that a variable keeps alive
    Origin origin;
};

LossTerm termOf(const Settings &s)
{
    const std::int64_t w = s.computeBytes;
    switch (s.loss) {
    case LossKind::CrossEntropyFp32:
        return {16,
                0,
                4,
                {"fp32 logits, log-softmax and their two gradients; measured: GPT-2 small in fp32 "
                 "(daddyofadoggy/pytorch-distributed)",
                 Evidence::Verified}};
    case LossKind::HfUpcast:
        return {w == 4 ? 12 : 14, // logits in fp32 are no copy
                0,
                4,
                {"bf16 logits, fp32 copy, shifted copy and cross-entropy; measured: "
                 "fms-acceleration A100 benchmarks",
                 Evidence::Verified}};
    case LossKind::FusedUpcast:
        return {8,
                0,
                2,
                {"Fused cross-entropy on fp32 logits, gradient in place; measured: "
                 "fms-acceleration A100 benchmarks",
                 Evidence::Verified}};
    case LossKind::FusedUpcastCopy:
        return {
            10,
            0,
            2,
            {"Fused cross-entropy with a shifted copy; measured: fms-acceleration A100 benchmarks",
             Evidence::Verified}};
    case LossKind::VocabParallel:
        return {8,
                2,
                2,
                {"Vocabulary-parallel cross-entropy; measured: Megatron-LM functional tests "
                 "(golden values)",
                 Evidence::Verified}};
    case LossKind::Chunked:
        return {2,
                0,
                2,
                {"bf16 logits kept, fp32 work on one chunk of them; derived from tensor shapes",
                 Evidence::Derived}};
    case LossKind::LinearFused:
        return {0,
                2 * w,
                0,
                {"Head and loss fused: no logits, a gradient of the hidden states; measured: "
                 "fms-acceleration A100 benchmarks with Liger kernels",
                 Evidence::Verified}};
    case LossKind::Compiled:
        return {4,
                0,
                2,
                {"torch.compile's cross-entropy takes 2 V to 6 V, here 4 V; compared with "
                 "torchtitan's benchmarks",
                 Evidence::Empirical, 0.5}};
    case LossKind::None:
        break;
    }
    return {0, 0, 0, {}};
}

/// Bytes of a hidden element that the final norm and the head's product keep. Measured:
/// tests/measure, families "block", "autocast" and "lora".
std::int64_t finalNormBytes(const Training &t)
{
    const std::int64_t w = t.s.computeBytes;
    const bool wide = t.residual == 4;
    // Autocast's norm gives fp32, and the head's product keeps a cast copy beside it.
    const std::int64_t output = t.autocast() && wide ? 4 + w : w;
    if (t.s.architecture.norm != NormKind::RmsNorm || t.s.kernels != Kernels::Eager)
        return t.residual + output;
    // Hugging Face's RMSNorm: its fp32 input, the normalised value where its weight is trained.
    const std::int64_t normalised = t.lora() ? 0 : wide ? 4 : w;
    return 4 + normalised + output;
}

void addKeptLogits(const Training &t, Ledger &ledger, std::int64_t bytes)
{
    const std::int64_t vocab = t.s.architecture.vocab;
    // Within the loss its own term holds the new logits; the old ones are gone by then.
    const MomentSet steady = {StepPhase::Forward, StepPhase::Backward, StepPhase::EndOfBackward,
                              StepPhase::Step, StepPhase::Rest};
    const MomentSet first = {StepPhase::Backward, StepPhase::EndOfBackward, StepPhase::Step,
                             StepPhase::Rest};
    ledger.add(Entry{Category::LossAndLogits,
                     "Logits kept alive",
                     Exact(bytes) * vocab * t.tokens,
                     steady,
                     first,
                     {"A variable of the training loop holds the logits; measured: GPT-2 small in "
                      "fp32 (daddyofadoggy/pytorch-distributed)",
                      Evidence::Verified}},
               {"{} V T = {} × {} × {}", {bytes, bytes, vocab, t.tokens.value()}});
}

/// What a chunked loss holds of one chunk, and what its chunks add up.
void addChunk(const Training &t, Ledger &ledger, Exact vocab)
{
    const Settings &s = t.s;
    // Compiled, the chunk's gradient is written from its logits at once.
    const bool compiled = s.kernels == Kernels::Compiled;
    const std::int64_t each = compiled ? 2 : 12;
    const Origin origin =
        compiled
            ? Origin{"The gradient of one chunk's logits; measured: torchtune README, LoRA and "
                     "QLoRA",
                     Evidence::Verified}
            : Origin{"fp32 work on one chunk; derived from tensor shapes", Evidence::Derived};
    ledger.add(Category::LossAndLogits, "Loss of one chunk",
               dividedUp(Exact(each) * vocab * t.tokens, s.lossChunks), {StepPhase::Loss}, origin,
               {"{} V T / n = ⌈{} × {} × {} / {}⌉",
                {each, each, vocab.value(), t.tokens.value(), s.lossChunks}});
    if (t.lora() || s.lossChunks < 2)
        return;
    // Every chunk multiplies by the same head.
    const std::int64_t hidden = s.architecture.hidden;
    ledger.add(
        Category::Gradients, "Gradients of the head, chunk by chunk",
        Exact(2) * s.computeBytes * vocab * hidden, {StepPhase::Loss},
        {"Each chunk's gradient of the head is added to the sum of the others; measured: "
         "torchtune README, full fine-tuning",
         Evidence::Verified},
        {"2 · {} V h = 2 × {} × {} × {}", {s.computeBytes, s.computeBytes, vocab.value(), hidden}});
}

/// What the losses of the other micro-batches in flight keep on a stage that runs them all forward
/// first: log-softmax and, in the training loop's variable, the logits.
void addWaitingLosses(const Training &t, Ledger &ledger)
{
    if (!t.forwardFirst() || t.s.loss == LossKind::LinearFused)
        return;
    const Architecture &a = t.s.architecture;
    const std::int64_t waiting = t.flights - 1;
    const std::int64_t each = t.s.loss == LossKind::CrossEntropyFp32 ? 8 : 4;
    const std::int64_t norm = finalNormBytes(t);
    ledger.add(Category::LossAndLogits, "Losses of the micro-batches in flight",
               Exact(waiting) * (Exact(each) * a.vocab + Exact(norm) * a.hidden) * t.tokens,
               {StepPhase::Loss, StepPhase::Backward},
               {"GPipe runs every loss before the first backward pass; measured: tests/measure",
                Evidence::Verified},
               {"(m - 1) ({} V + {} h) T = {} × ({} × {} + {} × {}) × {}",
                {each, norm, waiting, each, a.vocab, norm, a.hidden, t.tokens.value()}});
}

} // namespace

void addLoss(const Training &t, Ledger &ledger)
{
    const Settings &s = t.s;
    if (!t.rank.hasHead || s.loss == LossKind::None)
        return;
    const LossTerm term = termOf(s);
    const std::int64_t perHidden = term.hidden + finalNormBytes(t);
    const std::int64_t vocab = s.architecture.vocab;
    const std::int64_t hidden = s.architecture.hidden;
    // Only a vocabulary-parallel loss leaves the logits divided; others gather them.
    const std::int64_t tp = s.loss == LossKind::VocabParallel ? s.tensor : 1;
    const std::int64_t sp = s.sequenceParallel ? s.tensor : 1;
    const Exact logits = dividedUp(Exact(term.vocab) * vocab, tp);
    const Exact norms = dividedUp(Exact(perHidden) * hidden, sp);
    const Entry entry = {Category::LossAndLogits, "Logits and loss", (logits + norms) * t.tokens,
                         {StepPhase::Loss},       {StepPhase::Loss}, term.origin};
    if (tp == 1 && sp > 1)
        ledger.add(entry, {"({} V + {} h / t_sp) T = ({} × {} + ⌈{} × {} / {}⌉) × {}",
                           {term.vocab, perHidden, term.vocab, vocab, perHidden, hidden, sp,
                            t.tokens.value()}});
    else if (tp > 1)
        ledger.add(entry, {"({} V / t + {} h / t_sp) T = (⌈{} × {} / {}⌉ + ⌈{} × {} / {}⌉) × {}",
                           {term.vocab, perHidden, term.vocab, vocab, tp, perHidden, hidden, sp,
                            t.tokens.value()}});
    else
        ledger.add(entry, {"({} V + {} h) T = ({} × {} + {} × {}) × {}",
                           {term.vocab, perHidden, term.vocab, vocab, perHidden, hidden,
                            t.tokens.value()}});
    if (s.loss == LossKind::Chunked)
        addChunk(t, ledger, dividedUp(Exact(vocab), tp));
    if (s.loss == LossKind::LinearFused && !t.lora())
        ledger.add(
            Category::LossAndLogits, "Weight gradient of the fused head",
            Exact(s.computeBytes) * dividedUp(Exact(vocab), tp) * hidden, {StepPhase::Loss},
            {"The fused loss accumulates the head's gradient; derived from tensor shapes",
             Evidence::Derived},
            {"{} V h = {} × ⌈{} / {}⌉ × {}", {s.computeBytes, s.computeBytes, vocab, tp, hidden}});
    addWaitingLosses(t, ledger);
    if (s.lossKeepLogits && term.keptLogit > 0)
        addKeptLogits(t, ledger, term.keptLogit);
    else if (s.loss == LossKind::CrossEntropyFp32)
        ledger.add(
            Category::LossAndLogits, "Logits of the training loop",
            Exact(term.keptLogit) * vocab * t.tokens,
            {StepPhase::Backward, StepPhase::EndOfBackward},
            {"The loop's variable holds the logits until backward is over; measured: "
             "tests/measure",
             Evidence::Verified},
            {"{} V T = {} × {} × {}", {term.keptLogit, term.keptLogit, vocab, t.tokens.value()}});
}

} // namespace vramscope
