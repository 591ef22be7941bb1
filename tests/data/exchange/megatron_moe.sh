# DeepSeek-like experts; options in one string, defaults from the environment
TP=${TP:-2}
EP=8
MOE_OPTIONS="--num-experts 64 --moe-router-topk 6 --moe-ffn-hidden-size 1408 --moe-layer-freq '([0]*1+[1]*26)' \
  --moe-shared-expert-intermediate-size 2816 --expert-model-parallel-size $EP --expert-tensor-parallel-size 1"
torchrun --nproc_per_node=8 --nnodes=4 pretrain_gpt.py $MOE_OPTIONS --num-layers=27 --hidden-size=2048 \
  --num-attention-heads 16 --multi-latent-attention --kv-lora-rank 512 --qk-head-dim 128 \
  --qk-pos-emb-head-dim 64 --v-head-dim 128 --ffn-hidden-size 10944 --swiglu --normalization RMSNorm \
  --disable-bias-linear --position-embedding-type rope --untie-embeddings-and-output-weights \
  --vocab-size 102400 --make-vocab-size-divisible-by 3200 --tensor-model-parallel-size $TP \
  --pipeline-model-parallel-size 1 --sequence-parallel --micro-batch-size 1 --global-batch-size 256 \
  --seq-length 4096 --max-position-embeddings 4096 --bf16 --use-distributed-optimizer --num-distributed-optimizer-instances 2 --cross-entropy-loss-fusion \
  --recompute-granularity full --recompute-method uniform --recompute-num-layers 3 \
  --hidden-dropout 0 --attention-dropout 0 --lr $LEARNING_RATE
