import { callMethod } from './api.js';
import { el } from './dom.js';
import { sampleOf } from './samples.js';
import { SNIPPETS } from './snippets.js';

const SHOWN = 200_000;

/**
 * Renders a form to try a method: arguments as JSON, the response with its status, and snippets to copy.
 * `where` is `{ model, database, login }`.
 */
export function tryCall(where, name, method) {
  const id = `try-${name}`;
  const input = el('textarea', { id, spellcheck: 'false', onkeydown: sendByKeys });
  input.value = JSON.stringify(sampleOf(method), null, 2);
  input.rows = input.value.split('\n').length + 1;
  const wrong = el('p', { class: 'wrong', role: 'alert' });
  const status = el('p', { role: 'status' });
  const answer = el('pre', { hidden: true, tabindex: 0, 'aria-label': 'Answer' });
  const snippet = el('pre', { hidden: true, tabindex: 0, 'aria-label': 'The call as code' });
  const named = () => argumentsIn(input, wrong);
  const copies = SNIPPETS.map(([label, textOf]) => {
    const copyIt = () => showSnippet(textOf, { where, name, method, named: named() }, snippet, status);
    return el('button', { type: 'button', class: 'quiet', onclick: copyIt }, label);
  });
  const label = method.api.includes('readonly') ? 'Send' : 'Send (it may write)';
  return el(
    'form',
    {
      'aria-label': `Try ${name}`,
      onsubmit: (event) => submit(event, where.model, name, named(), status, answer),
    },
    el('label', { for: id }, 'Arguments (JSON)'),
    input,
    wrong,
    el('div', { class: 'row' }, el('button', {}, label), el('span', { class: 'soft' }, 'Ctrl+Enter')),
    el('div', { class: 'row' }, el('span', { class: 'soft' }, 'Copy as'), ...copies),
    status,
    snippet,
    answer,
  );
}

function sendByKeys(event) {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.target.form.requestSubmit();
}

/** Parses the entered arguments. Shows an error and returns null if they are not a JSON object. */
function argumentsIn(input, wrong) {
  wrong.textContent = '';
  try {
    const value = JSON.parse(input.value.trim() || '{}');
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value;
    wrong.textContent = 'The arguments are an object: { "name": value }.';
  } catch (error) {
    wrong.textContent = error.message;
  }
  input.focus();
  return null;
}

async function submit(event, model, name, named, status, answer) {
  event.preventDefault();
  if (!named) return;
  status.textContent = 'Sent…';
  try {
    const reply = await callMethod(model, name, named);
    status.textContent = `Status ${reply.status} in ${reply.ms} ms`;
    status.className = reply.status < 400 ? '' : 'wrong';
    answer.textContent = shown(reply.text);
    answer.hidden = false;
  } catch (error) {
    status.textContent = `No answer: ${error.message}`;
    status.className = 'wrong';
  }
}

function shown(text) {
  const nice = text.length > SHOWN ? text : indented(text);
  return nice.length > SHOWN ? `${nice.slice(0, SHOWN)}\n… cut here` : nice;
}

function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

async function showSnippet(textOf, { where, name, method, named }, snippet, status) {
  if (!named) return;
  const takesIds = !method.api.includes('model');
  const { graphql } = method;
  const { origin } = location;
  snippet.textContent = textOf({ origin, ...where, method: name, named, takesIds, graphql });
  snippet.hidden = false;
  status.className = '';
  status.textContent = (await copied(snippet))
    ? 'Copied. It reads the key from API_KEY.'
    : 'Selected, ready to copy. It reads the key from API_KEY.';
}

/** Copies the text, or selects it if there is no clipboard access, which browsers grant only on https and localhost. */
async function copied(element) {
  try {
    await navigator.clipboard.writeText(element.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(element);
    return false;
  }
}
