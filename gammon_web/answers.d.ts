/** What the page asks and is answered. `python scripts/write_openapi.py` writes it. */

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
  /** whether `equity` is exact, shallow, static, or the mean of games */
  kind: "exact" | "shallow" | "static" | "rollout";
  /** plies of the search that gave `equity`; see `Engine`. 1 for a static equity */
  depth: number;
  /** for a shallow equity, the upper bound that the deeper search has proved; else null */
  bound: number | null;
  probabilities: Probabilities;
  /** plies of the search that gave `probabilities` */
  probabilities_depth: number;
  /** whether the question names this play */
  named: boolean;
  /** the rollout of a level from this play, or null */
  games: Sample | null;
}

export interface BgwebMove {
  play: { from: string; to: string }[];
  evaluation?: { info: { cubeful: boolean; plies: number }; eq: number; diff: number; probability: { win: number; winG: number; winBG: number; lose: number; loseG: number; loseBG: number } };
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
  /** whether `equity` is exact, shallow, static, or the mean of games */
  kind: "exact" | "shallow" | "static" | "rollout";
  /** plies of the search that gave `equity`; see `Engine`. 1 for a static equity */
  depth: number;
  /** for a shallow equity, the upper bound that the deeper search has proved; else null */
  bound: number | null;
  probabilities: Probabilities;
  /** plies of the search that gave `probabilities` */
  probabilities_depth: number;
  /** whether the question names this play */
  named: boolean;
  /** the rollout of a level from this play, or null */
  games: Sample | null;
}

/** A decision that a player made */
export interface Choice {
  /** its number in the match, from 0 on */
  game: number;
  /** the number of the action in the game, from 0 on */
  action: number;
  /** 0 or 1, who made it */
  player: number;
  /** what was decided */
  kind: "play" | "no double" | "double" | "take" | "pass";
  /** the position; of an answer, that with the double on offer */
  xgid: string;
  /** the choice, in words or as a play */
  made: string;
  /** the best one */
  best: string;
  /** the equity that was lost, 0 or more */
  error: number;
  /** the same as a chance to win the match, or for money in points */
  cost: number;
  /** whether it is a decision by XG's rule, by which PR goes */
  counted: boolean;
  /** whether it is one by GNU Backgammon's rule: a play that is not forced, a double or the answer to it, and no double where a double would not cost much */
  active: boolean;
  /** plies of the analysis */
  depth: number;
  /** of a choice about the cube */
  values: CubeValues | null;
  /** of a choice about the cube: those of the player on roll, without it */
  chances: Probabilities | null;
  /** of a play: the best ones, the best of all first, and the one that was made */
  plays: ReviewedPlay[];
  /** the decision by games that were played from it, where that was asked for. Nothing else here goes by it */
  rollout: RolledChoice | null;
  /** what the match file says of it */
  stored: StoredAnalysis | null;
  /** what the game is worth to the first player after it, by our analysis: a chance to win the match, or points */
  worth: number;
  /** what an error gave away */
  why: string;
  /** what the decision is about */
  themes: string[];
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
  sure: number | null;
}

/** The decision about the cube at a score */
export interface CubeAtScore {
  /** the points that the player on roll and the opponent still need */
  away: [number, number];
  cube: Cube;
}

/** The engine does something with the cube */
export interface CubeTurned {
  /** the deed */
  action: "double" | "take" | "beaver";
  position: Position;
}

/** The value of a cube action to the player on roll */
export interface CubeValue {
  /** for money, in points of the cube before a double. In a match EMG: losing the game at that cube is -1, winning it +1 */
  equity: number;
  /** the chance to win the match, null for money */
  mwc: number | null;
  /** whether the value is exact, static, or the mean of games */
  kind: "exact" | "shallow" | "static" | "rollout";
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
  /** of a query in a line: a deeper answer follows */
  interim?: boolean;
  /** of a query: it was ended early */
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
  worth: null;
  cubeful: boolean;
  stakes: Stakes;
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
  /** of the dice */
  seed: number;
  /** the number of the first one */
  begin: number;
  /** rolls such as `31`, the die of the first player, or on the left, first */
  dice: string[];
}

