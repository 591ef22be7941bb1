// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llama_cpp/llama_fit.h"

#include "core/base/counted.h"
#include "core/base/format.h"

#include <algorithm>

namespace vramscope {

namespace {

/// The part of a layer on its device; the rest is elsewhere.
enum class Fraction { Attention, Up, Gate, Dense };

/// Layers of one device, counted from the back; some of them without all of their matrices.
struct Filled
{
    std::int64_t layers = 0;
    std::int64_t partial = 0;
    Fraction fraction = Fraction::Dense; ///< of the first partial one; others are dense
    std::int64_t overflow = -1;          ///< the device that takes the missing rest; -1: host

    [[nodiscard]] std::int64_t full() const { return layers - partial; }
};

/// count · part / whole; the product may leave 64 bits, and long double has as many.
std::int64_t partOf(std::int64_t count, Bytes part, Bytes whole)
{
    return static_cast<std::int64_t>(static_cast<long double>(count) *
                                     static_cast<long double>(part) /
                                     static_cast<long double>(whole));
}

LlamaOverride partOfLayer(std::int64_t layer, Fraction fraction, std::int64_t device)
{
    if (fraction == Fraction::Dense)
        return expertsOnHost(layer);
    const std::string number = std::to_string(layer);
    const std::string words = fraction == Fraction::Attention ? "(gate|up|gate_up|down)"
                              : fraction == Fraction::Up      ? "(gate|gate_up|down)"
                                                              : "down";
    return {"blk\\." + number + "\\.ffn_" + words +
                ".*=" + (device < 0 ? std::string("CPU") : "CUDA" + std::to_string(device)),
            [layer, fraction](const LlamaTensor &tensor) {
                if (tensor.layer != layer || tensor.ffn == LlamaFfn::None)
                    return false;
                if (fraction == Fraction::Gate)
                    return tensor.ffn == LlamaFfn::Down;
                return fraction == Fraction::Attention || tensor.ffn != LlamaFfn::Up;
            },
            device};
}

class Fitter
{
public:
    Fitter(const LlamaModel &model, const LlamaSettings &settings,
           std::span<const LlamaDevice> devices, const LlamaFitTargets &targets)
        : m_model(model)
        , m_devices(devices)
        , m_targets(targets)
        , m_fit{settings, false, {}}
        , m_all(static_cast<std::int64_t>(model.layers.size()) + 1)
    {
    }

    LlamaFit fit();

private:
    using Plan = std::vector<Filled>;

    [[nodiscard]] std::vector<Bytes> used(const LlamaSettings &settings) const;
    [[nodiscard]] LlamaSettings settingsOf(const Plan &plan) const;
    [[nodiscard]] std::vector<Bytes> used(const Plan &plan) const { return used(settingsOf(plan)); }
    [[nodiscard]] Bytes surplus(const std::vector<Bytes> &used) const;
    [[nodiscard]] bool meets(const std::vector<Bytes> &used) const;
    [[nodiscard]] Bytes target(std::size_t device) const
    {
        return m_devices[device].free - m_targets.margin;
    }
    void say(std::string text) { m_fit.steps.push_back(std::move(text)); }

    bool shrinkContext(const std::vector<Bytes> &full);
    [[nodiscard]] bool mayMoveLayers();
    void fillFromTheBack(Plan &plan);
    void fillDevice(Plan &plan, std::size_t device);
    void addExperts(Plan &plan);
    void addPart(Plan &plan, std::size_t device, std::size_t &dense);
    static std::int64_t step(std::int64_t delta, Bytes wanted, Bytes low, Bytes high);

