// Copying, finding, and opening what a link points to. Everything is on the page without it.
"use strict";
(() => {
  document.documentElement.classList.add("js");
  const all = (selector) => Array.from(document.querySelectorAll(selector));
  const show = (selector) => all(selector).forEach((element) => { element.hidden = false; });
  show(".copy");
  show(".tools");

  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      return done;
    }
  };
  document.addEventListener("click", async (event) => {
    const button = event.target.closest(".copy");
    if (!button) return;
    const label = button.textContent;
    const block = button.parentElement.querySelector("pre");
    const done = await copy(block.textContent);
    if (!done) getSelection().selectAllChildren(block);
    button.textContent = done ? "Copied" : "Selected: copy it by hand";
    button.focus();
    setTimeout(() => { button.textContent = label; }, 1600);
  });

  const open = () => {
    let place = null;
    try { place = document.getElementById(decodeURIComponent(location.hash.slice(1))); } catch { return; }
    if (!place) return;
    for (let at = place; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    place.scrollIntoView();
  };
  addEventListener("hashchange", open);
  if (location.hash) open();

  const closed = new Set();
  addEventListener("beforeprint", () => all("details:not([open])").forEach((one) => { closed.add(one); one.open = true; }));
  addEventListener("afterprint", () => { closed.forEach((one) => { one.open = false; }); closed.clear(); });

  // A filter: `rows` keep what holds all words typed and fits the choice made.
  const filter = (find, which, found, rows, fits, after) => {
    const box = document.getElementById(find), choice = document.getElementById(which);
    if (!box || !choice) return;
    const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
    const apply = () => {
      const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const row of rows) {
        row.hidden = !(fits(row, choice.value) && words.every((word) => texts.get(row).includes(word)));
        shown += row.hidden ? 0 : 1;
      }
      const active = words.length > 0 || choice.value !== "all";
      document.getElementById(found).textContent = active ? `${shown} of ${rows.length}` : "";
      if (after) after(active);
    };
    box.addEventListener("input", apply);
    choice.addEventListener("change", apply);
  };
  filter("find-cause", "which-cause", "found-causes", all("#causes .card[data-expected]"),
    (row, choice) => choice === "all" || (row.dataset.expected === "yes") === (choice === "expected"));
  filter("find-rule", "which-rule", "found-rules", all("#rules tr[data-status]"),
    (row, choice) => choice === "all" || row.dataset.status === choice,
    (active) => all("#rules details").forEach((group) => {
      const some = group.querySelector("tr[data-status]:not([hidden])") !== null;
      group.hidden = !some;
      if (active && some) group.open = true;
    }));
})();
