"""The content security policy of the page: it loads what it brings itself, and nothing else."""

__all__ = ["LOCAL", "SERVED"]

_PARTS = (
    "default-src 'none'", "style-src 'self'", "img-src 'self' data: blob:", "font-src 'self'",
    "connect-src 'self'", "manifest-src 'self'", "base-uri 'none'", "form-action 'none'",
)  # fmt: skip
#: Of a server's answers, which no other page may frame.
SERVED = "; ".join((*_PARTS, "script-src 'self'", "frame-ancestors 'none'"))
#: Of a page without a server, where a worker compiles WebAssembly.
LOCAL = "; ".join((*_PARTS, "script-src 'self' 'wasm-unsafe-eval'", "worker-src 'self'"))
