// Uploads by the API, which can be dropped onto and shows how far it is; without script the form does the same.
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

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const [file] = archive.files;
    if (!file) { tell("Choose the archive of a folder first."); return; }
    const limit = Number(form.dataset.limitMib);
    if (file.size > limit * 2 ** 20) { tell(`The archive is larger than ${limit} MiB, the most this server takes.`); return; }
    send(file);
  });
  find("halt").addEventListener("click", () => sending && sending.abort());

  for (const name of ["dragenter", "dragover"]) {
    drop.addEventListener(name, (event) => { event.preventDefault(); drop.classList.add("over"); });
  }
  for (const name of ["dragleave", "drop"]) drop.addEventListener(name, () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (!file || event.dataTransfer.files.length > 1) { tell("Drop one archive."); return; }
    archive.files = event.dataTransfer.files;
    tell("");
    find("send").focus();
  });
})();
