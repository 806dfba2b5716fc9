import { expect, it } from 'vitest';
import { mergeTopics } from './topics.ts';

it('merges the topics of all tabs into a sorted list without duplicates', () => {
  const others = new Map([
    ['a', ['svc.email', 'svc.domain']],
    ['b', ['svc.email', 'res.partner']],
    ['c', []],
  ]);
  expect(mergeTopics(['svc.webhook'], others)).toEqual([
    'res.partner',
    'svc.domain',
    'svc.email',
    'svc.webhook',
  ]);
});

it("keeps this tab's topics if the limit is exceeded", () => {
  const others = new Map([['a', Array.from({ length: 30 }, (_, index) => `other.${index}`)]]);
  const merged = mergeTopics(['own'], others);
  expect(merged).toHaveLength(20);
  expect(merged).toContain('own');
});
