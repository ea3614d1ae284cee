/** A position that is set up by hand. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Editor } from "../../../gammon_web/static/board/editor.js";

test("a key takes one checker away, of either side", () => {
  const points = Array(26).fill(0);
  points[8] = 3;
  points[17] = -3;
  const editor = new Editor(points, ["X", "O"], () => {});
  for (const place of [8, 17]) editor.hands.key({ key: "-" }, place);
  assert.deepEqual([points[8], points[17]], [2, -2]);
  editor.hands.key({ key: "+" }, 8);
  editor.hands.key({ key: "Delete" }, 17);
  assert.deepEqual([points[8], points[17]], [3, 0]);
});