/** The worth of an answer to a card */
export interface DrillAnswer {
  /** 1 for a wrong answer, 2 for a small error, 3 for a right one */
  grade: number;
  /** the number that is right, where one is asked for */
  right: number | null;
  /** what was decided, and what is right */
  choice: StudiedChoice | null;
  /** until the card comes again */
  days: number;
}

/** A card of a drill */
export interface DrillCard {
  /** what is asked: `play`, `double`, `take`, `pips` or `epc` */
  ask: string;
  /** the position; where a take is asked for, with the double on offer */
  xgid: string;
  /** that it comes from */
  deck: string;
  /** what is told after the answer */
  note: string;
  /** the same in words */
  question: string;
  /** the cards that are to be answered again now */
  due: number;
  /** those that were answered today, and are not due again */
  today: number;
}

/** An error */
export interface ErrorBody {
  /** for programs */
  code: "invalid_request" | "invalid_position" | "invalid_position_id" | "invalid_play" | "not_found" | "method_not_allowed" | "forbidden_host" | "forbidden_origin" | "too_large" | "unsupported" | "busy" | "timeout" | "internal";
  /** a line for people */
  message: string;
  /** the parameter or the entry of the body that is wrong, where it is one */
  field?: string;
}

/** Some choices and what they cost */
export interface Errors {
  /** how many there are, forced ones and clear ones too */
  choices: number;
  /** those that are decisions by XG's rule */
  counted: number;
  /** those that are decisions by GNU Backgammon's rule */
  active: number;
  /** those that lost .001 or more */
  wrong: number;
  /** the sum of the equities that were lost */
  error: number;
  /** the same as chances to win the match, or for money in points */
  cost: number;
  /** how many were doubtful, bad, very bad */
  marks: [number, number, number];
  /** The performance rating: 500 times the error of a counted decision */
  pr: number | null;
  /** GNU Backgammon's rate: 1000 times the error of an active decision */
  rate: number | null;
}

/** A mean of trials */
export interface Estimate {
  /** the mean */
  mean: number | null;
  /** its standard error; nan without trials */
  error: number | null;
}

/** A figure of both players as people read it */
export interface Figure {
  /** what it is called */
  name: string;
  /** whether it belongs to the figure above */
  part: boolean;
  /** of both */
  values: [string, string];
}

/** The decisions of a group */
export interface Group {
  /** of the group */
  name: string;
  /** how many there are */
  matches: number;
  /** The performance rating; null without decisions, or where all of them are errors */
  pr: number | null;
  /** XG's class of the PR, or null */
  pr_class: string | null;
  /** how many there are, forced ones and clear ones too */
  choices: number;
  /** those that are decisions by XG's rule */
  counted: number;
  /** those that are decisions by GNU Backgammon's rule */
  active: number;
  /** those that lost .001 or more */
  wrong: number;
  /** the sum of the equities that were lost */
  error: number;
  /** the same as chances to win the match, or for money in points */
  cost: number;
  /** The errors that lost .06 or more */
  bad: number;
  /** of the player's rolls, as equities; null where the group has a part of the decisions, those of both sides, or an analysis without luck */
  luck: number | null;
  /** matches that brought something; null where no match came to an end, or the group has a part of the decisions, or those of both sides */
  won: number | null;
  /** where the group has errors alone, such as wrong doubles: how many decisions of that kind there are; else null */
  of: number | null;
  /** the plays; null where the group has a part of the decisions */
  plays: Part | null;
  /** the decisions to double or not */
  doubles: Part | null;
  /** the decisions to take or to pass */
  takes: Part | null;
}

/** How the server is, and what it allows */
export interface Health {
  /** always `ok` */
  status: "ok";
  /** of gammon */
  version: string;
  /** the network that plays */
  model: string;
  /** whether answers come at once */
  compiled: boolean;
  /** plies that may be asked for */
  depth: number;
  /** that a search may take */
  seconds: number;
  /** long pieces of work at the same time */
  searches: number;
  /** those that are done now, or wait */
  searching: number;
  /** whether it has a library of matches */
  library: boolean;
}

/** A play of a roll */
export interface LegalPlay {
  /** the play as people write it */
  notation: string;
  points: Points;
  /** of the opponent's position, before the roll */
  xgid: string;
}

