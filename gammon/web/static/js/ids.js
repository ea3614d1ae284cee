/** The IDs of a position, to be copied. */

import { button, html } from "./elements.js";

/** @param {import("../../answers.js").Position} position */
export function copyFields(position) {
  const gnu = `${position.position_id}:${position.match_id}`;
  const link = new URL(`#xgid=${position.xgid.replace("XGID=", "")}`, location.href.split("#")[0]).href;
  const rows = /** @type {[string, string][]} */ ([["XGID", position.xgid], ["OGID", position.ogid], ["GNU Backgammon ID", gnu], ["Link", link]]);
  return html("div", { class: "ids" }, rows.flatMap(([name, value]) => {
    const field = html("input", { readonly: true, value, "aria-label": name, focus: () => field.select() });
    const copy = button("Copy", async () => {
      field.select();
      await navigator.clipboard?.writeText(value).catch(() => document.execCommand("copy"));
      copy.textContent = "Copied";
      setTimeout(() => (copy.textContent = "Copy"), 1500);
    }, { "aria-label": `Copy ${name}` });
    return [field, copy];
  }));
}
