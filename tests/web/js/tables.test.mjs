/** The tables of answers, as far as it needs no page. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { aboveOf } from "../../../gammon/web/static/js/tables.js";

const play = (equity, kind) => ({ equity, kind });

test("a bound above a play may be better or not: its rank is then not known", () => {
  const all = [play(0.2, "exact"), play(0.1, "rollout"), play(0, "bound"), play(-0.1, "exact"), play(-0.2, "static")];
  assert.deepEqual(aboveOf(all[0], all), { better: 0, unsure: false });
  assert.deepEqual(aboveOf(all[2], all), { better: 2, unsure: false });
  assert.deepEqual(aboveOf(all[3], all), { better: 2, unsure: true });
});
