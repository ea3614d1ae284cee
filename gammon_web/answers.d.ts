/** The page's requests and their answers. `python scripts/write_openapi.py` writes it. */

/** The fate of a file that was to be added to the library */
export interface AddedFile {
  /** the name of the file */
  file: string;
  /** `reviewed`, `kept as analyzed`, `continued`, `already there`, `removed before`, or `left out` */
  what: string;
  /** who analyzed the match, or why it is left out */
  detail: string;
}

export type Answer = Plays | Decision | Rolls | ScoreGrid | PlayGrid;

/** The best play at a score */
export interface AtScore {
  /** the points that the player on roll and the opponent still need */
  away: [number, number];
  /** The notation of the play, such as `24/18*\/13` */
  play: string;
  points: Points;
  /** with the cube, points of it for money, or EMG in a match; cubeless, in the unit of the engine's stakes */
  equity: number;
  /** in a match, `equity` as a chance to win the match */
  mwc: number | null;
  /** the equity of `probabilities` if nobody turns the cube any more; null where `equity` is cubeless */
  cubeless_equity: number | null;
  /** the best play's equity less this one, at least 0. If only the best play was rolled out, the loss comes from the search */
  loss: number;
  /** Whether `equity` is the value of best play to `depth` */
  exact: boolean;
  /** the source of `equity` */
  kind: "exact" | "bounded" | "shallow" | "static" | "rollout";
  /** plies of the search that gave `equity` and `probabilities`; see `Engine`. 1 for static ones */
  depth: number;
  /** for a shallow equity, the upper bound that the deeper search has proved; else null */
  bound: number | null;
  probabilities: Probabilities;
  /** whether the question names this play */
  named: boolean;
  /** the rollout of a level from this play, or null */
  rollout: Sample | null;
}

export interface BgwebMove {
  play: { from: string; to: string }[];
  evaluation?: { info: { cubeful: boolean; plies: number }; eq: number; diff: number; probability: { win: number; winG: number; winBG: number; lose: number; loseG: number; loseBG: number } };
}

/** A side to which a player's decisions may lean */
export interface Bias {
  /** one of `names.BIASES` */
  name: string;
  /** how many decisions could lean */
  decisions: number;
  /** the mean signed loss (`difficulty.Lean`) minus what a player without a bias would have who loses as much in all, in equity per decision; null with fewer than 20 decisions or 3 matches */
  lean: Interval | null;
  /** the player's habit in words, if the interval of the lean is all on one side of 0; else "no clear bias", or "not enough yet" */
  verdict: string;
}

/** A play and its value to the player who makes it */
export interface Candidate {
  /** The notation of the play, such as `24/18*\/13` */
  play: string;
  points: Points;
  /** with the cube, points of it for money, or EMG in a match; cubeless, in the unit of the engine's stakes */
  equity: number;
  /** in a match, `equity` as a chance to win the match */
  mwc: number | null;
  /** the equity of `probabilities` if nobody turns the cube any more; null where `equity` is cubeless */
  cubeless_equity: number | null;
  /** the best play's equity less this one, at least 0. If only the best play was rolled out, the loss comes from the search */
  loss: number;
  /** Whether `equity` is the value of best play to `depth` */
  exact: boolean;
  /** the source of `equity` */
  kind: "exact" | "bounded" | "shallow" | "static" | "rollout";
  /** plies of the search that gave `equity` and `probabilities`; see `Engine`. 1 for static ones */
  depth: number;
  /** for a shallow equity, the upper bound that the deeper search has proved; else null */
  bound: number | null;
  probabilities: Probabilities;
  /** whether the question names this play */
  named: boolean;
  /** the rollout of a level from this play, or null */
  rollout: Sample | null;
}

/** A change of the library */
export interface Changed {
  /** how many matches were changed or removed */
  matches: number;
}

/** A decision that a player made */
export interface Choice {
  /** the number of the game in the match, from 0 on */
  game: number;
  /** the number of the action in the game, from 0 on */
  action: number;
  /** the player who made the choice, 0 or 1 */
  player: number;
  /** the kind of the choice */
  kind: "play" | "no double" | "double" | "take" | "pass";
  /** the position; for an answer, with the double on offer */
  xgid: string;
  /** the choice that was made, in words or as a play */
  made: string;
  /** the best choice */
  best: string;
  /** the lost equity, 0 or more */
  error: number;
  /** the loss as a chance to win the match, or for money in points */
  cost: number;
  /** whether the choice is a decision by XG's rule, which PR uses */
  counted: boolean;
  /** whether the choice is a decision by GNU Backgammon's rule: an unforced play, a double, an answer, or no double if a double would not cost much */
  active: boolean;
  /** plies of the analysis */
  depth: number;
  /** the equities of a choice about the cube */
  values: CubeValues | null;
  /** for a choice about the cube, the cubeless chances of the player on roll */
  chances: Probabilities | null;
  /** for a play, the best plays, the best first, and the play that was made */
  plays: ReviewedPlay[];
  /** the rollout of the decision, if there is one. It changes no other field */
  rollout: RolledChoice | null;
  /** the program and its level, such as `XG Roller+`, if a file's analysis was taken */
  level: string;
  /** the analysis in the match file */
  stored: StoredAnalysis | null;
  /** the value of the game to the first player after the choice, by our analysis: a chance to win the match, or points */
  game_value: number;
  /** what an error gave away */
  explanation: string;
  /** what the decision is about */
  themes: string[];
  /** the mark and the comment in the match file */
  remark: string;
}

