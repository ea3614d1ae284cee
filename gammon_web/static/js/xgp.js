/**
 * The position in a file of eXtreme Gammon (.xgp); gammon_study/match_files/xg.py names the places.
 */

/** Bytes of the heading, of the archive's last record, of an entry of its list, and of a record. */
const [HEAD, LAST, ENTRY, RECORD] = [8232, 36, 532, 2560];
/** The most records that are read; a match has more decisions. */
const MOST = 20;
/** The kinds of records. */
const [MATCH, GAME, CUBE, MOVE] = [0, 1, 2, 3];
/** The length of a session for money. */
const MONEY = 99999;

/** @param {Uint8Array} bytes */
const viewed = ({ buffer, byteOffset, byteLength }) => new DataView(buffer, byteOffset, byteLength);

/**
 * Return the first bytes of compressed ones, at most as many as a position has.
 * @param {Uint8Array} bytes
 */
async function unpacked(bytes) {
  const stream = new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (bytes)])
    .stream()
    .pipeThrough(new DecompressionStream("deflate"));
  const reader = stream.getReader();
  const whole = new Uint8Array(MOST * RECORD);
  for (let size = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return whole.subarray(0, size);
    whole.set(value.subarray(0, whole.length - size), size);
    size += value.length;
    if (size >= whole.length) return (reader.cancel(), whole);
  }
}

/** Return the records of a file; none if the archive lacks them. @param {Uint8Array} file */
async function recordsOf(file) {
  const archive = file.subarray(HEAD + viewed(file).getUint32(20, true));
  const last = viewed(archive.subarray(-LAST));
  const list = archive.subarray(-LAST - last.getUint32(12, true), -LAST);
  const entries = last.getUint32(20, true) ? await unpacked(list) : list;
  for (let at = 0; at < entries.length; at += ENTRY) {
    const entry = entries.subarray(at, at + ENTRY);
    if (new TextDecoder().decode(entry.subarray(1, 1 + entry[0])) !== "temp.xg") continue;
    const [whole, part, begin] = [512, 516, 520].map((place) =>
      viewed(entry).getUint32(place, true),
    );
    const content = archive.subarray(begin, begin + (entry[528] ? whole : part));
    return entry[528] ? content : await unpacked(content);
  }
  return new Uint8Array();
}

/** Return the checkers of an XGID. @param {Int8Array} points from the bottom player's side */
const lettersOf = (points) =>
  [...points]
    .map((count) => (count ? String.fromCharCode((count > 0 ? 64 : 96) + Math.abs(count)) : "-"))
    .join("");

/** Return the XGID of the only decision; null if there are none, or several. @param {Uint8Array} records */
function xgidIn(records) {
  /** @type {Uint8Array[][]} the records of each kind */
  const kinds = [[], [], [], []];
  for (let at = 0; at < records.length; at += RECORD)
    kinds[records[at + 8]]?.push(records.subarray(at, at + RECORD));
  const moves = kinds[MOVE].length > 0;
  const [decision, more] = kinds[moves ? MOVE : CUBE];
  if (!decision || more) return null;
  const [match, game, made] = [kinds[MATCH][0], kinds[GAME][0], decision].map(viewed);
  const whole = (/** @type {DataView} */ view, /** @type {number} */ at) => view.getInt32(at, true);
  const begin = decision.byteOffset + (moves ? 9 : 36);
  const cube = whole(made, moves ? 108 : 32);
  const length = whole(match, 92) === MONEY ? 0 : whole(match, 92);
  const scores = [whole(game, 12), whole(game, 16)];
  const oneAway = Math.max(...scores) === length - 1 && scores[0] !== scores[1];
  const crawford = game.getUint8(20) && oneAway ? 1 : 0;
  const rules = length ? crawford : (match.getUint8(101) ? 1 : 0) + (match.getUint8(102) ? 2 : 0);
  const fields = [
    lettersOf(new Int8Array(decision.buffer, begin, 26)),
    Math.abs(cube),
    Math.sign(cube),
    whole(made, moves ? 64 : 12) === 1 ? 1 : -1,
    moves ? `${whole(made, 100)}${whole(made, 104)}` : "00",
    ...scores,
    rules,
    length,
    10,
  ];
  return `XGID=${fields.join(":")}`;
}

/**
 * Return the XGID of the position in a file; null if the file is damaged, or has none.
 * @param {Blob} file
 */
export async function xgidOf(file) {
  try {
    return xgidIn(await recordsOf(new Uint8Array(await file.arrayBuffer())));
  } catch {
    return null;
  }
}
