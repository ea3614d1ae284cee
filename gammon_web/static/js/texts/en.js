/**
 * The texts of the page in English, in the order of the page. A translator copies de.js, which has all
 * of them, those of the board and the words that the engine sends, too; translates the texts, and lists
 * the language in language.js. `node --test tests/web/js/texts.test.mjs` says what is missing. A text
 * with parameters is a function, so that each language has its own grammar.
 */

import { texts } from "../../board/texts.js";
import { BLUNDERS } from "../blunders.js";

const [DOUBTFUL, BAD, WORST] = BLUNDERS;

/** @param {number} count @param {string} noun @param {string} [end] of its plural */
const counted = (count, noun, end = "s") => `${count} ${noun}${count === 1 ? "" : end}`;

const YOU = "You";
/** A subject and its verb: "You take", "gammon takes". @param {string} name @param {string} verb */
const does = (name, verb) =>
  name === YOU ? `You ${verb}` : `${name} ${verb}${verb.endsWith("s") ? "es" : "s"}`;
/** A name inside a sentence. @param {string} name */
const inside = (name) => (name === YOU ? "you" : name);
/** A subject and its verb inside a sentence. @param {string} name @param {string} verb */
const doesInside = (name, verb) => (name === YOU ? `you ${verb}` : does(name, verb));
/** @param {string[]} names */
const and = (names) => names.join(" and ");
const RESULTS = ["", "a single game", "a gammon", "a backgammon"];