/** A decision about the cube, before the roll of the player on roll */
export interface Cube {
  no_double: CubeValue;
  /** the value of a double that is taken, before any beaver; null where the player may not double, or cannot gain by it */
  double_take: CubeValue | null;
  /** the value of a double that is passed, or null */
  double_pass: CubeValue | null;
  /** The right action of the player on roll */
  action: "no double" | "double" | "too good to double";
  /** The opponent's right answer to a double; null if no double is possible */
  answer: "take" | "pass" | "beaver" | null;
  /** The right decisions of both players, such as "redouble, take" */
  verdict: string;
  /** The equity of doubling less the equity of rolling; null if no double is possible */
  gain: number | null;
  /** Whether the wrong choice between doubling and rolling loses less than 0.02 */
  close: boolean;
  /** The equity that the opponent loses by the wrong answer to a double; or null */
  answer_gain: number | null;
  /** Whether the wrong answer to a double loses less than 0.02 */
  answer_close: boolean;
  /** the confidence, by the rollout, that the decision to double and the answer to the double are both right: the smaller of both. null without a rollout */
  confidence: number | null;
}

/** The decision about the cube at a score */
export interface CubeAtScore {
  /** the points that the player on roll and the opponent still need */
  away: [number, number];
  cube: Cube;
}

/** The engine doubles, takes or beavers */
export interface CubeTurned {
  /** the action */
  action: "double" | "take" | "beaver";
  position: Position;
}

/** The value of a cube action to the player on roll */
export interface CubeValue {
  /** for money, in points of the cube before a double. In a match EMG: losing the game at that cube is -1, winning it +1 */
  equity: number;
  /** the chance to win the match, null for money */
  mwc: number | null;
  /** the source of `equity` */
  kind: "exact" | "bounded" | "shallow" | "static" | "rollout";
  /** the standard error of a rollout's equity, else null */
  error: number | null;
}

/** Equities to the player on roll: of no double, of double and take, of double and pass */
export interface CubeValues {
  no_double: number;
  double_take: number;
  double_pass: number;
}

/** A decision about the cube, before the roll of the player on roll */
export interface Decision {
  id?: QueryId;
  /** for a query in a line: a deeper answer follows */
  interim?: boolean;
  /** for a query: it was ended early */
  terminated?: boolean;
  schema_version: SchemaVersion;
  /** GNU Backgammon's Position ID */
  position_id: string;
  /** GNU Backgammon's Match ID */
  match_id: string;
  /** The XGID, with its prefix */
  xgid: string;
  /** The OGID, with its prefix */
  ogid: string;
  dice: null;
  /** plies as an `Engine` counts them: one more than were searched; 1 without a search */
  depth: number;
  /** the algorithm of the search, or null */
  algorithm: string | null;
  /** the level that rolls out a close decision, or null */
  level: string | null;
  payoffs: null;
  cubeful: boolean;
  terms: Terms;
  notes: string[];
  cube: Cube;
  /** The equity of the position with the right decisions of both players */
  equity: number;
  /** The chance to win the match with the right decisions of both; null for money */
  mwc: number | null;
  probabilities: Probabilities;
  /** the work of the search; null if the values are static or from exact tables */
  stats: Stats | null;
  /** wall time of the search */
  seconds: number;
}

/** Rolls of a seed */
export interface Dice {
  /** the seed of the dice */
  seed: number;
  /** the number of the first roll */
  begin: number;
  /** rolls such as `31`; the first digit is the die of the first player, or the left die */
  dice: string[];
}

/** The judgement of an answer to a card */
export interface DrillAnswer {
  /** 1 for a wrong answer, 2 for a small error, 3 for a right answer */
  grade: number;
  /** the right number, if the card asks for a number */
  right: number | null;
  /** the decision and the best one, if the card asks for a decision */
  choice: StudiedChoice | null;
  /** days until the card comes again */
  days: number;
}

/** A card of a drill */
export interface DrillCard {
  /** what the card asks for: `play`, `double`, `take`, `pips` or `epc` */
  ask: string;
  /** the position; if the card asks for a take, with the double on offer */
  xgid: string;
  /** the deck that the card comes from */
  deck: string;
  /** a text to be shown after the answer */
  note: string;
  /** the question of the card in words */
  question: string;
  /** how many cards are due now */
  due: number;
  /** how many cards were answered today and are not due again */
  today: number;
}

/** A player before and after the day on which a theme was first drilled */
export interface DrillProgress {
  schema_version: SchemaVersion;
  /** the player */
  player: string;
  /** the theme, phase or kind of the decisions */
  name: string;
  /** the first day that counts as after */
  day: string;
  before: Period;
  after: Period;
  /** the change of the avoidable loss in units of PR, negative if the player became better; null if a side has too few decisions */
  change: Interval | null;
  /** the same change in all other decisions: what the theme's change is to be compared with */
  elsewhere: Interval | null;
}

/** An error */
export interface ErrorBody {
  /** the code, for programs */
  code: "invalid_request" | "invalid_position" | "invalid_position_id" | "invalid_play" | "not_found" | "method_not_allowed" | "forbidden_host" | "forbidden_origin" | "too_large" | "unsupported" | "busy" | "timeout" | "internal";
  /** a line for people */
  message: string;
  /** the parameter or the entry of the body that is wrong, if it is one */
  field?: string;
}

/** Some choices and what they cost */
export interface ErrorSums {
  /** how many choices there are, forced and clear ones included */
  choices: number;
  /** how many are decisions by XG's rule */
  counted: number;
  /** how many are decisions by GNU Backgammon's rule */
  active: number;
  /** how many lost 0.001 or more */
  wrong: number;
  /** the sum of the lost equities */
  error: number;
  /** the loss as chances to win the match, or for money in points */
  cost: number;
  /** how many were doubtful, bad and very bad */
  marks: [number, number, number];
  /** the performance rating: 500 times the mean error of counted decisions */
  pr: number | null;
  /** GNU Backgammon's rate: 1000 times the mean error of active decisions */
  rate: number | null;
}

/** A mean of trials */
export interface Estimate {
  /** the mean; nan without trials */
  mean: number | null;
  /** its standard error; nan without trials */
  error: number | null;
}

/** A figure of both players, as text */
export interface Figure {
  /** the name of the figure */
  name: string;
  /** whether the figure is a part of the one above */
  part: boolean;
  /** the figures of both players */
  values: [string, string];
}

/** The end of a game */
export interface GameEnd {
  /** the seat of the player who wins the game */
  winner: 1 | -1;
  /** 1, 2 or 3, without the cube */
  points: number;
  /** the points, including the cube */
  scored: number;
}

