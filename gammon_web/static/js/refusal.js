/**
 * The error of a question that the server, or the engine in the page, cannot answer.
 */

export class Refusal extends Error {
  /** @param {string} message @param {string} [code] a code of the server's refusals */
  constructor(message, code = "invalid_request") {
    super(message);
    this.code = code;
  }
}

/** A text in quotes, no longer than a line. @param {string} text */
export function quoted(text) {
  return `'${text.length > 60 ? `${text.slice(0, 57)}...` : text}'`;
}
