// Packs the files of a folder into a zip without pressing them, for weights hardly shrink; nothing leaves the browser.
"use strict";
const Zip = (() => {
  const SKIPPED = new Set(["__pycache__", ".git", ".venv", ".mypy_cache", ".ruff_cache", ".pytest_cache"]);
  const MOST_FILES = 65535, MOST_BYTES = 0xffffffff, EARLIEST = 0x21;  // 1980-01-01, so that equal folders give equal bytes
  const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
    let value = index;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    return value >>> 0;
  });

  async function checksum(file) {
    let value = 0xffffffff;
    const reader = file.stream().getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      for (const byte of part.value) value = TABLE[(value ^ byte) & 255] ^ (value >>> 8);
    }
    return (value ^ 0xffffffff) >>> 0;
  }

  function header(sizes) {
    const view = new DataView(new ArrayBuffer(sizes.reduce((sum, [width]) => sum + width, 0)));
    let at = 0;
    for (const [width, value] of sizes) { width === 2 ? view.setUint16(at, value, true) : view.setUint32(at, value, true); at += width; }
    return view.buffer;
  }

  // What a local entry and the directory both say of a file; names are UTF-8, as bit 11 tells.
  const common = (entry) => [[2, 20], [2, 0x800], [2, 0], [2, 0], [2, EARLIEST], [4, entry.crc], [4, entry.size], [4, entry.size], [2, entry.name.length], [2, 0]];

  // files: [{ path, file }]; returns a Blob.
  async function pack(files) {
    const wanted = files.filter(({ path }) => !path.split("/").some((part) => SKIPPED.has(part)));
    wanted.sort((one, other) => (one.path < other.path ? -1 : 1));
    if (!wanted.length) throw new Error("The folder holds no files to submit.");
    if (wanted.length > MOST_FILES) throw new Error(`The folder holds more than ${MOST_FILES} files.`);
    const parts = [], directory = [];
    let offset = 0;
    for (const { path, file } of wanted) {
      const entry = { name: new TextEncoder().encode(path), size: file.size, crc: await checksum(file) };
      const local = header([[4, 0x04034b50], ...common(entry)]);
      parts.push(local, entry.name, file);
      directory.push(header([[4, 0x02014b50], [2, 20], ...common(entry), [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]]), entry.name);
      offset += local.byteLength + entry.name.length + file.size;
      if (offset > MOST_BYTES) throw new Error("The folder is larger than 4 GiB.");
    }
    const length = directory.reduce((sum, part) => sum + part.byteLength, 0);
    const end = header([[4, 0x06054b50], [2, 0], [2, 0], [2, wanted.length], [2, wanted.length], [4, length], [4, offset], [2, 0]]);
    return new Blob([...parts, ...directory, end], { type: "application/zip" });
  }

  // The files below a dropped folder, by their paths in it.
  async function walk(folder, prefix = "") {
    const reader = folder.createReader(), found = [];
    const read = () => new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    for (let entries = await read(); entries.length; entries = await read()) {
      for (const entry of entries) {
        if (SKIPPED.has(entry.name)) continue;
        if (entry.isDirectory) found.push(...await walk(entry, `${prefix}${entry.name}/`));
        else found.push({ path: prefix + entry.name, file: await new Promise((resolve, reject) => entry.file(resolve, reject)) });
      }
    }
    return found;
  }

  // The files of a chosen folder, whose paths begin with its name.
  const chosen = (list) => Array.from(list, (file) => ({ path: file.webkitRelativePath.split("/").slice(1).join("/"), file }));

  return { chosen, pack, walk };
})();
