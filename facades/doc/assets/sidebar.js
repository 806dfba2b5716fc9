import { buildElement, getById } from './dom.js';
import { renderModelLink } from './model-view.js';
import { find } from './search.js';

/** Renders the search and its results. @returns {(current: string | null) => void} marks the open model */
export function sidebar(models, go) {
  const search = getById('search');
  const list = getById('found');
  let current = null;
  const renderResults = () => {
    const found = find(models, search.value);
    list.replaceChildren(...found.map((entry) => renderResult(entry, go)));
    getById('count').textContent = found.length === 1 ? '1 model' : `${found.length} models`;
    markCurrentModel(list, current);
  };
  search.addEventListener('input', renderResults);
  document.addEventListener('keydown', (event) => onKeyDown(event, search, list, renderResults));
  search.closest('nav').hidden = false;
  renderResults();
  return (model) => {
    current = model;
    markCurrentModel(list, current);
  };
}

function renderResult({ model, name, fields, methods }, go) {
  const hits = [
    ...fields.map((field) => [`#field-${field}`, field]),
    ...methods.map((method) => [`#method-${method}`, `${method}()`]),
  ];
  const inner = hits.map(([hash, text]) => buildElement('li', {}, renderModelLink(model, go, hash, text)));
  const link = renderModelLink(
    model,
    go,
    '',
    buildElement('code', {}, model),
    ' ',
    buildElement('span', { class: 'soft' }, name),
  );
  return buildElement('li', {}, link, inner.length > 0 && buildElement('ul', {}, ...inner));
}

function markCurrentModel(list, model) {
  for (const link of list.querySelectorAll('a')) {
    if (link.getAttribute('href') === `/doc/${model}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}

function onKeyDown(event, search, list, renderResults) {
  const isTyping = /^(INPUT|TEXTAREA)$/.test(event.target.tagName);
  if (event.key === '/' && !isTyping) {
    event.preventDefault();
    search.select();
    search.focus();
  } else if (event.key === 'Escape' && event.target === search) {
    search.value = '';
    renderResults();
  } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    moveFocus(event, search, list);
  }
}

function moveFocus(event, search, list) {
  const stops = [search, ...list.querySelectorAll('a')];
  const at = stops.indexOf(event.target);
  if (at < 0) return;
  event.preventDefault();
  stops[Math.min(stops.length - 1, Math.max(0, at + (event.key === 'ArrowDown' ? 1 : -1)))].focus();
}
