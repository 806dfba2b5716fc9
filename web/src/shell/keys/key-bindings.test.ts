import { expect, it } from 'vitest';
import { formatKeys, isRebindable, parseKeyBindings, toShortcutKeys } from './key-bindings.ts';

const buildKeyEvent = (key: string, extra = {}) =>
  toShortcutKeys({ key, ctrlKey: false, metaKey: false, altKey: false, ...extra });

it('formats a pressed key as a shortcut', () => {
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

it('does not allow rebinding shortcuts with Ctrl', () => {
  expect(['j', '[Shift]+?', '$mod+k'].map(isRebindable)).toEqual([true, true, false]);
});

it('formats shortcuts for display', () => {
  expect(['$mod+k', '[Shift]+?', 'g i'].map(formatKeys)).toEqual(['Ctrl k', '?', 'g i']);
});

it('parses only valid stored shortcuts', () => {
  expect([null, 'x', { j: 'n', k: 7, l: '' }].map(parseKeyBindings)).toEqual([{}, {}, { j: 'n', l: '' }]);
});