    const LlamaModel &m_model;
    std::span<const LlamaDevice> m_devices;
    const LlamaFitTargets &m_targets;
    LlamaFit m_fit;
    std::int64_t m_all;
};

std::vector<Bytes> Fitter::used(const LlamaSettings &settings) const
{
    std::vector<Bytes> bytes;
    for (const LlamaShare &share : splitModel(m_model, settings, m_devices).devices)
        bytes.push_back(share.total());
    return bytes;
}

Bytes Fitter::surplus(const std::vector<Bytes> &used) const
{
    Bytes sum = 0;
    for (std::size_t i = 0; i < used.size(); ++i)
        sum += target(i) - used[i];
    return sum;
}

bool Fitter::meets(const std::vector<Bytes> &used) const
{
    for (std::size_t i = 0; i < used.size(); ++i)
        if (used[i] > target(i))
            return false;
    return true;
}

/// The first partial layer of a device precedes its dense ones, in llama.cpp's order.
LlamaSettings Fitter::settingsOf(const Plan &plan) const
{
    LlamaSettings settings = m_fit.settings;
    settings.gpuLayers = 0;
    settings.tensorSplit.clear();
    for (const Filled &each : plan) {
        settings.gpuLayers += each.layers;
        settings.tensorSplit.push_back(static_cast<float>(each.layers));
    }
    std::int64_t layer = m_all - settings.gpuLayers;
    for (const Filled &each : plan) {
        layer += each.full();
        for (std::int64_t i = 0; i < each.partial; ++i, ++layer)
            settings.overrides.push_back(partOfLayer(
                layer, i == 0 ? each.fraction : Fraction::Dense, i == 0 ? each.overflow : -1));
    }
    return settings;
}

/// Whether that alone is enough on one device.
bool Fitter::shrinkContext(const std::vector<Bytes> &full)
{
    if (m_fit.settings.context > 0) {
        say("-c is given: the context stays.");
        return false;
    }
    const std::int64_t streams =
        m_fit.settings.unified ? 1 : std::max<std::int64_t>(m_fit.settings.sequences, 1);
    const std::int64_t most = m_model.trainedContext * streams;
    const std::int64_t least = m_targets.leastContext * streams;
    if (most <= least) {
        say("The model was trained for " + counted(m_model.trainedContext, "token") +
            ", which --fit does not shorten.");
        m_fit.settings.context = most;
        return false;
    }
    Bytes wanted = 0;
    Bytes usedFull = 0;
    for (std::size_t i = 0; i < full.size(); ++i) {
        wanted += target(i);
        usedFull += full[i];
    }
    if (m_devices.size() > 1) {
        Bytes weights = 0;
        for (const LlamaShare &share : splitModel(m_model, m_fit.settings, m_devices).devices)
            weights += share.model;
        const Bytes perLayer = weights / (m_all - 1);
        wanted -=
            static_cast<Bytes>(m_devices.size() + 1) * perLayer / (m_model.experts == 0 ? 2 : 6);
    }
    m_fit.settings.context = least;
    Bytes usedLeast = 0;
    for (const Bytes each : used(m_fit.settings))
        usedLeast += each;
    bool enough = false;
    if (wanted > usedLeast && usedFull > usedLeast) {
        const std::int64_t more = partOf(most - least, wanted - usedLeast, usedFull - usedLeast);
        const std::int64_t align = 256 * streams;
        const std::int64_t context = least + more;
        m_fit.settings.context = std::max(context - context % align, least);
        enough = m_devices.size() == 1;
    }
    say("The context becomes " + formatCount(m_fit.settings.context) + " of " +
        counted(most, "token") + ".");
    return enough;
}

bool Fitter::mayMoveLayers()
{
    if (m_fit.settings.gpuLayersStated)
        say("-ngl is given: layers stay where they are.");
    else if (!m_fit.settings.tensorSplit.empty())
        say("-ts is given: layers stay where they are.");
    else if (!m_fit.settings.overrides.empty())
        say("Tensors are placed by -ot or --cpu-moe: layers stay where they are.");
    else if (m_fit.settings.splitMode == LlamaSplitMode::Row && m_devices.size() > 1)
        say("--fit does not move layers that are split by rows.");
    else
        return true;
    return false;
}

/// Where the target bytes lie between two known fillings, at least one layer and less than all.
std::int64_t Fitter::step(std::int64_t delta, Bytes wanted, Bytes low, Bytes high)
{
    const Bytes room = high - low;
    const std::int64_t guess = room > 0 ? partOf(delta, wanted - low, room) : delta - 1;
    return std::clamp<std::int64_t>(guess, 1, delta - 1);
}

void Fitter::fillDevice(Plan &plan, std::size_t device)
{
    const bool experts = m_model.experts > 0;
    const bool last = device + 1 == plan.size();
    std::int64_t left = m_all;
    for (std::size_t i = device + 1; i < plan.size(); ++i)
        left -= plan[i].layers;
    if (left <= 0)
        return;
    // The output is the last layer of the last device and is never split.
    const auto filled = [&](std::int64_t layers) {
        Plan next = plan;
        next[device].layers = layers;
        next[device].partial =
            experts ? (last ? std::max<std::int64_t>(layers - 1, 0) : layers) : 0;
        return next;
    };
    const auto bytes = [&](std::int64_t layers) { return used(filled(layers))[device]; };
    std::int64_t low = 0;
    std::int64_t high = left;
    Bytes lowBytes = bytes(low);
    Bytes highBytes = bytes(high);
    if (highBytes <= target(device)) {
        low = high;
    } else {
        while (high - low > 1) {
            const std::int64_t next = low + step(high - low, target(device), lowBytes, highBytes);
            const Bytes nextBytes = bytes(next);
            if (nextBytes <= target(device)) {
                low = next;
                lowBytes = nextBytes;
            } else {
                high = next;
                highBytes = nextBytes;
            }
        }
    }
    plan = filled(low);
}

void Fitter::fillFromTheBack(Plan &plan)
{
    for (std::size_t device = plan.size(); device-- > 0;) {
        fillDevice(plan, device);
        say(m_devices[device].name + " takes " + formatCount(plan[device].layers) + " of " +
            counted(m_all, "layer") +
            (plan[device].partial > 0
                 ? ", " + formatCount(plan[device].partial) + " of them without experts."
                 : "."));
    }
}

/// Adds one more partial layer to the device; the rest goes to the next or the host.
void Fitter::addPart(Plan &plan, std::size_t device, std::size_t &dense)
{
    const bool last = device + 1 == plan.size();
    if (dense >= plan.size() || plan[dense].layers <= (last ? 1 : 0) || plan[dense].partial < 1)
        return;
    Plan next = plan;
    --next[dense].layers;
    --next[dense].partial;
    ++next[device].layers;
    ++next[device].partial;
    const std::size_t nextDense = next[dense].partial == 0 ? dense + 1 : dense;
    next[device].overflow = last ? -1 : static_cast<std::int64_t>(device) + 1;
    const auto fits = [&](Fraction fraction) {
        next[device].fraction = fraction;
        const std::vector<Bytes> bytes = used(next);
        return bytes[device] < target(device) && (last || bytes[device + 1] < target(device + 1));
    };
    Fraction found = Fraction::Dense;
    if (fits(Fraction::Up))
        found = fits(Fraction::Gate) ? Fraction::Gate : Fraction::Up;
    else if (fits(Fraction::Attention))
        found = Fraction::Attention;
    if (found == Fraction::Dense)
        return;
    next[device].fraction = found;
    plan = next;
    dense = nextDense;
}

/// Dense layers of the back become whole ones of the front, device by device.
void Fitter::addExperts(Plan &plan)
{
    std::size_t dense = plan.size();
    while (dense > 0 && plan[dense - 1].layers > 0)
        --dense;
    if (dense == plan.size())
        return;
    const auto moved = [&](std::size_t device, std::int64_t count, std::size_t &from) {
        Plan next = plan;
        for (; from < next.size(); ++from) {
            const std::int64_t part = std::min(count, next[from].partial);
            next[from].layers -= part;
            next[from].partial -= part;
            next[device].layers += part;
            count -= part;
            if (next[from].partial > 0)
                break;
        }
        return next;
    };
    for (std::size_t device = 0; device < plan.size() && device <= dense && dense < plan.size();
         ++device) {
        std::int64_t all = 0;
        for (std::size_t i = dense; i < plan.size(); ++i)
            all += plan[i].partial;
        std::size_t from = dense;
        Plan best = plan;
        std::size_t bestFrom = dense;
        std::int64_t low = 0;
        std::int64_t high = all;
        Bytes lowBytes = used(plan)[device];
        const Plan everything = moved(device, all, from);
        Bytes highBytes = used(everything)[device];
        if (highBytes <= target(device)) {
            best = everything;
            bestFrom = from;
        } else {
            while (high - low > 1) {
                const std::int64_t next =
                    low + step(high - low, target(device), lowBytes, highBytes);
                from = dense;
                const Plan test = moved(device, next, from);
                const Bytes bytes = used(test)[device];
                if (bytes <= target(device)) {
                    low = next;
                    lowBytes = bytes;
                    best = test;
                    bestFrom = from;
                } else {
                    high = next;
                    highBytes = bytes;
                }
            }
        }
        plan = best;
        dense = bestFrom;
        addPart(plan, device, dense);
        say(m_devices[device].name + " then holds " + counted(plan[device].layers, "layer") + ", " +
            formatCount(plan[device].full()) + " of them whole.");
    }
}

LlamaFit Fitter::fit()
{
    const std::vector<Bytes> full = used(m_fit.settings);
    if (m_devices.empty()) {
        say("There is no device to fit the model to.");
        return std::move(m_fit);
    }
    if (meets(full)) {
        say("Nothing has to change: every device keeps " + formatBytes(m_targets.margin) +
            " free.");
        m_fit.fits = true;
        return std::move(m_fit);
    }
    if (surplus(full) < 0 && shrinkContext(full)) {
        m_fit.fits = meets(used(m_fit.settings));
        return std::move(m_fit);
    }
    if (!mayMoveLayers()) {
        m_fit.fits = meets(used(m_fit.settings));
        return std::move(m_fit);
    }
    bool expertsFit = false;
    if (m_model.experts > 0) {
        LlamaSettings settings = m_fit.settings;
        settings.overrides.push_back(expertsOnHost(-1));
        expertsFit = surplus(used(settings)) > 0;
        say(expertsFit ? "With all experts on the host the rest fits."
                       : "Even with all experts on the host the rest does not fit.");
    }
    Plan plan(m_devices.size());
    fillFromTheBack(plan);
    if (expertsFit)
        addExperts(plan);
    m_fit.settings = settingsOf(plan);
    m_fit.fits = meets(used(m_fit.settings));
    return std::move(m_fit);
}

} // namespace

LlamaFit fitModel(const LlamaModel &model, const LlamaSettings &settings,
                  std::span<const LlamaDevice> devices, const LlamaFitTargets &targets)
{
    return Fitter(model, settings, devices, targets).fit();
}

LlamaOverride expertsOnHost(std::int64_t layer)
{
    const std::string number = layer < 0 ? std::string("\\d+") : std::to_string(layer);
    return {"blk\\." + number + "\\.ffn_(up|down|gate_up|gate)_(ch|)exps=CPU",
            [layer](const LlamaTensor &tensor) {
                return tensor.routed && (layer < 0 || tensor.layer == layer);
            },
            -1};
}

} // namespace vramscope
