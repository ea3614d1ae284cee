// @ts-check
/**
 * How a board looks, in its own shadow. Each colour is a property that a page may set, such as
 * `--board-field`; the colours here are those of gammon/svg/colours.py. Where the page says by
 * `color-scheme` that it may be dark, the board is dark when the page is.
 */
export const STYLE = `
:host { display: block; line-height: 0;
  --frame: var(--board-frame, light-dark(#e5d8bf, #1b2025));
  --frame-edge: var(--board-frame-edge, light-dark(#b7a480, #3a434d));
  --field: var(--board-field, light-dark(#f3ead8, #2a3037));
  --edge: var(--board-edge, light-dark(#7d6a4f, #7b8794));
  --odd: var(--board-odd, light-dark(#c8a578, #4f5b68));
  --even: var(--board-even, light-dark(#e2c9a2, #3c4650));
  --bar: var(--board-bar, light-dark(#dccbb0, #1f242a));
  --x: var(--board-x, light-dark(#ffffff, #ece7db));
  --x-edge: var(--board-x-edge, light-dark(#3b3f46, #ffffff));
  --x-mark: var(--board-x-mark, #3b3f46);
  --o: var(--board-o, light-dark(#2f3640, #0f1215));
  --o-edge: var(--board-o-edge, light-dark(#0d1014, #d0d5da));
  --o-mark: var(--board-o-mark, #ffffff);
  --cube: var(--board-cube, light-dark(#ffffff, #e8e6e1));
  --cube-edge: var(--board-cube-edge, light-dark(#22262b, #ffffff));
  --cube-mark: var(--board-cube-mark, light-dark(#22262b, #16191d));
  --number: var(--board-number, light-dark(#22262b, #c3c8cd));
  --arrow: var(--board-arrow, light-dark(#0b4a9e, #ffb020));
  --halo: var(--board-halo, light-dark(#ffffff, #16191d));
  --source: var(--board-source, light-dark(#0b4a9e, #ffb020));
  --shade: var(--board-shade, rgb(0 0 0 / 22%));
}
:host(gammon-checker) { display: inline-block; width: 1.25rem; height: 1.25rem; vertical-align: -.25em; }
svg { width: 100%; height: auto; display: block; overflow: visible; }
.gammon-board { user-select: none; -webkit-user-select: none; touch-action: manipulation; }
.gammon-board text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; pointer-events: none; font-variant-numeric: tabular-nums; }
.frame { fill: var(--frame); stroke: var(--frame-edge); stroke-width: 1.5; }
.field { fill: var(--field); }
.edge { fill: none; stroke: var(--edge); stroke-width: 1.5; }
.bar, .tray { fill: var(--bar); stroke: var(--edge); stroke-width: 1.5; }
.point { stroke: var(--edge); stroke-width: 1; stroke-opacity: .55; }
.point.odd { fill: var(--odd); }
.point.even { fill: var(--even); }
.number { fill: var(--number); fill-opacity: .72; }
@media (max-width: 34rem) { .number { font-size: 16px; } }
.shade { fill: var(--shade); }
.checker .disc { stroke-width: 2; }
.checker.x .disc, .checker.x.off, .die.x .face { fill: var(--x); stroke: var(--x-edge); }
.checker.o .disc, .checker.o.off, .die.o .face { fill: var(--o); stroke: var(--o-edge); }
.checker .ring { fill: none; stroke: var(--x-mark); stroke-width: 1.5; }
.checker .count { font-weight: 700; }
.checker.x .count, .die.x .pip { fill: var(--x-mark); }
.checker.o .count, .die.o .pip { fill: var(--o-mark); }
.count.off { fill: var(--number); }
.checker.lifted { opacity: .35; }
.checker.ghost { pointer-events: none; filter: drop-shadow(0 3px 4px rgb(0 0 0 / 35%)); }
.landed { fill: var(--arrow); stroke: var(--halo); stroke-width: 1.5; pointer-events: none; }
.die .face { stroke-width: 2; }
.die.used { opacity: .38; }
.cube rect { fill: var(--cube); stroke: var(--cube-edge); stroke-width: 2; }
.cube .value { fill: var(--cube-mark); font-weight: 700; }
.arrow { fill: var(--arrow); stroke: var(--halo); stroke-width: 1.5; stroke-linejoin: round; pointer-events: none; }
.hit { stroke-linecap: round; pointer-events: none; }
.hit .halo { stroke: var(--halo); stroke-width: 8; }
.hit .cross { stroke: var(--arrow); stroke-width: 5; }
.source { fill: none; stroke: var(--source); stroke-width: 3; opacity: .75; pointer-events: none; }
.hand rect { fill: transparent; stroke: transparent; stroke-width: 3; }
.hand { outline: none; cursor: default; }
.hand.movable { cursor: grab; touch-action: none; }
.hand.target rect { fill: var(--source); fill-opacity: .18; stroke: var(--source); stroke-opacity: .6; }
.hand:focus-visible rect { stroke: var(--source); }
.hand.absent { display: none; }
.hand:not([data-place]) { cursor: pointer; }
.editing .hand, .open, .open .hand { cursor: pointer; }
`;
