/**
 * What cannot be answered, in a sentence for people: by the server, or by the engine in the page.
 */

export class Refusal extends Error {
  /** @param {string} message @param {string} [code] as the server has them */
  constructor(message, code = "invalid_request") {
    super(message);
    this.code = code;
  }
}

/** A text in quotes, no longer than a line. @param {string} text */
export function quoted(text) {
  return `'${text.length > 60 ? `${text.slice(0, 57)}...` : text}'`;
}
