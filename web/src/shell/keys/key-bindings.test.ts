import { expect, it } from 'vitest';
import { formatKeys, isRebindable, parseKeyBindings, toShortcutKeys } from './key-bindings.ts';

const buildKeyEvent = (key: string, more = {}) =>
  toShortcutKeys({ key, ctrlKey: false, metaKey: false, altKey: false, ...more });

it('a key that is pressed is written as shortcuts are', () => {
  expect(['j', 'J', '?', '7', 'é'].map((key) => buildKeyEvent(key))).toEqual([
    'j',
    'Shift+J',
    '[Shift]+?',
    '7',
    'é',
  ]);
  expect(['Enter', 'Tab', 'Shift', ' '].map((key) => buildKeyEvent(key))).toEqual(Array(4).fill(undefined));
  expect(buildKeyEvent('j', { ctrlKey: true })).toBeUndefined();
});

it('keys with Ctrl stay as they are', () => {
  expect(['j', '[Shift]+?', '$mod+k'].map(isRebindable)).toEqual([true, true, false]);
});

it('is read by people', () => {
  expect(['$mod+k', '[Shift]+?', 'g i'].map(formatKeys)).toEqual(['Ctrl k', '?', 'g i']);
});

it('takes nothing but keys from what was kept', () => {
  expect([null, 'x', { j: 'n', k: 7, l: '' }].map(parseKeyBindings)).toEqual([{}, {}, { j: 'n', l: '' }]);
});
