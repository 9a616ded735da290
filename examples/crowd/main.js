// The page: a meadow, a crowd, a few controls and honest numbers.
import { paintScenery } from "./scenery.js";
import { hasPhysicsIn, Show, setPhysics } from "./show.js";
import { fetchRig, readSettings, rigOfFiles } from "./source.js";

const LEAST = 100, MOST = 20_000;
const at = (id) => document.getElementById(id);
const canvas = at("crowd");
const number = (value) => value.toLocaleString("en-US");
const countOf = (slider) => {
  const raw = LEAST * (MOST / LEAST) ** (slider / 1000);
  const unit = raw < 1000 ? 50 : 100;
  return Math.min(MOST, Math.max(LEAST, Math.round(raw / unit) * unit));
};
const sliderOf = (count) => Math.round((1000 * Math.log(Math.max(count, LEAST) / LEAST)) / Math.log(MOST / LEAST));

let gl, show, rig, settings, count;
/** Threads that pose besides the page's own. */
let workers = 0;
let hasPhysics = true;
/** Its switch. */
let physics;
let isBaked = false;
/** Whether the far ones are posed less often. */
let isSparing = false;
/** Seconds on the meadow for a second here. */
let pace = 1;
let last = 0, lastReport = 0, framesReported = 0;

function say(text) {
  at("message").hidden = !text;
  at("message").textContent = text ?? "";
}

/** Builds the crowd anew: another number, another window, another rig. */
function restage() {
  show?.dispose();
  show = undefined;
  const ratio = Math.min(window.devicePixelRatio || 1, 2);
  canvas.width = Math.max(320, Math.round(window.innerWidth * ratio));
  canvas.height = Math.max(240, Math.round(window.innerHeight * ratio));
  framesReported = 0;
  setPhysics(rig.data, hasPhysics);
  show = new Show(rig, count, gl, canvas.width, canvas.height, settings.animation);
  at("count-text").textContent = at("shown").textContent = number(count);
  if (workers > 0) show.crowd.workers = workers;
  if (isSparing) show.spare(true);
  if (isBaked) show.bake(true);
  const { data } = rig;
  // A rig that nothing swings on has nothing to switch off.
  if (physics) physics.disabled = !hasPhysicsIn(data);
  at("rig").textContent = `${data.bones.length} bones, ${data.slots.length} slots, ${data.constraints.length} constraints each`;
}

function frame(now) {
  requestAnimationFrame(frame);
  if (!show) return;
  const seconds = Math.min(0.1, Math.max(0, (now - last) / 1000));
  last = now;
  show.frame(seconds * pace);
  if (now - lastReport > 400) {
    report(((show.frames - framesReported) * 1000) / (now - lastReport));
    lastReport = now;
    framesReported = show.frames;
  }
}

function report(fps) {
  const { move, pose, draw } = show.time;
  const rows = [
    ["frames a second", fps.toFixed(fps < 10 ? 1 : 0), true], ["posing", `${pose.toFixed(2)} ms`, true],
    ["  a character", `${((pose * 1000) / count).toFixed(2)} µs`], ["  a bone", `${((pose * 1e6) / count / rig.data.bones.length).toFixed(1)} ns`],
    ["  threads", String(1 + show.crowd.readyWorkers)], ["moving them about", `${move.toFixed(2)} ms`], ["handing to the GPU", `${draw.toFixed(2)} ms`],
  ];
  if (show.baked) rows.push([`baked, ${show.baked.clips} of ${show.baked.all} clips`, `± ${show.baked.error.toFixed(2)} units`]);
  at("counters").replaceChildren(...rows.flatMap(([name, value, main]) => {
    const term = document.createElement("dt"), detail = document.createElement("dd");
    term.textContent = name;
    detail.textContent = value;
    term.className = detail.className = main ? "main" : "";
    return [term, detail];
  }));
  document.body.dataset.frames = String(show.frames);
}

/** Calls `action` once things have been quiet for a moment. */
function calmly(action, milliseconds) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(action, milliseconds);
  };
}

/** A button that is on or off. */
function addSwitch(label, title, isOn, change) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = label;
  button.title = title;
  button.setAttribute("aria-pressed", String(isOn));
  button.addEventListener("click", () => {
    const now = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(now));
    guarded(() => change(now));
  });
  at("switches").append(button);
  return button;
}

function addSwitches() {
  const most = Math.min(3, Math.max(1, (navigator.hardwareConcurrency || 2) - 1));
  const threads = addSwitch(`${most + 1} threads`, "Pose on several threads that share the memory", false, (on) => {
    workers = on ? most : 0;
    show.crowd.workers = workers;
  });
  if (!crossOriginIsolated) {
    threads.disabled = true;
    threads.title = "Threads need a page that is cross-origin isolated; npm start serves it so.";
  }
  physics = addSwitch("physics", "Hair, ears, scarf, tail and bag swing by themselves", true, (on) => {
    hasPhysics = on;
    restage();
  });
  addSwitch("baked", "Play clips from resampled rows where the error stays below half a per cent", false, (on) => {
    isBaked = on;
    show.bake(on);
  });
  addSwitch("spare the far ones", "Characters far away are posed less often, with something in between; the farthest without physics", false, (on) => {
    isSparing = on;
    show.spare(on);
    at("how").textContent = on ? "the near ones posed every frame, the far ones less often" : "every one posed every frame";
  });
  addSwitch("slow motion", "A fifth of the speed", false, (on) => (pace = on ? 0.2 : 1));
}

function guarded(action) {
  try {
    action();
    say(null);
  } catch (error) {
    say(error.message);
  }
}

async function begin() {
  gl = canvas.getContext("webgl2", { alpha: true, premultipliedAlpha: true, antialias: false, powerPreference: "high-performance" });
  if (!gl) return say("This page draws with WebGL 2, which this browser or its graphics driver does not offer.");
  settings = await readSettings();
  count = Math.min(MOST, Math.max(1, settings.count));
  at("count").value = String(sliderOf(count));
  const aspect = () => window.innerWidth / Math.max(1, window.innerHeight);
  paintScenery(at("backdrop"), aspect());
  rig = await fetchRig(settings);
  restage();
  addSwitches();
  requestAnimationFrame((now) => {
    last = now;
    frame(now);
  });

  const recount = calmly(() => guarded(restage), 150);
  at("count").addEventListener("input", () => {
    count = countOf(Number(at("count").value));
    at("count-text").textContent = number(count);
    recount();
  });
  window.addEventListener("resize", calmly(() => {
    paintScenery(at("backdrop"), aspect());
    guarded(restage);
  }, 250));
  window.addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  window.addEventListener("dragleave", () => document.body.classList.remove("dropping"));
  const showFiles = async (files) => {
    const before = rig;
    try {
      rig = await rigOfFiles(files);
      settings.animation = null;
      restage();
      say(null);
    } catch (error) {
      rig = before;
      if (!show) restage();
      say(error.message);
    }
  };
  window.addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    showFiles(event.dataTransfer.files);
  });
  at("files").addEventListener("change", () => {
    if (at("files").files.length > 0) showFiles([...at("files").files]);
    // The same files can be chosen again, after an edit.
    at("files").value = "";
  });
}

begin().catch((error) => {
  console.error(error);
  say(error.message);
});
