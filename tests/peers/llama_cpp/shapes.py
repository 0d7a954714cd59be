"""Metadata and tensors of real models as llama.cpp's converter writes them, from the fields of published config.json
files. Independent of hwadvisor's own readers on purpose: both are checked against the same engine."""

# Fields of the published configurations (Hugging Face, file config.json of the named repository).
MODELS = {
    "meta-llama/Llama-3.1-8B": dict(arch="llama", layers=32, hidden=4096, heads=32, kv_heads=8, head_dim=128, ffn=14336,
                                    vocab=128256, context=131072),
    "meta-llama/Llama-2-7b-hf": dict(arch="llama", layers=32, hidden=4096, heads=32, kv_heads=32, head_dim=128,
                                     ffn=11008, vocab=32000, context=4096),
    "Qwen/Qwen2.5-7B-Instruct": dict(arch="qwen2", layers=28, hidden=3584, heads=28, kv_heads=4, head_dim=128, ffn=18944,
                            vocab=152064, context=32768, qkv_bias=True),
    "Qwen/Qwen3-8B": dict(arch="qwen3", layers=36, hidden=4096, heads=32, kv_heads=8, head_dim=128, ffn=12288,
                          vocab=151936, context=40960, qk_norm=True),
    "google/gemma-3-4b-it": dict(arch="gemma3", layers=34, hidden=2560, heads=8, kv_heads=4, head_dim=256, ffn=10240,
                                 vocab=262144, context=131072, qk_norm=True, post_norms=True, tied=True, window=1024),
    "deepseek-ai/DeepSeek-V2-Lite": dict(arch="deepseek2", layers=27, hidden=2048, heads=16, ffn=10944, vocab=102400,
                                         context=163840, experts=64, experts_used=6, expert_ffn=1408, shared_experts=2,
                                         dense_layers=1, latent=512, rope=64, nope=128, value=128),
    "state-spaces/mamba-2.8b-hf": dict(arch="mamba", layers=64, hidden=2560, vocab=50280, context=1048576, tied=True,
                                       conv=4, inner=5120, state=16, dt_rank=160),
    "LiquidAI/LFM2.5-1.2B-Instruct": dict(arch="lfm2", layers=16, hidden=2048, heads=32, kv_heads=8, head_dim=64, ffn=8192,
                               vocab=65536, context=128000, qk_norm=True, tied=True,
                               attention_layers=[2, 5, 8, 10, 12, 14], conv_cache=3),
}


def metadata(m):
    keys = {"block_count": m["layers"], "context_length": m["context"], "embedding_length": m["hidden"],
            "feed_forward_length": m.get("ffn", 0), "vocab_size": m["vocab"],
            "attention.layer_norm_rms_epsilon": 1e-5}
    if "heads" in m:
        keys["attention.head_count"] = m["heads"]
    if "kv_heads" in m:
        attention = m.get("attention_layers")
        keys["attention.head_count_kv"] = (
            m["kv_heads"] if attention is None else [m["kv_heads"] if i in attention else 0 for i in range(m["layers"])])
    if "head_dim" in m:
        keys.update({"attention.key_length": m["head_dim"], "attention.value_length": m["head_dim"],
                     "rope.dimension_count": m["head_dim"], "rope.freq_base": 10000.0})
    if "window" in m:
        keys["attention.sliding_window"] = m["window"]
    if "experts" in m:
        keys.update({"expert_count": m["experts"], "expert_used_count": m["experts_used"],
                     "expert_feed_forward_length": m["expert_ffn"]})
    if m["arch"] == "deepseek2":
        keys.update({"attention.head_count_kv": 1, "attention.key_length": m["latent"] + m["rope"],
                     "attention.value_length": m["latent"], "attention.key_length_mla": m["nope"] + m["rope"],
                     "attention.value_length_mla": m["value"], "attention.kv_lora_rank": m["latent"],
                     "leading_dense_block_count": m["dense_layers"], "expert_shared_count": m["shared_experts"],
                     "rope.dimension_count": m["rope"], "rope.freq_base": 10000.0})
    if m["arch"] == "mamba":
        keys.update({"ssm.conv_kernel": m["conv"], "ssm.inner_size": m["inner"], "ssm.state_size": m["state"],
                     "ssm.time_step_rank": m["dt_rank"], "attention.head_count": 0})
    if m["arch"] == "lfm2":
        keys["shortconv.l_cache"] = m["conv_cache"]
    return keys


