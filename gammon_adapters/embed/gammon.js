/** gammon: backgammon, searched full width with *-minimax, in JavaScript.

   The WebAssembly module does the work; this file writes questions into its memory, and reads
   answers. The numbers have the names, the meaning and the order of gammon.h. All are seen from
   the player on roll. A search blocks its thread, so a page should search in a worker.

   gammon_adapters/embed/script.py adds the lists at the end. */

/** The question or the engine cannot be used. */
export class GammonError extends Error {
  name = "GammonError";
}

/** Return the numbers of a struct by name: a number for a field of one, else a list.

   @param {[string, number][]} fields @param {number[]} numbers */
function named(fields, numbers) {
  const entries = {};
  let at = 0;
  for (const [name, count] of fields) {
    entries[name] = count === 1 ? numbers[at] : numbers.slice(at, at + count);
    at += count;
  }
  return entries;
}

/** @param {[string, number][]} fields */
const width = (fields) => fields.reduce((sum, [, count]) => sum + count, 0);

const DEPTHS = [1, 3, 5, 7];

/** Return the numbers of a question, in order; `true` counts as 1. @param {Record<string, any>} question */
function numbersOf(question) {
  if (typeof question !== "object" || question === null) throw new GammonError("no question: expected an object");
  const known = QUESTION.map(([name]) => name);
  const other = Object.keys(question).find((name) => !known.includes(name));
  if (other !== undefined) throw new GammonError(`no such entry: ${other}, expected ${known.join(", ")}`);
  return QUESTION.flatMap(([name, count]) => {
    const given = question[name] ?? (count === 1 ? 0 : Array(count).fill(0));
    const numbers = Array.from(count === 1 ? [given] : given, (value) => (typeof value === "boolean" ? Number(value) : value));
    if (numbers.length === count && numbers.every(Number.isSafeInteger)) return numbers;
    throw new GammonError(`no such ${name}: expected ${count === 1 ? "a whole number" : `${count} whole numbers`}, below 2^53`);
  });
}

/** An engine: networks, bearoff tables and the match equity table, shared by its searchers. */
export class Engine {
  #code;
  #engine;
  #searchers = new Map();
  #question;
  #answer;

