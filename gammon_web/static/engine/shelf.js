/** The storage of the library in the browser: matches, their reviews, and marks. */

/**
 * @import {Kept, Marks, Shelf, Whole} from "./shelving.js"
 * @typedef {Whole & {digest: string}} Stored
 */

const NAME = "gammon";
/** @type {Marks} */
const NONE = { removed: [], called: {} };

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
function answered(request) {
  return new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });
}

/** The database, which is created when it is first opened. @returns {Promise<IDBDatabase>} */
function opened() {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => {
    const base = request.result;
    // Keys are numbers in the order in which matches were added; a digest has one match.
    base
      .createObjectStore("matches", { autoIncrement: true })
      .createIndex("digest", "digest", { unique: true });
    base.createObjectStore("reviews", { keyPath: "digest" });
    base.createObjectStore("marks");
  };
  return answered(request);
}

/**
 * Work in a transaction; what it writes is there once the promise is fulfilled.
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(store: (name: string) => IDBObjectStore) => Promise<T>} work
 * @returns {Promise<T>}
 */
async function within(mode, work) {
  const base = await opened();
  try {
    const transaction = base.transaction(["matches", "reviews", "marks"], mode);
    const over = new Promise((done, fail) => {
      transaction.oncomplete = done;
      transaction.onabort = () => fail(transaction.error);
    });
    const result = await work((name) => transaction.objectStore(name)).catch((error) => {
      transaction.abort();
      over.catch(() => {});
      throw error;
    });
    await over;
    return result;
  } finally {
    base.close();
  }
}

/** @param {(name: string) => IDBObjectStore} store @param {string} digest */
async function drop(store, digest) {
  const key = await answered(store("matches").index("digest").getKey(digest));
  if (key !== undefined) store("matches").delete(key);
  store("reviews").delete(digest);
}

/** @type {Shelf} */
export const shelf = {
  all: () => within("readonly", (store) => answered(store("matches").getAll())),
  whole: (digest) => within("readonly", (store) => answered(store("reviews").get(digest))),
  put: (match, whole, instead = "") =>
    within("readwrite", async (store) => {
      await drop(store, instead);
      store("matches").add(match);
      store("reviews").put(/** @type {Stored} */ ({ ...whole, digest: match.digest }));
    }),
  remove: (digest) => within("readwrite", (store) => drop(store, digest)),
  marks: async () =>
    (await within("readonly", (store) => answered(store("marks").get("all")))) ?? NONE,
  mark: (marks) => within("readwrite", async (store) => void store("marks").put(marks, "all")),
};
