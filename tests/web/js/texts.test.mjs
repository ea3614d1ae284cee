/**
 * The texts of the page: each language has all of them, all are used, and none stands elsewhere. A
 * translator runs `node --test tests/web/js/texts.test.mjs` to see what is missing.
 */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { en } from "../../../gammon_web/static/js/texts/en.js";

const STATIC = new URL("../../../gammon_web/static/", import.meta.url);
const read = (name) => readFileSync(new URL(name, STATIC), "utf8");
const scriptsOf = (folder) =>
  readdirSync(new URL(folder, STATIC))
    .filter((name) => name.endsWith(".js"))
    .map((name) => `${folder}${name}`);

/** The languages beside English, by their codes. */
const LANGUAGES = {};
for (const file of scriptsOf("js/texts/")) {
  const code = file.slice("js/texts/".length, -".js".length);
  if (code !== "en") LANGUAGES[code] = (await import(new URL(file, STATIC)))[code];
}
/** The modules that may speak to a person, with their sources. */
const MODULES = [...scriptsOf("js/"), ...scriptsOf("board/")]
  .filter((name) => name !== "board/texts.js")
  .map((name) => [name, read(name)]);
const PAGE = read("index.html");

/** The texts by their keys with dots between them; without the words that the engine sends. */
function leaves(texts, path = "") {
  return Object.entries(texts).flatMap(([key, value]) => {
    const name = path ? `${path}.${key}` : key;
    if (name === "said") return [];
    return typeof value === "object" ? leaves(value, name) : [[name, value]];
  });
}

/** The names of the parameters of a text, and what is made of them. */
function partsOf(text) {
  const [, names, body] = /^\(?([^)=]*)\)?\s*=>(.*)$/s.exec(text.toString());
  return {
    names: names
      .split(",")
      .map((name) => name.trim())
      .filter(Boolean),
    body,
  };
}

test("each language has every text, with the same parameters", () => {
  const listed = [...read("js/language.js").matchAll(/^  (\w+): \{ name: /gm)];
  assert.deepEqual(listed.map(([, code]) => code).sort(), ["en", ...Object.keys(LANGUAGES)].sort());
  const english = new Map(leaves(en));
  for (const [code, texts] of Object.entries(LANGUAGES)) {
    const own = new Map(leaves(texts));
    assert.deepEqual([...own.keys()], [...english.keys()], `${code}: the keys, and their order`);
    for (const [name, text] of own) {
      const original = english.get(name);
      assert.equal(typeof text, typeof original, `${code}: ${name}`);
      if (typeof text === "string") assert.equal(text === "", original === "", `${code}: ${name}`);
      else assert.deepEqual(partsOf(text).names, partsOf(original).names, `${code}: ${name}`);
    }
  }
});

test("each text uses its parameters", () => {
  for (const [code, texts] of Object.entries({ en, ...LANGUAGES }))
    for (const [name, text] of leaves(texts)) {
      if (typeof text === "string") continue;
      const { names, body } = partsOf(text);
      for (const parameter of names)
        assert.match(body, new RegExp(`\\b${parameter}\\b`), `${code}: ${name}`);
    }
});

test("words of the engine are known to each language, and come from the engine", () => {
  const names = readFileSync(new URL("../../gammon_study/reviews/names.py", STATIC), "utf8");
  const lists = /^THEMES(.*?)^RULES/ms.exec(names)[1] + /^BIASES(.*?)^}/ms.exec(names)[1];
  const sent = [...lists.matchAll(/"([^"]+)"/g)].map(([, word]) => word);
  assert.ok(sent.length > 30);
  const engine = scriptsOf("engine/").map(read).join("");
  for (const [code, { said }] of Object.entries(LANGUAGES)) {
    for (const word of sent) assert.ok(word in said, `${code}: said has no "${word}"`);
    for (const word of Object.keys(said))
      assert.ok(
        `${engine}${names}${SENT}`.includes(word.replace("redoubl", "doubl")),
        `${code}: nobody says "${word}"`,
      );
  }
});
/** Words that only the server says. */
const SENT = "not enough yet, no clear bias";

