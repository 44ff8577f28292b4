"""ResNet, VGG and ViT as torchvision defines them: random weights by its names, and the forward."""

import torch
from torch.nn.functional import (
    adaptive_avg_pool2d,
    batch_norm,
    conv2d,
    gelu,
    layer_norm,
    linear,
    max_pool2d,
    relu,
)


class Weights(dict):
    """Random weights by name."""

    def __init__(self, seed):
        super().__init__()
        self.generator = torch.Generator().manual_seed(seed)

    def draw(self, name, *shape, scale=0.1):
        self[name] = scale * torch.randn(*shape, generator=self.generator)

    def norm(self, name, width, running=True):
        self[f"{name}.weight"] = 1 + 0.1 * torch.rand(width, generator=self.generator)
        self.draw(f"{name}.bias", width)
        if running:
            self.draw(f"{name}.running_mean", width)
            self[f"{name}.running_var"] = 1 + torch.rand(width, generator=self.generator)
            self[f"{name}.num_batches_tracked"] = torch.tensor(7)


def resnet(depth, outputs, seed=0):
    """State dict of ResNet-18 or -50, names as in torchvision.models.resnet."""
    blocks, expansion = {18: ((2, 2, 2, 2), 1), 50: ((3, 4, 6, 3), 4)}[depth]
    weights = Weights(seed)
    _conv(weights, "conv1", 64, 3, 7)
    weights.norm("bn1", 64)
    channels = 64
    for stage, (count, width) in enumerate(zip(blocks, (64, 128, 256, 512), strict=True), 1):
        for block in range(count):
            name, out = f"layer{stage}.{block}", width * expansion
            if expansion == 1:
                kernels = [(width, channels, 3), (width, width, 3)]
            else:
                kernels = [(width, channels, 1), (width, width, 3), (out, width, 1)]
            for number, (after, before, kernel) in enumerate(kernels, 1):
                _conv(weights, f"{name}.conv{number}", after, before, kernel)
                weights.norm(f"{name}.bn{number}", after)
            if block == 0 and (stage > 1 or expansion > 1):
                _conv(weights, f"{name}.downsample.0", out, channels, 1)
                weights.norm(f"{name}.downsample.1", out)
            channels = out
    _linear(weights, "fc", outputs, channels)
    return dict(weights)


def resnet_forward(w, x, depth):
    blocks = {18: (2, 2, 2, 2), 50: (3, 4, 6, 3)}[depth]
    x = relu(_bn(w, "bn1", conv2d(x, w["conv1.weight"], stride=2, padding=3)))
    x = max_pool2d(x, 3, 2, 1)
    for stage, count in enumerate(blocks, 1):
        for block in range(count):
            name, stride = f"layer{stage}.{block}", 2 if stage > 1 and block == 0 else 1
            y = x
            if depth == 18:
                plan = [(1, stride, 1), (2, 1, 1)]
            else:
                plan = [(1, 1, 0), (2, stride, 1), (3, 1, 0)]  # the stride is in the 3x3
            for number, step, padding in plan:
                kernel = w[f"{name}.conv{number}.weight"]
                y = _bn(w, f"{name}.bn{number}", conv2d(y, kernel, stride=step, padding=padding))
                if number < len(plan):
                    y = relu(y)
            if f"{name}.downsample.0.weight" in w:
                x = conv2d(x, w[f"{name}.downsample.0.weight"], stride=stride)
                x = _bn(w, f"{name}.downsample.1", x)
            x = relu(x + y)
    return linear(x.mean((2, 3)), w["fc.weight"], w["fc.bias"])


VGG11 = (64, "M", 128, "M", 256, 256, "M", 512, 512, "M", 512, 512, "M")


def vgg11(outputs, norm, seed=0, hidden=4096):
    """State dict of VGG-11, with or without batch normalisation."""
    weights, place, channels = Weights(seed), 0, 3
    for width in VGG11:
        if width == "M":
            place += 1
            continue
        _conv(weights, f"features.{place}", width, channels, 3, bias=True)
        if norm:
            weights.norm(f"features.{place + 1}", width)
        place += 3 if norm else 2
        channels = width
    _linear(weights, "classifier.0", hidden, 512 * 49)
    _linear(weights, "classifier.3", hidden, hidden)
    _linear(weights, "classifier.6", outputs, hidden)
    return dict(weights)


