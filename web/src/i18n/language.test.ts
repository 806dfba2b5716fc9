import { expect, it } from 'vitest';
import { formatCount, formatWhen } from './format.ts';
import { getTextDirection, pickLanguage } from './language.ts';

it.each([
  [['de-AT', 'en'], 'de'],
  [['fr', 'de'], 'de'],
  [['fr', 'constructor'], 'en'],
  [[], 'en'],
])('of %j it chooses %s', (wanted, chosen) => {
  expect(pickLanguage(wanted)).toBe(chosen);
});

it('knows which languages run from right to left', () => {
  expect(['ar-EG', 'he', 'de', 'en-US'].map(getTextDirection)).toEqual(['rtl', 'rtl', 'ltr', 'ltr']);
});

it('counts in words', () => {
  const forms = { one: '# email', other: '# emails' };
  expect([0, 1, 1_234].map((count) => formatCount(count, forms))).toEqual([
    '0 emails',
    '1 email',
    '1,234 emails',
  ]);
});

it('says of an instant what is not plain', () => {
  const now = new Date(2026, 10, 23, 12);
  const at = (...parts: [number, number, number, number]) =>
    formatWhen(new Date(...parts).toISOString(), now);
  expect(at(2026, 10, 23, 9)).toMatch(/^0?9:00/);
  expect(at(2026, 2, 3, 9)).toBe('Mar 3');
  expect(at(2024, 2, 3, 9)).toBe('Mar 3, 2024');
});
