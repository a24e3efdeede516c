"""Merkle roots over lines: every line and its place counts, and no node passes for a leaf."""

import hashlib

import pytest

from conformance.merkle import merkle_root

A, B, C = b"a", b"b", b"c"


def sha(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def leaf(data: bytes) -> bytes:
    return sha(b"\x00" + data)


def node(left: bytes, right: bytes) -> bytes:
    return sha(b"\x01" + left + right)


@pytest.mark.parametrize(
    ("leaves", "root"),
    [
        ([], sha(b"")),
        ([A], leaf(A)),
        ([A, B], node(leaf(A), leaf(B))),
        ([A, B, C], node(node(leaf(A), leaf(B)), leaf(C))),
        ([A, B, C, A, B], node(node(node(leaf(A), leaf(B)), node(leaf(C), leaf(A))), leaf(B))),
        ([A, B, C, A, B, C], node(node(node(leaf(A), leaf(B)), node(leaf(C), leaf(A))), node(leaf(B), leaf(C)))),
    ],
)
def test_the_tree_is_that_of_rfc_9162(leaves, root):
    assert merkle_root(leaves) == root.hex()


@pytest.mark.parametrize("others", [[B, A, C], [A, B], [A, B, C, C], [A, B, b""], [A, B + C]])
def test_another_order_or_number_of_lines_has_another_root(others):
    assert merkle_root(others) != merkle_root([A, B, C])


def test_a_node_is_no_leaf():
    assert merkle_root([leaf(A) + leaf(B)]) != merkle_root([A, B])
