// Uploads by the API, with progress: an archive, or a folder that is packed here. Without script the form takes archives.
"use strict";
(() => {
  const find = (id) => document.getElementById(id);
  const form = find("upload"), drop = find("drop"), archive = find("archive"), told = find("told");
  let sending = null;

  for (const element of form.querySelectorAll(".scripted:not(#sending)")) element.hidden = false;

  function tell(sentence) {
    const said = document.createElement("p");
    said.className = "told";
    said.setAttribute("role", "alert");
    said.textContent = sentence;
    told.replaceChildren(...(sentence ? [said] : []));
    if (sentence) said.scrollIntoView({ block: "center" });
  }

  function show(busy) {
    find("sending").hidden = !busy;
    find("send").disabled = busy;
  }

  function mebibytes(bytes) {
    return (bytes / 2 ** 20).toFixed(1);
  }

  function sentence(request) {
    try { return JSON.parse(request.responseText).error; } catch { return `The server answered ${request.status}.`; }
  }

  function send(file) {
    const fields = new FormData(form);
    const [task, challenge = ""] = fields.get("board").split(" ");
    const query = new URLSearchParams({ task, challenge, title: fields.get("title") });
    const request = sending = new XMLHttpRequest();
    request.open("POST", `/api/submissions?${query}`);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    // The same key for the same attempt, so that a repeated request makes one submission.
    const key = crypto.getRandomValues(new Uint8Array(16));
    request.setRequestHeader("Idempotency-Key", Array.from(key, (byte) => byte.toString(16).padStart(2, "0")).join(""));
    request.upload.onprogress = (event) => {
      find("sent").value = 100 * event.loaded / event.total;
      find("sent-text").textContent = `${mebibytes(event.loaded)} of ${mebibytes(event.total)} MiB`;
    };
    request.onload = () => {
      if (request.status === 201) { location.assign(`/submissions/${JSON.parse(request.responseText).id}`); return; }
      show(false);
      tell(sentence(request));
    };
    request.onerror = () => { show(false); tell("The server could not be reached, or it closed the connection."); };
    request.onabort = () => show(false);
    tell("");
    show(true);
    request.send(file);
  }

  // What is sent: a folder that was packed here, or else the archive that was chosen.
  let packed = null;

  function hold(blob, sentence) {
    packed = blob;
    find("held").textContent = sentence;
    archive.required = !blob;
    if (blob) archive.value = "";
  }

  async function take(name, collect) {
    tell("");
    hold(null, `Packing ${name} …`);
    try {
      const blob = await Zip.pack(await collect());
      hold(blob, `The folder ${name} is packed: ${mebibytes(blob.size)} MiB.`);
      find("send").focus();
    } catch (error) {
      hold(null, "");
      tell(error.message);
    }
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const file = packed || archive.files[0];
    if (!file) { tell("Choose or drop a folder, or its archive, first."); return; }
    const limit = Number(form.dataset.limitMib);
    if (file.size > limit * 2 ** 20) { tell(`It has ${mebibytes(file.size)} MiB, and this server takes ${limit} MiB. Leave out what is not needed.`); return; }
    send(file);
  });
  find("halt").addEventListener("click", () => sending && sending.abort());
  archive.addEventListener("change", () => { if (archive.files.length) hold(null, ""); });
  find("folder").addEventListener("change", (event) => {
    const { files } = event.target;
    if (files.length) take(files[0].webkitRelativePath.split("/")[0], () => Zip.chosen(files));
  });
  find("choose").addEventListener("click", () => find("folder").click());

  for (const name of ["dragenter", "dragover"]) {
    drop.addEventListener(name, (event) => { event.preventDefault(); drop.classList.add("over"); });
  }
  for (const name of ["dragleave", "drop"]) drop.addEventListener(name, () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    const { items, files } = event.dataTransfer;
    if (files.length !== 1) { tell("Drop one folder, or one archive of it."); return; }
    const entry = items.length && items[0].webkitGetAsEntry ? items[0].webkitGetAsEntry() : null;
    if (entry && entry.isDirectory) { take(entry.name, () => Zip.walk(entry)); return; }
    hold(null, "");
    archive.files = files;
    tell("");
    find("send").focus();
  });
})();
