/** What the page keeps between visits, in a storage that may be full or forbidden. */

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { keep, kept } from "../../../gammon_web/static/js/settings.js";

/** A storage with room for some letters. @param {number} room */
function storageOf(room) {
  const entries = new Map();
  return {
    getItem: (name) => entries.get(name) ?? null,
    removeItem: (name) => entries.delete(name),
    setItem: (name, text) => {
      const others = [...entries].filter(([other]) => other !== name);
      const used = others.reduce((sum, [, other]) => sum + other.length, text.length);
      if (used > room) throw new Error("the quota has been exceeded");
      entries.set(name, text);
    },
  };
}

const put = (storage) =>
  Object.defineProperty(globalThis, "localStorage", { configurable: true, get: storage });

afterEach(() => {
  delete globalThis.localStorage;
});

test("a match is kept where a large review fills the storage", () => {
  const storage = storageOf(98);
  put(() => storage);
  keep("match", { at: 1 });
  keep("reviewed", "x".repeat(88));
  keep("reviewed-at", 12345);
  assert.equal(kept("reviewed", "").length, 88, "the review is worth more than its place");
  keep("match", { at: 10 });
  assert.deepEqual(kept("match", null), { at: 10 });
  assert.equal(kept("reviewed", null), null);
  keep("match", "x".repeat(100));
  assert.deepEqual(kept("match", null), { at: 10 }, "nothing else gives way");
});

test("a page whose storage is forbidden keeps nothing", () => {
  put(() => {
    throw new Error("access is denied");
  });
  keep("match", { at: 1 });
  assert.equal(kept("match", null), null);
});