/** The decisions of a group */
export interface Group {
  /** the name of the group */
  name: string;
  /** how many matches there are */
  matches: number;
  /** the performance rating; null without decisions, or if the group has only errors */
  pr: number | null;
  /** the PR with its 95 % confidence interval, from its variation between matches; null with fewer than three matches, or if the group has only errors */
  interval: Interval | null;
  /** XG's class of the PR, or null */
  pr_class: string | null;
  /** how many choices there are, forced and clear ones included */
  choices: number;
  /** how many are decisions by XG's rule */
  counted: number;
  /** how many are decisions by GNU Backgammon's rule */
  active: number;
  /** how many lost 0.001 or more */
  wrong: number;
  /** how many lost 0.06 or more */
  bad: number;
  /** the sum of the lost equities */
  error: number;
  /** the loss as chances to win the match, or for money in points */
  cost: number;
  /** the luck of the player's rolls, as equities; null if the group has only a part of the decisions, decisions of both sides, or an analysis without luck */
  luck: number | null;
  /** how many matches the player won, or money sessions with a gain; null if no match was finished, or the group has only a part of the decisions, or decisions of both sides */
  won: number | null;
  /** if the group has only errors, such as wrong doubles, the number of decisions of that kind; else null */
  decisions: number | null;
  /** the plays; null if the group has only a part of the decisions */
  plays: GroupPart | null;
  /** the decisions to double or not */
  doubles: GroupPart | null;
  /** the decisions to take or to pass */
  takes: GroupPart | null;
}

/** The plays, the doubles or the takes of a group */
export interface GroupPart {
  /** the performance rating; null without decisions */
  pr: number | null;
  /** the PR with its 95 % confidence interval, from its variation between matches; null with fewer than three matches */
  interval: Interval | null;
  /** how many count as decisions */
  counted: number;
  /** how many lost 0.001 or more */
  wrong: number;
  /** how many lost 0.06 or more */
  bad: number;
  /** the sum of the lost equities */
  error: number;
}

/** The state of the server, and its limits */
export interface Health {
  /** always `ok` */
  status: "ok";
  /** the version of gammon */
  version: string;
  /** the network that plays */
  model: string;
  /** whether the engine is ready, so that answers come at once */
  compiled: boolean;
  /** the most plies of a search */
  depth: number;
  /** the most seconds of a search */
  seconds: number;
  /** how many long searches can run at the same time */
  searches: number;
  /** how many long searches run or wait now */
  searching: number;
  /** whether the server has a library of matches */
  library: boolean;
  /** whether requests may add matches to it, remove them and rename players */
  editable: boolean;
}

/** A figure with its 95 % confidence interval */
export interface Interval {
  /** the figure */
  value: number;
  /** the lower end of the interval */
  low: number;
  /** the upper end */
  high: number;
}

/** A play of a roll */
export interface LegalPlay {
  /** the play as people write it */
  notation: string;
  points: Points;
  /** the position after the play, before the opponent's roll */
  xgid: string;
}

/** Errors of a library */
export interface LibraryErrors {
  /** how many errors the selection has */
  count: number;
  /** the equity that all these errors lost */
  total_error: number;
  /** the decisions of the largest errors */
  choices: StudiedChoice[];
}

/** A match of a list */
export interface ListedMatch {
  /** the number of the match in the library */
  match: number;
  /** the digest that identifies the match in all libraries */
  digest: string;
  /** the day, such as 2026-11-22, or null */
  played: string | null;
  /** the event, or an empty text */
  event: string;
  /** points of the match, 0 for money */
  length: number;
  /** the number of games */
  games: number;
  /** the names of both players; the selected player comes first, else side 0 */
  players: [string, string];
  /** the PR of both players; null without decisions that count */
  prs: [number | null, number | null];
  /** the numbers of decisions of both players that count */
  decisions: [number, number];
  /** whether the first player won, or for money gained; null if the end is not known */
  won: boolean | null;
  /** who analyzed the match, and how deep */
  analysis: string;
  /** the file that the match came from */
  file: string;
  /** the time at which the match was added, in UTC */
  added: string;
}

/** The luck of a roll */
export interface Luck {
  /** as in `Choice` */
  game: number;
  /** as in `Choice` */
  action: number;
  /** the player who rolled, 0 or 1 */
  player: number;
  /** the equity after the roll minus the mean over all rolls */
  equity: number;
  /** the luck as a chance to win the match, or for money in points */
  value: number;
}

export interface Match {
  length?: number;
  names?: [string, string];
  /** such as 2026.11.22 */
  date?: string;
  games: ({ score?: [number, number]; crawford?: boolean; jacoby?: boolean; cube?: boolean; winner?: number | null; points?: number; actions: ({ player: 0 | 1; dice?: string; play?: string; do?: "double" | "take" | "pass" | "resign"; points?: number })[] })[];
}

/** Matches of a library, in the order of their days, then as they were added */
export interface MatchList {
  schema_version: SchemaVersion;
  /** the last matches; matches without a day come first */
  matches: ListedMatch[];
  /** how many matches the selection has */
  number: number;
}

/** The score of a match after some games, and the beginning of the next game */
export interface MatchScore {
  /** the points of the bottom and of the top player, at most the length of the match */
  score: [number, number];
  /** the next game is the Crawford game */
  crawford: boolean;
  /** the XGID before its first roll, with the bottom player on roll; null if the match is over */
  opening: string | null;
}

/** A note on a position, or a remark in a match file */
export interface Note {
  /** the position */
  xgid: string;
  /** the note, or the remark */
  text: string;
  /** the tags of the position; none of a remark */
  tags: string[];
  /** what the position is about; of a remark, what the decision is about */
  themes: string[];
  /** the time of the last change in UTC; null of a remark */
  changed: string | null;
  /** the number of the match whose file has the remark; null of a note */
  match: number | null;
  /** the number of the game, from 1 on; null of a note */
  game: number | null;
}

