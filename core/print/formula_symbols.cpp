// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/formula_symbols.h"

#include <algorithm>
#include <utility>

namespace vramscope {

namespace {

constexpr std::pair<std::string_view, std::string_view> kSymbols[] = {
    {"A", "width of the queries"},
    {"D", "GPUs that share the states"},
    {"E", "experts"},
    {"K", "width of the keys"},
    {"L", "layers on this GPU"},
    {"N", "parameters"},
    {"R", "rows routed to the experts"},
    {"T", "tokens at once"},
    {"V", "vocabulary size"},
    {"a", "attention heads"},
    {"b", "sequences in a micro-batch"},
    {"f", "width of the MLP"},
    {"f_e", "width of an expert's MLP"},
    {"h", "hidden size"},
    {"k", "experts per token"},
    {"s", "sequence length"},
    {"t", "tensor-parallel GPUs"},
    {"t_sp", "t with sequence parallelism, otherwise 1"},
    {"u", "parameters of a unit"},
};

constexpr std::string_view kWordLetters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

} // namespace

std::string symbolsText(std::string_view formula, std::set<std::string_view> &explained)
{
    const std::string_view symbols = formula.substr(0, formula.find(" = "));
    if (symbols.find("token") != std::string_view::npos)
        return {}; // in words: "bytes a token"
    std::string text;
    for (std::size_t at = symbols.find_first_of(kWordLetters); at < symbols.size();) {
        const std::size_t end =
            std::min(symbols.find_first_not_of(kWordLetters, at), symbols.size());
        const auto *symbol = std::ranges::find(kSymbols, symbols.substr(at, end - at),
                                               [](const auto &row) { return row.first; });
        if (symbol != std::end(kSymbols) && explained.insert(symbol->first).second)
            text.append(text.empty() ? "" : ", ")
                .append(symbol->first)
                .append(" ")
                .append(symbol->second);
        at = symbols.find_first_of(kWordLetters, end);
    }
    return text;
}

} // namespace vramscope