def tensors(m, quant):
    out = []

    def weight(name, *dimensions):
        out.append((name + ".weight", list(dimensions), quant))

    def small(name, *dimensions):
        out.append((name, list(dimensions), "f32"))

    hidden = m["hidden"]
    weight("token_embd", hidden, m["vocab"])
    if not m.get("tied"):
        weight("output", hidden, m["vocab"])
    small("token_embd_norm.weight" if m["arch"] == "lfm2" else "output_norm.weight", hidden)
    for layer in range(m["layers"]):
        b = f"blk.{layer}."
        small(b + "attn_norm.weight", hidden)
        if m["arch"] == "mamba":
            mamba(m, b, weight, small)
            continue
        if m["arch"] == "deepseek2":
            latent_attention(m, b, weight, small)
        elif layer in m.get("attention_layers", range(m["layers"])):
            attention(m, b, weight, small)
        else:
            small(b + "shortconv.conv.weight", m["conv_cache"], hidden)
            weight(b + "shortconv.in_proj", hidden, 3 * hidden)
            weight(b + "shortconv.out_proj", hidden, hidden)
        if m.get("post_norms"):
            small(b + "post_attention_norm.weight", hidden)
            small(b + "post_ffw_norm.weight", hidden)
        small(b + "ffn_norm.weight", hidden)
        if "experts" in m and layer >= m.get("dense_layers", 0):
            experts(m, b, weight, small)
        else:
            weight(b + "ffn_gate", hidden, m["ffn"])
            weight(b + "ffn_up", hidden, m["ffn"])
            weight(b + "ffn_down", m["ffn"], hidden)
    return out


def attention(m, b, weight, small):
    queries, keys = m["heads"] * m["head_dim"], m["kv_heads"] * m["head_dim"]
    weight(b + "attn_q", m["hidden"], queries)
    weight(b + "attn_k", m["hidden"], keys)
    weight(b + "attn_v", m["hidden"], keys)
    weight(b + "attn_output", queries, m["hidden"])
    if m.get("qkv_bias"):
        for name, size in (("q", queries), ("k", keys), ("v", keys)):
            small(b + f"attn_{name}.bias", size)
    if m.get("qk_norm"):
        small(b + "attn_q_norm.weight", m["head_dim"])
        small(b + "attn_k_norm.weight", m["head_dim"])


def latent_attention(m, b, weight, small):
    small(b + "attn_kv_a_norm.weight", m["latent"])
    weight(b + "attn_q", m["hidden"], m["heads"] * (m["nope"] + m["rope"]))
    weight(b + "attn_kv_a_mqa", m["hidden"], m["latent"] + m["rope"])
    weight(b + "attn_k_b", m["nope"], m["latent"], m["heads"])
    weight(b + "attn_v_b", m["latent"], m["value"], m["heads"])
    weight(b + "attn_output", m["heads"] * m["value"], m["hidden"])


def experts(m, b, weight, small):
    small(b + "ffn_gate_inp.weight", m["hidden"], m["experts"])
    weight(b + "ffn_gate_exps", m["hidden"], m["expert_ffn"], m["experts"])
    weight(b + "ffn_up_exps", m["hidden"], m["expert_ffn"], m["experts"])
    weight(b + "ffn_down_exps", m["expert_ffn"], m["hidden"], m["experts"])
    if "shared_experts" in m:
        width = m["shared_experts"] * m["expert_ffn"]
        weight(b + "ffn_gate_shexp", m["hidden"], width)
        weight(b + "ffn_up_shexp", m["hidden"], width)
        weight(b + "ffn_down_shexp", width, m["hidden"])


def mamba(m, b, weight, small):
    inner = m["inner"]
    weight(b + "ssm_in", m["hidden"], 2 * inner)
    small(b + "ssm_conv1d.weight", m["conv"], inner)
    small(b + "ssm_conv1d.bias", inner)
    weight(b + "ssm_x", inner, m["dt_rank"] + 2 * m["state"])
    small(b + "ssm_dt.weight", m["dt_rank"], inner)
    small(b + "ssm_dt.bias", inner)
    small(b + "ssm_a", m["state"], inner)
    small(b + "ssm_d", inner)
    weight(b + "ssm_out", inner, m["hidden"])
