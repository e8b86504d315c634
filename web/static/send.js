// Commands: a form posts by script where there is one, and what is refused is said on the page.

export function sendForms(root, { onError, onSent = () => {} }) {
  root.addEventListener("submit", async (event) => {
    const form = event.target.closest("form.send");
    if (!form) return;
    event.preventDefault();
    const button = form.querySelector("button");
    if (button.getAttribute("aria-busy") === "true") return;
    button.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(form.action, {
        method: "POST", body: form.elements.command.value,
        headers: { "Content-Type": "application/json", Accept: "application/json" },
      });
      const told = await answer.json();
      if (told.ok) { onError(""); onSent(); if (form.dataset.then) location.assign(form.dataset.then); } else onError(told.error);
    } catch {
      onError(null);
    } finally {
      button.removeAttribute("aria-busy");
    }
  });
}
