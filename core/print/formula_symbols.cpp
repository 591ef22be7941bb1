// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/formula_symbols.h"

#include <algorithm>
#include <utility>

namespace vramscope {

namespace {

constexpr std::pair<std::string_view, std::string_view> kSymbols[] = {
    {"A", "width of the queries"},
    {"A_t", "width of the queries on this GPU"},
    {"B", "sequences at once"},
    {"D", "GPUs that share the states"},
    {"D_e", "GPUs that share an expert's states"},
    {"E", "experts"},
    {"G", "gradients that the step takes at once"},
    {"G_s", "groups of the state"},
    {"I", "inner width of the state block"},
    {"K", "width of the keys"},
    {"K_s", "width of the state's keys"},
    {"K_t", "width of the keys on this GPU"},
    {"L", "layers on this GPU"},
    {"N", "parameters"},
    {"N_adapters", "parameters of the adapters"},
    {"N_biases", "parameters of the experts' biases"},
    {"N_block", "parameters of a block"},
    {"N_dense", "parameters outside the experts"},
    {"N_divided", "parameters of the tower that GPUs divide"},
    {"N_draft", "parameters of the draft"},
    {"N_expert", "parameters of the experts"},
    {"N_first", "parameters that do not start at zero"},
    {"N_fp32", "parameters kept in fp32"},
    {"N_index", "parameters of the index"},
    {"N_linear", "parameters of the linear layers"},
    {"N_matmul", "parameters that matrix products cast"},
    {"N_quantised", "quantised parameters"},
    {"N_rest", "parameters that are not quantised"},
    {"N_root", "parameters outside the blocks"},
    {"N_s", "size of the state"},
    {"N_tower", "parameters of the tower"},
    {"N_unquantised", "parameters that are not quantised"},
    {"N_whole", "parameters of the tower that every GPU has"},
    {"O", "widths that adapted matrices give"},
    {"O_o", "width that attention's adapted output matrix gives"},
    {"P", "width of the state's heads together"},
    {"Q", "tokens of a chunk"},
    {"R", "rows routed to the experts"},
    {"S", "sequences sampled at once"},
    {"T", "tokens at once"},
    {"T_image", "tokens of the images"},
    {"T_text", "tokens of the text"},
    {"T_video", "tokens of the video"},
    {"T_x", "tokens that the encoder reads at once"},
    {"V", "vocabulary size"},
    {"V_draft", "vocabulary size of the draft"},
    {"V_s", "width of the state's values"},
    {"a", "attention heads"},
    {"a_k", "heads of the keys"},
    {"b", "sequences in a micro-batch"},
    {"c", "context-parallel GPUs"},
    {"d", "width of a head"},
    {"d_i", "width of a head of the index"},
    {"d_n", "width of a head without positions"},
    {"d_r", "width of a head with positions"},
    {"d_s", "width of a head of the state"},
    {"d_v", "width of a head of the values"},
    {"f", "width of the MLP"},
    {"f_e", "width of an expert's MLP"},
    {"f_s", "width of the shared experts' MLP"},
    {"h", "hidden size"},
    {"k", "experts per token"},
    {"k_i", "tokens that the index chooses"},
    {"m", "micro-batches in flight"},
    {"n", "elements of the tensor"},
    {"n_chunks", "chunks of the loss"},
    {"n_i", "heads of the index"},
    {"n_k", "heads of the state's keys"},
    {"n_max", "elements of the largest tensor"},
    {"n_s", "heads of the state"},
    {"n_ubatch", "tokens of a physical batch"},
    {"n_vectors", "parameters outside the matrices"},
    {"r", "rank of the adapters"},
    {"r_kv", "rank of the keys and values"},
    {"r_q", "rank of the queries"},
    {"r_s", "rank of the state's gates"},
    {"s", "sequence length"},
    {"s_max", "positions of the model"},
    {"s_x", "length of the sequences that the encoder reads"},
    {"t", "tensor-parallel GPUs"},
    {"t_sp", "t with sequence parallelism, otherwise 1"},
    {"u", "parameters of a unit"},
};

constexpr std::string_view kWordLetters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

/// Whether that is the "a" of "bytes a token": the next word is one of two letters or more.
bool isArticle(std::string_view formula, std::size_t at, std::size_t end)
{
    if (formula.substr(at, end - at) != "a" || formula.substr(end, 1) != " ")
        return false;
    const std::string_view next = formula.substr(end + 1);
    const std::string_view word = next.substr(0, next.find_first_not_of(kWordLetters));
    return word.size() > 1 && word.find('_') == std::string_view::npos;
}

} // namespace

std::string symbolsText(std::string_view formula, std::set<std::string_view> &explained)
{
    const std::string_view symbols = formula.substr(0, formula.find(" = "));
    std::string text;
    for (std::size_t at = symbols.find_first_of(kWordLetters); at < symbols.size();) {
        const std::size_t end =
            std::min(symbols.find_first_not_of(kWordLetters, at), symbols.size());
        const auto *symbol = std::ranges::find(kSymbols, symbols.substr(at, end - at),
                                               [](const auto &row) { return row.first; });
        if (symbol != std::end(kSymbols) && !isArticle(symbols, at, end) &&
            explained.insert(symbol->first).second)
            text.append(text.empty() ? "" : ", ")
                .append(symbol->first)
                .append(" ")
                .append(symbol->second);
        at = symbols.find_first_of(kWordLetters, end);
    }
    return text;
}

} // namespace vramscope
