import { expect, it } from 'vitest';
import { formatCount, formatWhen } from './format.ts';
import { getTextDirection, pickLanguage } from './language.ts';

it.each([
  [['de-AT', 'en'], 'de'],
  [['fr', 'de'], 'de'],
  [['fr', 'constructor'], 'en'],
  [[], 'en'],
])('selects a language for %j: %s', (requested, expected) => {
  expect(pickLanguage(requested)).toBe(expected);
});

it('recognizes right-to-left languages', () => {
  expect(['ar-EG', 'he', 'de', 'en-US'].map(getTextDirection)).toEqual(['rtl', 'rtl', 'ltr', 'ltr']);
});

it('formats counts with plural forms', () => {
  const forms = { one: '# email', other: '# emails' };
  expect([0, 1, 1_234].map((count) => formatCount(count, forms))).toEqual([
    '0 emails',
    '1 email',
    '1,234 emails',
  ]);
});

it('formats an instant without the parts that are implied by the current date', () => {
  const now = new Date(2026, 10, 23, 12);
  const buildAt = (...parts: [number, number, number, number]) =>
    formatWhen(new Date(...parts).toISOString(), now);
  expect(buildAt(2026, 10, 23, 9)).toMatch(/^0?9:00/);
  expect(buildAt(2026, 2, 3, 9)).toBe('Mar 3');
  expect(buildAt(2024, 2, 3, 9)).toBe('Mar 3, 2024');
});
