import { expect, it } from 'vitest';
import { getRecipientCommand } from './recipient-keys.ts';

const press = (key: string, modifiers = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  ...modifiers,
});

it.each([
  ['Enter', {}, {}, 'add'],
  ['Enter', { ctrlKey: true }, {}, null],
  ['Enter', { metaKey: true }, {}, null],
  [',', {}, { text: 'ann' }, 'add'],
  [';', {}, { text: 'ann' }, 'add'],
  [',', {}, { text: '"Lee' }, null],
  ['Escape', {}, { hasSuggestions: true }, 'close-suggestions'],
  ['Escape', {}, {}, null],
  ['Tab', {}, { text: 'ann' }, 'add-and-leave'],
  ['Tab', {}, { text: ' ' }, null],
  ['Tab', { shiftKey: true }, { text: 'ann' }, null],
  ['Backspace', {}, { hasRecipients: true }, 'remove-last'],
  ['Backspace', {}, { text: 'a', hasRecipients: true }, null],
  ['Backspace', {}, {}, null],
  ['a', {}, {}, null],
])('%s with %j in a field with %j returns %s', (key, modifiers, content, command) => {
  const field = { text: '', hasSuggestions: false, hasRecipients: false, ...content };
  expect(getRecipientCommand(press(key, modifiers), field)).toBe(command);
});
