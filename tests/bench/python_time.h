// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace vramscope::bench {

/// Seconds that Python takes for `expression` after the statement `before`, in both of which `file`
/// is the open file, with its garbage collector off; nothing where there is no python3 or the file
/// is nothing for it.
inline std::optional<double> pythonSeconds(const std::string &before, const std::string &expression,
                                           const std::filesystem::path &file)
{
    setenv("VRAMSCOPE_BENCH_FILE", file.c_str(), 1);
    const std::string command =
        "python3 -c \"import gc, os, time; file = open(os.environ['VRAMSCOPE_BENCH_FILE'], "
        "'rb'); " +
        before + "; gc.disable(); start = time.perf_counter(); kept = " + expression +
        "; print(time.perf_counter() - start, flush=True); os._exit(0)\" 2>/dev/null";
    double seconds = 0;
    std::FILE *const output = popen(command.c_str(), "r");
    const bool isKnown = output != nullptr && std::fscanf(output, "%lf", &seconds) == 1;
    if (output != nullptr)
        pclose(output);
    return isKnown ? std::optional(seconds) : std::nullopt;
}

inline double median(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

} // namespace vramscope::bench
