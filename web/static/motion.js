// Scores count and pieces glide from their old to their new place, unless the phone asks for stillness.

const GLIDE_MS = 300, COUNT_MS = 600;
const still = matchMedia("(prefers-reduced-motion: reduce)");

// Where every piece stands, in the drawing's millimetres.
export function places(root) {
  const found = new Map();
  for (const piece of root.querySelectorAll(":scope > .board [data-piece]")) {
    const { e, f } = piece.transform.baseVal.consolidate()?.matrix ?? { e: 0, f: 0 };
    found.set(piece.dataset.piece, [e, f]);
  }
  return found;
}

export function glide(root, before) {
  if (still.matches || !before.size) return;
  for (const [key, [x, y]] of places(root)) {
    const piece = root.querySelector(`[data-piece="${CSS.escape(key)}"] > .piece`);
    const [wasX, wasY] = before.get(key) ?? [x, y];
    if (!before.has(key)) piece.animate([{ opacity: 0 }, { opacity: 1 }], GLIDE_MS);
    else if (wasX !== x || wasY !== y) {
      piece.animate([{ transform: `translate(${wasX - x}px, ${wasY - y}px)` }, { transform: "none" }],
        { duration: GLIDE_MS, easing: "ease-in-out" });
    }
  }
}

export function scores(root) {
  return new Map([...root.querySelectorAll("[data-score]")].map((each) => [each.dataset.score, read(each.textContent)]));
}

export function count(root, before) {
  if (still.matches) return;
  for (const shown of root.querySelectorAll("[data-score]")) {
    const from = before.get(shown.dataset.score), to = read(shown.textContent);
    if (Number.isFinite(from) && Number.isFinite(to) && from !== to) run(shown, from, to, performance.now());
  }
}

function run(shown, from, to, start) {
  const step = (now) => {
    const share = Math.min((now - start) / COUNT_MS, 1);
    shown.textContent = write(Math.round(from + (to - from) * share));
    if (share < 1 && shown.isConnected) requestAnimationFrame(step);
  };
  shown.textContent = write(from);
  requestAnimationFrame(step);
}

const read = (text) => Number(text.trim().replace("−", "-") || NaN);
const write = (number) => String(number).replace("-", "−");