/** Notes and remarks */
export interface NoteList {
  /** the notes, the last changed first, then the remarks */
  notes: Note[];
}

/** The payoff of each result to one player in a game without the cube; the other pays it */
export interface Payoffs {
  win: number;
  win_gammon: number;
  win_backgammon: number;
  lose: number;
  lose_gammon: number;
  lose_backgammon: number;
}

/** A player's decisions of a selection in some matches */
export interface Period {
  /** how many matches have such decisions */
  matches: number;
  /** how many decisions count */
  decisions: number;
  /** the PR; null with fewer than 30 decisions or 3 matches */
  pr: Interval | null;
}

/** The study plan of a player */
export interface Plan {
  schema_version: SchemaVersion;
  /** the player */
  player: string;
  /** how many matches there are */
  matches: number;
  /** "match" or "money": which of them count, and whose units the themes have. Sessions for money are left out if there are matches */
  unit: string;
  /** first the themes whose intervals are above 0, then the others, then those with too few errors; each time the one with the most to win back first. A decision can have several themes */
  themes: PlannedTheme[];
  /** the biases */
  biases: Bias[];
}

/** A theme of a plan, or the doubles, or the takes */
export interface PlannedTheme {
  /** the name of the theme; `doubles` or `takes` */
  name: string;
  /** how many decisions count */
  decisions: number;
  /** how many decisions lost 0.001 or more */
  errors: number;
  /** the avoidable losses per match, as chances to win the match or for money in points; null with fewer than 5 errors or 3 matches */
  recoverable: Interval | null;
}

/** The best plays of a roll by score: `scores` is the grid, `named` has the named scores */
export interface PlayGrid {
  id?: QueryId;
  /** for a query in a line: a deeper answer follows */
  interim?: boolean;
  /** for a query: it was ended early */
  terminated?: boolean;
  schema_version: SchemaVersion;
  /** GNU Backgammon's Position ID */
  position_id: string;
  /** GNU Backgammon's Match ID */
  match_id: string;
  /** The XGID, with its prefix */
  xgid: string;
  /** The OGID, with its prefix */
  ogid: string;
  dice: string | null;
  /** The plies of the answers; the fewest if a time limit reduced some */
  depth: number;
  /** The algorithm of the searches, or null where there was no search */
  algorithm: string | null;
  /** The level that rolls out close choices, or null */
  level: string | null;
  payoffs: null;
  cubeful: boolean;
  terms: null;
  notes: string[];
  scores: AtScore[];
  /** The best play, and the best play for money if it is another one */
  named: Record<string, Candidate[]>;
  seconds: number;
}

/** All plays of a roll, in the order of their equities; static ones come last */
export interface Plays {
  id?: QueryId;
  /** for a query in a line: a deeper answer follows */
  interim?: boolean;
  /** for a query: it was ended early */
  terminated?: boolean;
  schema_version: SchemaVersion;
  /** GNU Backgammon's Position ID */
  position_id: string;
  /** GNU Backgammon's Match ID */
  match_id: string;
  /** The XGID, with its prefix */
  xgid: string;
  /** The OGID, with its prefix */
  ogid: string;
  dice: string;
  /** The plies of the best play's search; a time limit may have reduced them */
  depth: number;
  /** the algorithm of the search; null if exact tables have the values */
  algorithm: string | null;
  /** the level that rolls out close plays, or null */
  level: string | null;
  /** the payoffs of the results to the player on roll; null with the cube */
  payoffs: Payoffs | null;
  cubeful: boolean;
  /** score, cube and rules, seen from that player; null for a cubeless answer */
  terms: Terms | null;
  notes: string[];
  /** see `Candidate` */
  candidates: Candidate[];
  /** The confidence, by the rollout, that the best play is really best; or null */
  confidence: number | null;
  stats: Stats;
  /** wall time */
  seconds: number;
}

export type Points = number[];

/** A position as the page needs it, for the player on roll */
export interface Position {
  points: Points;
  /** the roll, such as `31` */
  dice: string | null;
  /** the position as eXtreme Gammon writes it */
  xgid: string;
  /** the position as OpenGammon writes it */
  ogid: string;
  /** the checkers as GNU Backgammon writes them */
  position_id: string;
  /** the rest of the position as GNU Backgammon writes it */
  match_id: string;
  terms: Terms;
  /** the pip counts of both players */
  pips: [number, number];
  /** a double is on offer, and the position asks for a take or a pass */
  doubled: boolean;
  /** the seat of the player on roll */
  turn: 1 | -1;
  /** the end of the game; null if the game goes on */
  over: GameEnd | null;
  /** the player on roll may double now */
  may_double: boolean;
  /** the XGID with a double on offer, if the player on roll may double */
  after_double: string | null;
  /** the XGID after a take, if a double is on offer */
  after_take: string | null;
  /** the end of the game by a pass, if a double is on offer */
  after_pass: GameEnd | null;
  /** the legal plays of the roll */
  plays: LegalPlay[] | null;
  /** for each node the steps [from, to, die, node]; 25 is the bar, 0 is off; node 0 is the position before the play */
  steps: [number, number, number, number][][] | null;
  /** the nodes without steps, with the index of their play */
  ends: Record<string, number> | null;
}

/** Five cumulative probabilities of a cubeless game, seen from one player */
export interface Probabilities {
  win: number;
  win_gammon: number;
  win_backgammon: number;
  lose_gammon: number;
  lose_backgammon: number;
}

/** The progress of a review */
export interface Progress {
  /** how many decisions this pass has analyzed */
  done: number;
  /** how many decisions there are */
  total: number;
  /** plies of the pass; a deep review begins with a quick pass */
  depth: number;
}

/** the id of a query in a line; only in its answers */
export type QueryId = string | number | null;

/** The answer to a resignation */
export interface Resigned {
  /** the engine accepts the resignation */
  accept: boolean;
  won: GameEnd;
}