  /** Read an engine.

     @param {WebAssembly.Module} module gammon.wasm, which imports nothing
     @param {Uint8Array | ArrayBuffer} bytes the bytes of gammon.engine
     @param {{tables?: boolean}} [settings] without `tables` the engine is ready in a moment, for
       questions that never reach a position with all checkers of a side at home; `fill` computes
       the tables later
     @throws {GammonError} the bytes are damaged, or belong to another module */
  constructor(module, bytes, { tables = true } = {}) {
    this.#code = new WebAssembly.Instance(module, {}).exports;
    this.#code._initialize();
    const file = new Uint8Array(bytes);
    const place = this.#allocate(file.length);
    new Uint8Array(this.#code.memory.buffer).set(file, place);
    const fault = this.#allocate(4);
    this.#engine = this.#code.gammon_read_light(place, file.length, fault);
    this.#code.free(place);
    if (!this.#engine) {
      const words = new DataView(this.#code.memory.buffer).getUint32(fault, true);
      throw new GammonError(this.#text(words));
    }
    this.#question = this.#allocate(8 * width(QUESTION));
    this.#answer = this.#allocate(8 * MOST_PLAYS * Math.max(...Object.values(ANSWERS).map((answer) => width(answer.whole) + width(answer.real))));
    if (tables) this.fill();
  }

  /** Compute the bearoff tables, which takes a second or two. */
  fill() {
    if (this.#code.gammon_fill(this.#engine)) throw new GammonError("no memory is left");
  }

  #allocate(size) {
    const place = this.#code.malloc(size);
    if (!place) throw new GammonError("no memory is left");
    return place;
  }

  #text(place) {
    const bytes = new Uint8Array(this.#code.memory.buffer, place);
    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
  }

  #searcher(depth) {
    if (!this.#searchers.has(depth)) {
      if (!DEPTHS.includes(depth)) throw new GammonError(`no such depth: ${String(depth)}, expected the number 1, 3, 5 or 7`);
      const searcher = this.#code.gammon_open_searcher(this.#engine, depth);
      if (!searcher) throw new GammonError("no memory is left");
      this.#searchers.set(depth, searcher);
    }
    return this.#searchers.get(depth);
  }

  /** @param {string} call @param {number} depth @param {object} question @param {string} kind @param {number} capacity the most rows @param {number[]} given arguments before the place of the answer */
  #ask(call, depth, question, kind, capacity, given = []) {
    const numbers = numbersOf(question);
    const searcher = this.#searcher(depth);
    new BigInt64Array(this.#code.memory.buffer, this.#question, numbers.length).set(numbers.map(BigInt));
    const rest = capacity > 1 ? [this.#answer, capacity] : [...given, this.#answer];
    const rows = this.#code[call](searcher, this.#question, ...rest);
    if (rows < 0) throw new GammonError(this.#text(this.#code.gammon_fault_text(rows)));
    const { whole, real } = ANSWERS[kind];
    const [first, second] = [width(whole), width(real)];
    return Array.from({ length: rows }, (_, row) => {
      const place = this.#answer + 8 * row * (first + second);
      const wholes = Array.from(new BigInt64Array(this.#code.memory.buffer, place, first), Number);
      const reals = Array.from(new Float64Array(this.#code.memory.buffer, place + 8 * first, second));
      return { ...named(whole, wholes), ...named(real, reals) };
    });
  }

  /** Return the legal plays of a roll, not sorted by equity; only `points` and `moves` are set.

     `moves` are source, target and 1 for a hit, four times; the source of a move that is not
     made is 0.
     @param {object} question as gammon_question; missing entries are 0 */
  plays(question) {
    return this.#ask("gammon_plays", 1, question, "play", MOST_PLAYS);
  }

  /** Return the plays of a roll with their equities, best first.

     @param {object} question as gammon_question; missing entries are 0
     @param {number} depth 1, 3, 5 or 7 */
  analyze(question, depth = 3) {
    return this.#ask("gammon_analyze", depth, question, "play", MOST_PLAYS);
  }

  /** Return the decision about the cube, before a roll. Takes the arguments of `analyze`. */
  decide(question, depth = 3) {
    return this.#ask("gammon_decide", depth, question, "cube", 1)[0];
  }

  /** Return the luck of a roll and the mean of all rolls, as equities after the best plays.

     @param {object} question with `dice`, and `first` for the first roll of a game */
  luck(question) {
    return this.#ask("gammon_luck", 1, question, "roll", 1)[0];
  }

  /** Return 36 games that are played from a position, by decisions of a depth.

     @param {object} question with `seed`, `trial`, `truncate`, `filter`, `doubled` and `may_begin`
     @param {number} depth the depth of each play and double */
  games(question, depth = 1) {
    return this.#ask("gammon_games", depth, question, "game", MOST_PLAYS);
  }

  /** Write rows of an earlier answer after the memory of the next answer, and return their place.

     @param {string} kind @param {object[]} rows missing entries are 0 */
  #rows(kind, rows) {
    const { whole, real } = ANSWERS[kind];
    const begin = this.#answer + 8 * width(ANSWERS.reasons.whole) + 8 * width(ANSWERS.reasons.real);
    let place = begin;
    for (const row of rows)
      for (const [fields, isWhole] of [[whole, true], [real, false]])
        for (const [name, count] of fields) {
          const numbers = [row[name] ?? Array(count).fill(0)].flat();
          if (isWhole) new BigInt64Array(this.#code.memory.buffer, place, count).set(numbers.map(BigInt));
          else new Float64Array(this.#code.memory.buffer, place, count).set(numbers);
          place += 8 * count;
        }
    return begin;
  }

  /** Return why a play was wrong, and what the decision is about.

     @param {object} question
     @param {{points: number[], chances: number[], equity: number}[]} plays the play that was
       made, the best play, and others to compare, at most 16, as `analyze` returns them */
  explainPlay(question, plays) {
    const given = [this.#rows("play", plays.slice(0, MOST_COMPARED)), plays.length];
    return this.#ask("gammon_explain_play", 1, question, "reasons", 1, given)[0];
  }

  /** Return the loss of a choice about the cube, and the themes of the decision.

     @param {object} question with `action`: 1 for no double, 2 for a double, 3 for a take of the
       opponent, 4 for a pass
     @param {{equity: number[]}} decision as `decide` returns it */
  explainCube(question, decision) {
    return this.#ask("gammon_explain_cube", 1, question, "reasons", 1, [this.#rows("cube", [decision])])[0];
  }

  /** Judge candidates by games that were played from each of them with the same dice.

     @param {number[][]} values the equities of each candidate's games, seen from the player who
       decides; a multiple of 36 for each
     @param {{playing?: number[], cash?: number | null, beavers?: boolean}} [settings] the
       candidates that are still played, all unless given; for a cube decision, whose candidates
       are no double, and double and take, the value of double and pass, and whether beavers are
       allowed */
  judge(values, { playing = [...values.keys()], cash = null, beavers = false } = {}) {
    if (!values.length || values.some((row) => !row.length || row.length % 36))
      throw new RangeError("judge: expected the equities of a multiple of 36 games of each candidate");
    const [count, most] = [values.length, Math.max(...values.map((row) => row.length))];
    const [games, size] = [8 * (count + WORK) * most, width(JUDGED)];
    const place = this.#allocate(games + 8 * count * (2 + size));
    const [trials, table] = [place + games, place + games + 16 * count];
    values.forEach((row, c) => new Float64Array(this.#code.memory.buffer, place + 8 * c * most, most).set(row));
    const wholes = [...values.map((row) => row.length), ...values.map((_, c) => Number(playing.includes(c)))];
    new BigInt64Array(this.#code.memory.buffer, trials, 2 * count).set(wholes.map(BigInt));
    const clear = this.#code.gammon_judge(count, BigInt(most), place, trials, trials + 8 * count, 1, cash ?? NaN, Number(beavers), table);
    const judged = values.map((_, c) => {
      const numbers = new Float64Array(this.#code.memory.buffer, table + 8 * c * size, size);
      return named(JUDGED, Array.from(numbers));
    });
    this.#code.free(place);
    return { clear, judged };
  }

  /** Return how much better positions seem to a player than they are, in points.

     @param {number[][]} boards each seen from the player who misjudges it
     @param {number[]} chances the chances of the best board
     @param {number} strength a performance rating from 2 to 30
     @param {number} seed the seed of the errors */
  misjudge(boards, chances, strength, seed) {
    const isSeed = Number.isInteger(seed) && seed >= 0;
    if (!boards.every((points) => points.length === 26) || chances.length !== 5 || !isSeed || !(strength >= 2 && strength <= 30))
      throw new RangeError("misjudge: expected boards of 26 points, five chances, a strength from 2 to 30, a whole seed");
    const count = boards.length;
    const place = this.#allocate(8 * count + 8 * chances.length + boards.flat().length);
    const [given, rows] = [place + 8 * count, place + 8 * (count + chances.length)];
    new Float64Array(this.#code.memory.buffer, given, chances.length).set(chances);
    new Int8Array(this.#code.memory.buffer, rows, boards.flat().length).set(boards.flat());
    this.#code.gammon_misjudge(count, rows, given, strength, BigInt(seed), place);
    const errors = Array.from(new Float64Array(this.#code.memory.buffer, place, count));
    this.#code.free(place);
    return errors;
  }

  /** Return the value of a position before a roll. Takes the arguments of `analyze`. */
  evaluate(question, depth = 3) {
    return this.#ask("gammon_evaluate", depth, question, "position", 1)[0];
  }
}
