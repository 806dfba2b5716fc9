import { hasKey, setKey } from './api.js';
import { buildElement, getById } from './dom.js';

const buildLoginPath = () => `/login?next=${encodeURIComponent(location.pathname + location.hash)}`;

/** Renders the two ways to sign in. `open` tries the entered key; `why` is the error of the last attempt. */
export function renderSignIn(open, why) {
  const input = buildElement('input', {
    id: 'key',
    type: 'password',
    autocomplete: 'off',
    spellcheck: 'false',
    required: true,
  });
  const submitKey = (event) => {
    event.preventDefault();
    setKey(input.value.trim());
    input.value = '';
    open();
  };
  return [
    buildElement('h1', {}, 'Models, fields and methods'),
    buildElement('p', { class: 'soft' }, 'Sign in to see the models you may access.'),
    buildElement('p', { class: 'wrong', role: 'alert' }, why),
    buildElement(
      'form',
      { class: 'card', onsubmit: submitKey },
      buildElement('label', { for: 'key' }, "A user's key"),
      input,
      buildElement('div', { class: 'row' }, buildElement('button', {}, 'Use this key')),
      buildElement(
        'p',
        { class: 'soft' },
        'It stays in the memory of this page and is gone when you leave it.',
      ),
    ),
    buildElement(
      'p',
      {},
      'Or ',
      buildElement('a', { href: buildLoginPath() }, 'sign in'),
      ' with login and password.',
    ),
  ];
}

export function showCaller(caller, forget) {
  const out = hasKey()
    ? buildElement('button', { type: 'button', class: 'quiet', onclick: forget }, 'Forget the key')
    : buildElement(
        'form',
        { class: 'line', method: 'post', action: '/logout' },
        buildElement('button', { class: 'quiet' }, 'Sign out'),
      );
  const name = `${caller.viewer.login} in ${caller.workspace.name} `;
  getById('who').replaceChildren(name, out);
}
