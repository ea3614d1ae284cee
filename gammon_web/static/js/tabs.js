/** The tabs of the modes. */

import { byId } from "./elements.js";

const NAMES = ["analyze", "play", "review", "study"];

/**
 * Make the tabs work, by click, and by the arrow keys, Home and End.
 * @param {(name: string) => void} chosen
 * @returns {(name: string) => void} a function that chooses a tab
 */
export function tabs(chosen) {
  const choose = (/** @type {string} */ name) => {
    for (const other of NAMES) {
      const tab = byId(`tab-${other}`);
      tab.setAttribute("aria-selected", String(other === name));
      tab.tabIndex = other === name ? 0 : -1;
      byId(`panel-${other}`).hidden = other !== name;
    }
    chosen(name);
  };
  NAMES.forEach((name) => {
    const tab = byId(`tab-${name}`);
    tab.addEventListener("click", () => choose(name));
    tab.addEventListener("keydown", (event) => {
      const shown = NAMES.filter((other) => !byId(`tab-${other}`).hidden);
      const [at, last] = [shown.indexOf(name), shown.length - 1];
      const [before, behind] = [at > 0 ? at - 1 : last, at < last ? at + 1 : 0];
      const to = { ArrowLeft: before, ArrowRight: behind, Home: 0, End: last }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      const next = shown[to];
      choose(next);
      byId(`tab-${next}`).focus();
    });
  });
  return choose;
}
