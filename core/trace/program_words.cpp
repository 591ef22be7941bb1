// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/program_words.h"

#include "core/base/text.h"
#include "core/trace/private_words.h"

#include <algorithm>
#include <unordered_set>

namespace vramscope {

namespace {

// Of frameworks, models, devices, recordings and folders, in small letters, and without digits but
// for devices and models whose letters alone are no word. What is missing costs a reader a word;
// what is too much may be somebody's name.
constexpr std::string_view kWords =
    "about above abstract accelerate accelerator access accum accumulate accumulation activation "
    "activations actor ada adafactor adagrad adam adamw adapter adapters add address adept affine "
    "after against agent ai alexnet algorithms alibaba align all all2all allall allenai allgather "
    "alloc allocation allocations allocator allreduce alltoall alpaca alpha amazon amd amp ampere "
    "an "
    "anaconda analysis and annotation anonymous apex api app apple applications apply apps apr "
    "arange arcee arch archive args arxiv asgi ast async at aten attention attn audio aug auto "
    "autocast autograd autoregressive autotune aux average awq aws axolotl azure back backbone "
    "backend backends backward baichuan baidu bamba bart base baseline basic batch batches "
    "batchnorm "
    "bazel bcast beam bedrock before bench benchmark benchmarks bert best beta between bf bfloat "
    "bias big bigger biggest bigscience bin bits bitsandbytes blackwell blas block blocks bloom "
    "bnb "
    "body book bookcorpus bool boot bosonai boxing bpe broadcast bucket budget buffer bug build "
    "builder builtin by byte bytedance bytes cache cached caching calc calibration call callback "
    "callbacks cascade case cases cat causal cellar cerebras ceval cfg chain chat cheap check "
    "checker checkpoint checkpointing checkpoints child chunk ci cifar cinder class classes "
    "classification classifier clean cli client clip cls cluster cmake cmd cni cnn coco code codec "
    "codegen codellama coder codestral coefficients cogvideo cohere cohereforai coherelabs col "
    "colab "
    "collate collect collective collector colossalai column com comm comma command common compare "
    "compile compiled compiler component components compress compute concat conda conf config "
    "configs configuration container content context contrib controlnet conv convert convnext "
    "convolution copy core cosine count counter cp cpp cpu cpython create croot cross csrc csu csv "
    "ctypes cublas cuda cudagraph cudart cudnn cuh current cursor curve custom cutlass cv cycle "
    "cython daemon darwin data databricks dataclass dataflow dataloader dataset datasets date day "
    "days dbrx ddp dead debian debug dec decode decoder decorators deep deepseek deepspeed def "
    "default defaults demo dense dep deploy deps depth desc detection dev device devices devstral "
    "diag dialog dict diff diffusers diffusion dim dir dis disabled disk dispatch dispatcher dist "
    "distil distilbert distill distributed dlami dll do doc docker docs documentation does dolly "
    "dolphin domain double down download dp dpo draft driver dropout dsp dtype dummy dump dumps "
    "dynamic dynamo e4m3 e5m2 each eager ec echo edge effect efficient efficientnet egg eight "
    "einsum "
    "elastic electra element eleutherai em embed embedder embedding embeddings empty en enabled "
    "enc "
    "encode encoder encodings end engine enp ens ensemble entry entrypoint enum env environment "
    "envs "
    "epoch ernie error errors esm etc eth eval evaluate evaluation evaluator event events ex "
    "example "
    "examples exaone exe exec executor exp expandable expected experiment experimental experiments "
    "expert experts export ext extension extensions external extra extract facebook factory fail "
    "fairscale fairseq fake falcon false fast fastapi fastchat faster feature features feb feed "
    "ffn "
    "field figure file files filter final fine finetune finetuned finetuning fineweb first fit "
    "five "
    "fix fla flags flash flashattention flashinfer flask flat flax flex flow flux fn fnuz fold "
    "folder footer for fork format forward foundation four fp fp4 fp8 framework frameworks free "
    "from "
    "frozen fsdp ft full fully func function functional functions functorch fused fusion future "
    "fuyu "
    "gan gather gaudi gaussian gb gcc gcp ge geforce gelu gemma gen general generate generated "
    "generation generator generic get ggml gguf gib git github glm gloo glue gnu gold google gpfs "
    "gpt gptq gpu gpus grace grad gradient gradients granite graph graphs greedy grep grid grok "
    "group groups grpo gru gsm gtx guard gui gz habana half handler handlers hash head header "
    "headers heads health heap hellaswag hello help helper helpers hf hidden high hip history hls "
    "home homebrew homes hook hooks hopper host hostedtoolcache hours how hparams html http hub "
    "hudson huggingface huggingfaceh huggingfacetb humaneval hunyuan hy hybrid hydra hyper hz ib "
    "ibm "
    "ibs id identity idle if ignite image imagenet images imp impl import in inc include index "
    "inductor infer inference info init inject inline inner input inputs inside install instance "
    "instinct instruct instruction int int4 int8 integration intel interactive interface intern "
    "internal internlm interop interval io ipu ipykernel ipynb ipython is isolated it item iter "
    "iteration iterator jamba jan jax jetson jit job jobs join jovyan json jsonl jukebox jul jun "
    "jupyter kaggle kb keep keras kernel kernels key keys kib kimi kineto kv kyutai label labels "
    "laion lamb lambda lang language laptop large larger largest last latent latest launch "
    "launcher "
    "launchers layer layernorm layers layout lazy leaf leak leaks learner learning least left len "
    "length level lib lib32 lib64 libc libcuda liblib library librispeech libs libtorch "
    "libtorchcuda "
    "light lightning limit linalg line linear linecache linux lion liquidai list listen litgpt "
    "live "
    "llama llamafactory llava llm llms lm lmsys lo load loaded loader loaders local locale "
    "localhost "
    "lock log logger logging logit logits logs long longest longformer loop lora loss losses low "
    "lr "
    "lstm lt lxc mac mach magistral main make mamba mambaforge manager manual many map mapping mar "
    "marlin mask masked master match math matmul matrix maverick max may mb mcp md me mean measure "
    "measured med medium mega megatron mem memory merge message meta metal method methods metric "
    "metrics mi mib micro micromamba microsoft middleware min mini miniconda minicpm miniforge "
    "minigpt minimal minimax minimaxai ministral misc mistral mistralai mix mixed mixin mixtral "
    "mixture mkl ml mla mlm mlp mlx mm mmlu mnist mobile mobilenet mobilevit mock mod mode model "
    "modeling modelling models modular module modules moe molmo moments momentum monitor mono "
    "month "
    "moonlight moonshot moonshotai mosaic mosaicml most mpi mpt mrpc ms mt mtp much multi "
    "multimodal "
    "multiprocess multiprocessing muon music musicgen mxfp mxfp4 my name nano nanochat nanogpt nas "
    "native nccl ndarray nemo nemotron neo neox nested net nets network networks neural neuron "
    "neva "
    "new next nf nf4 ngc nightly nil nll nlp nn no node nodes noise none norm normal normalization "
    "not note notebook notebooks notes nousresearch nov now nptl npu nucleus null num numpy nvfp "
    "nvfp4 nvidia nvl nvme nvte nvtx oam obj object objects oct of off offload old olmo olmoe omni "
    "on once onnx oom op open openai openbmb opencv openfold openlm openvla openwebtext ops opt "
    "optim optimize optimized optimizer optimizers option options opus or orca order orig original "
    "orpo os oss other ours out outlines output outputs over overlap own p2p pack package packages "
    "packed pad padded padding page paged pagedattention pair paligemma paper parallel parallelism "
    "param parameter parameters params parent parquet parse parser part partial parts pascal pass "
    "patch path patterns pcie pdf peak peft pegasus per perceiver perf performance permute "
    "persimmon "
    "phase phi pickle pile pin ping pinned pip pipe pipeline pixtral pkg pkgs pl place plan "
    "planned "
    "planner plans plot plugin plugins plus point policy poly pool pooled pooling port pos "
    "position "
    "positional posix post pp ppo pre precision pred predict prefetch prefill prefix preprocess "
    "preprocessing pretrain pretrained pretraining preview previous prior private pro probe proc "
    "process processing processor product prof profile profiled profiler profiles program "
    "programdata programs progress project projection projects prompt prompts proto prototype "
    "prune "
    "pruning pt pth pthread ptq ptx public publish pull pure push px py pyc pyproject pyt pytest "
    "pythia python pytorch pyx qa qat qkv qlora quad quadro quant quantization quantize quantized "
    "quantizer query queue quick qwen qwq race rag ram rand random range rank ranks rate ratio raw "
    "ray re read reader readers readme real reason reasoning receive recipe recipes recommend "
    "reconcile record recorded recording recordings recurrent redpajama reduce reducer reduction "
    "ref "
    "reference reformer reg registry rel relative release relu remote repeat replay replica replit "
    "repo report reports repos repro request requests requirements research reserve reserved reset "
    "reshard residual resnet resource resources response rest result results resume ret retrieval "
    "reward rhymes right ring rl rlhf rmsnorm rnn roberta robot rocm role rollout root rootfs rope "
    "rotary roundup route router routing row rows rt rtx rule rules run runner running runpy runs "
    "runtime rw rwkv safe safetensors salesforce sam samba sample sampled sampler samples sampling "
    "save saved sbin scalar scale scaled scaling scan scatter scenario scenes schedule scheduler "
    "schedulers schema science scope score scores scout scratch script scripts sd sdk sdpa search "
    "second secret section seed seeds seg segment segments self send sendrecv sentence "
    "sentencepiece "
    "sep seq sequence sequential serve served server serving session set setting settings setup "
    "setups seven sft sgd sglang sh shampoo shape shard sharded sharder sharding shards share "
    "shared "
    "sharegpt shell shm short shortest shuffle siglip sigmoid silu sim simple simpo simulate "
    "single "
    "site sites six size slice sliding slim slimorca slow slower sm small smallest smi smoke smol "
    "smollm smolvlm snap snapshot snapshots softmax software solar source sources space spaces "
    "span "
    "sparse spec special spectrum speculative speech speed split splits splitting spmd sql squad "
    "src "
    "srv ssd sse ssm sst stabilityai stable stablelm stack stacks stage stages standard star "
    "starcoder start startup stash stat state statedict states static stats std steady step steps "
    "stop storage store str strategies strategy stream streaming streams string strings stub study "
    "style sub subprocess sum super supervised support surya svg swa swap swift swiglu swin switch "
    "sxm sync syncer syntax synthetic sys system system32 tab table tail tanh tar target task "
    "tasks "
    "tb te teacher team tech teknium temp temporary tencent tensile tensor tensorboard tensorflow "
    "tensorrt tensors term tesla test testing tests text textual tf tgi tgz than the then thing "
    "things thinking third thread threading threads three throughput thudm ti tib tier tiiuae "
    "tiktoken tile time timeit timeline timer times timesformer timm tiny titan tmp to todo "
    "together "
    "togethercomputer tok token tokenizer tokenizers tokens tool toolkit tools top topk torch "
    "torchao torchaudio torchbench torchelastic torchgen torchrl torchrun torchtitan torchtune "
    "torchvision torchx total toy tp tpu trace traceback traces track tracker train trained "
    "trainer "
    "trainers training trans transfer transform transformer transformers transforms transposed "
    "tree "
    "triton trl trt true tsv tts tune tuned tuner tuning turbo turing tutorial tutorials two txt "
    "type types typing ubuntu ue8m0 uem uint uint8 ul ultra ultrachat ulysses uncertainty "
    "undefined "
    "under unet unified uniform union unit unknown unsloth until untitled up update upgrade "
    "upsample "
    "upstage url usage use user users usr util utilities utility utils uv vae val valid validate "
    "validation value values var variable variables variant variants vec vector vectorized venv "
    "venvs verify version versions vgg via vicuna video view vila virtual virtualenv virtualenvs "
    "vision visual vit vl vla vllm vlm vlms vm vocab voice volta volumes vote vq vram vramplan "
    "vramscope vs vscode w4a16 w8a8 wa wait wan wandb warm warmup warn wav web webui week weekly "
    "weight weights whisper whl wide wiki wikitext win window windows wise with without wizard "
    "wlan "
    "wmt wo word words work worker workers workflow workload works workspace workspaces world wrap "
    "wrapped wrapper wrappers write writer xai xformers xglm xiaomi xl xla xlm xlnet xml xpu xs "
    "yaml "
    "yarn yes yi yml yolo you your zai zamba zero zip zoo zst zstd "
    // Of kernels, operators and calls.
    "apart cut late ncu nsys sqlite vramranks vramsession whole "
    "acquire active adaptive addcdiv addcmul added addmm agents aggregation aiter amax "
    "annotations append archs argmax array arrays asanyarray astype asynchronous available axis "
    "baddbmm barrier basename batched binary bind bisect bitwise bootstrap bottom bound bounds "
    "bucketize buckets built builtins bytecode callable cask cast char clamp clear clone "
    "coalesced collections collectives commit comms compat compatible complete condition "
    "conditional conj const constant contains contextlib contextvars contig contiguous converter "
    "convex convolve cublaslt cumsum cunn customized dataclasses decltype decompositions "
    "decrement defaultdict descrobject detach detail determinism dgemm dgrad difference direct "
    "disable distribution divide divisor divmod ediv elapsed elementwise enable endswith engines "
    "enter entropy enumerate epilogue equal execute execution exit expand explicit extend "
    "fallback fbgemm fields fileno fill find flatten float floating flush fmha folders foreach "
    "fprop frame frames fresh fromlist fromtimestamp frozenset fsencode fspath functools functor "
    "futures fwdbwd gcgemm gemm gemvx genericpath genexpr genobject getattr getenv getframe "
    "getitem getpid global grouped groupnorm handle hasattr hccl hgemm ident igemm imaging "
    "implicit importlib increment indexed indexing indice indices inspect instancecheck integral "
    "interleave invert iota isfunction isidentifier isinstance isnan issubclass items kind "
    "kvcache largek lengths libstdcpp lift linearize localtime logical lookback lookup lower "
    "magma malformed malloc mappingproxy masking memcpy memset metadata methodobject minimum "
    "miopen multiarray multiplies namespace narrow nbytes nchw nearest neighbor nesting nhwc "
    "nhwckrsc nocast nonfused nonzero normalize normcase nullary nullptr numel offsets ones "
    "operator operators optional outer pageable permuted pipelines pixel posixpath precompiled "
    "prep prepare prims profiling prologue proxy pscratch ptrs qparam randn randperm rebuild "
    "recat reciprocal recmetrics reduced register regroup reinterpret remainder removals remove "
    "removesuffix replace replicate representation reshape resize resolve rfind rocprim round "
    "rowwise rpartition rsqrt rsub sage scal scheduling scudnn searchsorted select selecting "
    "selector serialization setimage setitem sgemm shallow sign signature simt singleread sizes "
    "skip sort sorted specialize specialized splitext splitk sqrt square squeeze startswith "
    "statistics strftime stride strided subclasscheck submit suffix symbolic synchronize sysv "
    "templated templates tensordot tensorop terminal threshold throw thrust tobytes tolist "
    "tracing traits trampoline transformation transpose trunc truncation typeobject umath unary "
    "unbind undo unflatten unfold unity unroll unrolled unsafe unsigned unsqueeze untyped "
    "unweighted unwrap upper upsampling variadic vars void volatile volume warp weakref "
    "weakrefset weighted wgrad where width winograd wmma xmma xregs zeros ";

const std::unordered_set<std::string_view> &words()
{
    static const std::unordered_set<std::string_view> kAll = [] {
        std::unordered_set<std::string_view> all;
        for (std::size_t at = 0; at < kWords.size();) {
            const std::size_t end = kWords.find(' ', at);
            all.insert(kWords.substr(at, end - at));
            at = end + 1;
        }
        return all;
    }();
    return kAll;
}

bool isCapital(char c)
{
    return c >= 'A' && c <= 'Z';
}

bool isKnown(std::string_view word)
{
    constexpr std::size_t kMostDigits = 3; // "h100"; u1234567 is an account
    std::string letters = lowered(word);
    if (words().contains(letters))
        return true;
    const std::size_t digits = std::erase_if(letters, isDigit);
    return letters.empty() ||
           (letters.size() == 1 ? digits <= kMostDigits : words().contains(letters));
}

/// Of "LlamaForCausalLM" the first hump; of "GPTNeo" the capitals that belong together.
std::string_view firstHump(std::string_view word)
{
    std::size_t end = 1;
    while (end < word.size() && isCapital(word[end]) &&
           (end + 1 == word.size() || !(word[end + 1] >= 'a' && word[end + 1] <= 'z')))
        ++end;
    while (end < word.size() && !isCapital(word[end]))
        ++end;
    return word.substr(0, end);
}

/// Beyond ASCII, signs that stand in no word: "×", "·", "–", "→".
bool isSign(std::string_view text)
{
    const std::size_t length = characterLength(text);
    const char32_t code = length > 1 ? codePoint(text.substr(0, length)) : 0;
    return (code >= 0xa0 && code < 0xc0) || code == 0xd7 || code == 0xf7 ||
           (code >= 0x2000 && code < 0x2c00);
}

} // namespace

bool isProgramWord(std::string_view word)
{
    if (isKnown(word))
        return true;
    if (word.size() > 64 || std::ranges::none_of(word.substr(1), isCapital))
        return false;
    while (!word.empty()) {
        const std::string_view hump = firstHump(word);
        if (!isKnown(hump))
            return false;
        word.remove_prefix(hump.size());
    }
    return true;
}

bool holdsProgramWordsOnly(std::string_view text)
{
    return withProgramWordsOnly(text) == text;
}

std::string withProgramWordsOnly(std::string_view text)
{
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && isWordByte(text[end]) && !isSign(text.substr(end)))
            ++end;
        const std::string_view word = text.substr(at, end - at);
        if (!word.empty()) // "name" itself stays what it is
            result += isProgramWord(word) ? word : std::string_view("name");
        else
            result += text[end++];
        at = end;
    }
    return result;
}

} // namespace vramscope
