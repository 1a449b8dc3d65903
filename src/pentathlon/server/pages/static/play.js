// Talks to the bench: sends what the player holds down, draws what the camera sees.
"use strict";
(() => {
  const find = (id) => document.getElementById(id);
  const SEND_MS = 33, REPEAT_MS = 200;
  const stage = find("stage"), canvas = find("picture"), context = canvas.getContext("2d");
  let socket = null, last = "", sentAt = 0;

  for (const button of stage.querySelectorAll("[data-axis]")) Controls.wire(button);

  function setState(state, text) {
    stage.dataset.state = state;
    if (text !== undefined) find("overlay").textContent = text;
    const playing = state === "ready" || state === "playing";
    find("finish").hidden = !playing;
    find("finish").disabled = state !== "playing";
    find("save").hidden = state !== "ended";
    find("discard").hidden = !playing && state !== "ended";
    if (playing) Controls.enable(finish); else Controls.disable();
  }

  function tell(sentence) {
    const said = document.createElement("p");
    said.className = "told";
    said.textContent = sentence;
    find("told").replaceChildren(...(sentence ? [said] : []));
  }

  const say = (wish) => { if (socket && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(wish)); };
  const finish = () => say({ kind: "finish" });

  function chosen() {
    const fields = new FormData(find("setup"));
    const task = fields.get("task");
    return {
      kind: "start", task, container: fields.get(`container-${task}`), material: fields.get(`material-${task}`),
      location: fields.get("location"), seed: Number(fields.get("seed")),
    };
  }

  const hear = {
    ready(news) {
      find("limit").textContent = news.limit_s.toFixed(0);
      find("grams-name").textContent = news.task === "pour" ? "in the cup" : "in the spoon";
      find("grams").textContent = find("time").textContent = "0.0";
      setState("ready", "Ready. It begins when you move.");
      canvas.focus({ preventScroll: true });
      stage.scrollIntoView({ block: "nearest" });
    },
    status(news) {
      if (stage.dataset.state === "ready") setState("playing", "");
      find("grams").textContent = news.grams.toFixed(1);
      find("time").textContent = news.time_s.toFixed(1);
      find("tilt").textContent = news.tilt_deg.toFixed(0);
      find("pace").textContent = news.pace.toFixed(1);
    },
    result(news) {
      find("grams").textContent = news.grams.toFixed(1);
      setState("ended", `${news.grams.toFixed(1)} g in ${(news.steps / 30).toFixed(1)} s. Save it or start again.`);
      find("save").focus();
    },
    saved(news) {
      setState("idle", `Saved as episode ${news.index} of ${news.dataset}. Thank you.`);
      find("start").focus();
    },
    problem(news) {
      tell(news.error);
      if (stage.dataset.state !== "ended") setState("idle", "Start again when you like.");
    },
  };

  async function draw(jpeg) {
    const picture = await createImageBitmap(jpeg);
    if (canvas.width !== picture.width || canvas.height !== picture.height) {
      canvas.width = picture.width;
      canvas.height = picture.height;
    }
    context.drawImage(picture, 0, 0);
    picture.close();
    stage.dataset.frames = Number(stage.dataset.frames || 0) + 1;
  }

  function connect() {
    const address = new URL("/play/socket", location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    socket = new WebSocket(address);
    socket.onopen = () => say(chosen());
    socket.onmessage = ({ data }) => {
      if (data instanceof Blob) { draw(data); return; }
      const news = JSON.parse(data);
      hear[news.kind](news);
    };
    socket.onclose = () => {
      socket = null;
      setState("off", "Not connected. Start when you like.");
    };
  }

  function steer() {
    if (stage.dataset.state !== "ready" && stage.dataset.state !== "playing") { last = ""; return; }
    const axes = Controls.axes(), text = axes.join();
    const moving = axes.some((value) => value !== 0), now = performance.now();
    const due = moving && now - sentAt > REPEAT_MS;
    if (text === last && !due) return;
    if (last === "" && !moving) return;
    last = text;
    sentAt = now;
    say({ kind: "move", axes });
  }

  find("setup").addEventListener("submit", (event) => {
    event.preventDefault();
    tell("");
    setState("preparing", "The bench is being set up; the first time takes a few seconds.");
    if (socket) say(chosen()); else connect();
  });
  for (const radio of document.querySelectorAll("input[name=task]")) {
    radio.addEventListener("change", () => {
      for (const pair of document.querySelectorAll("[data-task]")) pair.hidden = pair.dataset.task !== radio.value;
    });
  }
  find("finish").addEventListener("click", finish);
  find("save").addEventListener("click", () => { setState("saving", "Saving…"); say({ kind: "save" }); });
  find("discard").addEventListener("click", () => {
    say({ kind: "discard" });
    setState("idle", "Discarded. Start again when you like.");
  });
  for (const name of ["gamepadconnected", "gamepaddisconnected"]) {
    window.addEventListener(name, () => { find("gamepad").textContent = Controls.gamepad() ? "Gamepad connected." : ""; });
  }
  setInterval(steer, SEND_MS);
  setState("off");
})();
