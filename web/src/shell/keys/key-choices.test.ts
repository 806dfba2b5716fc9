import { expect, it } from 'vitest';
import { choicesIn, isChangeable, keysOf, keysShown } from './key-choices.ts';

const pressed = (key: string, more = {}) =>
  keysOf({ key, ctrlKey: false, metaKey: false, altKey: false, ...more });

it('a key that is pressed is written as shortcuts are', () => {
  expect(['j', 'J', '?', '7', 'é'].map((key) => pressed(key))).toEqual([
    'j',
    'Shift+J',
    '[Shift]+?',
    '7',
    'é',
  ]);
  expect(['Enter', 'Tab', 'Shift', ' '].map((key) => pressed(key))).toEqual(Array(4).fill(undefined));
  expect(pressed('j', { ctrlKey: true })).toBeUndefined();
});

it('keys with Ctrl stay as they are', () => {
  expect(['j', '[Shift]+?', '$mod+k'].map(isChangeable)).toEqual([true, true, false]);
});

it('is read by people', () => {
  expect(['$mod+k', '[Shift]+?', 'g i'].map(keysShown)).toEqual(['Ctrl k', '?', 'g i']);
});

it('takes nothing but keys from what was kept', () => {
  expect([null, 'x', { j: 'n', k: 7, l: '' }].map(choicesIn)).toEqual([{}, {}, { j: 'n', l: '' }]);
});
