import { expect, it } from 'vitest';
import { found } from './palette-search.ts';

const entries = ['Email › Overview', 'Email › Domains', 'Profile › Main settings'].map((name) => ({
  to: name,
  name,
}));

it.each([
  ['', ['Email › Overview', 'Email › Domains', 'Profile › Main settings']],
  ['main', ['Profile › Main settings', 'Email › Domains']],
  ['em dom', ['Email › Domains']],
  ['zzz', []],
])('%j finds %j', (text, names) => {
  expect(found(entries, text).map(({ name }) => name)).toEqual(names);
});
