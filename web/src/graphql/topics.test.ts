import { expect, it } from 'vitest';
import { mergeTopics } from './topics.ts';

it('one stream follows what any tab follows, each once and in one order', () => {
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

it('beyond what the server takes, this tab comes first', () => {
  const others = new Map([['a', Array.from({ length: 30 }, (_, at) => `other.${at}`)]]);
  const merged = mergeTopics(['own'], others);
  expect(merged).toHaveLength(20);
  expect(merged).toContain('own');
});
