import { expect, test } from 'vitest';
import { daysWithKeys, keysOfDays } from '../../schema/mail/messages/index-keys.ts';

const days = (count: number): number[] => Array.from({ length: count }, (_, i) => 20_000 - i);

test.each([1, 2, 4])(
  'a window in %d mailboxes is as long as its days have keys of their own',
  (mailboxes) => {
    const accounts = days(mailboxes);
    const count = daysWithKeys(mailboxes, days(1_000));
    const keys = keysOfDays(1, accounts, days(count));
    expect(keys.every((key) => /\.s\d+$/.test(key))).toBe(true);
    expect(keys.length).toBeLessThanOrEqual(32);
    expect(keysOfDays(1, accounts, days(count + 8)).every((key) => /^#1\.\d+$/.test(key))).toBe(true);
    expect(daysWithKeys(mailboxes, days(count))).toBe(count);
  },
);

test('a window in many mailboxes takes the keys of these', () => {
  expect(daysWithKeys(20, days(1_000))).toBe(1_000);
  expect(keysOfDays(1, days(20), days(1_000))).toHaveLength(20);
});