/** A match with the cost of each choice and the luck of each roll. Its `str` is a table */
export interface Review {
  schema_version: SchemaVersion;
  players: [ReviewedPlayer, ReviewedPlayer];
  figures: Figure[];
  units: string;
  /** points of the match, 0 for money */
  length: number;
  /** other facts in the file; facts of the same name are lines of one text */
  details: Record<string, string>;
  /** what had to be repaired or left out of the file, one line each */
  warnings: string[];
  /** Remarks on the figures: what is missing, and where PR has no meaning */
  notes: string[];
  /** plies of the analysis */
  depth: number;
  /** the level whose rollouts settled close choices, or null */
  level: string | null;
  /** how many decisions are not analyzed to this depth, as the time was over. They have a quicker analysis, or are not among the choices */
  unfinished: number;
  games: ReviewedGame[];
  /** the program that made the stored analysis, and its version; empty without one */
  stored_by: string;
  choices: Choice[];
  /** the luck of all rolls, in order */
  rolls: Luck[];
}

/** A game of the match, and the figures of both players in it */
export interface ReviewedGame {
  /** the points of A and B before the game */
  score: [number, number];
  /** whether the game is the Crawford game */
  crawford: boolean;
  /** whether gammons count only after the cube is turned (money) */
  jacoby: boolean;
  /** 0 or 1, or null if the winner is not known */
  winner: number | null;
  /** the points that the winner got, including the cube; 0 if they are not known */
  points: number;
  players: [Totals, Totals];
}

/** A play of a roll, with its analysis */
export interface ReviewedPlay {
  /** the play in our notation */
  play: string;
  /** the equity to the player who makes it; for the only play of a roll, at depth 1 */
  equity: number;
  probabilities: Probabilities;
  /** the program and its level, such as `XG Roller+`, if a file's analysis was taken */
  level: string;
}

/** A player in the match; results are changes of the chance to win it, or points */
export interface ReviewedPlayer {
  name: string;
  /** The performance rating: 500 times the mean error of counted decisions */
  pr: number | null;
  /** XG's class of the PR; null for few decisions, or if all were the review's own */
  pr_class: string | null;
  /** The Snowie error rate: 1000 times the error per roll of either player */
  snowie_rate: number | null;
  /** GNU Backgammon's word for its rate of all decisions; null for few decisions */
  rating: string | null;
  all: ErrorSums;
  plays: ErrorSums;
  cube: ErrorSums;
  doubles: ErrorSums;
  takes: ErrorSums;
  /** the choices of each kind */
  kinds: Record<string, ErrorSums>;
  /** the luck of the player's rolls, as equities */
  luck: number;
  /** the luck as a chance to win the match, or for money in points */
  luck_value: number;
  result: number | null;
  luck_adjusted_result: number | null;
}

/** The best play of a roll */
export interface Roll {
  /** the roll, such as `31` */
  dice: string;
  /** the chance of the roll */
  probability: number;
  /** The notation of the play, such as `24/18*\/13` */
  play: string;
  points: Points;
  /** with the cube, points of it for money, or EMG in a match; cubeless, in the unit of the engine's stakes */
  equity: number;
  /** in a match, `equity` as a chance to win the match */
  mwc: number | null;
  /** the equity of `probabilities` if nobody turns the cube any more; null where `equity` is cubeless */
  cubeless_equity: number | null;
  /** the best play's equity less this one, at least 0. If only the best play was rolled out, the loss comes from the search */
  loss: number;
  /** Whether `equity` is the value of best play to `depth` */
  exact: boolean;
  /** the source of `equity` */
  kind: "exact" | "bounded" | "shallow" | "static" | "rollout";
  /** plies of the search that gave `equity` and `probabilities`; see `Engine`. 1 for static ones */
  depth: number;
  /** for a shallow equity, the upper bound that the deeper search has proved; else null */
  bound: number | null;
  probabilities: Probabilities;
  /** whether the question names this play */
  named: boolean;
  /** the rollout of a level from this play, or null */
  rollout: Sample | null;
}

/** The engine plays a roll */
export interface RollPlayed {
  /** the action */
  action: "play";
  /** the play as people write it */
  notation: string;
  /** the moves [from, to] */
  steps: [number, number][];
  /** the position after the play, for the opponent */
  xgid: string;
  position: Position;
}

/** A candidate of a rollout, with its value to the player who decides */
export interface RolledCandidate {
  /** the play, `No double`, `Double, take`, or `Before the roll` */
  name: string;
  /** 26 counts after the play, still seen from the player who made it */
  points: Points | null;
  /** the mean over the trials, in the unit of `Candidate.equity` */
  equity: number;
  /** the standard error of the equity */
  error: number | null;
  /** The bounds of the 95 % confidence interval of the equity */
  interval: [number | null, number | null];
  /** the equity of the best candidate, or of the right decision about the cube, less this equity, over the trials that both had; at least 0 */
  loss: number;
  /** the same loss in standard errors of the difference; at least 0. With fewer than 324 trials it is rough */
  jsd: number | null;
  /** Whether this candidate may be the best one, at 95 % confidence */
  may_be_best: boolean;
  /** in a match with the cube, the chance to win the match */
  mwc: number | null;
  /** the standard error of `mwc` */
  mwc_error: number | null;
  unadjusted: Estimate;
  probabilities: Probabilities;
  /** the number of games */
  trials: number;
  /** whether the candidate was dropped because it was far behind */
  dropped: boolean;
}

/** A decision that was rolled out */
export interface RolledChoice {
  /** games of the best candidate */
  trials: number;
  /** plies of the search that plays the games */
  depth: number;
  /** the plays, the best first; or no double, then double and take */
  candidates: RolledPlay[];
  /** the right cube actions in words; empty for a play */
  verdict: string;
}

/** The engine rolls, or passes a double */
export interface RolledOrPassed {
  action: "roll" | "pass";
}

/** A candidate of a rollout: a play, `No double`, or `Double, take` */
export interface RolledPlay {
  /** the name of the candidate */
  name: string;
  /** the mean of its games, to the player on roll */
  equity: number;
  /** the standard error of the mean */
  error: number;
  /** the equity of the best candidate minus this equity */
  loss: number;
  /** the standard error of the loss, from the games that both candidates played; 0 for the best candidate, null if the games do not suffice */
  loss_error: number | null;
  /** the number of games */
  trials: number;
  probabilities: Probabilities;
}

