// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/training.h"

#include <algorithm>

namespace vramscope {

namespace {

/// Bytes per token at the worst moment of a loss: `vocab` · V + `hidden` · h, in addition to what
/// the final norm leaves.
struct LossTerm
{
    std::int64_t vocab;
    std::int64_t hidden;
    std::int64_t keptLogit; ///< bytes of a logit that a variable keeps alive
    Origin origin;
    std::int64_t forward = vocab; ///< instead of `vocab`, while the loss runs forward
    std::int64_t saved = 4;       ///< instead of `vocab`, before the loss runs backward
};

/// Whether all logits exist at once when an eager loss reads them.
bool wholeLogits(LossKind loss)
{
    switch (loss) {
    case LossKind::CrossEntropy:
    case LossKind::CrossEntropyUpcast:
    case LossKind::CrossEntropyFp32:
    case LossKind::HfUpcast:
    case LossKind::HfPadded:
    case LossKind::SelectiveLogSoftmax:
        return true;
    default:
        return false;
    }
}

bool hasWideLogits(const Settings &s)
{
    const Architecture &a = s.architecture;
    return a.logitsInFp32 || (a.logitBuffer && s.weightBytes == 4);
}

LossTerm termOf(const Settings &s)
{
    const std::int64_t w = s.computeBytes;
    const std::int64_t logit = hasWideLogits(s) ? 4 : w;
    switch (s.loss) {
    case LossKind::CrossEntropy: {
        // Its log-softmax keeps the logits' type; autocast makes nll_loss take a copy in fp32.
        const std::int64_t copy = isAutocast(s) && logit < 4 ? 4 : 0;
        const std::int64_t gradients = copy > 0 ? copy : 2 * logit;
        const std::int64_t held = s.lossKeepOutputs ? logit : 0;
        return {
            logit + copy + gradients + held,
            0,
            logit,
            {"torch.nn.functional.cross_entropy on the logits as they come: log-softmax and its "
             "two gradients in their type, under autocast a copy and one gradient in fp32; "
             "measured: tests/measure",
             Evidence::Verified},
            2 * logit + copy,
            logit + copy + held};
    }
    case LossKind::CrossEntropyFp32:
        return {16,
                0,
                4,
                {"fp32 logits, log-softmax and their two gradients; measured: GPT-2 small in fp32 "
                 "(daddyofadoggy/pytorch-distributed)",
                 Evidence::Verified},
                w == 4 ? 8 : 10};
    case LossKind::HfUpcast:
    case LossKind::CrossEntropyUpcast:
        if (hasWideLogits(s) && w < 4)
            return {12 + (s.lossKeepOutputs ? 4 : 0),
                    0,
                    4,
                    {"The model gives its logits in fp32, log-softmax and its two gradients beside "
                     "them; transformers modeling_nemotron_h.py; measured: tests/measure",
                     Evidence::Verified},
                    10,
                    4 + (s.lossKeepOutputs ? 4 : 0)};
        return {w == 4 ? 12 : 14, // logits in fp32 are no copy
                0,
                w,
                {"Logits, log-softmax and their two gradients, the last three in fp32; measured: "
                 "fms-acceleration A100 benchmarks, tests/measure",
                 Evidence::Verified},
                w == 4 ? 8 : 10,
                4 + (s.lossKeepOutputs ? w : 0)};
    case LossKind::HfPadded: { // labels are shifted, not logits
        // Under autocast accelerate converts outputs to fp32 (convert_outputs_to_fp32).
        const std::int64_t output = s.trainer == Trainer::Hf && isAutocast(s) ? 4 : w;
        const std::int64_t held = s.lossKeepOutputs ? output : 0;
        return {12 + held,
                0,
                output,
                {"Log-softmax in fp32 and its two gradients; the logits are gone unless the loop "
                 "holds them. transformers from 4.49 on, loss_utils.py; measured: tests/measure",
                 Evidence::Verified},
                w == 4 ? 8 : 10,
                4 + held};
    }
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
    case LossKind::VocabParallel: // logits, and their fp32 copy in which all else happens
        return {6,
                0,
                2,
                {"Vocabulary-parallel cross-entropy; measured: Megatron-LM functional tests "
                 "(golden values), tests/measure",
                 Evidence::Verified}};
    case LossKind::VocabParallelFused: // compiled, the exponentials are a tensor of their own
        return {10,
                0,
                2,
                {"Logits, their fp32 copy and the exponentials; Megatron-LM "
                 "core/fusions/fused_cross_entropy.py before its in-place version: two of its "
                 "functional tests differ by 4 V T",
                 Evidence::Sourced}};
    case LossKind::LossParallel:
        return {18,
                0,
                2,
                {"torch's loss_parallel runs in whole tensors of its part of the vocabulary; "
                 "measured: tests/measure",
                 Evidence::Verified},
                10};
    case LossKind::Chunked:
        return {2,
                0,
                2,
                {"bf16 logits kept, fp32 work on one chunk of them; derived from tensor shapes",
                 Evidence::Derived}};
    case LossKind::ChunkedFp32:
        return {
            8,
            0,
            4,
            {"fp32 logits and the log-softmax of every chunk of them; litgpt chunked_cross_entropy",
             Evidence::Sourced}};
    case LossKind::ChunkedBackward: // addChunks
        return {0,
                0,
                0,
                {"Each chunk runs backward before the next one begins; torchtitan "
                 "components/loss.py, ChunkedLossWrapper",
                 Evidence::Verified},
                0,
                0};
    case LossKind::LinearFused:
        return {0,
                2 * w,
                0,
                {"Head and loss fused: no logits, a gradient of the hidden states; measured: "
                 "fms-acceleration A100 benchmarks with Liger kernels",
                 Evidence::Verified},
                0,
                0};
    case LossKind::LinearChunked: // addColumns
        return {0,
                w,
                0,
                {"Head and loss by parts of the vocabulary: a gradient of the hidden states; "
                 "prime-rl trainer/models/layers/lm_head.py",
                 Evidence::Sourced},
                0,
                0};
    case LossKind::Compiled:
        return {4,
                0,
                2,
                {"torch.compile's cross-entropy takes 2 V to 6 V, here 4 V; compared with "
                 "torchtitan's benchmarks",
                 Evidence::Empirical, 0.5}};
    case LossKind::SelectiveLogSoftmax: { // under autocast in fp32
        const std::int64_t softmax = isAutocast(s) ? 4 : w;
        const std::int64_t first = s.microBatch == 1 && softmax > w ? 4 : 0; // one row at a time
        return {4 * w + first,
                0,
                w,
                {"Logits, the log-softmax of all rows, its gradients row by row and as one; TRL "
                 "trainer/utils.py, selective_log_softmax; measured: tests/measure",
                 Evidence::Verified},
                w + softmax,
                softmax};
    }
    case LossKind::InPlace:
        return {w,
                0,
                w,
                {"The gradient is written over the logits: flash-attn's cross-entropy with "
                 "inplace_backward, as verl calls it (verl/utils/torch_functional.py)",
                 Evidence::Sourced},
                w,
                w};
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
    // Autocast's norm gives fp32, of which the head's product keeps only the cast copy.
    // A frozen head keeps no input; runs of PEFT with transformers before 4.49 whose fp32 adapters
    // are checkpointed (fms-acceleration) hold it all the same.
    const bool held = t.s.checkpointing != Checkpointing::None && t.s.adapters.weightBytes > w &&
                      t.s.loss != LossKind::HfPadded;
    const bool frozen = t.lora() && t.s.kernels == Kernels::Eager && !held;
    const std::int64_t output = frozen ? 0 : w;
    if (t.s.kernels != Kernels::Eager)
        return t.residual + output;
    if (t.s.architecture.normBytes > 0)
        return t.s.architecture.normBytes + output;
    if (t.s.architecture.norm != NormKind::RmsNorm)
        return (t.autocast() ? 4 : t.residual) + output;
    // Hugging Face's RMSNorm: its fp32 input, the normalised value where its weight is trained.
    // With frozen weights the first block's norm keeps no input, because the embedding's output
    // needs no gradient: that and this one cancel, unless blocks are recomputed one by one.
    if (t.lora())
        return t.s.checkpointing == Checkpointing::None ? output : 4 + output;
    return 4 + (wide || t.s.architecture.normInFp32 ? 4 : w) + output;
}

/// Bytes of a hidden element that an encoder keeps outside its blocks in addition: the input of the
/// embeddings' norm, and of the prediction of masked tokens the input of its dense layer (under
/// autocast a cast copy) and the output, which the activation reads. transformers
/// models/bert/modeling_bert.py; measured: tests/measure, family "kinds".
std::int64_t encoderBytes(const Training &t)
{
    const Architecture &a = t.s.architecture;
    if (!a.encoder || t.s.kernels != Kernels::Eager || t.lora())
        return 0;
    const std::int64_t norm = t.autocast() ? 4 : t.residual;
    return norm + (a.bias.head ? 2 * t.s.computeBytes : 0);
}

void addKeptLogits(const Training &t, Ledger &ledger, std::int64_t bytes)
{
    const std::int64_t vocab = t.s.architecture.vocab;
    // Within the loss its own term has the new logits; the old ones are gone by then.
    const PhaseSet first = {StepPhase::Backward, StepPhase::EndOfBackward, StepPhase::GradientNorm,
                            StepPhase::Step, StepPhase::Rest};
    const PhaseSet steady = first | PhaseSet{StepPhase::Forward};
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

/// Memory of a compiled chunked loss for one chunk, whose gradient is written from its logits at
/// once, and the sums over its chunks: every chunk multiplies by the same head.
void addCompiledChunks(const Training &t, Ledger &ledger, Exact vocab)
{
    const Settings &s = t.s;
    ledger.add(
        Category::LossAndLogits, "Loss of one chunk",
        dividedUp(Exact(2) * vocab * t.tokens, s.lossChunks), {StepPhase::Loss},
        {"The gradient of one chunk's logits; measured: torchtune README, LoRA and QLoRA",
         Evidence::Verified},
        {"2 V T / n_chunks = ⌈2 × {} × {} / {}⌉", {vocab.value(), t.tokens.value(), s.lossChunks}});
    if (t.lora() || s.lossChunks < 2)
        return;
    const std::int64_t hidden = s.architecture.hidden;
    ledger.add(Category::Gradients, "Gradients of the head, chunk by chunk",
               {"{} · {} V h", {2, s.computeBytes, vocab, hidden}}, {StepPhase::Loss},
               {"Each chunk's gradient of the head is added to the sum of the others; measured: "
                "torchtune README, full fine-tuning",
                Evidence::Verified});
}

/// Memory of an eager chunked loss in addition to its logits, at the higher of two moments:
/// forward, the log-softmax of every chunk and two fp32 tensors of the last; then the losses of all
/// chunks run backward before the first product of the head does, whose gradient for a chunk is
/// added to another's as a third tensor.
void addEagerChunks(const Training &t, Ledger &ledger, Exact vocab)
{
    const Settings &s = t.s;
    constexpr Origin kMeasured = {"The allocator's history of a step on an H200; tests/measure",
                                  Evidence::Verified};
    const std::int64_t n = s.lossChunks;
    const std::int64_t w = s.computeBytes;
    const Exact logits = vocab * t.tokens;
    const Exact forward = Exact(4) * logits + dividedUp(Exact(8) * logits, n);
    const Exact head = Exact(3) * w * vocab * s.architecture.hidden;
    const Exact waiting = dividedUp(Exact(w * std::max<std::int64_t>(n - 2, 0)) * logits, n);
    if (t.lora() || n < 2 || head + waiting <= forward) {
        ledger.add(Category::LossAndLogits, "Loss of the chunks", forward, {StepPhase::Loss},
                   kMeasured,
                   {"4 V T + 8 V T / n_chunks = 4 × {} × {} + ⌈8 × {} × {} / {}⌉",
                    {vocab.value(), t.tokens.value(), vocab.value(), t.tokens.value(), n}});
        return;
    }
    ledger.add(Category::LossAndLogits, "Gradients of the chunks' logits", waiting,
               {StepPhase::Loss}, kMeasured,
               {"{} V T (n_chunks - 2) / n_chunks = ⌈{} × {} × {} × {} / {}⌉",
                {w, w, vocab.value(), t.tokens.value(), n - 2, n}});
    ledger.add(Category::Gradients, "Gradients of the head, chunk by chunk",
               {"{} · {} V h", {3, w, vocab, s.architecture.hidden}}, {StepPhase::Loss}, kMeasured);
}

/// Memory of a loss whose chunks run backward one by one: one chunk, the head's gradient over all
/// of them and the gradient of the hidden states.
void addChunks(const Training &t, Ledger &ledger)
{
    const Settings &s = t.s;
    constexpr Origin kChunks = {"ChunkedLossWrapper, torchtitan components/loss.py; measured: "
                                "tests/measure",
                                Evidence::Verified};
    const std::int64_t vocab = s.architecture.vocab;
    const std::int64_t hidden = s.architecture.hidden;
    const std::int64_t w = s.computeBytes;
    const std::int64_t sum = t.fsdp() ? s.reduceBytes : t.trainedGradient;
    const Exact head = Exact(t.lora() ? 0 : vocab) * hidden;
    ledger.add(Category::Gradients, "Gradient of the head, chunk by chunk",
               {"{} V h", {sum, t.lora() ? 0 : vocab, hidden}}, {StepPhase::Loss}, kChunks);
    // The chunk's gradient of the head and its copy in the type of the sum come when its logits'
    // gradient alone is left.
    const std::int64_t copy = sum == w ? w : w + sum;
    const Exact logits = Exact(vocab) * t.tokens;
    const Exact product = Exact(copy) * head + dividedUp(Exact(w) * logits, s.lossChunks);
    const std::int64_t each = w == 4 ? 12 : 14;
    const Exact softmax = dividedUp(Exact(each) * logits, s.lossChunks);
    constexpr std::string_view kName = "Loss of one chunk";
    if (product > softmax)
        ledger.add(Category::LossAndLogits, kName, product, {StepPhase::Loss}, kChunks,
                   {"{} V h + {} V T / n_chunks = {} × {} × {} + ⌈{} × {} × {} / {}⌉",
                    {copy, w, copy, t.lora() ? 0 : vocab, hidden, w, vocab, t.tokens.value(),
                     s.lossChunks}});
    else
        ledger.add(Category::LossAndLogits, kName, softmax, {StepPhase::Loss}, kChunks,
                   {"{} V T / n_chunks = ⌈{} × {} × {} / {}⌉",
                    {each, each, vocab, t.tokens.value(), s.lossChunks}});
    const Exact inputs = Exact(hidden) * t.tokens;
    const std::int64_t parts = s.microBatch > 1 ? 4 + w : 4; // a chunk of sequences is copied
    ledger.add(
        Category::LossAndLogits, "Gradient of the hidden states",
        Exact(parts) * inputs + dividedUp(Exact(w) * inputs, s.lossChunks), {StepPhase::Loss},
        kChunks,
        {"{} h T + {} h T / n_chunks = {} × {} × {} + ⌈{} × {} × {} / {}⌉",
         {parts, w, parts, hidden, t.tokens.value(), w, hidden, t.tokens.value(), s.lossChunks}});
}

/// Memory of a loss that runs head and softmax over a part of the vocabulary at a time: the part's
/// logits, those and three tensors more in fp32, and the head's gradient, which is made for
/// adapters too.
void addColumns(const Training &t, Ledger &ledger, Exact vocab)
{
    const std::int64_t w = t.s.computeBytes;
    constexpr Origin kColumns = {"Logits in 16 bit; scaled, their probabilities and two gradients "
                                 "in fp32; prime-rl trainer/models/layers/lm_head.py",
                                 Evidence::Sourced};
    ledger.add(Category::LossAndLogits, "Loss of one part of the vocabulary",
               dividedUp(Exact(16 + w) * vocab * t.tokens, t.s.lossChunks), {StepPhase::Loss},
               kColumns,
               {"{} V T / n_chunks = ⌈{} × {} × {} / {}⌉",
                {16 + w, 16 + w, vocab.value(), t.tokens.value(), t.s.lossChunks}});
    ledger.add(Category::LossAndLogits, "Weight gradient of the head, by parts",
               {"{} V h", {w, vocab, t.s.architecture.hidden}}, {StepPhase::Loss}, kColumns);
}

/// Tensors that the losses of the other micro-batches in flight keep on a stage that runs them all
/// forward first: log-softmax and, in the training loop's variable, the logits.
void addWaitingLosses(const Training &t, Ledger &ledger)
{
    if (t.s.pipeline > 1 && t.s.schedule == Schedule::ZeroBubble && !t.megatron())
        ledger.add(Category::LossAndLogits, "Losses whose weight gradients are to come",
                   {"11 V T", {11, t.s.architecture.vocab, t.tokens}}, {StepPhase::Loss},
                   {"Between the gradients of inputs and of weights torch's schedule keeps logits, "
                    "log-softmax and their gradients; measured: tests/measure",
                    Evidence::Empirical, 0.2});
    if (!t.forwardFirst() || t.s.loss == LossKind::LinearFused ||
        t.s.loss == LossKind::LinearChunked)
        return;
    const Architecture &a = t.s.architecture;
    const std::int64_t waiting = t.flights - 1;
    // torch's pipeline stages keep their outputs, here the logits, until they run backward.
    const std::int64_t each = 4 + (t.s.loss == LossKind::CrossEntropyFp32 ? 4 : t.s.computeBytes);
    const std::int64_t norm = finalNormBytes(t);
    ledger.add(Category::LossAndLogits, "Losses of the micro-batches in flight",
               Exact(waiting) * (Exact(each) * a.vocab + Exact(norm) * a.hidden) * t.tokens,
               {StepPhase::Logits, StepPhase::Loss, StepPhase::Backward},
               {"GPipe runs every loss before the first backward pass; measured: tests/measure",
                Evidence::Verified},
               {"(m - 1) ({} V + {} h) T = {} × ({} × {} + {} × {}) × {}",
                {each, norm, waiting, each, a.vocab, norm, a.hidden, t.tokens.value()}});
}

/// With short sequences the peak is not the loss but the head's product: the gradients of the
/// logits and of the head's weight, or of that and the bucket that ZeRO-1 and ZeRO-2 make with the
/// first gradient of a parameter (setup_buckets of DeepSpeed's stage_1_and_2.py).
void addHeadGradient(const Training &t, Ledger &ledger, const LossTerm &term)
{
    const Settings &s = t.s;
    if (t.lora() || !(wholeLogits(s.loss) || s.loss == LossKind::InPlace) || t.megatron())
        return;
    const std::int64_t w = s.computeBytes;
    const bool held = s.lossKeepOutputs || s.loss == LossKind::CrossEntropyFp32;
    const std::int64_t kept = held ? term.keptLogit : 0;
    const std::int64_t vocab = s.architecture.vocab;
    const Exact weight = Exact(w) * vocab * s.architecture.hidden;
    const Exact gradient = Exact(w) * vocab * t.tokens;
    const Exact bucket = bucketOfFirstGradient(t);
    const Exact product = Exact(kept) * vocab * t.tokens + weight + std::max(gradient, bucket);
    const Exact loss = Exact(term.vocab) * vocab * t.tokens;
    ledger.add(Category::Gradients, "Gradient of the head, beyond the loss", excess(product, loss),
               {StepPhase::Loss},
               {"The head's weight gradient while that of the logits, or ZeRO's bucket, is there; "
                "measured: tests/measure",
                Evidence::Verified},
               {"({} T + {} h) V + max({} T V, bucket) - {} T V = {} - {}",
                {kept, w, w, term.vocab, product.value(), loss.value()}});
}

/// The moment at which Megatron-Core's own head, without apex, makes the gradient of its weight in
/// a product of its own: with the gradients of the logits and its whole input (gathered under
/// sequence parallelism, whose gradient it scatters). Returns whether that exceeds the loss, as it
/// does with few tokens.
bool addHeadBackward(const Training &t, Ledger &ledger, Exact loss)
{
    const Settings &s = t.s;
    if (s.kernels != Kernels::MegatronLocal || !dividesLogits(s) || t.lora())
        return false;
    const std::int64_t w = s.computeBytes;
    const std::int64_t sp = s.sequenceParallel ? s.tensor : 1;
    const std::int64_t hidden = s.architecture.hidden;
    const Exact vocab = dividedUp(Exact(s.architecture.vocab), s.tensor);
    const std::int64_t divided = finalNormBytes(t) + (sp > 1 ? w : 0);
    const Exact head = Exact(w) * vocab * (t.tokens + hidden) +
                       (Exact(w) * hidden + dividedUp(Exact(divided) * hidden, sp)) * t.tokens;
    if (head <= loss)
        return false;
    ledger.add(Category::LossAndLogits, "Logits and loss", head, {StepPhase::Loss},
               {"Gradients of the logits, of the head's weight and of its input; Megatron-Core "
                "tensor_parallel/layers.py; measured: tests/measure",
                Evidence::Verified},
               {"{} V (T + h) / t + ({} h + {} h / t_sp) T = {} × {} × ({} + {}) + ({} × {} + "
                "⌈{} × {} / {}⌉) × {}",
                {w, w, divided, w, vocab.value(), t.tokens.value(), hidden, w, hidden, divided,
                 hidden, sp, t.tokens.value()}});
    return true;
}

} // namespace

void addLoss(const Training &t, Ledger &ledger)
{
    const Settings &s = t.s;
    if (!t.rank.hasHead || s.loss == LossKind::None)
        return;
    const LossTerm term = termOf(s);
    const std::int64_t perHidden = term.hidden + finalNormBytes(t) + encoderBytes(t);
    const std::int64_t vocab = s.architecture.vocab;
    const std::int64_t hidden = s.architecture.hidden;
    const std::int64_t tp = dividesLogits(s) ? s.tensor : 1;
    const std::int64_t sp = s.sequenceParallel ? s.tensor : 1;
    const auto add = [&](std::string_view name, StepPhase phase, std::int64_t perLogit) {
        const Exact logits = dividedUp(Exact(perLogit) * vocab, tp);
        const Exact norms = dividedUp(Exact(perHidden) * hidden, sp);
        const Entry entry = {Category::LossAndLogits,
                             name,
                             (logits + norms) * t.tokens,
                             {phase},
                             {phase},
                             term.origin};
        if (tp == 1 && sp > 1)
            ledger.add(entry, {"({} V + {} h / t_sp) T = ({} × {} + ⌈{} × {} / {}⌉) × {}",
                               {perLogit, perHidden, perLogit, vocab, perHidden, hidden, sp,
                                t.tokens.value()}});
        else if (tp > 1)
            ledger.add(entry,
                       {"({} V / t + {} h / t_sp) T = (⌈{} × {} / {}⌉ + ⌈{} × {} / {}⌉) × {}",
                        {perLogit, perHidden, perLogit, vocab, tp, perHidden, hidden, sp,
                         t.tokens.value()}});
        else
            ledger.add(entry, {"({} V + {} h) T = ({} × {} + {} × {}) × {}",
                               {perLogit, perHidden, perLogit, vocab, perHidden, hidden,
                                t.tokens.value()}});
    };
    add("Logits and log-softmax", StepPhase::Logits, term.forward);
    // Outside the model the loss has run backward when the model's own pass begins: only the
    // gradient of the logits and, in the loop's variable, the logits are left.
    const std::int64_t w = s.computeBytes;
    const bool dropped = s.loss == LossKind::HfPadded && !s.lossKeepOutputs;
    const bool within = lossWithinModel(s) || s.loss == LossKind::ChunkedBackward;
    add("Saved for the loss", StepPhase::StartOfBackward,
        within    ? term.saved
        : dropped ? w
                  : 2 * w);
    const Exact logits = dividedUp(Exact(term.vocab) * vocab, tp);
    if (!addHeadBackward(t, ledger, (logits + dividedUp(Exact(perHidden) * hidden, sp)) * t.tokens))
        add("Logits and loss", StepPhase::Loss, term.vocab);
    addHeadGradient(t, ledger, term);
    if (s.architecture.logitSoftCap && s.kernels == Kernels::Eager && wholeLogits(s.loss))
        ledger.add(Category::LossAndLogits, "Soft cap of the logits",
                   {"{} V T", {w, vocab, t.tokens}},
                   {StepPhase::Logits, StepPhase::StartOfBackward, StepPhase::Loss},
                   {"tanh keeps its output; transformers modeling_gemma2.py, "
                    "final_logit_softcapping; measured: tests/measure",
                    Evidence::Verified});
    if (t.dtensor() && sp > 1) {
        ledger.add(Category::LossAndLogits, "Gathered input of the head",
                   excess(Exact(w) * hidden, dividedUp(Exact(w) * hidden, sp)) * t.tokens,
                   {StepPhase::Logits, StepPhase::StartOfBackward, StepPhase::Loss},
                   {"DTensor saves the whole input of the head; measured: tests/measure",
                    Evidence::Verified},
                   {"{} h (1 - 1 / t) T = ({} × {} - ⌈{} × {} / {}⌉) × {}",
                    {w, w, hidden, w, hidden, sp, t.tokens.value()}});
    }
    if (s.loss == LossKind::ChunkedFp32)
        ledger.add(
            Category::LossAndLogits, "Loss of one chunk",
            dividedUp(Exact(10) * vocab * t.tokens, s.lossChunks), {StepPhase::Loss},
            {"Logits and their gradients of one chunk; litgpt chunked_cross_entropy",
             Evidence::Sourced},
            {"10 V T / n_chunks = ⌈10 × {} × {} / {}⌉", {vocab, t.tokens.value(), s.lossChunks}});
    if (s.loss == LossKind::Chunked && s.kernels == Kernels::Compiled)
        addCompiledChunks(t, ledger, dividedUp(Exact(vocab), tp));
    else if (s.loss == LossKind::Chunked)
        addEagerChunks(t, ledger, dividedUp(Exact(vocab), tp));
    if (s.loss == LossKind::ChunkedBackward)
        addChunks(t, ledger);
    if (s.loss == LossKind::LinearChunked)
        addColumns(t, ledger, dividedUp(Exact(vocab), tp));
    if (s.loss == LossKind::LinearFused && !t.lora())
        ledger.add(Category::LossAndLogits, "Weight gradient of the fused head",
                   {"{} V h", {s.computeBytes, over(vocab, tp), hidden}},
                   {StepPhase::Logits, StepPhase::StartOfBackward, StepPhase::Loss},
                   {"The fused loss accumulates the head's gradient; measured: tests/measure",
                    Evidence::Verified});
    if (s.loss == LossKind::SelectiveLogSoftmax && isAutocast(s))
        ledger.add(Category::LossAndLogits, "Logits of one sequence in fp32",
                   {"4 V s", {4, vocab, s.sequenceLength}}, {StepPhase::Logits},
                   {"Autocast takes each row's softmax of a copy; measured: tests/measure",
                    Evidence::Verified});
    addWaitingLosses(t, ledger);
    if (s.lossKeepLogits && term.keptLogit > 0)
        addKeptLogits(t, ledger, term.keptLogit);
    else if (s.lossKeepOutputs || s.loss == LossKind::CrossEntropyFp32)
        ledger.add(Category::LossAndLogits, "Logits of the training loop",
                   dividedUp(Exact(term.keptLogit) * vocab, tp) * t.tokens,
                   {StepPhase::Backward, StepPhase::EndOfBackward},
                   {"The loop's variable holds the logits until backward is over; measured: "
                    "tests/measure",
                    Evidence::Verified},
                   {"{} V / t · T = ⌈{} × {} / {}⌉ × {}",
                    {term.keptLogit, term.keptLogit, vocab, tp, t.tokens.value()}});
}

} // namespace vramscope
