/** The tabs of the modes. */

import { byId } from "./elements.js";

const NAMES = ["analyze", "play", "review", "study"];

/**
 * Make the tabs work: by click, and by the arrow keys among them.
 * @param {(name: string) => void} chosen
 * @returns {(name: string) => void} that chooses one
 */
export function tabs(chosen) {
  const choose = (/** @type {string} */ name) => {
    for (const each of NAMES) {
      const tab = byId(`tab-${each}`);
      tab.setAttribute("aria-selected", String(each === name));
      tab.tabIndex = each === name ? 0 : -1;
      byId(`panel-${each}`).hidden = each !== name;
    }
    chosen(name);
  };
  NAMES.forEach((name) => {
    const tab = byId(`tab-${name}`);
    tab.addEventListener("click", () => choose(name));
    tab.addEventListener("keydown", (event) => {
      const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!way) return;
      event.preventDefault();
      const there = NAMES.filter((each) => !byId(`tab-${each}`).hidden);
      const next = there[(there.indexOf(name) + way + there.length) % there.length];
      choose(next);
      byId(`tab-${next}`).focus();
    });
  });
  return choose;
}