/** The candidates of a decision, best first, with the means of games played from them */
export interface Rollout {
  schema_version: SchemaVersion;
  /** GNU Backgammon's Position ID */
  position_id: string;
  /** GNU Backgammon's Match ID */
  match_id: string;
  /** The XGID, with its prefix */
  xgid: string;
  /** The OGID, with its prefix */
  ogid: string;
  dice: string | null;
  /** the payoffs of the results to the player; null with the cube */
  payoffs: Payoffs | null;
  cubeful: boolean;
  /** score, cube and rules, seen from the player; null for a cubeless rollout */
  terms: Terms | null;
  notes: string[];
  settings: Record<string, unknown>;
  /** see `RolledCandidate`. Dropped candidates come last. In a decision about the cube the order is no double, then double and take */
  candidates: RolledCandidate[];
  /** for a decision about the cube, the decision by these means; else null */
  cube: Cube | null;
  /** The equity of the best candidate, or of the right decision about the cube */
  equity: number;
  /** the trials of the best candidate */
  trials: number;
  /** the games of all candidates */
  games: number;
  /** the turns of all games */
  turns: number;
  /** whether all requested trials were played */
  complete: boolean;
  /** wall time */
  seconds: number;
}

/** The best play of each of the 21 rolls */
export interface Rolls {
  id?: QueryId;
  /** for a query in a line: a deeper answer follows */
  interim?: boolean;
  /** for a query: it was ended early */
  terminated?: boolean;
  schema_version: SchemaVersion;
  /** GNU Backgammon's Position ID */
  position_id: string;
  /** GNU Backgammon's Match ID */
  match_id: string;
  /** The XGID, with its prefix */
  xgid: string;
  /** The OGID, with its prefix */
  ogid: string;
  dice: null;
  /** The plies of the least deep search of a roll */
  depth: number;
  /** The algorithm of the searches; null if exact tables have the values */
  algorithm: string | null;
  /** The level that rolls out close plays, or null */
  level: string | null;
  /** The payoffs of the results to the player on roll; null with the cube */
  payoffs: Payoffs | null;
  cubeful: boolean;
  /** Score, cube and rules; null for a cubeless answer */
  terms: Terms | null;
  notes: string[];
  /** The mean over the rolls of the best play's equity */
  equity: number;
  probabilities: Probabilities;
  rolls: Roll[];
  stats: Stats;
  /** wall time */
  seconds: number;
}

/** The size and errors of the rollout behind an equity */
export interface Sample {
  /** the standard error of the equity */
  error: number | null;
  /** the lead of the best candidate over this one, in standard errors of the difference; 0 for the best candidate */
  jsd: number | null;
  /** the number of games */
  trials: number;
}

/** the version of the schemas of all answers; docs/python.md */
export type SchemaVersion = 2;

/** Cube decisions by score: `scores` is the grid, `named` has the named scores and the owners of the cube */
export interface ScoreGrid {
  id?: QueryId;
  /** for a query in a line: a deeper answer follows */
  interim?: boolean;
  /** for a query: it was ended early */
  terminated?: boolean;
  schema_version: SchemaVersion;
  /** GNU Backgammon's Position ID */
  position_id: string;
  /** GNU Backgammon's Match ID */
  match_id: string;
  /** The XGID, with its prefix */
  xgid: string;
  /** The OGID, with its prefix */
  ogid: string;
  dice: null;
  /** The plies of the answers; the fewest if a time limit reduced some */
  depth: number;
  /** The algorithm of the searches, or null where there was no search */
  algorithm: string | null;
  /** The level that rolls out close choices, or null */
  level: string | null;
  payoffs: null;
  cubeful: boolean;
  terms: null;
  notes: string[];
  scores: CubeAtScore[];
  named: Record<string, Cube>;
  seconds: number;
}

export interface SetUp {
  /** a pasted text that contains an ID */
  text?: string;
  points?: Points;
  dice?: string | null;
  /** the schema Terms, with any of its entries */
  terms?: Record<string, unknown>;
  turn?: 1 | -1;
  doubled?: boolean;
}

/** The decisions of a library in groups */
export interface Statistics {
  schema_version: SchemaVersion;
  /** the kind of groups */
  by: string;
  /** the figures of the groups */
  groups: Group[];
  /** the same matches, grouped by who analyzed them */
  analyses: Group[];
}

/** The work of a search, over all its passes */
export interface Stats {
  /** chance nodes expanded, in probes too. A node that is searched twice (after an unsuccessful probe, say) counts twice */
  nodes: number;
  /** values at which lines ended: static values used before a cutoff, and payoffs of finished games. This is the count in the literature */
  leaves: number;
  /** states that the leaf evaluator valued: leaves, siblings that a cutoff skipped, and states valued to order successors */
  evaluations: number;
  /** probing phases begun. `probe_cuts / probes` is the probe efficiency of Hauk, Buro and Schaeffer */
  probes: number;
  /** probing phases that ended in a cutoff (always at beta) */
  probe_cuts: number;
  /** cutoffs of chance nodes in the search phase, at alpha and at beta */
  search_cuts: number;
  /** chance nodes settled by the transposition table */
  table_hits: number;
}

/** The analysis of an action that a file holds */
export interface StoredAnalysis {
  /** the plays of a roll, the best first; empty if the file has none */
  plays: StoredPlay[];
  /** the decision about the cube before a roll, or the decision that the action belongs to */
  cube: StoredCube | null;
  /** the luck of a roll, as an equity */
  luck: number | null;
}

/** A decision about the cube; both equities are to the player who may double */
export interface StoredCube {
  /** the equity of no double */
  no_double: number;
  /** the equity of double and take. Double and pass is 1 */
  double_take: number;
  /** as in `StoredPlay` */
  level: string;
  probabilities: Probabilities;
}

