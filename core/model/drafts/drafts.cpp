// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/drafts/drafts.h"

#include "core/model/config_reader.h"
#include "core/model/parameters.h"
#include "core/plan/field_path.h"
#include "core/plan/plan.h"

#include <algorithm>

namespace vramscope {

namespace {

constexpr FieldPath kMethod = "inference.speculative.method";
constexpr FieldPath kModel = "inference.speculative.model";
constexpr FieldPath kConfig = "inference.speculative.config";

/// A model that the plan names as draft, in the way a plan names its own.
PlanModel namedDraft(const PlanSpeculation &speculation)
{
    PlanModel model;
    model.preset = speculation.model;
    model.config = speculation.config;
    return model;
}

/// Rows of an EAGLE-3 head's own vocabulary; vLLM uses the target's where its config has none
/// (vllm/model_executor/models/llama_eagle3.py).
std::int64_t draftVocabulary(const std::string &config, const Architecture &head)
{
    auto values = flattened(config);
    if (!values)
        return head.vocab;
    return ConfigReader(std::move(*values))
        .count({"draft_vocab_size"}, 1, kMaxVocabulary, head.vocab);
}

/// EAGLE: one block without the norm of its input, and a projection of token and hidden state to
/// its width (vllm/model_executor/models/llama_eagle.py).
Draft eagleHead(Architecture head)
{
    Draft draft;
    draft.whole = false;
    draft.missingNorms = 1;
    draft.replicated = 2 * head.hidden * head.hidden;
    draft.keptStates = 1;
    draft.architecture = std::move(head);
    return draft;
}

/// EAGLE-3: three hidden states of the model are projected to one, which the first block reads with
/// the token's embedding; a vocabulary of its own with a table to the model's
/// (vllm/model_executor/models/llama_eagle3.py).
Draft eagle3Head(Architecture head, const Architecture &target, std::int64_t vocabulary)
{
    Draft draft;
    draft.whole = false;
    draft.readsTwoStreams = true;
    // With a norm of the hidden state in every block, and of the output.
    draft.replicated = 3 * target.hidden * head.hidden + (head.layers + 1) * head.hidden;
    draft.headRows = vocabulary;
    draft.tableRows = vocabulary;
    draft.keptStates = 3;
    draft.architecture = std::move(head);
    return draft;
}

/// Whether a head is a list of plain layers like those of vLLM's classes for LLaMA heads.
bool isLlamaHead(const Architecture &head)
{
    return head.isPlain() && !head.mla() && !head.moe() && head.slidingWindow == 0 &&
           head.attentionGate == AttentionGate::None && head.gatedMlp && !head.qkNorm &&
           head.norm == NormKind::RmsNorm;
}

class Reader
{
public:
    Reader(const Plan &plan, const Architecture &target, std::vector<Issue> &issues)
        : m_plan(plan)
        , m_speculation(plan.inference.speculative)
        , m_target(target)
        , m_issues(issues)
    {
    }

    std::shared_ptr<const Draft> read()
    {
        switch (m_speculation.method.value_or(SpeculativeMethod::None)) {
        case SpeculativeMethod::None:
        case SpeculativeMethod::Ngram:
            return nullptr;
        case SpeculativeMethod::Mtp:
            return modules();
        case SpeculativeMethod::DraftModel:
        case SpeculativeMethod::Eagle:
        case SpeculativeMethod::Eagle3:
            return ownModel();
        }
        return nullptr;
    }

private:
    std::shared_ptr<const Draft> refuse(FieldPath field, std::string text)
    {
        m_issues.push_back(issueOf(field, Issue::Severity::Blocking, std::move(text)));
        return nullptr;
    }

    std::shared_ptr<const Draft> modules()
    {
        Result<Draft> found = predictionModules(m_plan.model, m_target);
        if (!found)
            return refuse(kMethod, found.error().detail);
        return std::make_shared<const Draft>(std::move(found).value());
    }

    std::shared_ptr<const Draft> ownModel()
    {
        if (m_speculation.model && m_speculation.config)
            return refuse(kConfig, "The draft's model and its config exclude each other; keep one "
                                   "of them.");
        if (!m_speculation.model && !m_speculation.config)
            return refuse(kModel, "Name the model that drafts, or give its config.json.");
        Result<Architecture> shape = architectureOf(namedDraft(m_speculation));
        if (!shape)
            return refuse(m_speculation.model ? kModel : kConfig,
                          "The draft: " + shape.error().detail);
        if (m_speculation.method == SpeculativeMethod::DraftModel)
            return wholeModel(std::move(shape).value());
        return head(std::move(shape).value());
    }

    std::shared_ptr<const Draft> wholeModel(Architecture shape)
    {
        if (!shape.isPlain() || shape.slidingWindow > 0)
            return refuse(kModel, "Drafts whose layers do not all attend fully are not computed.");
        Draft draft;
        draft.architecture = std::move(shape);
        return std::make_shared<const Draft>(std::move(draft));
    }

    std::shared_ptr<const Draft> head(Architecture shape)
    {
        if (!m_speculation.config)
            return refuse(kModel, "A head is no model of the catalogue: give its config.json.");
        if (!isLlamaHead(shape))
            return refuse(kConfig,
                          "Of EAGLE heads those of plain Llama layers are computed alone.");
        const bool ownEmbedding = shape.hidden != m_target.hidden;
        const bool third = m_speculation.method == SpeculativeMethod::Eagle3;
        if (!third && ownEmbedding)
            return refuse(kConfig, "An EAGLE head is as wide as its model; this one is not.");
        const std::int64_t vocabulary = draftVocabulary(*m_speculation.config, shape);
        Draft draft = third ? eagle3Head(std::move(shape), m_target, vocabulary)
                            : eagleHead(std::move(shape));
        draft.ownEmbedding = ownEmbedding;
        return std::make_shared<const Draft>(std::move(draft));
    }

    const Plan &m_plan;
    const PlanSpeculation &m_speculation;
    const Architecture &m_target;
    std::vector<Issue> &m_issues;
};

} // namespace

std::shared_ptr<const Draft> draftOf(const Plan &plan, const Architecture &target,
                                     std::vector<Issue> &issues)
{
    if (plan.workload != Workload::Inference)
        return nullptr;
    return Reader(plan, target, issues).read();
}

bool keepsAlike(const Architecture &target, const Architecture &draft)
{
    if (target.mla() || draft.mla())
        return target.kvLoraRank == draft.kvLoraRank &&
               target.qkRopeHeadDim == draft.qkRopeHeadDim &&
               target.indexHeadDim == draft.indexHeadDim;
    const AttentionShape full =
        target.fullAttention.headDim > 0 ? target.fullAttention : target.attentionOf({});
    return full.kvHeads == draft.kvHeads && full.headDim == draft.headDim &&
           full.valueDim() == draft.attentionOf({}).valueDim();
}

} // namespace vramscope
