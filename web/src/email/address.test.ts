import { expect, it } from 'vitest';
import { formatTag, parseEmailsView, parseOverviewView, parseTag, toEmailsVariables } from './address.ts';

it('keeps valid URL parameters, and drops others', () => {
  const params = {
    status: 'BOUNCED',
    domain: 3,
    key: 7,
    tag: 'order',
    q: '',
    from: '2026-02-30x',
    to: '2026-11-23',
    tab: 'nope',
    x: 1,
  };
  expect(JSON.parse(JSON.stringify(parseEmailsView(params)))).toEqual({
    status: 'BOUNCED',
    domain: '3',
    key: '7',
    to: '2026-11-23',
  });
  expect(parseEmailsView({ status: 'bounced' }).status).toBe('BOUNCED');
  expect(parseOverviewView({ days: '90' }).days).toBe(90);
  expect(parseOverviewView({ days: '91' }).days).toBeUndefined();
  expect(parseOverviewView({ by: 'TAG', tag: 'plan' })).toMatchObject({ by: 'TAG', tag: 'plan' });
  expect(parseOverviewView({ by: 'COLOR' }).by).toBeUndefined();
  expect(parseOverviewView({ domain: 3 }).domain).toBe('3');
  for (const domain of ['zz', '0', '1.5', '2147483648'])
    expect(parseOverviewView({ domain }).domain).toBeUndefined();
});

it.each([
  [{ q: 'invoice' }, { subject: 'invoice' }],
  [{ q: 'ann@example.org' }, { to: 'ann@example.org' }],
  [{ key: '7' }, { key: '7' }],
  [{ tag: 'order = 7=a' }, { tags: { order: '7=a' } }],
  [{ tag: '\\d=7' }, { tags: { '\\d': '7' } }],
  [{ tag: 'a\\=b=7' }, { tags: { 'a=b': '7' } }],
  [{ status: 'FAILED' as const }, { status: ['FAILED'] }],
  [
    { from: '2026-11-01', to: '2026-11-23' },
    { from: '2026-11-01T00:00:00.000Z', until: '2026-11-24T00:00:00.000Z' },
  ],
])('converts %j to the query variables %j', (view, variables) => {
  expect(JSON.parse(JSON.stringify(toEmailsVariables(view)))).toEqual(variables);
});

it.each([
  ['order', '7'],
  ['a=b', 'c=d'],
  ['=', '='],
  ['a\\', 'b\\'],
  ['a\\=b\\\\', ''],
])('round-trips the tag %j with the value %j', (name, value) => {
  expect(parseTag(formatTag(name, value))).toEqual({ [name]: value });
});
