import { expect, it } from 'vitest';
import { parseSettingsView } from './address.ts';

it('parses a mailbox, a rule and a message, and drops invalid values', () => {
  expect(parseSettingsView({ mailbox: '3', rule: 'new', like: 12 })).toEqual({
    mailbox: 3,
    rule: 'new',
    like: 12,
  });
  expect(parseSettingsView({ mailbox: 'x', rule: -1, like: '1e3' })).toEqual({});
});
