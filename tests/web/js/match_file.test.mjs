/** The file of a match; test_site.py compares it with the server's, but for half a character. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { fileOf } from "../../../gammon_web/static/engine/match_file.js";

test("half of a character in a name is one that can be seen", () => {
  const names = ["", "\ud800\u2028x".padEnd(99, "y")];
  assert.match(
    fileOf(null, { names, games: [{ actions: [] }] }),
    /\n player 1 : 0 +\ufffd xy{57} : 0$/m,
  );
});
