import { expect, it } from 'vitest';
import { pasted, suppressionsView } from './address.ts';

it('addresses are pasted in lines, with commas, semicolons and display names, each once', () => {
  expect(pasted('a@x.example\r\n\n Bob <b@x.example>, c@x.example;a@x.example\n')).toEqual([
    'a@x.example',
    'Bob <b@x.example>',
    'c@x.example',
  ]);
  expect(pasted(' \n ')).toEqual([]);
});

it('what means nothing is left out of the view', () => {
  expect(suppressionsView({ q: 12, reason: 'MANUAL' })).toEqual({ q: '12', reason: 'MANUAL' });
  expect(suppressionsView({ q: '', reason: 'BORED' })).toEqual({ q: undefined, reason: undefined });
});
