import { expect, it } from 'vitest';
import { findMisleadingAddress } from './misleading-name.ts';

it.each([
  ['ceo@bank.example', 'x@evil.example', 'ceo@bank.example'],
  ['Ann Berg (ann@bank.example)', 'x@evil.example', 'ann@bank.example'],
  ['"ann@bank.example" via List', 'list@x.example', 'ann@bank.example'],
  ['ann＠bank.example', 'x@evil.example', 'ann@bank.example'],
  ['x@evil.example, ann@bank.example', 'x@evil.example', 'ann@bank.example'],
  ['Ann@X.example', 'ann@x.example', null],
  ['Ann Berg', 'ann@x.example', null],
  ['Ann @ Bank', 'ann@x.example', null],
  ['@ann', 'ann@x.example', null],
  ['', '', null],
])('finds another address in the name %j of %s', (name, email, address) => {
  expect(findMisleadingAddress(name, email)).toBe(address);
});
