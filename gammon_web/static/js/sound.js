/** Sounds of dice and checkers, which the browser makes; there are none unless the player wants them. */

let wanted = false;
/** @type {AudioContext | null} */
let context = null;

/** The lengths in seconds, and the pitches, of the knocks of a sound. */
const KNOCKS = {
  checker: [[0, 900]],
  dice: [
    [0, 1500],
    [0.07, 1800],
    [0.16, 1400],
  ],
};
const SECONDS = 0.05;

/** Turn sounds on or off. @param {boolean} on */
export function sounding(on) {
  wanted = on;
}

/** Make a sound, if the player wants sounds. @param {keyof typeof KNOCKS} kind */
export function sound(kind) {
  if (!wanted || !globalThis.AudioContext) return;
  context ??= new AudioContext();
  const { sampleRate: rate, currentTime: now } = context;
  const buffer = context.createBuffer(1, Math.ceil(SECONDS * rate), rate);
  const samples = buffer.getChannelData(0);
  for (let at = 0; at < samples.length; at++)
    samples[at] = (2 * Math.random() - 1) * (1 - at / samples.length) ** 4;
  for (const [begin, pitch] of KNOCKS[kind]) {
    const source = new AudioBufferSourceNode(context, { buffer });
    const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: pitch, Q: 2 });
    source.connect(filter).connect(context.destination);
    source.start(now + begin);
  }
}
