import { expect, it } from 'vitest';
import { getCellKeyAction } from './cell-keys.ts';

const NO_ACTION = { type: 'none', isHandled: false };
const EDIT = { type: 'edit', isHandled: true };

interface PressOptions {
  isBoolean?: boolean;
  ctrlKey?: boolean;
  metaKey?: boolean;
}

const press = (key: string, column: number, { isBoolean = false, ...modifiers }: PressOptions = {}) =>
  getCellKeyAction(
    { key, ctrlKey: false, metaKey: false, altKey: false, ...modifiers },
    { position: { row: 4, column }, last: { row: 9, column: 3 }, isBoolean, isMirrored: false },
  );

it.each([
  ['Enter edits a value', press('Enter', 1), EDIT],
  ['Enter follows the link in the first column', press('Enter', 0), { type: 'open', isHandled: false }],
  ['F2 edits a value', press('F2', 1), EDIT],
  ['F2 does nothing in the first column', press('F2', 0), NO_ACTION],
  ['a character edits a value, and is typed there', press('x', 1), { type: 'edit', isHandled: false }],
  ['a space edits a value without being typed', press(' ', 1), EDIT],
  ['a space toggles a checkbox', press(' ', 1, { isBoolean: true }), EDIT],
  ['a character does not toggle a checkbox', press('x', 1, { isBoolean: true }), NO_ACTION],
  ['a character does nothing in the first column', press('x', 0), NO_ACTION],
  ['a shortcut does not edit', press('c', 1, { ctrlKey: true }), NO_ACTION],
  ['Control+A does not select the page', press('a', 1, { ctrlKey: true }), { type: 'none', isHandled: true }],
  ['Command+A does not select the page', press('a', 0, { metaKey: true }), { type: 'none', isHandled: true }],
  [
    'an arrow moves the focus',
    press('ArrowDown', 1),
    { type: 'focus', to: { row: 5, column: 1 }, isHandled: true },
  ],
  ['Tab leaves the grid', press('Tab', 1), NO_ACTION],
])('%s', (_behavior, action, expected) => {
  expect(action).toEqual(expected);
});
