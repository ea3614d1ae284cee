/** The core in JavaScript, which `gammon embed --javascript` writes: see docs/javascript.md. */

/** A play: `moves` are source, target and 1 for a hit, four times. `kind` is 0 where the equity is exact. */
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

export interface CubeWorth {
  may_double: number;
  equity: number[];
  mwc: number[];
  chances: number[];
}

export interface Worth {
  equity: number;
  mwc: number;
  chances: number[];
  results: number[];
}

export interface Game {
  turns: number;
  equity: number;
  plain: number;
  mwc: number;
  results: number[];
}

export class GammonError extends Error {}

export class Engine {
  constructor(module: WebAssembly.Module, bytes: Uint8Array | ArrayBuffer, settings?: { tables?: boolean });
  fill(): void;
  plays(question: object): Play[];
  analyze(question: object, depth?: number): Play[];
  decide(question: object, depth?: number): CubeWorth;
  games(question: object, depth?: number): Game[];
  evaluate(question: object, depth?: number): Worth;
}
