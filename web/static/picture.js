// A picture to send: messengers want PNG, and a phone offers to whom. Without this script the link saves the drawing.

async function drawn(address, name) {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  canvas.getContext("2d").drawImage(image, 0, 0);
  const blob = await new Promise((done) => { canvas.toBlob(done, "image/png"); });
  return new File([blob], name, { type: "image/png" });
}

function save(file) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-picture]");
  if (!link) return;
  event.preventDefault();
  try {
    const file = await drawn(link.href, link.dataset.picture);
    if (navigator.canShare?.({ files: [file] })) await navigator.share({ files: [file] });
    else save(file);
  } catch (error) {
    if (error.name !== "AbortError") location.assign(link.href); // who thinks better of it wants no file
  }
});
