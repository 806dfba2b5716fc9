import { expect, it } from 'vitest';
import { formatDate, formatInstant } from '../../i18n/format.ts';
import { filterEntries, groupByModel, toFoundRecord } from './palette-search.ts';
import { addRecentRecord, parseRecentRecords } from './recent-records.ts';

const entries = ['Email › Overview', 'Email › Domains', 'Profile › Main settings'].map((name) => ({
  key: name,
  to: name,
  name,
  keywords: name.includes('Domains') ? 'dkim mainly' : undefined,
}));

it.each([
  ['', ['Email › Overview', 'Email › Domains', 'Profile › Main settings']],
  ['main', ['Profile › Main settings', 'Email › Domains']],
  ['em dom', ['Email › Domains']],
  ['dkim', ['Email › Domains']],
  ['email dkim', ['Email › Domains']],
  ['zzz', []],
])('%j finds %j', (text, names) => {
  expect(filterEntries(entries, text).map(({ name }) => name)).toEqual(names);
});

it('prefers the name that consists of little more than the typed words', () => {
  const lists = ['Product Categories', 'Products', 'Product Tags'].map((name) => ({ key: name, name }));
  const found = filterEntries(lists, 'product').map(({ name }) => name);
  expect(found).toEqual(['Products', 'Product Tags', 'Product Categories']);
});

const buildRecord = (model: string, recordId: string) => ({
  model,
  modelLabel: `${model}s`,
  recordId,
  name: 'Ann',
});

it('groups records by the label of their model, each with its URL', () => {
  const sections = groupByModel([
    buildRecord('lead', '1'),
    buildRecord('user', '1'),
    buildRecord('lead', '2'),
  ]);
  expect(sections.map(({ label, entries }) => [label, entries.map(({ to }) => to)])).toEqual([
    ['leads', ['/records/lead/1', '/records/lead/2']],
    ['users', ['/records/user/1']],
  ]);
});

it('keeps recent records in order without duplicates, and drops invalid entries', () => {
  const recordIds = ['1', '2', '3', '2'].map((id) => buildRecord('lead', id));
  const recent = recordIds.reduce<typeof recordIds>(addRecentRecord, []);
  expect(recent.map(({ recordId }) => recordId)).toEqual(['2', '3', '1']);
  expect(addRecentRecord(recent, buildRecord('user', '2'))).toHaveLength(4);
  expect(parseRecentRecords([...recent, 'lead', { model: 'lead' }])).toEqual(recent);
  expect(parseRecentRecords(undefined)).toEqual([]);
});

it.each([
  ['the start of a meeting', null, '2026-12-01T10:00:00Z', `${formatInstant('2026-12-01T10:00:00Z')} · Ann`],
  ['the day of an all-day meeting', '2026-12-02', null, `${formatDate('2026-12-02')} · Ann`],
  ['no date of other records', null, null, 'Ann'],
])('shows %s', (_what, startsOn, startsAt, detail) => {
  const record = { ...buildRecord('calendar.event', '1'), detail: 'Ann' };
  expect(toFoundRecord({ ...record, startsOn, startsAt })).toEqual({ ...record, detail });
});
