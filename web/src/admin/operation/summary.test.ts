import { expect, it } from 'vitest';
import { getHeldActionStates } from './agents/address.ts';
import { parseNoteText } from './apps/note-text.ts';
import { parseAuditView, toAuditFilter } from './audit/address.ts';
import { formatArguments, parseEventSubject, parseRecordIds } from './summary.ts';

it('parses the model and record ids of record change events', () => {
  expect(parseEventSubject('res.users.write', '{"ids":[2,7],"vals":{}}')).toEqual({
    model: 'res.users',
    ids: ['2', '7'],
  });
  expect(parseEventSubject('res.users.create', null)).toEqual({ model: 'res.users', ids: [] });
  expect(parseEventSubject('key.create', '{"ids":[2]}')).toBe(null);
  expect(parseEventSubject('session.open', '{}')).toBe(null);
});

it('parses record ids from arguments in every format', () => {
  expect(parseRecordIds('{"id":3}')).toEqual(['3']);
  expect(parseRecordIds('{"record_ids":["4"]}')).toEqual(['4']);
  expect(parseRecordIds('{"ids":["x",0,-1,{"a":1}]}')).toEqual([]);
  for (const other of [null, '', 'no JSON', '[]', '7', 'null', '{}'])
    expect(parseRecordIds(other)).toEqual([]);
});

it('formats JSON arguments, and keeps other arguments unchanged', () => {
  expect(formatArguments('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(formatArguments('{"a":1…')).toBe('{"a":1…');
});

it('parses the URL of the audit trail, and ignores invalid parts', () => {
  const view = parseAuditView({
    from: '2026-11-23',
    to: '2026-02-31x',
    model: 'res.users',
    result: 'done',
    by: 'x',
  });
  expect(view).toEqual({ from: '2026-11-23', model: 'res.users', result: 'done' });
  expect(toAuditFilter(view)).toMatchObject({
    createdAt: { gte: '2026-11-23T00:00:00.000Z' },
    event: { in: ['res.users.create', 'res.users.write', 'res.users.unlink'] },
    success: { eq: true },
  });
  expect(toAuditFilter(parseAuditView({ to: '2026-11-23', result: 'refused' }))).toMatchObject({
    createdAt: { gte: undefined, lt: '2026-11-24T00:00:00.000Z' },
    success: { eq: false },
  });
});

it('lists pending held actions by default', () => {
  expect(getHeldActionStates({})).toEqual(['WAITING', 'RUNNING']);
  expect(getHeldActionStates({ state: 'all' })).toBe(undefined);
  expect(getHeldActionStates({ state: 'decided' })).not.toContain('WAITING');
});

it('splits a release note into text and code without Markdown syntax', () => {
  expect(parseNoteText('`a_b` of the [guide](docs/x.md) is **new**, see _Changed_')).toEqual([
    ['code', 'a_b'],
    ['text', ' of the guide is new, see Changed'],
  ]);
});
