// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/serving.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

/// A moment of a pass: bytes of a token, and its formula.
struct PassMoment
{
    std::int64_t bytes = 0;
    FormulaText formula;
};

std::int64_t elementBytes(const Settings &s)
{
    return s.weightFormat == WeightFormat::Fp32 ? 4 : 2;
}

/// The feed-forward around its activation; queries, keys, values and what attention makes of them;
/// or its kernel, next to a mask in the type of the scores. A mask of a byte for each pair of
/// tokens is there throughout. transformers 5.23.0, models/bert/modeling_bert.py and
/// masking_utils.py, recorded: tests/measure/record_encoders.py.
PassMoment widestMoment(const Settings &s, std::int64_t sequences, std::int64_t length)
{
    const Architecture &a = s.architecture;
    const std::int64_t e = elementBytes(s);
    const std::int64_t tokens = (Exact(sequences) * length).value();
    const std::array moments = {
        PassMoment{e * (2 * a.ffn + 3 * a.hidden) + length,
                   {"({} (2 f + 3 h) + s) T = ({} × (2 × {} + 3 × {}) + {}) × {}",
                    {e, e, a.ffn, a.hidden, length, tokens}}},
        PassMoment{e * 7 * a.hidden + 8 + length,
                   {"({} h + 8 + s) T = ({} × {} + 8 + {}) × {}",
                    {7 * e, 7 * e, a.hidden, length, tokens}}},
        PassMoment{e * (6 * a.hidden + length) + length,
                   {"({} (6 h + s) + s) T = ({} × (6 × {} + {}) + {}) × {}",
                    {e, e, a.hidden, length, length, tokens}}}};
    return std::ranges::max(moments, {}, &PassMoment::bytes);
}

} // namespace

Exact encoderPass(const Settings &s, std::int64_t sequences, std::int64_t length)
{
    return Exact(widestMoment(s, sequences, length).bytes) * sequences * length;
}

void addEncoderPass(const Serving &serving, Ledger &ledger, InferenceFigures &figures)
{
    const Settings &s = serving.s;
    const Exact bytes = encoderPass(s, s.concurrentSequences, s.meanSequenceLength);
    figures.activationPeak = bytes.value();
    ledger.add(Category::Activations, "Activations of a pass", bytes, {StepPhase::Serve},
               {"A batch of padded texts at its widest moment, without gradients; measured: "
                "tests/measure/record_encoders.py, transformers 5.23.0",
                Evidence::Verified},
               widestMoment(s, s.concurrentSequences, s.meanSequenceLength).formula);
}

void addEncoderBatch(const Serving &serving, Ledger &ledger, InferenceFigures &figures)
{
    const Settings &s = serving.s;
    const Architecture &a = s.architecture;
    const Exact bytes = Exact(2) * elementBytes(s) *
                        (dividedUp(Exact(a.ffn), s.tensor) + a.hidden) * s.maxNumBatchedTokens;
    figures.activationPeak = (bytes + s.cublasWorkspaceBytes).value();
    ledger.add(Category::Activations, "Activations of the profile run", bytes,
               {StepPhase::Profile, StepPhase::Serve},
               {"The feed-forward over a full batch, before and after its activation, next to the "
                "hidden states and their residual; vllm/model_executor/models/bert.py, not "
                "measured",
                Evidence::Derived},
               {"{} (f / t + h) T = {} × (⌈{} / {}⌉ + {}) × {}",
                {2 * elementBytes(s), 2 * elementBytes(s), a.ffn, s.tensor, a.hidden,
                 s.maxNumBatchedTokens}});
}

} // namespace vramscope