/** Errors of a library */
export interface LibraryErrors {
  /** how many there are like that */
  count: number;
  /** equity, by all of them */
  lost: number;
  /** the largest ones */
  choices: StudiedChoice[];
}

/** The luck of a roll */
export interface Luck {
  /** as in `Choice` */
  game: number;
  /** as in `Choice` */
  action: number;
  /** 0 or 1, who rolled */
  player: number;
  /** what the roll was worth beyond the mean of all, as an equity */
  equity: number;
  /** the same as a chance to win the match, or for money in points */
  worth: number;
}

export interface Match {
  length?: number;
  names?: [string, string];
  /** such as 2026.11.22 */
  date?: string;
  games: ({ score?: [number, number]; crawford?: boolean; jacoby?: boolean; cube?: boolean; winner?: number | null; points?: number; actions: ({ player: 0 | 1; dice?: string; play?: string; do?: "double" | "take" | "pass" | "resign"; points?: number })[] })[];
}

/** The score of a match after some games, and how the next one begins */
export interface MatchScore {
  /** the points of the bottom and of the top player; those beyond the length of the match do not count */
  score: [number, number];
  /** the next game is the Crawford game */
  crawford: boolean;
  /** the XGID before its first roll, with the bottom player on roll; null where the match is over */
  opening: string | null;
}

/** The plays, the doubles or the takes of a group */
export interface Part {
  /** The performance rating, null without decisions */
  pr: number | null;
  /** those that are decisions */
  counted: number;
  /** those that lost .001 or more */
  wrong: number;
  /** those that lost .06 or more */
  bad: number;
  /** the sum of the equities that were lost */
  error: number;
}

/** The best plays of a roll by score: `scores` and `named` have analyses */
export interface PlayGrid {
  id?: QueryId;
  /** of a query in a line: a deeper answer follows */
  interim?: boolean;
  /** of a query: it was ended early */
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
  worth: null;
  cubeful: boolean;
  stakes: null;
  notes: string[];
  scores: AtScore[];
  /** The best play, and the best play for money if it is another one */
  named: Record<string, Candidate[]>;
  seconds: number;
}

/** All plays of a roll, in the order of their equities; static ones come last */
export interface Plays {
  id?: QueryId;
  /** of a query in a line: a deeper answer follows */
  interim?: boolean;
  /** of a query: it was ended early */
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
  /** the algorithm of the search */
  algorithm: string;
  /** the level that rolls out close plays, or null */
  level: string | null;
  /** the payoffs of the results to the player on roll; null with the cube */
  worth: Worth | null;
  cubeful: boolean;
  /** what is at stake for that player with the cube; null for a cubeless answer */
  stakes: Stakes | null;
  notes: string[];
  /** see `Candidate` */
  candidates: Candidate[];
  /** The confidence, by the rollout, that the best play is really best; or null */
  sure: number | null;
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
  /** as eXtreme Gammon writes the position */
  xgid: string;
  /** as OpenGammon writes it */
  ogid: string;
  /** as GNU Backgammon writes the checkers */
  position_id: string;
  /** as GNU Backgammon writes all else */
  match_id: string;
  stakes: Stakes;
  /** of both players */
  pips: [number, number];
  /** a take or a pass is asked for */
  doubled: boolean;
  /** the seat of the player on roll */
  turn: 1 | -1;
  /** null where the game goes on */
  over: Won | null;
  /** the player on roll may double now */
  may_double: boolean;
  /** the XGID with that double on offer */
  after_double: string | null;
  /** where a double is on offer, the XGID after a take */
  after_take: string | null;
  /** the end of the game that a pass then is */
  after_pass: Won | null;
  /** those of the roll */
  plays: LegalPlay[] | null;
  /** for each node the steps [from, to, die, node]; 25 is the bar, 0 is off; node 0 is before the play */
  steps: [number, number, number, number][][] | null;
  /** nodes without steps, and the index of their play */
  ends: Record<string, number> | null;
}

/** Five cumulative probabilities of a cubeless game, for the player they are shown to */
export interface Probabilities {
  win: number;
  win_gammon: number;
  win_backgammon: number;
  lose_gammon: number;
  lose_backgammon: number;
}

/** How far a review is */
export interface Progress {
  /** decisions that are analyzed in this pass */
  done: number;
  /** all of them */
  of: number;
  /** plies of the pass; in a deeper review a quick pass comes first */
  depth: number;
}

