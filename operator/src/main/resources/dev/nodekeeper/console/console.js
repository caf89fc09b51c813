// Keys, and numbers that stay fresh. Without it every page works by links alone.
'use strict';
const rows = () => [...document.querySelectorAll('table.nodes tbody tr')];
let chosen = -1;

function choose(next) {
  const all = rows();
  if (all.length === 0) return;
  chosen = Math.max(0, Math.min(all.length - 1, next));
  all.forEach((row, i) => row.classList.toggle('chosen', i === chosen));
  all[chosen].querySelector('a').focus();
}

function go(id) {
  const link = document.getElementById(id);
  if (link) link.click();
}

document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const find = document.getElementById('q');
  if (event.target === find) {
    if (event.key === 'Escape') find.blur();
    return;
  }
  switch (event.key) {
    case '/': event.preventDefault(); find.focus(); find.select(); break;
    case 'j': choose(chosen + 1); break;
    case 'k': choose(chosen - 1); break;
    case 'n': go('next'); break;
    case 'p': go('prev'); break;
    case 'h': location.href = '/'; break;
  }
});

const live = document.getElementById('live');
if (live) {
  setInterval(async () => {
    if (document.hidden || live.contains(document.activeElement)) return;
    try {
      const answer = await fetch(location.pathname + location.search, {cache: 'no-store'});
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      const fresh = page.getElementById('live');
      if (fresh) live.replaceChildren(...fresh.childNodes);
    } catch { /* the controller is away; the next try may find it */ }
  }, 10000);
}
