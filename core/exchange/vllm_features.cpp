// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/vllm_features.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/catalog/model_names.h"
#include "core/exchange/setting_values.h"
#include "core/planner/catalogue_shapes.h"
#include "core/planner/flat_json.h"

#include <algorithm>

namespace vramscope {

namespace {

/// The values of an option that is written as JSON, as a dictionary of Python, or as one option a
/// key: "--speculative-config.method ngram".
class OptionValues
{
public:
    OptionValues(Translation &t, std::string_view option)
    {
        if (const ForeignSetting *whole = t.take({option})) {
            m_stated = true;
            if (const auto *text = std::get_if<std::string>(&whole->value))
                read(*text);
        }
        for (const ForeignSetting *one : t.takeWithin(std::string(option) + '.')) {
            m_stated = true;
            m_values.push_back({one->key.substr(option.size() + 1), one->value});
        }
    }

    [[nodiscard]] bool stated() const { return m_stated; }
    /// Whether it holds nothing that could be read.
    [[nodiscard]] bool empty() const { return m_values.empty(); }
    [[nodiscard]] bool has(std::string_view key) const { return find(key) != nullptr; }
    [[nodiscard]] std::string text(std::string_view key) const
    {
        const FieldValue *value = find(key);
        const auto *text = value ? std::get_if<std::string>(value) : nullptr;
        return text ? excerpt(*text, 80) : value ? shownSetting(*value) : std::string();
    }

private:
    void read(std::string text)
    {
        auto values = flattened(text);
        if (!values) { // Python's quotes
            std::ranges::replace(text, '\'', '"');
            values = flattened(text);
        }
        if (values)
            m_values = std::move(*values);
    }
    /// Command lines spell a key with '-' as well.
    [[nodiscard]] const FieldValue *find(std::string_view key) const
    {
        const auto found = std::ranges::find_if(m_values, [key](const FlatValue &one) {
            std::string spelled = one.path;
            std::ranges::replace(spelled, '-', '_');
            return spelled == key;
        });
        return found == m_values.end() ? nullptr : &found->value;
    }

    bool m_stated = false;
    std::vector<FlatValue> m_values;
};

/// Weights of a draft model that plans know by name, on each GPU of the model that it drafts for.
Bytes draftBytes(const CatalogueShape &draft, std::int64_t ranks)
{
    return (2 * draft.parameters + ranks - 1) / ranks;
}

void importSpeculation(Translation &t)
{
    const OptionValues config(t, "--speculative-config");
    const std::string oldModel = t.text({"--speculative-model"}).value_or("");
    const std::string oldTokens = t.text({"--num-speculative-tokens"}).value_or("");
    if (!config.stated() && oldModel.empty())
        return;
    const std::string method = config.text("method");
    const std::string model = config.has("model") ? config.text("model") : oldModel;
    const std::string tokens =
        config.has("num_speculative_tokens") ? config.text("num_speculative_tokens") : oldTokens;
    if (config.empty() && model.empty())
        return t.note("holds no setting, so nothing is speculated.");
    const std::string batch = " Each step then checks " +
                              (tokens.empty() ? std::string("several") : "1 + " + tokens) +
                              " tokens of a sequence, whose logits are not counted.";
    if (method == "ngram" || method == "suffix" || model == "[ngram]")
        return t.note("speculates without a draft model: no weights are added." + batch);
    const CatalogueModel *known = findModelRepository(model);
    const CatalogueShape *draft = known ? findCatalogueShape(known->name) : nullptr;
    if (draft && draft->computed()) {
        const Bytes bytes = draftBytes(*draft, t.plan().parallel.tensor.value_or(1));
        t.set("overheads.resident_bytes", bytes);
        return t.note("adds the draft model " + draft->model->title +
                      ": its weights stand as overheads.resident_bytes, its cache is not counted." +
                      batch);
    }
    const std::string words =
        method.empty() ? "adds a draft model" : "adds a draft (" + method + ')';
    t.note(words + (model.empty() ? "" : ", " + model) +
           ", whose weights and cache are not counted: state its bytes as "
           "overheads.resident_bytes." +
           batch);
}

void importSleep(Translation &t)
{
    if (t.flag({"--enable-sleep-mode"}).value_or(false))
        t.note("gives weights and cache back while the engine sleeps; the figures are of an engine "
               "that is awake.");
}

void importCompilation(Translation &t)
{
    const OptionValues config(t, "--compilation-config");
    const std::string level = t.text({"-O"}).value_or("");
    const bool level0 = t.takeAll("-O0") || level == "0";
    if (level0 || lowered(config.text("cudagraph_mode")) == "none")
        return t.set("inference.cuda_graph_bytes", std::int64_t(0));
    if (t.takeAll("-O") || !config.stated())
        return; // how far kernels are fused: the sizes of tensors stay
    if (config.has("cudagraph_capture_sizes") || config.has("max_cudagraph_capture_size") ||
        config.has("cudagraph_mode"))
        t.note("names CUDA graphs of its own; the plan holds the room that vLLM's own take: state "
               "inference.cuda_graph_bytes where the log tells another.");
    else
        t.note("changes how kernels are compiled, for which the plan has no setting: activations "
               "in the profile run may differ.");
}

} // namespace

void importVllmFeatures(Translation &t)
{
    importSpeculation(t);
    importSleep(t);
    importCompilation(t);
}

} // namespace vramscope