/** that of a query in a line; only in its answers */
export type QueryId = string | number | null;

/** The answer to a resignation */
export interface Resigned {
  /** the engine takes it */
  accept: boolean;
  won: Won;
}

/** A match with what each choice cost and how lucky each roll was. Its `str` is a table */
export interface Review {
  schema_version: SchemaVersion;
  players: [ReviewedPlayer, ReviewedPlayer];
  figures: Figure[];
  units: string;
  /** points of the match, 0 for money */
  length: number;
  details: Record<string, string>;
  /** what in a file had to be repaired or left out, a line each */
  warnings: string[];
  /** What to know of the figures: what is left or lacks, and where PR says nothing */
  notes: string[];
  /** plies of the analysis */
  depth: number;
  /** that played games where choices were close, or null */
  level: string | null;
  /** how many decisions are not analyzed so deep, as the time was over. A decision with a quicker analysis has that one; others are not among the choices */
  left: number;
  games: ReviewedGame[];
  /** the program that said it, with its version; empty where nothing is stored */
  stored_by: string;
  choices: Choice[];
  /** the luck of all rolls, in their order */
  rolls: Luck[];
}

/** A game of the match, and the figures of both players in it */
export interface ReviewedGame {
  /** those that A and B have won */
  score: [number, number];
  /** whether the game is the Crawford game */
  crawford: boolean;
  /** whether gammons count only after the cube is turned (money) */
  jacoby: boolean;
  /** 0 or 1, or null where that is not known */
  winner: number | null;
  /** those that the winner got, with the cube; 0 where that is not known */
  points: number;
  players: [Totals, Totals];
}

/** A play of a roll, and what the search says of it */
export interface ReviewedPlay {
  /** its notation */
  play: string;
  /** to the player who makes it; of the only play of a roll, at depth 1 */
  equity: number;
  probabilities: Probabilities;
}

/** A player in the match; results are chances to win it, or points */
export interface ReviewedPlayer {
  name: string;
  /** The performance rating: 500 times the error of a counted decision */
  pr: number | null;
  /** XG's class of the PR; null where that says nothing, or there are few decisions */
  pr_class: string | null;
  /** The Snowie error rate: 1000 times the error of a roll of either player */
  snowie_rate: number | null;
  /** GNU Backgammon's word for its rate of all decisions; null of few ones */
  rating: string | null;
  all: Errors;
  plays: Errors;
  cube: Errors;
  doubles: Errors;
  takes: Errors;
  /** the choices of each kind */
  kinds: Record<string, Errors>;
  /** of the player's rolls, as equities */
  luck: number;
  /** the same as a chance to win the match, or for money in points */
  luck_worth: number;
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
  /** whether `equity` is exact, shallow, static, or the mean of games */
  kind: "exact" | "shallow" | "static" | "rollout";
  /** plies of the search that gave `equity`; see `Engine`. 1 for a static equity */
  depth: number;
  /** for a shallow equity, the upper bound that the deeper search has proved; else null */
  bound: number | null;
  probabilities: Probabilities;
  /** plies of the search that gave `probabilities` */
  probabilities_depth: number;
  /** whether the question names this play */
  named: boolean;
  /** the rollout of a level from this play, or null */
  games: Sample | null;
}

/** The engine plays a roll */
export interface RollPlayed {
  /** the deed */
  action: "play";
  /** the play as people write it */
  notation: string;
  /** from, to */
  steps: [number, number][];
  /** after it, for the opponent */
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
  plain: Estimate;
  probabilities: Probabilities;
  /** the number of games */
  trials: number;
  /** whether the candidate was dropped because it was far behind */
  out: boolean;
}

/** A decision by games that were played from its candidates */
export interface RolledChoice {
  /** games of the best candidate */
  trials: number;
  /** plies of the plays */
  depth: number;
  /** plays, the best one first; or no double, then double and take */
  candidates: RolledPlay[];
  /** of a decision about the cube, the right actions in words; else empty */
  verdict: string;
}

/** The engine rolls, or passes a double */
export interface RolledOrPassed {
  action: "roll" | "pass";
}

