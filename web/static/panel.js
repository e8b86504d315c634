// Buttons and lamps as the pins really are, asked for often enough to see every blink (none is faster than 3 Hz).
const panel = document.getElementById("panel");
const EVERY_MS = 80;

function paint(state) {
  for (const seat of state.seats) {
    const post = panel.querySelector(`[data-button="${CSS.escape(seat.button)}"]`);
    post.querySelector(".glow").setAttribute("fill-opacity", seat.lamp);
    post.querySelector(".bulb").setAttribute("fill-opacity", 0.15 + 0.85 * seat.lamp);
    post.querySelector(".lamp").setAttribute("aria-label", seat.lamp > 0 ? panel.dataset.lit : panel.dataset.dark);
    post.classList.toggle("pressed", seat.pressed);
    const heard = post.querySelector(".heard");
    if (heard && seat.presses > Number(heard.dataset.presses)) {
      heard.dataset.presses = Infinity;
      heard.textContent = panel.dataset.heard;
      heard.classList.add("well");
    }
  }
  const rgb = state.status.rgb.map((part) => Math.round(255 * part)).join(" ");
  panel.querySelector(".rgb").setAttribute("fill", `rgb(${rgb})`);
  const buzzer = panel.querySelector("[data-buzzer]");
  buzzer.classList.toggle("sounding", state.buzzer.hz > 0);
  buzzer.querySelector(".hz").textContent = state.buzzer.hz > 0 ? `${state.buzzer.hz} Hz` : panel.dataset.silent;
}

async function look() {
  if (!document.hidden) {
    try { paint(await (await fetch("/panel.json", { cache: "no-store" })).json()); } catch { /* the next look tells */ }
  }
  setTimeout(look, EVERY_MS);
}

panel?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const body = new FormData(event.target, event.submitter);
  try { await fetch("/panel", { method: "POST", body: new URLSearchParams(body), redirect: "manual" }); } catch { /* the lamps tell */ }
});
if (panel) look();
