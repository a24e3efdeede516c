"""Runner for programs in any language: JSON lines over their stdin and stdout (see docs/exec-runner.md)."""
