// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace vramscope::test {

/// A Python value, for writing pickles in tests. Copies share the container, as two names of one
/// Python object do, and are written once and recalled from the memo.
class Py
{
public:
    enum class Container { List, Dict, Tuple };
    struct Node
    {
        Container container;
        std::vector<Py> items; ///< of a dict: keys and values in turn
    };
    /// A number of any size, as the bytes of its little endian two's complement.
    struct Long
    {
        std::string bytes;
    };
    /// Instructions put into the pickle as they are; they must leave one value, and fill so many
    /// memo slots.
    struct Raw
    {
        std::string bytes;
        std::size_t memoSlots = 0;
    };

    Py() = default; ///< None
    Py(bool value)
        : m_content(value)
    {
    }
    Py(int value)
        : m_content(std::int64_t(value))
    {
    }
    Py(std::int64_t value)
        : m_content(value)
    {
    }
    Py(double value)
        : m_content(value)
    {
    }
    Py(const char *text)
        : m_content(std::string(text))
    {
    }
    Py(std::string text)
        : m_content(std::move(text))
    {
    }
    Py(Long number)
        : m_content(std::move(number))
    {
    }
    Py(Raw instructions)
        : m_content(std::move(instructions))
    {
    }

    [[nodiscard]] static Py list(std::vector<Py> items = {});
    [[nodiscard]] static Py tuple(std::vector<Py> items);
    [[nodiscard]] static Py dict(std::vector<std::pair<Py, Py>> items = {});

    /// This dict, copied, with a key set, or removed.
    [[nodiscard]] Py with(const char *key, Py value) const;
    [[nodiscard]] Py without(const char *key) const;

    [[nodiscard]] const auto &content() const { return m_content; }

private:
    std::variant<std::monostate, bool, std::int64_t, double, std::string, Long, Raw,
                 std::shared_ptr<const Node>>
        m_content;
};

/// How the two writers of snapshots write: Python's pickle module remembers a container before it
/// is filled, in batches of a thousand; PyTorch's C++ pickler fills it in one go and remembers it
/// only where it is shared, afterwards.
enum class PickleStyle { Python, Cpp };

/// `value` as a pickle of protocol 0 to 5. The C++ style is always protocol 2.
[[nodiscard]] std::string pickled(const Py &value, int protocol = 4,
                                  PickleStyle style = PickleStyle::Python);

} // namespace vramscope::test
