import { expect, it } from 'vitest';
import { parsePreview } from './parse-preview.ts';

const leaf = (name: string, text: string) => ({ name, text, children: [] });

it('parses values, lists and records', () => {
  const preview = [
    'would_delete:',
    '  -',
    '    id: 7',
    '    name: Ann: the first',
    'arguments:',
    '  model: res.partner',
    '  ids:',
    '    7, 9',
    '  to:',
    '    - ann@example.org',
    '  cc:',
  ].join('\n');
  expect(parsePreview(preview)).toEqual([
    {
      ...leaf('would_delete', ''),
      children: [{ ...leaf('', ''), children: [leaf('id', '7'), leaf('name', 'Ann: the first')] }],
    },
    {
      ...leaf('arguments', ''),
      children: [
        leaf('model', 'res.partner'),
        { ...leaf('ids', ''), children: [leaf('', '7, 9')] },
        { ...leaf('to', ''), children: [leaf('', 'ann@example.org')] },
        leaf('cc', ''),
      ],
    },
  ]);
});

it('does not mistake a line of a text for another value', () => {
  const preview =
    'arguments:\n  kwargs:\n    body: Hello\n        to: forged\n        \n          indented\n    cc: ann';
  expect(parsePreview(preview)[0]!.children[0]!.children).toEqual([
    leaf('body', 'Hello\nto: forged\n\n  indented'),
    leaf('cc', 'ann'),
  ]);
});

it('parses a text that starts with a line break', () => {
  expect(parsePreview('body: \n    to: forged\nsubject: Hi')).toEqual([
    leaf('body', '\nto: forged'),
    leaf('subject', 'Hi'),
  ]);
});