def vgg11_forward(w, x, norm):
    place = 0
    for width in VGG11:
        if width == "M":
            x, place = max_pool2d(x, 2), place + 1
            continue
        name = f"features.{place}"
        x = conv2d(x, w[f"{name}.weight"], w[f"{name}.bias"], padding=1)
        x = relu(_bn(w, f"features.{place + 1}", x) if norm else x)
        place += 3 if norm else 2
    x = adaptive_avg_pool2d(x, 7).flatten(1)
    for number in (0, 3, 6):
        x = linear(x, w[f"classifier.{number}.weight"], w[f"classifier.{number}.bias"])
        x = relu(x) if number < 6 else x
    return x


def vit(outputs, size, patch, dim, depth, mlp, seed=0):
    """State dict of a vision transformer."""
    weights = Weights(seed)
    weights.draw("class_token", 1, 1, dim)
    _conv(weights, "conv_proj", dim, 3, patch, bias=True)
    weights.draw("encoder.pos_embedding", 1, 1 + (size // patch) ** 2, dim)
    for number in range(depth):
        name = f"encoder.layers.encoder_layer_{number}"
        weights.norm(f"{name}.ln_1", dim, running=False)
        weights.draw(f"{name}.self_attention.in_proj_weight", 3 * dim, dim)
        weights.draw(f"{name}.self_attention.in_proj_bias", 3 * dim)
        _linear(weights, f"{name}.self_attention.out_proj", dim, dim)
        weights.norm(f"{name}.ln_2", dim, running=False)
        _linear(weights, f"{name}.mlp.0", mlp, dim)
        _linear(weights, f"{name}.mlp.3", dim, mlp)
    weights.norm("encoder.ln", dim, running=False)
    _linear(weights, "heads.head", outputs, dim)
    return dict(weights)


def vit_forward(w, x, patch, heads, depth):
    dim = w["class_token"].shape[-1]
    x = conv2d(x, w["conv_proj.weight"], w["conv_proj.bias"], stride=patch)
    x = x.flatten(2).transpose(1, 2)
    x = torch.cat([w["class_token"].expand(len(x), -1, -1), x], 1) + w["encoder.pos_embedding"]
    for number in range(depth):
        name = f"encoder.layers.encoder_layer_{number}"
        attention = torch.nn.MultiheadAttention(dim, heads, batch_first=True)
        prefix = f"{name}.self_attention."
        attention.load_state_dict(
            {k.removeprefix(prefix): v for k, v in w.items() if k.startswith(prefix)}
        )
        y = _ln(w, f"{name}.ln_1", x)
        x = x + attention(y, y, y, need_weights=False)[0]
        y = _ln(w, f"{name}.ln_2", x)
        y = gelu(linear(y, w[f"{name}.mlp.0.weight"], w[f"{name}.mlp.0.bias"]))
        x = x + linear(y, w[f"{name}.mlp.3.weight"], w[f"{name}.mlp.3.bias"])
    x = _ln(w, "encoder.ln", x)[:, 0]
    return linear(x, w["heads.head.weight"], w["heads.head.bias"])


def _conv(weights, name, after, before, kernel, bias=False):
    scale = (2 / (before * kernel * kernel)) ** 0.5
    weights.draw(f"{name}.weight", after, before, kernel, kernel, scale=scale)
    if bias:
        weights.draw(f"{name}.bias", after)


def _linear(weights, name, after, before):
    weights.draw(f"{name}.weight", after, before, scale=before**-0.5)
    weights.draw(f"{name}.bias", after)


def _bn(w, name, x):
    running = (w[f"{name}.running_mean"], w[f"{name}.running_var"])
    return batch_norm(x, *running, w[f"{name}.weight"], w[f"{name}.bias"])


def _ln(w, name, x):
    return layer_norm(x, (x.shape[-1],), w[f"{name}.weight"], w[f"{name}.bias"], eps=1e-6)
