import { expect, it } from 'vitest';
import { parsePastedAddresses, parseSuppressionsView } from './address.ts';

it('splits pasted addresses at line breaks, commas and semicolons, without duplicates', () => {
  expect(parsePastedAddresses('a@x.example\r\n\n Bob <b@x.example>, c@x.example;a@x.example\n')).toEqual([
    'a@x.example',
    'Bob <b@x.example>',
    'c@x.example',
  ]);
  expect(parsePastedAddresses(' \n ')).toEqual([]);
});

it('drops invalid URL parameters', () => {
  expect(parseSuppressionsView({ q: 12, reason: 'MANUAL' })).toEqual({ q: '12', reason: 'MANUAL' });
  expect(parseSuppressionsView({ q: '', reason: 'BORED' })).toEqual({ q: undefined, reason: undefined });
});