/** A play of a roll */
export interface StoredPlay {
  /** the play in our notation */
  play: string;
  /** the equity to the player who makes the play */
  equity: number;
  /** the program's level of analysis, in its own words, such as `2-ply` */
  level: string;
  probabilities: Probabilities;
}

/** A decision of a library, with the analysis of its review */
export interface StudiedChoice {
  /** the number of the game in the match, from 0 on */
  game: number;
  /** the number of the action in the game, from 0 on */
  action: number;
  /** the player who made the choice, 0 or 1 */
  player: number;
  /** the kind of the choice */
  kind: "play" | "no double" | "double" | "take" | "pass";
  /** the position; for an answer, with the double on offer */
  xgid: string;
  /** the choice that was made, in words or as a play */
  made: string;
  /** the best choice */
  best: string;
  /** the lost equity, 0 or more */
  error: number;
  /** the loss as a chance to win the match, or for money in points */
  cost: number;
  /** whether the choice is a decision by XG's rule, which PR uses */
  counted: boolean;
  /** whether the choice is a decision by GNU Backgammon's rule: an unforced play, a double, an answer, or no double if a double would not cost much */
  active: boolean;
  /** plies of the analysis */
  depth: number;
  /** the equities of a choice about the cube */
  values: CubeValues | null;
  /** for a choice about the cube, the cubeless chances of the player on roll */
  chances: Probabilities | null;
  /** for a play, the best plays, the best first, and the play that was made */
  plays: ReviewedPlay[];
  /** the rollout of the decision, if there is one. It changes no other field */
  rollout: RolledChoice | null;
  /** the program and its level, such as `XG Roller+`, if a file's analysis was taken */
  level: string;
  /** what an error gave away */
  explanation: string;
  /** what the decision is about */
  themes: string[];
  /** the names of the players, side 0 first */
  names: [string, string];
  /** the match and the game, in words */
  source: string;
  /** the mark and the comment in the match file */
  remark: string;
}

/** The terms of a game as the player on roll sees them. The default is money with a centred cube */
export interface Terms {
  /** points of the match, 0 for money */
  length: number;
  /** the points that the player on roll and the opponent still need; (0, 0) for money */
  away: [number, number];
  /** whether this is the Crawford game */
  crawford: boolean;
  /** the value of the cube, 1, 2, 4, ... 64 */
  cube: number;
  /** the owner of the cube: 1 the player on roll, -1 the opponent, 0 nobody */
  owner: number;
  /** whether gammons count only after the cube is turned (money) */
  jacoby: boolean;
  /** whether a double can be redoubled at once (money) */
  beavers: boolean;
}

/** The choices of a player in a match, or in a game of it */
export interface Totals {
  /** The performance rating: 500 times the mean error of counted decisions */
  pr: number | null;
  /** XG's class of the PR; null for few decisions, or if all were the review's own */
  pr_class: string | null;
  /** The Snowie error rate: 1000 times the error per roll of either player */
  snowie_rate: number | null;
  /** GNU Backgammon's word for its rate of all decisions; null for few decisions */
  rating: string | null;
  all: ErrorSums;
  plays: ErrorSums;
  cube: ErrorSums;
  doubles: ErrorSums;
  takes: ErrorSums;
  /** the choices of each kind */
  kinds: Record<string, ErrorSums>;
  /** the luck of the player's rolls, as equities */
  luck: number;
  /** the luck as a chance to win the match, or for money in points */
  luck_value: number;
}

/** The PR of a match, and of the last ten matches up to it */
export interface Trend {
  /** the number of the match in the library */
  match: number;
  /** the day, or null */
  played: string | null;
  /** the PR of this match; null if no decision counts */
  pr: number | null;
  /** the PR of the last ten matches */
  mean: number | null;
}

export type Turn = RolledOrPassed | CubeTurned | RollPlayed;

