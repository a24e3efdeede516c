"""Small TTK tables of our own."""

import csv

SILU = {"testcase_name": "plain", "op_name": "Silu", "input_shapes": "((3, 5),)", "input_dtypes": "('float32',)"}
PAIR = {"testcase_name": "pair", "op_name": "aclnnSiluBackward", "input_shapes": "((3, 5), (3, 5))"}
BACKWARD = {**PAIR, "input_dtypes": "('float32', 'float32')"}


def write_ttk(folder, *rows, name="ttk_mine.csv", **writing):
    """A table whose columns are all that some row has."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    columns = list(dict.fromkeys(["testcase_name", "op_name", *(column for row in rows for column in row)]))
    with path.open("w", newline="", encoding=writing.pop("encoding", "utf-8")) as file:
        table = csv.DictWriter(file, columns, **writing)
        table.writeheader()
        table.writerows(rows)
    return path
