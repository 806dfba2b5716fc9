import { expect, it } from 'vitest';
import { formatKeys, isRebindable, parseKeyBindings, toShortcutKeys } from './key-bindings.ts';

const buildKeyEvent = (key: string, extra = {}) =>
  toShortcutKeys({ key, ctrlKey: false, metaKey: false, altKey: false, ...extra });

it('formats a pressed key like a shortcut', () => {
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

it('shortcuts with Ctrl cannot be changed', () => {
  expect(['j', '[Shift]+?', '$mod+k'].map(isRebindable)).toEqual([true, true, false]);
});

it('formats shortcuts for display', () => {
  expect(['$mod+k', '[Shift]+?', 'g i'].map(formatKeys)).toEqual(['Ctrl k', '?', 'g i']);
});

it('reads only valid shortcuts from stored values', () => {
  expect([null, 'x', { j: 'n', k: 7, l: '' }].map(parseKeyBindings)).toEqual([{}, {}, { j: 'n', l: '' }]);
});
