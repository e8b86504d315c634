// A backup is sent piece by piece, one after the other: a piece that did not arrive is sent again, from where the table has it.
const TRIES = 5, PAUSE_MS = 1000;
const form = document.getElementById("bring");

async function asked(address, body) {
  const answer = await fetch(address, { method: "POST", body, headers: {
    Accept: "application/json", "Content-Type": body === "{}" ? "application/json" : "application/octet-stream" } });
  return { status: answer.status, told: await answer.json() };
}

async function sent(number, piece) {
  for (let left = TRIES; ; left -= 1) {
    try {
      const { status, told } = await asked(`/backup/piece?piece=${number}`, piece);
      if (status !== 429 || left === 0) return told;
    } catch (error) {
      if (left === 0) throw error;
    }
    await new Promise((done) => { setTimeout(done, PAUSE_MS); });
  }
}

async function bring(file, { piece, checking }, bar, status) {
  const length = Number(piece);
  for (let number = 0; number * length < file.size || number === 0; number += 1) {
    const part = file.slice(number * length, (number + 1) * length);
    const told = await sent(number, part);
    const there = number * length + part.size;
    if (!told.ok && told.bytes !== there) return told.error;
    bar.value = there / Math.max(1, file.size);
  }
  status.textContent = checking;
  const { told } = await asked("/backup/look", "{}");
  return told.ok ? "" : told.error;
}

form?.addEventListener("change", async ({ target }) => {
  const [file] = target.files, bar = form.querySelector("progress"), status = form.querySelector("[role=status]");
  if (!file) return;
  bar.parentElement.hidden = false;
  target.disabled = true;
  status.textContent = "";
  let wrong;
  try {
    wrong = await bring(file, form.dataset, bar, status);
  } catch {
    wrong = form.dataset.lost;
  }
  target.disabled = false;
  target.value = "";
  bar.parentElement.hidden = true;
  status.textContent = wrong;
  if (!wrong) location.reload();
});
if (form) form.hidden = false;