test("no text is unused", () => {
  const sources = MODULES.map(([, source]) => source).join("\n");
  const used = new Set([
    ...[...sources.matchAll(/\bt((?:\.\w+)+)/g)].map(([, path]) => path.slice(1)),
    ...[...sources.matchAll(/\btexts\.(\w+)/g)].map(([, key]) => `board.${key}`),
    ...[...PAGE.matchAll(/data-(?:text|label|hint)="([\w.]+)"/g)].map(([, path]) => path),
  ]);
  const isUsed = (path) =>
    // A module may take a list, and choose from it.
    path.split(".").some((_, at, keys) => used.has(keys.slice(0, at + 1).join(".")));
  const unused = leaves(en)
    .map(([path]) => path)
    .filter((path) => !isUsed(path));
  assert.deepEqual(unused, []);
});

/**
 * The texts in quotes of a module, each with the code before it on its line. A template gives the
 * pieces between its insertions, and the texts in them.
 */
function quotedIn(source) {
  const pieces = [];
  let at = 0;
  let code = "";
  const quoted = (end) => {
    const before = code;
    let text = "";
    for (at++; source[at] !== end; at++) {
      if (source[at] === "\\") text += source[++at];
      else if (end === "`" && source.startsWith("${", at)) {
        pieces.push([text, before]);
        text = "";
        at += 2;
        walk("}");
      } else text += source[at];
    }
    at++;
    pieces.push([text, before]);
    code += end;
  };
  const walk = (end) => {
    for (let depth = 0; at < source.length;) {
      const here = source[at];
      if (here === end && depth === 0) return;
      if (here === "{") depth++;
      if (here === "}") depth--;
      if (source.startsWith("//", at)) at = source.indexOf("\n", at);
      else if (source.startsWith("/*", at)) at = source.indexOf("*/", at) + 2;
      else if (here === "/" && /(^|[(=,:!&|?{};]|return)\s*$/.test(code)) {
        const [whole] = /^\/(\[[^\]\n]*\]|\\.|[^/\n])+\/\w*/.exec(source.slice(at));
        at += whole.length;
        code += "/";
      } else if ("\"'`".includes(here)) quoted(here);
      else {
        code = here === "\n" ? "" : code + here;
        at++;
      }
    }
  };
  walk("");
  return pieces;
}

/** Whether a person would read it: two words, or one that begins a sentence. */
const isText = (text) => /\p{L}{2,} \p{L}{2,}|^\p{Lu}\p{Ll}+/u.test(text);
/** The code before texts that nobody reads: classes, selectors and keys. */
const UNSEEN = /(class: |All\(|Selector\(|matches\(|closest\(|key: |key === |name === )$/;

/** What looks like a text, and is none: names, keys, classes, words of files, and of errors in programs. */
const NAMES = [
  ...["Roller", "Roller+", "Roller++", "You", "Comment", "left out", "removed before"],
  ...["Escape", "Enter", "Over", "Content-Type", "ReviewedPlayer", "Totals", "Choice", "Luck"],
  ...["segments many", "soft small", "figures short"],
  ...["no element ", "no review", '" is not an XGID.', '" is not a play.'],
];

test("no text stands outside the files of texts", () => {
  const said = new Set(Object.keys(LANGUAGES.de.said));
  const isSaid = (text) => text.split(", ").every((part) => said.has(part.toLowerCase()));
  // The names of the languages are in these languages.
  const modules = MODULES.filter(([name]) => name !== "js/language.js");
  const outside = modules.flatMap(([name, source]) =>
    quotedIn(source)
      .filter(([text, before]) => isText(text) && !UNSEEN.test(before) && !isSaid(text))
      .filter(([text]) => !NAMES.includes(text))
      .map(([text]) => `${name}: ${text}`),
  );
  assert.deepEqual(outside, []);
});

test("the HTML file has no text but gammon's name and what is read without JavaScript", () => {
  const [, body] = /<body>(.*)<\/body>/s.exec(PAGE);
  const shown = body.replace(/<!--.*?-->|<noscript>.*?<\/noscript>/gs, "");
  const texts = [
    ...[...shown.matchAll(/>([^<]*\p{L}[^<]*)</gu)].map(([, text]) => text.trim()),
    ...[...shown.matchAll(/ (?:aria-label|title|placeholder|alt)="([^"]+)"/g)].map(
      ([, text]) => text,
    ),
  ];
  assert.deepEqual(texts, ["gammon", "API", "gammon"]);
});