export const en = {
  /** The player at this page. */
  you: YOU,

  /** The frame: the head, the parts and the foot of the page. */
  page: {
    title: "gammon: a backgammon board",
    modes: "Modes",
    analyze: "Analyze",
    play: "Play",
    review: "Review",
    study: "Study",
    help: "Help",
    colours: "Colours",
    automatic: "Automatic",
    light: "Light",
    dark: "Dark",
    wood: "Wood",
    felt: "Felt",
    print: "Black and white",
    board: "The board",
    deeds: "What to do",
    enter: "Enter",
    position: "Position",
    paste: "Paste an XGID, a GNU ID, or any text that has one",
    show: "Show",
    helpPage: "Page of help",
    starting: "The engine is starting.",
    /** @param {number} percent @param {number} more how many rollouts wait behind it */
    queue: (percent, more) => `Rollout: ${percent} %${more ? `, ${more} more` : ""}`,
    /** @param {number} number @param {number} all @param {number} percent */
    adding: (number, all, percent) => `Library: file ${number} of ${all}, ${percent} %`,
    ready: "Offline, on your machine.",
    gettingReady: "The engine is getting ready. Its first start takes some seconds.",
    sounds: "Sounds",
    mirrored: "Bear off on the left",
    letters: "Letter keys",
    glossary: "Glossary",
    language: "Language",
    oneMatch: "Drop one match: a library of many needs `gammon serve` on your own machine.",
    noReview: "This page has no review inside. “Save as HTML” on gammon's page makes one that has.",
  },

  /** Buttons and messages of several parts of the page. */
  common: {
    close: "Close",
    cancel: "Cancel",
    stop: "Stop",
    done: "Done",
    undo: "Undo",
    roll: "Roll",
    tryAgain: "Try again",
    takeBack: "Take back",
    takeItBack: "Take it back",
    analyzeThis: "Analyze this",
    player: "Player",
    depth: "Depth",
    decisions: "Decisions",
    matches: "Matches",
    statistics: "Statistics",
    candidates: "Candidates",
    typePlay: "Type a play",
    /** @param {number | string} depth */
    toDepth: (depth) => `depth ${depth}`,
    /** @param {string} text what was typed */
    noRoll: (text) => `“${text}” is not a roll such as 31.`,
    /** @param {number} count */
    decisionCount: (count) => counted(count, "decision"),
    /** @param {number} count */
    errorCount: (count) => counted(count, "error"),
    /** @param {number} count */
    matchCount: (count) => counted(count, "match", "es"),
  },

  /** The board, whose English texts stand beside it. */
  board: { ...texts },

  /** The lines of both players beside the board. */
  sides: {
    /** @param {number} count */
    pips: (count) => counted(count, "pip"),
    /** @param {number} count */
    points: (count) => counted(count, "point"),
    /** @param {number} score @param {number} length of the match */
    score: (score, length) => `${score} of ${length}`,
    toMove: "to move",
    toAnswer: "to answer",
  },

  /** The list of keys. */
  keys: {
    name: "Keys",
    key: "Key",
    deed: "What it does",
    arrows: "Arrow keys",
    toArrows: "To the next place of the board, row of a table, or tab",
    ends: "Home, End",
    toEnds: "To the first and the last place of a row of the board, or tab",
    press: "Enter, Space",
    toPress: "Press what has the focus",
    undo: "U, Backspace",
    toList: "This list",
  },

  /** What is at stake, and the sizes of errors. */
  terms: {
    money: "money",
    jacoby: "Jacoby",
    beavers: "beavers",
    /** @param {number} length */
    match: (length) => `match to ${length}`,
    crawford: "Crawford",
    postCrawford: "post-Crawford",
  },
  /** The marks of errors: none, ?!, ?, ??. */
  marks: ["", "doubtful", "bad", "very bad"],

  /** A play in the making. */
  making: {
    swap: "Swap dice",
    diceDone: "Dice: the play is done",
    /** @param {string[]} dice */
    diceSwap: (dice) => `Dice ${and(dice)}: swap them`,
    /** @param {number} die */
    first: (die) => `The ${die} is played first.`,
    undone: "Taken back.",
    undoneAll: "Taken back. All checkers are where they were.",
    /** @param {string} text what was typed @param {string} dice */
    notLegal: (text, dice) => `“${text}” is not a legal play of ${dice}.`,
    /** @param {string} steps */
    moved: (steps) => `${steps}.`,
    /** @param {string} steps */
    complete: (steps) => `${steps}. Done? Enter, or a click on the dice.`,
    allPlayed: "All dice are played.",
    stuck: "No checker can move.",
    enterFirst: "Enter from the bar first.",
    noBearOff: "Nothing can be borne off now.",
    noneOnBar: "No checker of yours is on the bar.",
    /** @param {number} place */
    noMoveFrom: (place) => `No legal move from the ${place} point.`,
    /** @param {number} place */
    noMoveTo: (place) => `No legal move to the ${place} point.`,
  },

  analyze: {
    reading: "Reading the position.",
    /** @param {string} name */
    won: (name) => `${name} has won.`,
    /** @param {string} name @param {string} dice @param {string} terms */
    toPlay: (name, dice, terms) => `${name} to play ${dice[0]} and ${dice[1]}, ${terms}.`,
    /** @param {string} name @param {number} value @param {string} other */
    doubles: (name, value, other) => `${name} doubles to ${value}: ${other} takes or passes?`,
    /** @param {string} name @param {string} terms */
    onRoll: (name, terms) => `${name} on roll, ${terms}.`,
    /** @param {string} name @param {string} terms @param {boolean} again whether it is a redouble */
    mayDouble: (name, terms, again) =>
      `${name} on roll: ${again ? "redouble" : "double"} or not? ${terms}.`,
    /** @param {number[]} dice */
    diceSwap: (dice) => `Dice ${dice.join(" and ")}: exchange them`,
    playIt: "Play it",
    noDice: "No dice",
    turnBoard: "Turn board",
    setUp: "Set up",
    diceOrPlay: "Dice, or a play",
    diceOrPlayExample: "31 or 8/5 6/5",
    dice: "Dice",
    /** @param {string} text what was typed */
    notLegal: (text) => `“${text}” is not a legal play here, and no roll.`,
    /** @param {string} play */
    best: (play) => `${play}: the best play.`,
    /** @param {string} play @param {number} rank @param {number} all @param {string} loss @param {string} mark */
    rank: (play, rank, all, loss, mark) =>
      `${play}: ${rank}. of ${all}, loses ${loss}${mark && ` (${mark})`}.`,
    tick: "Tick a play that is to be rolled out.",
    copied: "Copied.",

    name: "Analysis",
    view: "View",
    plays: "Plays",
    cube: "Cube",
    rolls: "All rolls",
    scores: "By score",
    rollout: "Rollout",
    level: "Level",
    /** @param {string} depth */
    depth: (depth) => `Depth ${depth}`,
    /** What the levels do. */
    levels: {
      1: "Your plays, judged by the network.",
      3: "Also every roll of the opponent, and every reply.",
      5: "Also your next roll and play.",
      7: "Also the opponent's next roll and reply, in some seconds.",
      roller: "Also games from the choices that are close.",
      "roller+": "The same with more games, which take longer.",
    },
    searching: "searching",
    withoutCube: "Without the cube",
    cubeless: "Without the cube: score, cube and Jacoby rule do not count.",
    playFromHere: "Play from here",
    rollsComing: "All 21 rolls are coming.",
    scoresComing: "All scores are coming.",
    looking: "The engine is looking.",
    rollsThere: "All 21 rolls are there.",
    scoresThere: "All scores are there.",
    /** @param {string} level @param {string} play @param {string} equity */
    bestBy: (level, play, equity) => `Best by ${level}: ${play}, ${equity}.`,
    /** @param {string} level @param {string} verdict */
    verdictBy: (level, verdict) => `By ${level}: ${verdict}.`,
    /** @param {string} level @param {string} share */
    settled: (level, share) =>
      `Level ${level}: settled by games, which are ${share} % sure of the first choice.`,
    /** @param {string} level */
    notSettled: (level) =>
      `Level ${level}: no games were played: nothing is close, all is known, or the time was over.`,
    /** @param {number} depth */
    mean: (depth) => ` on average over all rolls, depth ${depth}`,

    share: "Share",
    keepAndShare: "Keep and share",
    link: "Link",
    linkHere: "Link, for this machine alone",
    gnuId: "GNU Backgammon ID",
    copy: "Copy",
    /** @param {string} name */
    copyNamed: (name) => `Copy ${name}`,
    copiedNow: "Copied",
    copyPicture: "Copy picture",
    savePicture: "Save picture",
    toSend:
      "To send the position to somebody, copy its XGID: most programs and sites read it, and so does this page.",
  },

  /** Tables of plays, of decisions about the cube, and of chances. */
  tables: {
    equity: "Equity",
    emg: "EMG",
    play: "Play",
    action: "Action",
    answer: "Answer",
    loss: "Loss",
    win: "Win %",
    match: "Match %",
    value: "Value",
    difference: "Difference",
    best: "best",
    /** @param {string} error */
    standardError: (error) => `, standard error ${error}`,
    /** How a value was found, and what that means. */
    kinds: {
      exact: ["exact", "the value of best play to this depth"],
      bounded: [
        "bounded",
        "the value of bounded search to this depth: it counts every play and every roll",
      ],
      shallow: [
        "shallow",
        "the value of a search two plies shallower: the deeper one has shown that other plays are better",
      ],
      static: ["static", "the network's estimate, without a search"],
      rollout: ["rollout", "the mean of games"],
    },
    plays: "Plays, best first",
    /** @param {number} count */
    showAll: (count) => `Show all ${count} plays`,
    answers: "Answers",
    actions: "Actions",
    cube: "The decision about the cube",
    answersOf: "The answer to the double",
    /** The answer to a double by a player. @param {string} answer @param {string} name @param {string} verdict */
    answerBy: (answer, name, verdict) => `${answer} by ${inside(name)} (${verdict})`,
    /** @param {boolean} double whether the double is close @param {boolean} answer whether the answer is */
    close: (double, answer) =>
      `, ${and([double ? "the double" : "", answer ? "the answer" : ""].filter(Boolean))} close`,
    /** What a double is worth. @param {number} sign of the gain @param {string} gain @param {boolean} again @param {string} stay @param {string} take @param {string} pass @param {string} beaver "" without one */
    double: (sign, gain, again, stay, take, pass, beaver) => {
      const name = again ? "redouble" : "double";
      const effect = sign ? `${sign > 0 ? "gains" : "loses"} ${gain}` : "loses nothing";
      const beavered = beaver && ` ${name}, beaver ${beaver},`;
      return `The ${name} ${effect}: no ${name} ${stay}, ${name}, take ${take},${beavered} ${name}, pass ${pass}.`;
    },
    /** @param {string} play */
    after: (play) => `Chances after ${play}`,
    /** @param {string} gammons @param {string} backgammons */
    gammons: (gammons, backgammons) => `gammons ${gammons}, backgammons ${backgammons}`,
  },

  /** Tables of all rolls and of all scores. */
  grids: {
    rolls: "The equity of each roll",
    /** @param {string} equity @param {number} one @param {number} other @param {string} play */
    roll: (equity, one, other, play) => `${equity} for ${one} and ${other}: ${play}`,
    scores: "By the points that both sides need",
    /** @param {string} own @param {number} needs @param {string} their @param {number} need @param {string} words */
    score: (own, needs, their, need, words) =>
      `${own} needs ${needs}, ${their} needs ${need}: ${words}`,
    named: "For money, at scores with a name, and by the cube's place",
    money: "Money",
    dmp: "DMP",
    centred: "Cube centred",
    /** @param {string} name */
    cubeOf: (name) => `${name}'s cube`,
    /** @param {string} play @param {string} loss */
    loses: (play, loss) => ` (${play} loses ${loss})`,
    legend:
      "N no double, D double, T too good; then t take, p pass, b beaver, – no cube to turn; below it the EMG that a double gains. The deeper the colour, the more the wrong choice costs; the mouse on a cell shows the three equities.",
    note: "Where a side needs 1, it is a game after the Crawford game. A press on a cell analyzes that score.",
  },

  rollouts: {
    waits: "Waits for its turn.",
    running: "Rolling out.",
    stopped: "Stopped.",
    toldStopped: "The rollout has stopped.",
    /** @param {string} trials */
    over: (trials) => `The rollout is over: ${trials} trials.`,
    /** @param {number} trials @param {number} goal @param {number} games @param {boolean} cubeful */
    status: (trials, goal, games, cubeful) =>
      `${counted(trials, "trial")} of ${goal}, ${games} games${cubeful ? "" : ", without the cube"}`,
    trials: "Trials",
    rollOut: "Roll out",
    name: "Rollout",
    plays: "Plays to roll out",
    others: "Other rollouts",
    games: "Games",
    end: "End",
    forget: "Forget",
    candidate: "Candidate",
    error: "± error",
    out: ", out",
    /** @param {string} side @param {string} dice */
    toPlay: (side, dice) => `${side} to play ${dice}`,
    /** @param {string} side */
    onRoll: (side) => `${side} on roll`,
    cubeless: ", without the cube",
    /** @param {number} enough */
    rough: (enough) =>
      `Fewer than ${enough} trials: standard errors are rough, and a loss may be chance.`,
  },

  setup: {
    help: "Click on a point to put checkers there, up to the height of the click; the right button puts checkers of the other side. Drag a checker to move it. Keys: + and −.",
    goOn: "Go on setting up",
    borneOff: "Borne off",
    /** @param {number} count of X's checkers @param {number} other of O's checkers that are missing */
    missing: (count, other) => {
      const sides = [
        count && `${counted(count, "checker")} of X`,
        other && `${counted(other, "checker")} of O`,
      ].filter((words) => typeof words === "string");
      return `${and(sides)} ${count + other === 1 ? "is" : "are"} not on the board. Borne off?`;
    },
    /** @param {number} most */
    whole: (most) => `Expected a whole number from 0 to ${most}.`,
    aDouble: "a double",
    none: "none",
    exchanged: "The sides are exchanged.",
    putX: "Put X",
    putO: "Put O",
    xOnRoll: "X on roll",
    oOnRoll: "O on roll",
    nobody: "nobody",
    name: "Set up a position",
    checkers: "Checkers to put down",
    onRoll: "On roll",
    empty: "Empty board",
    isEmpty: "The board is empty.",
    opening: "Opening",
    isOpening: "The checkers stand as in the opening.",
    exchange: "Exchange sides",
    length: "Match to (0: money)",
    /** @param {string} side */
    scoreOf: (side) => `Score of ${side}`,
    cube: "Cube",
    cubeOf: "Cube of",
    crawford: "Crawford game",
    jacoby: "Jacoby",
    beavers: "Beavers",
  },

  play: {
    choose: "Choose what to play, then start.",
    chooseFrom: "Choose how to play on from here.",
    backToLast: "Back to the last match",
    goOnHere: "Go on here",
    otherTab: "Another tab goes on with a match.",

    newMatch: "New match",
    playOn: "Play on from here",
    byHand: "Play with both sides by hand",
    against: "Play against gammon",
    newHere: "New to backgammon?",
    rules: "The rules",
    rulesAfter: "take a minute to read.",
    beginner: "The opponent chosen below is a beginner, too.",
    what: "What to play",
    money: "Money games",
    /** @param {number} length */
    matchTo: (length) => `Match to ${length}`,
    who: "Who plays",
    gammonAndI: "gammon and I",
    bothByHand: "Both by hand",
    whyByHand:
      "By hand you move both sides: to enter a match that was played over the board, with its dice, and save it as .mat; or for two people at one board.",
    youPlay: "You play",
    onRoll: "The side on roll",
    otherSide: "The other side",
    strength: "Strength of gammon",
    strengthTip: "gammon errs like a player of this PR.",
    beginnerPr: "PR 25: beginner",
    intermediatePr: "PR 15: intermediate",
    advancedPr: "PR 10: advanced",
    expertPr: "PR 7: expert",
    strongerPr: "PR 5: expert",
    worldClassPr: "PR 3: world class",
    full: "Full",
    depthOf: "Depth of gammon",
    depth1: "1: at once",
    depth3: "3: strong",
    depth5: "5: strongest",
    bottom: "Player at the bottom",
    top: "Player at the top",
    yourName: "Your name in files",
    withCube: "With the cube",
    jacoby: "Jacoby rule for money",
    withClock: "With a clock",
    clock:
      "Each turn has 12 seconds that cost nothing; then the player's bank runs: 2 minutes for each point of the match, 10 for money. Nobody loses by time: the page says so, and goes on.",
    timeOver: "The time is over.",
    dice: "Dice",
    rolled: "Rolled for me",
    typed: "I type them in",
    seed: "Seed of the dice",
    seedTip:
      "All rolls follow from the seed before the first checker moves. The same seed gives the same dice.",
    /** @param {number} most */
    seedWrong: (most) => `The seed is a whole number from 0 to ${most}.`,
    start: "Start",
    notFrom: "Not from here",
    hands:
      "Click a checker: it moves by the left die. Drag it, or click where it shall go. Click the dice to swap them. Keys: arrows and Enter, U undo, X swap, R roll, D double, H hint, B take back.",

    hint: "Hint",
    resign: "Resign",
    double: "Double",
    take: "Take",
    pass: "Pass",
    /** @param {string} name who rolls the first die; "" for you */
    openingRoll: (name) => `the opening roll, ${name ? `the die of ${name}` : "your die"} first`,
    /** @param {string} name "" for you */
    rollOf: (name) => (name ? `the roll of ${name}` : "your roll"),
    /** @param {string} what */
    type: (what) => `Type ${what}.`,
    /** @param {string} die */
    again: (die) => `Both rolled ${die}: roll again.`,
    /** @param {string} own @param {string} die @param {string} their @param {string} other @param {string} first who begins */
    begins: (own, die, their, other, first) =>
      `${does(own, "roll")} ${die}, ${does(their, "roll")} ${other}: ${doesInside(first, "begin")}.`,
    /** @param {string} name "" for you @param {number} value of the cube after a double */
    rollOrDouble: (name, value) => `${name || "Your turn"}: roll, or double to ${value}?`,
    /** @param {string} name @param {string} dice @param {string} play */
    rolledPlay: (name, dice, play) => `${name} rolled ${dice}: ${play}.`,
    /** @param {string} name @param {string} dice */
    rolledStuck: (name, dice) => `${name} rolled ${dice} and cannot move.`,
    cannotMove: "cannot move",
    /** @param {number} value */
    cubeTo: (value) => `Cube: double to ${value}`,
    /** @param {string} name @param {string} dice @param {boolean} stuck @param {string} forced the only play, or "" */
    youRolled: (name, dice, stuck, forced) =>
      `${name} rolled ${dice[0]} and ${dice[1]}${stuck ? " and cannot move" : forced && `, and ${forced} is forced`}.`,
    /** @param {number} value */
    youDouble: (value) => `You double to ${value}.`,
    /** @param {string} name @param {number} value */
    takesAt: (name, value) => `${name} takes. The cube is at ${value}.`,
    /** @param {string} name @param {number} value @param {string} other who answers @param {boolean} isYou */
    offers: (name, value, other, isYou) =>
      `${name} doubles to ${value}. ${isYou ? "Do you take?" : `Does ${other} take?`}`,
    /** @param {string} name */
    passes: (name) => `${does(name, "pass")}.`,
    /** @param {string} play */
    hintPlay: (play) => `Hint: ${play}.`,
    goOn: "Go on anyway",
    /** @param {string} loss the tutor's words */
    early: (loss) => `${loss} Take it back? gammon has not answered yet.`,

    record: "Record",
    recordOf: "Record of the game",
    /** The deeds of the record. */
    deeds: { double: "Double", take: "Take", pass: "Pass", resign: "Resign" },
    /** @param {string} name @param {string} deed @param {string} loss */
    entry: (name, deed, loss) => `${name}: ${deed}${loss && `, which loses ${loss}`}.`,
    backToGame: "Back to the game",
    match: "Match",
    playedOn: "Played on from a position",
    /** @param {number} number */
    game: (number) => `Game ${number}`,
    bothSides: "both sides by hand",
    /** @param {number} pr */
    gammonAtPr: (pr) => `gammon at PR ${pr}`,
    /** @param {number} depth */
    gammonAtDepth: (depth) => `gammon at depth ${depth}`,
    diceTyped: "dice typed in",
    /** @param {number} seed */
    diceOfSeed: (seed) => `dice of seed ${seed}`,
    pace: "Checkers move",
    slow: "Slow",
    normal: "Normal",
    fast: "Fast",
    atOnce: "At once",
  },

  /** The tutor of a match. */
  tutor: {
    name: "Tutor",
    tip: "The tutor tells when a decision of yours loses as much equity, and offers to take it back.",
    off: "Off",
    /** @param {number} least */
    marks: (least) => `Marks ${least} and more`,
    early: "Warn before gammon answers",
    earlyTip:
      "The tutor asks whether to take an error back before gammon goes on; else it tells afterwards.",
    /** What lost equity, before "loses"; a double may be a redouble. */
    deeds: {
      roll: ["No double", "No redouble"],
      double: ["The double", "The redouble"],
      take: ["The take", "The take"],
      pass: ["The pass", "The pass"],
      resign: ["", ""],
    },
    /** @param {string} what @param {string} loss @param {string} mark */
    loses: (what, loss, mark) => `${what} loses ${loss} (${mark}).`,
    /** @param {number} least @param {number} count of the decisions so far */
    soon: (least, count) =>
      `Your PR: from ${least} decisions on, ${counted(count, "decision")} so far.`,
    /** @param {string} pr @param {number} count @param {number} depth */
    pr: (pr, count, depth) =>
      `Your PR: ${pr}, ${counted(count, "decision")} so far, by depth ${depth}.`,
  },

  /** The end of a game or of a match. */
  ending: {
    /** The questions, by what is played. */
    ask: {
      game: "End the game?",
      match: "End the match?",
      session: "End the session?",
    },
    end: { game: "End the game", match: "End the match", session: "End the session" },
    /** @param {boolean} waits whether a match waits, to which the player comes back instead */
    notOver: (waits) =>
      `The game is not over. ${waits ? "Your match waits." : "Until you start another one you can come back to it."}`,
    /** @param {number} own @param {number} their @param {"match" | "game" | ""} open what is not over */
    stands: (own, their, open) =>
      `It stands ${own} to ${their}${open === "match" ? ", and is not over" : open && ", and this game is not over"}. Until you start another one you can come back to it.`,
    playOn: "Play on",
    keep: "Keep as .mat, then end",
    resignWhat: "Resign what?",
    results: ["", "Single game", "Gammon", "Backgammon"],
    /** @param {string} result @param {number} points */
    resign: (result, points) => `${result}: ${counted(points, "point")}`,
    /** @param {string} name @param {number} points 1 to 3 */
    resigns: (name, points) => `${does(name, "resign")} ${RESULTS[points]}.`,
    /** @param {string} name */
    refuses: (name) => `${name} does not take that, and plays on.`,
    /** @param {string} name @param {number} points 1 to 3 */
    wins: (name, points) => `${does(name, "win")} ${RESULTS[points]}.`,
    /** @param {string} name @param {number} points */
    scores: (name, points) => `${does(name, "score")} ${counted(points, "point")}.`,
    /** @param {number} own @param {number} their */
    score: (own, their) => `${own} to ${their}.`,
    /** @param {string} name @param {number} more @param {number} less */
    matchOver: (name, more, less) =>
      `The match is over: ${doesInside(name, "win")} ${more} to ${less}.`,
    review: "Review",
    save: "Keep as .mat",
    add: "Add to my library",
    again: "Play it again",
    newGame: "New game",
    newMatch: "New match",
    nextGame: "Next game",
    adding: "The match is being reviewed for your library. You can play on meanwhile.",
  },

  review: {
    /** @param {string} name */
    running: (name) => `Reviewing ${name}`,
    every: "Every decision is being analyzed.",
    open: "Open a match: a .mat file, as most programs and sites export it.",
    openMore:
      "Open a match: a .mat file, as most programs and sites export it, GNU Backgammon's .sgf, BGBlitz's .bgf, eXtreme Gammon's .xg, OpenGammon's .ogxm, or gammonview's .gvab.",
    stopped: "The review has stopped.",
    noAnswer: "The review ended without an answer.",
    openName: "Open a match",
    heading: "Review a match",
    drop: "Drop a match file on this page, or choose one; or a review that was saved as HTML or JSON.",
    dropMat:
      "Drop a match file (.mat) on this page, or choose one; or a review that was saved as HTML or JSON. Other match files, and a library of your matches, need gammon on your own machine.",
    file: "Match file",
    times: "Depth 3 takes seconds for a match, depth 5 some minutes.",
    timesHere:
      "Depth 3 takes seconds for a match, depth 5 a minute or so; Roller, which plays games where choices are close, some minutes.",
    timesShort: "A match takes seconds.",
    private: "The file stays on your machine.",
    depth: "Depth of the review",
    /** @param {string} name */
    noReview: (name) =>
      `${name} has no review: expected what gammon review wrote, as HTML or JSON.`,
    /** @param {string} name */
    isDamaged: (name) => `${name} is damaged: expected a position of eXtreme Gammon.`,
    progress: "Progress",
    name: "Review",
    /** @param {number} number @param {number} own @param {number} their */
    game: (number, own, their) => `Game ${number}, ${own} to ${their}`,
    /** @param {string[]} names */
    against: (names) => names.join(" against "),
    /** @param {string} level */
    again: (level) => `Reviewing again, ${level}`,
    /** @param {string} program */
    analyzedBy: (program) => `Analyzed by ${program}.`,
    /** @param {string} program */
    stored: (program) => `Beside it stands the analysis in the file, by ${program}.`,
    /** @param {number} depth @param {boolean} more whether depth 5 can be had */
    agrees: (depth, more) =>
      `gammon played at depth ${depth} here, and this review looks no deeper: it agrees with what gammon did.${more ? " At depth 5 it judges gammon, too." : ""}`,
    summary: "Summary",
    /** @param {string} one @param {string} other @param {string} what */
    players: (one, other, what) => `${one} and ${other}, ${what}`,
    save: "Save as HTML",
    another: "Another match",
    figures: "Figures",
    main: "Main figures",
    all: "All figures",
    both: "Both players",
    inLibrary: "In your library",
    /** The first printed line. @param {number} length @param {number} games @param {string} one @param {number} own @param {string} other @param {number} their @param {string} level */
    printed: (length, games, one, own, other, their, level) =>
      `${length ? `Match to ${length}` : "Money"}, ${counted(games, "game")}: ${one} ${own}, ${other} ${their}. Reviewed by gammon, ${level}.`,
    /** @param {string} name */
    chance: (name) => `Chance of ${name} to win the match`,
    /** @param {string} name */
    points: (name) => `Points of ${name}`,
    /** @param {string} what */
    dots: (what) => `${what}. Dots are errors.`,
    /** @param {string} what @param {number} count */
    graph: (what, count) => `${what}, ${count} turns`,
    turns: "turns",
    /** @param {number} game @param {number} turn */
    source: (game, turn) => `Game ${game}, turn ${turn}`,
    pr: "PR",
  },

  /** Decisions: their list, and the one on the board. */
  decisions: {
    all: "All decisions",
    errors: "Errors",
    /** @param {string} mark @param {number} least */
    least: (mark, least) => `${mark}, ${least} or more`,
    none: "No decision is like that.",
    game: "Game",
    allGames: "All games",
    size: "Size",
    both: "Both",
    kind: "Kind",
    allKinds: "All kinds",
    plays: "Plays",
    cube: "Cube",
    theme: "Theme",
    allThemes: "All themes",
    order: "Order",
    inOrder: "In order",
    worstFirst: "Worst first",
    avoidableFirst: "To look at first",
    turn: "Turn",
    decision: "Decision",
    error: "Error",
    list: "List of decisions",
    isFirst: "This is the first one of the list.",
    isLast: "This is the last one of the list.",
    /** The order of the list, after how many errors it has. */
    sorted: {
      inOrder: "in order",
      worst: "the largest first",
      avoidable: "the most avoidable first",
    },
    /** @param {number} count @param {number} all */
    ofLargest: (count, all) => `${count} of the ${all} largest errors`,
    /** @param {number} count @param {number} all */
    ofErrors: (count, all) => `${count} of ${counted(all, "error")}`,
    /** @param {string} best */
    best: (best) => ` (best: ${best})`,
    /** @param {string} name @param {string} play */
    played: (name, play) => `${does(name, "play")} ${play}`,
    /** @param {string} deed @param {string} loss @param {string} mark @param {string} best */
    lost: (deed, loss, mark, best) =>
      `${deed}, which loses ${loss}${mark && ` (${mark})`}; best is ${best}.`,
    /** @param {string} deed */
    right: (deed) => `${deed}, which is right.`,
    this: "This decision",
    rollOut: "Roll it out",
    previous: "Previous",
    next: "Next",
    showBest: "Best",
    showMade: "Played",
    agree: "The games agree with what was done.",
    /** @param {string} verdict */
    rolledOut: (verdict) => `Rolled out: ${verdict}`,
    /** @param {string} remark */
    fileSays: (remark) => `In the file: ${remark}`,
    luck: "Luck",
    /** @param {string} luck */
    ofRoll: (luck) => ` of the roll ${luck}`,
    /** @param {string} themes */
    themes: (themes) => `Themes: ${themes}`,
    unread: "Its review is not read yet.",
    made: "made",
    /** @param {number} depth */
    byGammon: (depth) => `gammon, depth ${depth}`,
    /** @param {string} level */
    inFile: (level) => `In the file, ${level}`,
    /** @param {number} games */
    byGames: (games) => `Rollout, ${games} games`,
    standardError: "s.e.",
    /** The heads of the chances, and what they mean. */
    chances: {
      win: ["Win %", "Wins, in per cent."],
      win_gammon: ["W g", "Wins with a gammon, in per cent."],
      win_backgammon: ["W bg", "Wins with a backgammon, in per cent."],
      lose_gammon: ["L g", "Losses with a gammon, in per cent."],
      lose_backgammon: ["L bg", "Losses with a backgammon, in per cent."],
    },
  },

  study: {
    errors: "Errors",
    plan: "Plan",
    drill: "Drill",
    reading: "Reading the library.",
    library: "Library",
    yours: "Your library",
    shown: "What is shown",
    allPlayers: "All players",
    by: "By",
    allFigures: "All figures",
    thisIsMe: "This is me",
    thisIsMeTip: "Your errors come first, and files have this name.",
    anotherName: "Another name",
    /** @param {string} player */
    anotherNameOf: (player) => `Another name of ${player}`,
    rename: "Rename",
    renameTip: "The name of another player makes both one. Match files keep their names.",
    /** @param {string} player @param {string} other */
    onePlayer: (player, other) => `Are ${player} and ${other} one player?`,
    /** @param {string} player @param {string} other */
    becomes: (player, other) => `The matches of ${player} become matches of ${other}.`,
    makeOne: "Make them one",
    filters: "Filters",
    opponent: "Opponent",
    allOpponents: "All opponents",
    since: "From",
    until: "Until",
    length: "Points of the match",
    least: "Errors from",
    most: "Errors up to",
    score: "Points away",
    board: "Checkers",
    /** The kinds of groups. */
    groups: {
      player: "player",
      kind: "kind",
      phase: "phase",
      theme: "theme",
      opponent: "opponent",
      day: "day",
      month: "month",
      year: "year",
      length: "length",
      analysis: "analysis",
    },
    /** The heads of the groups. */
    groupHeads: {
      player: "Player",
      kind: "Kind",
      phase: "Phase",
      theme: "Theme",
      opponent: "Opponent",
      day: "Day",
      month: "Month",
      year: "Year",
      length: "Length",
      analysis: "Analysis",
    },
    trend: "Trend",
    trendTip: "PR: a dot for each match, the line for the last ten.",
    /** @param {string} day "" if it is not known @param {string} pr */
    dot: (day, pr) => `${day || "No day"}: PR ${pr}`,
    /** @param {number} count @param {string} mean */
    trendOf: (count, mean) => `PR of ${counted(count, "match", "es")}; of the last ten ${mean}`,
    first: "first",
    last: "last",
    all: "All",
    allGroup: "all",
    /** @param {number} count @param {number} all */
    of: (count, all) => `${count} of ${all}`,
    pr: "PR",
    lost: "Lost",
    class: "Class",
    bad: "Bad",
    won: "Won",
    prPlays: "PR plays",
    prDoubles: "PR doubles",
    prTakes: "PR takes",
  },

  plan: {
    name: "What to work on",
    choose: "Choose a player.",
    /** @param {string[]} themes */
    workOn: (themes) => `Work on ${themes.join(", ")}.`,
    nothing: "No theme stands out yet.",
    /** @param {string} low @param {string} high */
    range: (low, high) => `${low} to ${high}`,
    notEnough: "not enough yet",
    /** @param {string} player @param {boolean} money @param {number} count of matches, or of sessions for money */
    of: (player, money, count) =>
      `${player}, ${money ? counted(count, "session") : counted(count, "match", "es")}.`,
    themes: "Themes",
    theme: "Theme",
    toWinPoints: "To win back, points",
    toWinShare: "To win back, %",
    interval: "95 % interval",
    /** @param {boolean} money @param {string} player */
    toWinTip: (money, player) =>
      `To win back: ${money ? "points that a session" : "chances that a match"} would bring more if ${player} played as a player of PR 5 does in these decisions. Themes overlap; first come those whose interval is above 0. A theme needs 5 errors in 3 matches.`,
    biases: "Biases",
    bias: "Bias",
    lean: "Lean",
    leanTip:
      "Lean: equity per decision, beside a player without a habit; + is to take too much, to double too early, to be too bold. A bias is clear if its interval is on one side of 0; it needs 20 decisions in 3 matches.",
  },

  progress: {
    name: "Before and after a drill",
    since: "After begins on",
    firstDrill: "first drill",
    period: "Period",
    /** @param {string} day */
    before: (day) => `Before ${day}`,
    after: "Since then",
    /** @param {string} theme */
    change: (theme) => `Change in ${theme}`,
    elsewhere: "Change elsewhere",
    tip: "Changes allow for the difficulty of the decisions; negative is better. Whoever drills the theme of the worst results gets better ones even without a drill, so compare both changes. Each side needs 30 decisions in 3 matches.",
  },

  /** The matches of the library, and files on their way into it. */
  notes: {
    name: "Notes",
    note: "Note",
    write: "Note",
    remark: "Remark in a match file",
    words: "Your note",
    tags: "Tags, with commas between them",
    tagsTip: "Positions with the same tag are a collection.",
    save: "Save",
    saved: "The note is saved.",
    removed: "The note is removed.",
    search: "Search in notes, tags and remarks",
    find: "Search",
    list: "List of notes",
    changed: "Changed",
    ofMatch: "in a match file",
    none: "No note has these words.",
    howTo: "No notes yet. Analyze a position, and press Note.",
    /** @param {number} count */
    count: (count) => counted(count, "note"),
  },
  library: {
    list: "List of matches",
    /** @param {number} count */
    all: (count) => `All ${count} matches`,
    match: "Match",
    won: "Won",
    yes: "yes",
    no: "no",
    /** @param {number} length */
    to: (length) => `to ${length}`,
    money: "money",
    /** @param {string} players @param {number} length @param {string} day "" if it is not known */
    matchOf: (players, length, day) =>
      `${players}, ${length ? `to ${length}` : "for money"}${day && `, ${day}`}`,
    remove: "Remove",
    /** @param {string} match */
    removeNamed: (match) => `Remove ${match}`,
    removeAsk: "Remove this match from your library?",
    /** @param {string} match */
    removeTip: (match) =>
      `${match}. Its errors leave the statistics, too. The match file stays where it is.`,
    addName: "Add matches",
    drop: "Drop match files and folders on this page, or choose them. Each is reviewed at the depth of your reviews; what is added stays, also if you stop.",
    dropMat:
      "Drop match files (.mat) and folders on this page, or choose them. Each is reviewed at the depth of your reviews; what is added stays, also if you stop.",
    files: "Files",
    folder: "A folder",
    noMatches: "No match file is among these files.",
    /** @param {string} why "" if it was stopped @param {number} count of the files that are left */
    left: (why, count) => `${why || "Stopped"}: ${counted(count, "file")} left.`,
    noAnswer: "The server ended without an answer.",
    unread: "It cannot be read.",
    /** What has become of a file, by the server's word for it. */
    fates: {
      reviewed: "added",
      "kept as analyzed": "added with the file's own analysis",
      continued: "replaces its beginning",
      "already there": "is in your library already",
      "removed before": "was removed from your library before",
    },
    /** @param {string} file @param {string} why */
    leftOut: (file, why) => `${file} is left out: ${why}`,
    /** @param {number} added @param {number} all */
    added: (added, all) => `${added} of ${counted(all, "file")} added to your library.`,
    name: "Adding files",
    /** @param {number} number @param {number} all */
    adding: (number, all) => `Adding ${number} of ${counted(all, "file")}`,
    over: "Added",
    again: "Add again what was removed",
    fileName: "The library as a file",
    fileTip:
      "This browser keeps your library, and may clear its storage: save a copy. Another browser adds its matches, as does gammon study add.",
    save: "Save the library",
    merge: "Add a saved library",
    /** @param {number} number @param {number} all */
    merging: (number, all) => `Adding ${number} of ${counted(all, "match", "es")}`,
    /** @param {number} count @param {number} left */
    merged: (count, left) =>
      `${counted(count, "match", "es")} added${left ? `, ${left} damaged` : ""}.`,
  },

  drill: {
    name: "Drill",
    deck: "Deck",
    all: "All",
    decks: {
      errors: "errors",
      openings: "openings",
      replies: "replies",
      cubes: "cubes",
      races: "races",
    },
    grades: ["", "Wrong", "Nearly right", "Right"],
    noDouble: "No double",
    noRedouble: "No redouble",
    double: "Double",
    redouble: "Redouble",
    take: "Take",
    pass: "Pass",
    /** @param {number} today the cards that are answered @param {number} due */
    today: (today, due) =>
      due
        ? `${today} of ${today + due} today.`
        : `${today ? `${today} answered today, none` : "None"} to be repeated now: new cards.`,
    showMe: "Show me",
    /** @param {number} right @param {number} all */
    score: (right, all) => `${right} of ${all} right.`,
    noCard: "No card is left that is new or due.",
    whatIsRight: "What is right",
    /** @param {number} days 0: today */
    again: (days) => `It comes again ${days ? `in ${counted(days, "day")}` : "soon"}.`,
    typeNumber: "Type the number",
    next: "Next",
    /** @param {string} grade @param {number} count @param {boolean} effective */
    pips: (grade, count, effective) =>
      `${grade}: ${counted(count, effective ? "effective pip" : "pip")}.`,
    /** @param {string} best */
    best: (best) => `Best is ${best}.`,
    /** @param {string} grade @param {string} made @param {string} loss "" if there is none @param {string} best */
    answer: (grade, made, loss, best) =>
      `${grade}: ${made}${loss && ` loses ${loss}, best is ${best}`}.`,
  },

  help: {
    /** @param {string} about */
    about: (about) => `Help: ${about}`,
    unread: "The help cannot be read now.",
    /** What explains itself, by its entry in the page of help. */
    words: {
      equity:
        "What the player on roll wins on average, in units of the cube: 1 is a single game. The cube counts.",
      emg: "Equity at this score, rescaled as for money: losing a single game is −1, winning it +1.",
      error: `How much worse than the best choice. ?! doubtful, from ${DOUBTFUL}; ? bad, from ${BAD}; ?? very bad, from ${WORST}.`,
      "gammon-backgammon":
        "Chances in per cent. Wins include gammons, which count twice; gammons include backgammons, which count three times.",
      "match-equity-table": "The chance of winning the match, in per cent.",
      exact:
        "How the value was found. exact: best play to this depth; bounded: all rolls and plays to this depth, where a look ahead moves a value within limits; depth: a shallower search; static: an estimate; rollout: a mean of games.",
      depth: "How far gammon looks ahead: 1 your play, 3 also the reply, 5 also your next play.",
      rollout:
        "Games played from here with the same dice for each candidate; their mean is the value.",
      "standard-error":
        "How far the mean typically lies from the true mean; twice this value is a safe margin.",
      pr: "The mean error times 500: 3 is world class, 10 advanced, 25 a beginner.",
      luck: "What the dice brought, compared with the average roll.",
      cube: "A player may double the stakes before the roll; the opponent takes, or passes and loses.",
      "jacoby-rule": "For money, gammons count only after the cube was turned.",
      "crawford-game": "The first game in which a side needs one point: nobody may double.",
      dmp: "DMP, double match point: the game decides the match for both.",
      analyze: "What the page does with a position.",
      play: "How to move, double and take back.",
      "review-and-study": "What a review shows, and the library of your matches.",
      "the-rules": "The rules of backgammon.",
    },
  },

  errors: {
    serverAway: "The server does not answer. Is `gammon serve` still running?",
    /** @param {number} status */
    serverSays: (status) => `The server says ${status}.`,
    engineAway: "The engine in this page has stopped. Ask again, or load the page anew.",
    tooOld: "This browser cannot run the engine: one with WebAssembly and workers of modules can.",
    noReport: "The server has no page for a file.",
    noPicture: "This browser makes no pictures.",
  },

  /**
   * Words that the engine and the server send, such as "no double": in English the page shows them as
   * they come. @type {Record<string, string>}
   */
  said: {},
};
