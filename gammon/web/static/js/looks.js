/** What a person chose: the colours, and whether letters are keys. */

import { byId } from "./elements.js";
import { keep, kept } from "./settings.js";

/** Do as was chosen, and hear what is chosen next. @param {import("./desk.js").Desk} desk */
export function looks(desk) {
  const theme = /** @type {HTMLSelectElement} */ (byId("theme"));
  theme.value = kept("theme", "auto");
  const paint = () => {
    if (theme.value === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme.value;
  };
  theme.addEventListener("change", () => (keep("theme", theme.value), paint()));
  paint();
  const letters = /** @type {HTMLInputElement} */ (byId("letters"));
  desk.letters = letters.checked = kept("letters", true);
  letters.addEventListener("change", () => keep("letters", (desk.letters = letters.checked)));
}
