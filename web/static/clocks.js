// How long players think, in whole minutes, counted on while nothing is sent. The companion's clock counts, not the phone's.
const EVERY_MS = 5000;
const MAX_THOUGHT_S = 900;
let aheadMs = null;

async function compare() {
  const answer = await fetch("/health", { cache: "no-store" });
  aheadMs = Date.now() - Date.parse(answer.headers.get("Date"));
}

function count(clock) {
  const thoughtS = clock.dataset.since ? (Date.now() - aheadMs - Date.parse(clock.dataset.since)) / 1000 : 0;
  const countedS = thoughtS > 0 && thoughtS <= MAX_THOUGHT_S ? thoughtS : 0;
  const minutes = Math.floor((Number(clock.dataset.used) + countedS) / 60);
  const text = clock.dataset.text.replace("#", String(minutes));
  if (clock.textContent !== text) clock.textContent = text;
}

export async function tick() {
  const clocks = document.querySelectorAll("[data-used]");
  if (clocks.length && !document.hidden) {
    try {
      if (aheadMs === null) await compare();
      clocks.forEach(count);
    } catch { /* the next time tells */ }
  }
  setTimeout(tick, EVERY_MS);
}
