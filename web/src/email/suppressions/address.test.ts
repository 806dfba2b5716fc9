import { expect, it } from 'vitest';
import { parsePastedAddresses, parseSuppressionsView } from './address.ts';

it('parses pasted addresses with lines, commas, semicolons and display names, each once', () => {
  expect(parsePastedAddresses('a@x.example\r\n\n Bob <b@x.example>, c@x.example;a@x.example\n')).toEqual([
    'a@x.example',
    'Bob <b@x.example>',
    'c@x.example',
  ]);
  expect(parsePastedAddresses(' \n ')).toEqual([]);
});

it('drops invalid parts of the view', () => {
  expect(parseSuppressionsView({ q: 12, reason: 'MANUAL' })).toEqual({ q: '12', reason: 'MANUAL' });
  expect(parseSuppressionsView({ q: '', reason: 'BORED' })).toEqual({ q: undefined, reason: undefined });
});
