import { expect, it } from 'vitest';
import { found, sectionsOf } from './palette-search.ts';
import { recentIn, withRecent } from './recent.ts';

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

const record = (model: string, recordId: string) => ({
  model,
  modelLabel: `${model}s`,
  recordId,
  name: 'Ann',
});

it('records are entries below the label of their model, each with its address', () => {
  const sections = sectionsOf([record('lead', '1'), record('user', '1'), record('lead', '2')]);
  expect(sections.map(({ label, entries }) => [label, entries.map(({ to }) => to)])).toEqual([
    ['leads', ['/records/lead/1', '/records/lead/2']],
    ['users', ['/records/user/1']],
  ]);
});

it('what was chosen last is recent, each once, and what is no record is left out', () => {
  const chosen = ['1', '2', '3', '2'].map((id) => record('lead', id));
  const recent = chosen.reduce<typeof chosen>(withRecent, []);
  expect(recent.map(({ recordId }) => recordId)).toEqual(['2', '3', '1']);
  expect(withRecent(recent, record('user', '2'))).toHaveLength(4);
  expect(recentIn([...recent, 'lead', { model: 'lead' }])).toEqual(recent);
  expect(recentIn(undefined)).toEqual([]);
});
