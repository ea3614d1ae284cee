/** The core in JavaScript, which `gammon embed --javascript` writes: see docs/embed.md. */

/** A position, its score, cube and rules, and settings: see gammon_question. What is left out is 0. */
export interface Question {
  points?: number[];
  dice?: number[];
  top?: number;
  length?: number;
  away?: number[];
  crawford?: number | boolean;
  jacoby?: number | boolean;
  beavers?: number | boolean;
  cube?: number;
  owner?: number;
  dead?: number | boolean;
  seed?: number;
  trial?: number;
  truncate?: number;
  doubled?: number | boolean;
  may_begin?: number | boolean;
  filter?: number;
  first?: number | boolean;
  action?: number;
}

/** A play: `moves` are source, target and 1 for a hit, four times. `kind` is 0 if the equity is of the full depth. */
export interface Play {
  points: number[];
  moves: number[];
  kind: number;
  depth: number;
  equity: number;
  mwc: number;
  cubeless: number;
  bound: number;
  chances: number[];
}

export interface CubeEquities {
  may_double: number;
  equity: number[];
  mwc: number[];
  chances: number[];
}

export interface PositionValue {
  equity: number;
  mwc: number;
  chances: number[];
  results: number[];
}

export interface RollLuck {
  luck: number;
  mean: number;
}

export interface Game {
  turns: number;
  equity: number;
  unadjusted: number;
  mwc: number;
  results: number[];
}

/** What a decision is about, and what an error gave away: see gammon.h. */
export interface Reasons {
  themes: number;
  chances: number[];
  cube: number;
  counted: number[];
  counts: number[];
  best_counts: number[];
  pointed: number;
  points: number;
  best_points: number;
  more: number[];
  without: number;
  loss: number;
}

/** A candidate of a rollout, by its games. */
export interface Judged {
  mean: number;
  error: number;
  behind: number;
  behind_error: number;
  jsd: number;
  rank: number;
}

/** The themes of a decision: bit k of `Reasons.themes` is the theme at index k. */
export const THEMES: string[];

export class GammonError extends Error {}

export class Engine {
  constructor(module: WebAssembly.Module, bytes: Uint8Array | ArrayBuffer, settings?: { tables?: boolean });
  fill(): void;
  plays(question: Question): Play[];
  analyze(question: Question, depth?: number): Play[];
  decide(question: Question, depth?: number): CubeEquities;
  games(question: Question, depth?: number): Game[];
  evaluate(question: Question, depth?: number): PositionValue;
  luck(question: Question): RollLuck;
  explainPlay(
    question: Question,
    plays: { points: number[]; equity: number; chances: number[] }[],
  ): Reasons;
  explainCube(question: Question, decision: { equity: number[] }): Reasons;
  misjudge(boards: number[][], chances: number[], strength: number, seed: number): number[];
  judge(
    values: number[][],
    settings?: { playing?: number[]; cash?: number | null; beavers?: boolean },
  ): { clear: number; judged: Judged[] };
}
