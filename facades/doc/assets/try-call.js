import { callMethod } from './api.js';
import { buildElement } from './dom.js';
import { buildSampleArguments } from './samples.js';
import { SNIPPETS } from './snippets.js';

const MAX_SHOWN_CHARS = 200_000;

/**
 * Renders a form to try a method: arguments as JSON, the response with its status, and snippets to copy.
 * `where` is `{ model, database, login }`.
 */
export function renderCallForm(where, name, method) {
  const id = `try-${name}`;
  const input = buildElement('textarea', { id, spellcheck: 'false', onkeydown: submitOnCtrlEnter });
  input.value = JSON.stringify(buildSampleArguments(method), null, 2);
  input.rows = input.value.split('\n').length + 1;
  const wrong = buildElement('p', { class: 'wrong', role: 'alert' });
  const status = buildElement('p', { role: 'status' });
  const answer = buildElement('pre', { hidden: true, tabindex: 0, 'aria-label': 'Answer' });
  const snippet = buildElement('pre', { hidden: true, tabindex: 0, 'aria-label': 'The call as code' });
  const named = () => parseArguments(input, wrong);
  const copies = SNIPPETS.map(([label, textOf]) => {
    const copySnippet = () => showSnippet(textOf, { where, name, method, named: named() }, snippet, status);
    return buildElement('button', { type: 'button', class: 'quiet', onclick: copySnippet }, label);
  });
  const label = method.api.includes('readonly') ? 'Send' : 'Send (it may write)';
  return buildElement(
    'form',
    {
      'aria-label': `Try ${name}`,
      onsubmit: (event) => submit(event, where.model, name, named(), status, answer),
    },
    buildElement('label', { for: id }, 'Arguments (JSON)'),
    input,
    wrong,
    buildElement(
      'div',
      { class: 'row' },
      buildElement('button', {}, label),
      buildElement('span', { class: 'soft' }, 'Ctrl+Enter'),
    ),
    buildElement('div', { class: 'row' }, buildElement('span', { class: 'soft' }, 'Copy as'), ...copies),
    status,
    snippet,
    answer,
  );
}

function submitOnCtrlEnter(event) {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.target.form.requestSubmit();
}

/** Parses the entered arguments. Shows an error and returns null if they are not a JSON object. */
function parseArguments(input, wrong) {
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
    answer.textContent = formatResponse(reply.text);
    answer.hidden = false;
  } catch (error) {
    status.textContent = `No answer: ${error.message}`;
    status.className = 'wrong';
  }
}

function formatResponse(text) {
  const nice = text.length > MAX_SHOWN_CHARS ? text : indentJson(text);
  return nice.length > MAX_SHOWN_CHARS ? `${nice.slice(0, MAX_SHOWN_CHARS)}\n… cut here` : nice;
}

function indentJson(text) {
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
  status.textContent = (await copyOrSelect(snippet))
    ? 'Copied. It reads the key from API_KEY.'
    : 'Selected, ready to copy. It reads the key from API_KEY.';
}

/** Copies the text, or selects it if there is no clipboard access, which browsers grant only on https and localhost. */
async function copyOrSelect(element) {
  try {
    await navigator.clipboard.writeText(element.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(element);
    return false;
  }
}
