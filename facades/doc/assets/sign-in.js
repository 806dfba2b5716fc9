import { hasKey, keepKey } from './api.js';
import { byId, el } from './dom.js';

const loginPath = () => `/login?next=${encodeURIComponent(location.pathname + location.hash)}`;

/** Renders the two ways to sign in. `open` tries the entered key; `why` is the error of the last attempt. */
export function signInView(open, why) {
  const input = el('input', {
    id: 'key',
    type: 'password',
    autocomplete: 'off',
    spellcheck: 'false',
    required: true,
  });
  const take = (event) => {
    event.preventDefault();
    keepKey(input.value.trim());
    input.value = '';
    open();
  };
  return [
    el('h1', {}, 'Models, fields and methods'),
    el('p', { class: 'soft' }, 'Sign in to see the models you may access.'),
    el('p', { class: 'wrong', role: 'alert' }, why),
    el(
      'form',
      { class: 'card', onsubmit: take },
      el('label', { for: 'key' }, "A user's key"),
      input,
      el('div', { class: 'row' }, el('button', {}, 'Use this key')),
      el('p', { class: 'soft' }, 'It stays in the memory of this page and is gone when you leave it.'),
    ),
    el('p', {}, 'Or ', el('a', { href: loginPath() }, 'sign in'), ' with login and password.'),
  ];
}

export function showCaller(caller, forget) {
  const out = hasKey()
    ? el('button', { type: 'button', class: 'quiet', onclick: forget }, 'Forget the key')
    : el(
        'form',
        { class: 'line', method: 'post', action: '/logout' },
        el('button', { class: 'quiet' }, 'Sign out'),
      );
  const name = `${caller.viewer.login} in ${caller.workspace.name} `;
  byId('who').replaceChildren(name, out);
}