/** A candidate of a rollout: a play, `No double`, or `Double, take` */
export interface RolledPlay {
  /** what it is called */
  name: string;
  /** the mean of its games, to the player on roll */
  equity: number;
  /** the standard error of the mean */
  error: number;
  /** how much less than the best candidate's equity that is */
  loss: number;
  /** the standard error of that difference, as the games that both have had tell it; 0 for the best one, null where the games do not tell */
  loss_error: number | null;
  /** games */
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
  worth: Worth | null;
  cubeful: boolean;
  /** what is at stake for the player with the cube; null for a cubeless rollout */
  stakes: Stakes | null;
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
  whole: boolean;
  /** wall time */
  seconds: number;
}

/** The best play of each of the 21 rolls. Its `str` is a table for people */
export interface Rolls {
  id?: QueryId;
  /** of a query in a line: a deeper answer follows */
  interim?: boolean;
  /** of a query: it was ended early */
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
  /** The algorithm of the searches */
  algorithm: string;
  /** The level that rolls out close plays, or null */
  level: string | null;
  /** The payoffs of the results to the player on roll; null with the cube */
  worth: Worth | null;
  cubeful: boolean;
  /** The terms with the cube; null for a cubeless answer */
  stakes: Stakes | null;
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

/** of the schemas of all answers; docs/compatibility.md */
export type SchemaVersion = 1;

/** Cube decisions by score, in `scores` and `named`. Its `str` is a table for people */
export interface ScoreGrid {
  id?: QueryId;
  /** of a query in a line: a deeper answer follows */
  interim?: boolean;
  /** of a query: it was ended early */
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
  worth: null;
  cubeful: boolean;
  stakes: null;
  notes: string[];
  scores: CubeAtScore[];
  named: Record<string, Cube>;
  seconds: number;
}

export interface SetUp {
  /** a pasted text that holds an ID */
  text?: string;
  points?: Points;
  dice?: string | null;
  /** the schema Stakes, of which entries may be left out */
  stakes?: Record<string, unknown>;
  turn?: 1 | -1;
  doubled?: boolean;
}

/** The stakes as the player on roll sees them. The default is money with a centred cube */
export interface Stakes {
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

/** The decisions of a library in groups */
export interface Statistics {
  schema_version: SchemaVersion;
  /** what they are groups of */
  by: string;
  /** the figures of each */
  groups: Group[];
  /** the same matches by who analyzed them */
  analyses: Group[];
}

/** The work of a search, over all its passes */
export interface Stats {
  /** chance nodes that were expanded, in probes too. A node that is searched twice (after an unsuccessful probe, say) counts twice */
  nodes: number;
  /** values at which lines ended: static values that were looked at before a cutoff, and payoffs of finished games. This is what the literature counts */
  leaves: number;
  /** states that the leaf evaluator computed: leaves, the siblings that a cutoff left unseen, and the states evaluated to order successors */
  evaluations: number;
  /** probing phases that were begun. `probe_cuts / probes` is the probe efficiency of Hauk, Buro and Schaeffer */
  probes: number;
  /** probing phases that ended in a cutoff (always of the high kind) */
  probe_cuts: number;
  /** cutoffs of chance nodes in the search phase, low and high */
  search_cuts: number;
  /** chance nodes that the transposition table answered */
  table_hits: number;
}

/** The analysis of an action that a file holds */
export interface StoredAnalysis {
  /** of a roll, the best ones first; none where the file has none */
  plays: StoredPlay[];
  /** the decision about the cube before a roll, or the one that the action is part of */
  cube: StoredCube | null;
  /** of a roll, as an equity */
  luck: number | null;
}

/** A decision about the cube; both equities are those of the player who may double */
export interface StoredCube {
  /** the equity of no double */
  no_double: number;
  /** that of double and take. Double and pass is 1 */
  double_take: number;
  /** as in `StoredPlay` */
  level: string;
  probabilities: Probabilities;
}

/** A play of a roll */
export interface StoredPlay {
  /** its notation */
  play: string;
  /** to the player who makes it */
  equity: number;
  /** how the program looked at it, in its own words, such as `2-ply` */
  level: string;
  probabilities: Probabilities;
}

/** A decision of a library, with all that its review says of it */
export interface StudiedChoice {
  /** its number in the match, from 0 on */
  game: number;
  /** the number of the action in the game, from 0 on */
  action: number;
  /** 0 or 1, who made it */
  player: number;
  /** what was decided */
  kind: "play" | "no double" | "double" | "take" | "pass";
  /** the position; of an answer, that with the double on offer */
  xgid: string;
  /** the choice, in words or as a play */
  made: string;
  /** the best one */
  best: string;
  /** the equity that was lost, 0 or more */
  error: number;
  /** the same as a chance to win the match, or for money in points */
  cost: number;
  /** whether it is a decision by XG's rule, by which PR goes */
  counted: boolean;
  /** whether it is one by GNU Backgammon's rule: a play that is not forced, a double or the answer to it, and no double where a double would not cost much */
  active: boolean;
  /** plies of the analysis */
  depth: number;
  /** of a choice about the cube */
  values: CubeValues | null;
  /** of a choice about the cube: those of the player on roll, without it */
  chances: Probabilities | null;
  /** of a play: the best ones, the best of all first, and the one that was made */
  plays: ReviewedPlay[];
  /** the decision by games that were played from it, where that was asked for. Nothing else here goes by it */
  rollout: RolledChoice | null;
  /** what the match file says of it */
  stored: StoredAnalysis | null;
  /** what an error gave away */
  why: string;
  /** what the decision is about */
  themes: string[];
  /** of the players, the first one first */
  names: [string, string];
  /** the match, and the game in it, in words */
  where: string;
}

/** The choices of a player in a match, or in a game of it */
export interface Totals {
  /** The performance rating: 500 times the error of a counted decision */
  pr: number | null;
  /** XG's class of the PR; null where that says nothing, or there are few decisions */
  pr_class: string | null;
  /** The Snowie error rate: 1000 times the error of a roll of either player */
  snowie_rate: number | null;
  /** GNU Backgammon's word for its rate of all decisions; null of few ones */
  rating: string | null;
  all: Errors;
  plays: Errors;
  cube: Errors;
  doubles: Errors;
  takes: Errors;
  /** the choices of each kind */
  kinds: Record<string, Errors>;
  /** of the player's rolls, as equities */
  luck: number;
  /** the same as a chance to win the match, or for money in points */
  luck_worth: number;
}

export type Turn = RolledOrPassed | CubeTurned | RollPlayed;

/** The end of a game */
export interface Won {
  /** the seat of the player who wins it */
  winner: 1 | -1;
  /** 1, 2 or 3, times the cube */
  points: number;
  /** the points with the cube */
  scored: number;
}

/** What each result pays one player in a game without the cube; the other pays that */
export interface Worth {
  win: number;
  win_gammon: number;
  win_backgammon: number;
  lose: number;
  lose_gammon: number;
  lose_backgammon: number;
}

/** By the path, the parameters of a GET and its answer */
export interface Gets {
  position: { asked: { id: string; dice?: string }; answer: Position };
  analyze: { asked: { id: string; dice?: string; depth?: 1 | 3 | 5 | 7; level?: "1" | "3" | "5" | "7" | "roller" | "roller+" | "roller++"; strength?: number; top?: number; play?: string[]; noise_seed?: number; max_seconds?: number; filter?: "tiny" | "narrow" | "normal" | "large" | "huge"; match?: number; score?: string; crawford?: boolean; jacoby?: boolean; beavers?: boolean; cube?: number; owner?: "roller" | "centre" | "opponent"; cubeless?: boolean; stakes?: string; rolls?: boolean; scores?: number; owners?: boolean }; answer: Answer };
  rolls: { asked: { id: string; depth?: 1 | 3 | 5 | 7; level?: "1" | "3" | "5" | "7" | "roller" | "roller+" | "roller++"; strength?: number; noise_seed?: number; max_seconds?: number; filter?: "tiny" | "narrow" | "normal" | "large" | "huge"; match?: number; score?: string; crawford?: boolean; jacoby?: boolean; beavers?: boolean; cube?: number; owner?: "roller" | "centre" | "opponent"; cubeless?: boolean; stakes?: string }; answer: Rolls };
  turn: { asked: { id: string; dice?: string; depth?: 1 | 3 | 5 | 7; level?: "1" | "3" | "5" | "7" | "roller" | "roller+" | "roller++"; strength?: number; noise_seed?: number }; answer: Turn };
  resign: { asked: { id: string; dice?: string; depth?: 1 | 3 | 5 | 7; points?: number }; answer: Resigned };
  dice: { asked: { seed?: number; begin?: number; count?: number }; answer: Dice };
  "study/stats": { asked: { player?: string; opponent?: string; since?: string; until?: string; length?: number; theme?: "opening" | "blitz" | "prime" | "holding game" | "back game" | "containment" | "race" | "bear-in" | "bear-off" | "hit or not" | "point or slot" | "anchor" | "run" | "too good" | "missed double" | "wrong double" | "wrong take" | "wrong pass" | "gammon go" | "gammon save"; phase?: "opening" | "middle game" | "race" | "bear-off"; kind?: "play" | "no double" | "double" | "take" | "pass" | "cube"; by?: string }; answer: Statistics };
  "study/errors": { asked: { player?: string; opponent?: string; since?: string; until?: string; length?: number; theme?: "opening" | "blitz" | "prime" | "holding game" | "back game" | "containment" | "race" | "bear-in" | "bear-off" | "hit or not" | "point or slot" | "anchor" | "run" | "too good" | "missed double" | "wrong double" | "wrong take" | "wrong pass" | "gammon go" | "gammon save"; phase?: "opening" | "middle game" | "race" | "bear-off"; kind?: "play" | "no double" | "double" | "take" | "pass" | "cube"; least?: number; most?: number; score?: string; board?: string; count?: number }; answer: LibraryErrors };
  "study/card": { asked: { player?: string; opponent?: string; since?: string; until?: string; length?: number; theme?: "opening" | "blitz" | "prime" | "holding game" | "back game" | "containment" | "race" | "bear-in" | "bear-off" | "hit or not" | "point or slot" | "anchor" | "run" | "too good" | "missed double" | "wrong double" | "wrong take" | "wrong pass" | "gammon go" | "gammon save"; phase?: "opening" | "middle game" | "race" | "bear-off"; kind?: "play" | "no double" | "double" | "take" | "pass" | "cube"; least?: number; most?: number; score?: string; board?: string; deck?: string[]; seed?: number; depth?: 1 | 3 | 5 | 7 }; answer: DrillCard | null };
  health: { asked: {}; answer: Health };
}

/** By the path, the body of a POST and its answer */
export interface Posts {
  position: { body: SetUp; answer: Position };
  match: { body: Match; answer: string };
  score: { body: { length?: number; jacoby?: boolean; cube?: boolean; won: number[] }; answer: MatchScore };
  "study/answer": { body: { ask: string; xgid: string; deck: string; note: string; answer: string }; answer: DrillAnswer };
  getmoves: { body: Record<string, unknown>; answer: BgwebMove[] };
}

/** By the path, what is asked and the events of the answer */
export interface Streams {
  "analyze/stream": { asked: { id: string; dice?: string; depth?: 1 | 3 | 5 | 7; level?: "1" | "3" | "5" | "7" | "roller" | "roller+" | "roller++"; strength?: number; top?: number; play?: string[]; noise_seed?: number; max_seconds?: number; filter?: "tiny" | "narrow" | "normal" | "large" | "huge"; match?: number; score?: string; crawford?: boolean; jacoby?: boolean; beavers?: boolean; cube?: number; owner?: "roller" | "centre" | "opponent"; cubeless?: boolean; stakes?: string; rolls?: boolean; scores?: number; owners?: boolean }; events: { answer: Answer; failed: ErrorBody } };
  "rollout/stream": { asked: { id: string; dice?: string; depth?: 1 | 3 | 5 | 7; play?: string[]; filter?: "tiny" | "narrow" | "normal" | "large" | "huge"; match?: number; score?: string; crawford?: boolean; jacoby?: boolean; beavers?: boolean; cube?: number; owner?: "roller" | "centre" | "opponent"; cubeless?: boolean; stakes?: string; trials?: number; top?: number; truncate?: number; seed?: number }; events: { progress: Rollout; failed: ErrorBody } };
  review: { asked: { depth?: 1 | 3 | 5 | 7; level?: "1" | "3" | "5" | "7" | "roller" | "roller+" | "roller++"; seed?: number }; events: { progress: Progress; review: Review; failed: ErrorBody } };
}
