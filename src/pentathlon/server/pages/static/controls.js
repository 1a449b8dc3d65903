// What the player holds down, as five speeds from -1 to 1: right, towards the player, up, point right, tilt.
"use strict";
const Controls = (() => {
  const KEYS = {
    KeyA: [0, -1], KeyD: [0, 1], KeyW: [1, -1], KeyS: [1, 1], KeyR: [2, 1], KeyF: [2, -1],
    ArrowLeft: [3, -1], ArrowRight: [3, 1], ArrowUp: [4, 1], ArrowDown: [4, -1],
  };
  const DEAD_ZONE = 0.15, SLOW = 0.3;
  const held = new Map();
  let slow = false, enabled = false, finish = () => {}, padFinished = false;

  const typing = (target) => target instanceof Element && target.closest("input, select, textarea");

  function press(event) {
    slow = event.shiftKey;
    if (!enabled || typing(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.code === "Enter" && !(event.target instanceof HTMLButtonElement)) { event.preventDefault(); finish(); return; }
    if (!(event.code in KEYS)) return;
    event.preventDefault();
    held.set(event.code, KEYS[event.code]);
  }

  function release(event) {
    slow = event.shiftKey;
    held.delete(event.code);
  }

  function wire(button) {
    const effect = [Number(button.dataset.axis), Number(button.dataset.sign)];
    const hold = () => held.set(button, effect), letGo = () => held.delete(button);
    button.addEventListener("pointerdown", (event) => { event.preventDefault(); button.focus(); button.setPointerCapture(event.pointerId); hold(); });
    for (const name of ["pointerup", "pointercancel", "lostpointercapture", "blur"]) button.addEventListener(name, letGo);
    button.addEventListener("keydown", (event) => {
      if (event.code === "Space" || event.code === "Enter") { event.preventDefault(); hold(); }
    });
    button.addEventListener("keyup", letGo);
    button.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  const beyond = (value) => (Math.abs(value) < DEAD_ZONE ? 0 : (value - Math.sign(value) * DEAD_ZONE) / (1 - DEAD_ZONE));

  function gamepad() {
    return Array.from(navigator.getGamepads ? navigator.getGamepads() : []).find((pad) => pad && pad.connected);
  }

  function fromPad(pad) {
    const [x = 0, y = 0, turn = 0, tilt = 0] = pad.axes;
    const pressed = (index) => (pad.buttons[index] ? pad.buttons[index].value : 0);
    const done = pressed(0) > 0.5;
    if (done && !padFinished) finish();
    padFinished = done;
    return [beyond(x), beyond(y), pressed(7) - pressed(6), beyond(turn), beyond(-tilt)];
  }

  function axes() {
    const sum = [0, 0, 0, 0, 0];
    const pad = gamepad();
    if (pad) fromPad(pad).forEach((value, index) => { sum[index] += value; });
    for (const [axis, sign] of held.values()) sum[axis] += sign * (slow ? SLOW : 1);
    return sum.map((value) => Math.round(100 * Math.max(-1, Math.min(1, value))) / 100);
  }

  document.addEventListener("keydown", press);
  document.addEventListener("keyup", release);
  window.addEventListener("blur", () => held.clear());
  document.addEventListener("visibilitychange", () => held.clear());

  return {
    axes, gamepad, wire,
    enable(onFinish) { enabled = true; finish = onFinish; },
    disable() { enabled = false; held.clear(); finish = () => {}; },
  };
})();
