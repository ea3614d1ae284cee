/** Starts the page. */

import { additions, filesOf, isMatch } from "./adding.js";
import { Analyze } from "./analyze.js";
import { get, meet, serves } from "./api.js";
import { BoardArea } from "./board_area.js";
import { byId, isTyped } from "./elements.js";
import { explain } from "./help.js";
import { offerLanguages, t } from "./language.js";
import { Play } from "./play.js";
import { printed } from "./print.js";
import { Review } from "./review.js";
import { rollouts } from "./rollout.js";
import { checked, keep, kept, looks } from "./settings.js";
import { sounding } from "./sound.js";
import { Study } from "./study.js";
import { tabs } from "./tabs.js";

// A page without a server has a manifest, and is cached to work offline. At an insecure address it
// works, but not offline.
if (document.querySelector('link[rel="manifest"]'))
  navigator.serviceWorker?.register("sw.js").catch(() => {});

/** Resolves once the depth of the server is known; questions wait for it. */
const met = meet();
const area = new BoardArea();
looks(area);
explain();
checked("sounds", false, sounding);
offerLanguages(byId("language"));
const analyze = new Analyze(
  area,
  (xgid) => (play.playOn(xgid), choose("play")),
  (xgid) => (study.note(xgid), choose("study")),
);
/** Review a match. @param {string} text @param {number} [depth] at which gammon played it here */
const look = (text, depth) => (choose("review"), review.open(new Blob([text]), "match.mat", depth));
/** The line of a match file that has the length of the match. */
const LENGTH = /^\s*(\d+[ -]*points? match|(unlimited|money) (match|game|session))\b/im;
/**
 * Analyze the position in a text, or review its match. If it has neither, only a message is shown.
 */
const open = async (/** @type {string} */ text) => {
  await met;
  if (LENGTH.test(text)) return look(text);
  if (await analyze.load(text)) choose("analyze");
};
/** Where the page tells of the rollouts that run or wait. */
const queue = byId("queue");
rollouts.tell = (words) => void area.tell(words);
rollouts.heard.add(() => {
  const working = rollouts.list.filter(({ work }) => work);
  const share = Math.floor(100 * (working[0]?.share ?? 0));
  queue.hidden = !working.length;
  queue.textContent = t.page.queue(share, working.length - 1);
});
queue.addEventListener("click", () => {
  const [first] = rollouts.list;
  choose("analyze");
  analyze.showRollout(first);
});
const review = new Review(area, open);
const play = new Play(area, { analyze: open, review: look });
const study = new Study(area, open, (data) => (choose("review"), review.showStored(data)));
/** @type {Record<string, {enter: () => unknown, leave: () => void}>} */
const modes = { analyze, play, review, study };
let mode = "";
/** The entries of the page of help about modes, where these have other names. */
const HELPS = /** @type {Record<string, string>} */ ({
  review: "review-and-study",
  study: "review-and-study",
});
const choose = tabs((name) => {
  if (name === mode) return;
  modes[mode]?.leave();
  area.blank();
  mode = name;
  keep("mode", mode);
  byId("show-help").dataset.help = HELPS[name] ?? name;
  scrollTo(0, 0);
  modes[name].enter();
});

printed(() =>
  mode === "review" && review.data ? review.decisions : mode === "study" ? study.decisions : null,
);

/** Review the match in a file, or analyze the position in it. @param {File} file */
async function openFile(file) {
  const text = /\.txt$/i.test(file.name) ? await file.text() : "";
  if (text && !LENGTH.test(text)) return open(text);
  choose("review");
  return review.open(file, file.name);
}

/** Whether a dialog is open, which must be answered first. */
const isAsked = () => document.querySelector("dialog[open]") !== null;

// A position or a match may be pasted or dropped anywhere.
addEventListener("paste", (event) => {
  const text = event.clipboardData?.getData("text") ?? "";
  if (isTyped(event.target) && /** @type {HTMLElement} */ (event.target).id !== "paste-text")
    return;
  if (!text.trim() || isAsked()) return;
  event.preventDefault();
  open(text);
});
addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("dragging");
});
addEventListener("dragleave", () => document.body.classList.remove("dragging"));
addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("dragging");
  if (isAsked()) return;
  const text = event.dataTransfer?.getData("text");
  const dropped = event.dataTransfer ? filesOf(event.dataTransfer) : Promise.resolve([]);
  Promise.all([dropped, met]).then(([files]) => {
    const [file] = files;
    if (!file) return text && open(text);
    if (files.length === 1 && !(mode === "study" && serves.adds && isMatch(file)))
      return openFile(file);
    if (!serves.adds) return area.say(t.page.oneMatch, true);
    additions.addFiles(files);
    study.showMatches();
    choose("study");
  });
});

/** Where the page tells of files on their way into the library, and leads to their matches. */
const adding = byId("adding");
additions.tell = (words) => void area.tell(words);
additions.heard.add(() => {
  const { waiting, words, count, share } = additions;
  adding.hidden = !waiting.length && !words;
  adding.textContent = waiting.length
    ? t.page.adding(count[0], count[1], Math.floor(100 * share))
    : words;
});
adding.addEventListener("click", () => {
  adding.hidden = additions.waiting.length === 0;
  study.showMatches();
  choose("study");
});

/** The address at the start, when it is not yet known whether the server has a library. */
let wanted = location.hash;

/** Show whether the engine is ready; its first start takes a while. */
async function ready() {
  try {
    const { compiled, library } = await get("health", {});
    byId("tab-study").hidden = !library;
    if (library && wanted === "#study") choose("study");
    wanted = "";
    byId("engine").textContent = compiled ? t.page.ready : t.page.gettingReady;
    if (!compiled) setTimeout(ready, 1000);
  } catch (error) {
    byId("engine").textContent = /** @type {Error} */ (error).message;
    setTimeout(ready, 5000);
  }
}

/** The mode in the address, or else the last one; a first visit begins with a game. */
const named = () => {
  const last = location.hash ? "analyze" : kept("mode", "play");
  const name = /^#(play|review|study)$/.exec(location.hash)?.[1] ?? last;
  return name in modes && !byId(`tab-${name}`).hidden ? name : "analyze";
};
met.then(() => {
  addEventListener("hashchange", () => choose(named()));
  choose(named());
  ready();
});
