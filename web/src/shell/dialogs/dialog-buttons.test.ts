import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Button } from '../../ui/button.tsx';
import { DialogButtons } from './dialog-buttons.tsx';

const readLabels = (...actions: unknown[]): string[] => {
  const html = renderToStaticMarkup(createElement(DialogButtons, { onClose: () => {} }, ...(actions as [])));
  return [...html.matchAll(/<button[^>]*>([^<]*)</g)].map(([, label]) => label!);
};

const save = createElement(Button, { key: 'save' }, 'Save');

it('adds Cancel after the actions of a dialog, or Close if it has no actions', () => {
  expect(readLabels(save)).toEqual(['Save', 'Cancel']);
  expect(readLabels(save, createElement(Button, { key: 'reset' }, 'Reset'))).toEqual([
    'Save',
    'Reset',
    'Cancel',
  ]);
  expect(readLabels()).toEqual(['Close']);
  expect(readLabels(false, null)).toEqual(['Close']);
});

it('every dialog uses DialogButtons or a form that adds them', () => {
  const files = globSync('web/src/**/*.tsx').filter((file) => /<Dialog\b/.test(readFileSync(file, 'utf8')));
  expect(files.length).toBeGreaterThan(30);
  const own = files.filter((file) =>
    /<Button onClick=[^>]*>\s*\{\w+\.(?:cancel|close)\}/.test(readFileSync(file, 'utf8')),
  );
  expect(own).toEqual([]);
  const without = files.filter(
    (file) => !/<(?:DialogButtons|ActionForm|DialogForm)\b/.test(readFileSync(file, 'utf8')),
  );
  expect(without.map((file) => basename(file)).toSorted()).toEqual(WITHOUT_BUTTONS);
});

/**
 * Dialogs without buttons: lists whose entries are the actions, and the sign-in dialog, which cannot be closed. The
 * question in `dialog.tsx` answers with Leave or Stay.
 */
const WITHOUT_BUTTONS = [
  'dialog.tsx',
  'label-dialog.tsx',
  'move-dialog.tsx',
  'palette.tsx',
  'sign-in-dialog.tsx',
];
