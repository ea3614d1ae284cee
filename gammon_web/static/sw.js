/**
 * Keeps the page without a server, so that it works offline. `gammon site` fills in the two
 * constants.
 */

const CACHE = "gammon-VERSION";
/** @type {string[]} */
const FILES = [];

const worker = /** @type {any} */ (self); // a service worker, whose types TypeScript's DOM library lacks

/** The cache's name, which differs between the pages of an origin. */
const named = `${CACHE} ${worker.registration.scope}`;

worker.addEventListener("install", (/** @type {any} */ event) => {
  const fresh = FILES.map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(
    caches
      .open(named)
      .then((cache) => cache.addAll(fresh))
      .then(() => worker.skipWaiting()),
  );
});

worker.addEventListener("activate", (/** @type {any} */ event) => {
  const old = (/** @type {string} */ name) =>
    name !== named && name.startsWith("gammon-") && name.endsWith(` ${worker.registration.scope}`);
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name))))
      .then(() => worker.clients.claim()),
  );
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { method, mode, url } = event.request;
  if (method !== "GET") return;
  // The page has two addresses.
  const asked =
    mode === "navigate" && new URL(url).pathname.endsWith("/index.html")
      ? new URL("./", url).href
      : event.request;
  event.respondWith(
    caches
      .open(named)
      .then((cache) => cache.match(asked, { ignoreSearch: true }))
      .then((cached) => cached ?? fetch(event.request)),
  );
});
