// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Runs a fuzzer where there is no libFuzzer, so that every build compiles and tries it:
// fuzz_x_smoke RUNS [FILE…]: the fuzzer's own inputs and the files as they are, then RUNS changed
// ones, the same each time, and more for as many seconds as VRAMSCOPE_SMOKE_SECONDS says; one that
// fails is left in the file failed-input. fuzz_x_smoke --write FOLDER writes the inputs, for
// libFuzzer to begin with. fuzz_x_smoke --prefixes FILE… takes every beginning of each file, and
// fuzz_x_smoke --flips COUNT FILE… so many copies of each with one bit turned over.

#include "tests/fuzz/fuzzer.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>

namespace {

class Mutator
{
public:
    explicit Mutator(const std::vector<std::string> &seeds)
        : m_seeds(seeds)
    {
    }

    std::string next()
    {
        std::string input = m_seeds[below(m_seeds.size())];
        for (std::size_t change = 0; change <= below(4); ++change)
            mutate(input);
        return input;
    }

private:
    std::size_t below(std::size_t most)
    {
        return std::uniform_int_distribution<std::size_t>(0, most - 1)(m_random);
    }

    void mutate(std::string &input)
    {
        if (input.empty()) {
            input.push_back(static_cast<char>(below(256)));
            return;
        }
        const std::size_t at = below(input.size());
        const std::size_t count = 1 + below(std::min<std::size_t>(input.size() - at, 32));
        switch (below(7)) {
        case 0:
            input[at] = static_cast<char>(input[at] ^ (1 << below(8)));
            break;
        case 1:
            input[at] = static_cast<char>(below(256));
            break;
        case 2: {
            constexpr int kInteresting[] = {0, 1, 0x7F, 0x80, 0xFF};
            input[at] = static_cast<char>(kInteresting[below(std::size(kInteresting))]);
            break;
        }
        case 3:
            input.erase(at, count);
            break;
        case 4:
            input.insert(below(input.size()), input.substr(at, count));
            break;
        case 5:
            input.resize(at);
            break;
        default: { // the rest of another one
            const std::string &other = m_seeds[below(m_seeds.size())];
            input = input.substr(0, at) + other.substr(below(other.size() + 1));
            break;
        }
        }
    }

    const std::vector<std::string> &m_seeds;
    std::mt19937 m_random{20240117};
};

const std::string *s_input = nullptr;

/// Keeps the input that broke a law, for LLVMFuzzerTestOneInput to be stepped through.
void keepInput(int signal)
{
    std::ofstream("failed-input", std::ios::binary) << *s_input;
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

void run(const std::string &input)
{
    s_input = &input;
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t *>(input.data()), input.size());
}

std::string contentOf(const char *file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void runPrefixes(const std::string &content)
{
    for (std::size_t length = 0; length <= content.size(); ++length)
        run(content.substr(0, length));
    std::cout << content.size() + 1 << " beginnings\n";
}

void runFlips(std::string content, long count)
{
    if (content.empty())
        return;
    std::mt19937_64 random(20240117);
    for (long done = 0; done < count; ++done) {
        const std::uint64_t bit = random() % (content.size() * 8);
        const auto mask = static_cast<char>(1 << bit % 8);
        content[bit / 8] = static_cast<char>(content[bit / 8] ^ mask);
        run(content);
        content[bit / 8] = static_cast<char>(content[bit / 8] ^ mask);
    }
    std::cout << count << " flips\n";
}

} // namespace

int main(int argc, char **argv)
{
    std::vector<std::string> seeds = fuzzSeeds();
    if (argc == 3 && std::string(argv[1]) == "--write") {
        std::filesystem::create_directories(argv[2]);
        for (std::size_t at = 0; at < seeds.size(); ++at)
            std::ofstream(std::filesystem::path(argv[2]) / std::to_string(at), std::ios::binary)
                << seeds[at];
        return 0;
    }
    std::signal(SIGABRT, keepInput);
    std::signal(SIGSEGV, keepInput);
    const std::string mode = argc > 1 ? argv[1] : "";
    if (mode == "--prefixes" || mode == "--flips") {
        const bool flips = mode == "--flips";
        for (int file = flips ? 3 : 2; file < argc; ++file)
            flips ? runFlips(contentOf(argv[file]), std::atol(argv[2]))
                  : runPrefixes(contentOf(argv[file]));
        return argc > 2 ? 0 : 1;
    }
    const long runs = argc > 1 ? std::atol(argv[1]) : 1000;
    for (int file = 2; file < argc; ++file)
        seeds.push_back(contentOf(argv[file]));
    for (const std::string &seed : seeds)
        run(seed);
    const char *seconds = std::getenv("VRAMSCOPE_SMOKE_SECONDS");
    const auto end =
        std::chrono::steady_clock::now() + std::chrono::seconds(seconds ? std::atol(seconds) : 0);
    Mutator mutator(seeds);
    long done = 0;
    for (; done < runs || std::chrono::steady_clock::now() < end; ++done)
        run(mutator.next());
    std::cout << seeds.size() << " inputs and " << done << " changed ones\n";
    return seeds.empty() ? 1 : 0;
}