/** By the path, the parameters of a GET and its answer */
export interface Gets {
  position: { parameters: { id: string; dice?: string }; answer: Position };
  analyze: { parameters: { id: string; dice?: string; depth?: 1 | 3 | 5 | 7 | 9; level?: "1" | "3" | "5" | "7" | "9" | "roller" | "roller+"; strength?: number; top?: number; play?: string[]; noise_seed?: number; max_seconds?: number; filter?: "tiny" | "narrow" | "normal" | "large" | "huge"; match?: number; score?: string; crawford?: boolean; jacoby?: boolean; beavers?: boolean; cube?: number; owner?: "roller" | "centre" | "opponent"; cubeless?: boolean; stakes?: string; rolls?: boolean; scores?: number; owners?: boolean }; answer: Answer };
  rolls: { parameters: { id: string; depth?: 1 | 3 | 5 | 7 | 9; level?: "1" | "3" | "5" | "7" | "9" | "roller" | "roller+"; strength?: number; noise_seed?: number; max_seconds?: number; filter?: "tiny" | "narrow" | "normal" | "large" | "huge"; match?: number; score?: string; crawford?: boolean; jacoby?: boolean; beavers?: boolean; cube?: number; owner?: "roller" | "centre" | "opponent"; cubeless?: boolean; stakes?: string }; answer: Rolls };
  turn: { parameters: { id: string; dice?: string; depth?: 1 | 3 | 5 | 7 | 9; level?: "1" | "3" | "5" | "7" | "9" | "roller" | "roller+"; strength?: number; noise_seed?: number }; answer: Turn };
  resign: { parameters: { id: string; dice?: string; depth?: 1 | 3 | 5 | 7 | 9; points?: number }; answer: Resigned };
  dice: { parameters: { seed?: number; begin?: number; count?: number }; answer: Dice };
  "study/stats": { parameters: { player?: string; opponent?: string; since?: string; until?: string; length?: number; theme?: "opening" | "blitz" | "prime" | "holding game" | "back game" | "containment" | "race" | "bear-in" | "bear-off" | "hit or not" | "point or slot" | "anchor" | "run" | "too good" | "missed double" | "wrong double" | "wrong take" | "wrong pass" | "gammon go" | "gammon save"; phase?: "opening" | "middle game" | "race" | "bear-off"; kind?: "play" | "no double" | "double" | "take" | "pass" | "cube"; by?: string }; answer: Statistics };
  "study/errors": { parameters: { player?: string; opponent?: string; since?: string; until?: string; length?: number; theme?: "opening" | "blitz" | "prime" | "holding game" | "back game" | "containment" | "race" | "bear-in" | "bear-off" | "hit or not" | "point or slot" | "anchor" | "run" | "too good" | "missed double" | "wrong double" | "wrong take" | "wrong pass" | "gammon go" | "gammon save"; phase?: "opening" | "middle game" | "race" | "bear-off"; kind?: "play" | "no double" | "double" | "take" | "pass" | "cube"; least?: number; most?: number; score?: string; board?: string; begin?: number; count?: number; reviews?: number }; answer: LibraryErrors };
  "study/card": { parameters: { player?: string; opponent?: string; since?: string; until?: string; length?: number; theme?: "opening" | "blitz" | "prime" | "holding game" | "back game" | "containment" | "race" | "bear-in" | "bear-off" | "hit or not" | "point or slot" | "anchor" | "run" | "too good" | "missed double" | "wrong double" | "wrong take" | "wrong pass" | "gammon go" | "gammon save"; phase?: "opening" | "middle game" | "race" | "bear-off"; kind?: "play" | "no double" | "double" | "take" | "pass" | "cube"; least?: number; most?: number; score?: string; board?: string; deck?: string[]; seed?: number; depth?: 1 | 3 | 5 | 7 | 9 }; answer: DrillCard | null };
  "study/trend": { parameters: { player?: string; opponent?: string; since?: string; until?: string; length?: number; theme?: "opening" | "blitz" | "prime" | "holding game" | "back game" | "containment" | "race" | "bear-in" | "bear-off" | "hit or not" | "point or slot" | "anchor" | "run" | "too good" | "missed double" | "wrong double" | "wrong take" | "wrong pass" | "gammon go" | "gammon save"; phase?: "opening" | "middle game" | "race" | "bear-off"; kind?: "play" | "no double" | "double" | "take" | "pass" | "cube" }; answer: Trend[] };
  "study/plan": { parameters: { player?: string; opponent?: string; since?: string; until?: string; length?: number }; answer: Plan };
  "study/progress": { parameters: { player?: string; opponent?: string; since?: string; until?: string; length?: number; theme?: "opening" | "blitz" | "prime" | "holding game" | "back game" | "containment" | "race" | "bear-in" | "bear-off" | "hit or not" | "point or slot" | "anchor" | "run" | "too good" | "missed double" | "wrong double" | "wrong take" | "wrong pass" | "gammon go" | "gammon save"; phase?: "opening" | "middle game" | "race" | "bear-off"; kind?: "play" | "no double" | "double" | "take" | "pass" | "cube"; day?: string }; answer: DrillProgress };
  "study/notes": { parameters: { words?: string; tag?: string; theme?: "opening" | "blitz" | "prime" | "holding game" | "back game" | "containment" | "race" | "bear-in" | "bear-off" | "hit or not" | "point or slot" | "anchor" | "run" | "too good" | "missed double" | "wrong double" | "wrong take" | "wrong pass" | "gammon go" | "gammon save"; board?: string; place?: string }; answer: NoteList };
  "library/matches": { parameters: { player?: string; opponent?: string; since?: string; until?: string; length?: number }; answer: MatchList };
  "library/match": { parameters: { digest: string }; answer: Review };
  health: { parameters: {}; answer: Health };
}

/** By the path, the body of a POST and its answer */
export interface Posts {
  position: { body: SetUp; answer: Position };
  match: { body: Match; answer: string };
  score: { body: { length?: number; jacoby?: boolean; cube?: boolean; won: number[] }; answer: MatchScore };
  "study/answer": { body: { ask: string; xgid: string; deck: string; note: string; answer: string }; answer: DrillAnswer };
  "study/note": { body: { xgid: string; text?: string; tags: string[] }; answer: Note };
  "library/remove": { body: { digest: string }; answer: Changed };
  "library/rename": { body: { player: string; name: string }; answer: Changed };
  getmoves: { body: Record<string, unknown>; answer: BgwebMove[] };
}

/** By the path, the parameters, a body of JSON, and the events of the answer */
export interface Streams {
  "analyze/stream": { parameters: { id: string; dice?: string; depth?: 1 | 3 | 5 | 7 | 9; level?: "1" | "3" | "5" | "7" | "9" | "roller" | "roller+"; strength?: number; top?: number; play?: string[]; noise_seed?: number; max_seconds?: number; filter?: "tiny" | "narrow" | "normal" | "large" | "huge"; match?: number; score?: string; crawford?: boolean; jacoby?: boolean; beavers?: boolean; cube?: number; owner?: "roller" | "centre" | "opponent"; cubeless?: boolean; stakes?: string; rolls?: boolean; scores?: number; owners?: boolean }; events: { answer: Answer; failed: ErrorBody } };
  "rollout/stream": { parameters: { id: string; dice?: string; depth?: 1 | 3 | 5 | 7 | 9; play?: string[]; filter?: "tiny" | "narrow" | "normal" | "large" | "huge"; match?: number; score?: string; crawford?: boolean; jacoby?: boolean; beavers?: boolean; cube?: number; owner?: "roller" | "centre" | "opponent"; cubeless?: boolean; stakes?: string; trials?: number; top?: number; truncate?: number; seed?: number }; events: { progress: Rollout; failed: ErrorBody } };
  review: { parameters: { depth?: 1 | 3 | 5 | 7 | 9; level?: "1" | "3" | "5" | "7" | "9" | "roller" | "roller+"; seed?: number }; events: { progress: Progress; review: Review; failed: ErrorBody } };
  "library/add": { body: { file: string; data: string }; parameters: { depth?: 1 | 3 | 5 | 7 | 9; level?: "1" | "3" | "5" | "7" | "9" | "roller" | "roller+"; seed?: number; again?: boolean }; events: { progress: Progress; added: AddedFile; failed: ErrorBody } };
}
