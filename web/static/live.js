// The live stream: one EventSource that comes back after sleep, lost networks and restarts of the companion.
// Phones may cut a stream without telling anybody, so silence counts as a loss, and every return to the page asks anew.

const SILENCE_MS = 25_000; // two and a half beats
const WAITS_MS = [500, 1000, 2000, 4000, 8000];
const WORDS_AFTER_MS = 3000; // a short gap is nobody's business

export function connect({ onParts, onLink, url = `/stream?you=${document.body.dataset.you}` }) {
  let source = null, silence = 0, retry = 0, failures = 0, lostAt = 0, words = 0, why = "lost";

  function open() {
    close();
    if (document.hidden) return;
    source = new EventSource(url);
    source.addEventListener("parts", (event) => { alive(); onParts(JSON.parse(event.data)); });
    source.addEventListener("beat", alive);
    source.addEventListener("you", () => location.reload()); // this phone has another seat, or none, by now
    source.addEventListener("bye", () => { why = "stopped"; lose(); });
    source.onerror = () => { if (source && source.readyState === EventSource.CLOSED) ask(); lose(); };
    listen();
  }

  function listen() {
    clearTimeout(silence);
    silence = setTimeout(lose, SILENCE_MS);
  }

  function alive() {
    failures = 0; lostAt = 0; why = "lost";
    clearTimeout(words);
    onLink("live");
    listen();
  }

  function lose() {
    close();
    if (!lostAt) lostAt = Date.now();
    clearTimeout(words);
    const shown = Date.now() - lostAt;
    if (shown >= WORDS_AFTER_MS || why !== "lost") onLink(why);
    else words = setTimeout(() => onLink(why), WORDS_AFTER_MS - shown);
    const wait = WAITS_MS[Math.min(failures++, WAITS_MS.length - 1)];
    retry = setTimeout(open, wait * (0.75 + Math.random() / 2));
  }

  // A stream that is refused says no reason to a script; the answer to a plain question does.
  async function ask() {
    try {
      const health = await (await fetch("/health", { cache: "no-store" })).json();
      why = health.streams >= health.most ? "full" : "lost";
    } catch { why = "lost"; }
  }

  function close() {
    clearTimeout(silence);
    clearTimeout(retry);
    if (source) { source.onerror = null; source.close(); source = null; }
  }

  function wake() {
    failures = 0;
    open();
  }

  document.addEventListener("visibilitychange", () => (document.hidden ? close() : wake()));
  window.addEventListener("pageshow", (event) => { if (event.persisted) wake(); });
  window.addEventListener("pagehide", close);
  window.addEventListener("online", wake);
  onLink("connecting");
  open();
  return { wake };
}
