import SchemaBuilder from '@pothos/core';
import { describe, expect, test } from 'vitest';
import { ADMIN_GROUP } from '../../schema/base/roles.ts';
import type { Policy } from '../../src/engine/model/policy.ts';
import type { Guest, Principal } from '../../src/engine/model/principal.ts';
import { evaluatePolicy } from '../../src/engine/operation/policy.ts';

const user = { kind: 'user', groups: new Set(), scopes: null } as unknown as Principal;
const admin = { ...user, groups: new Set([ADMIN_GROUP]) };
const team = { ...user, kind: 'workspace' } as Principal;
const reader = { ...admin, scopes: ['read'] };

const anyone: Guest = { kind: 'ANYONE' };
const signed: Guest = { kind: 'SIGNED' };
const buildLink = (kind: string): Guest => ({ kind: 'LINK', link: kind, subject: 's' });

const forUsers: Policy = { auth: ['USER'], scope: 'read' };
const forAnyone: Policy = { auth: ['ANYONE'], scope: 'read' };
const forSigned: Policy = { auth: ['SIGNED'], scope: 'write' };
const forLink: Policy = { auth: ['LINK'], link: 'leave', scope: 'write' };
const featured: Policy = { ...forAnyone, feature: 'email' };

const cases: [string, Policy, Principal | null, Guest | null, string | null][] = [
  ['a user may what users may', forUsers, user, null, null],
  ['an unknown caller may nothing', forUsers, null, null, 'UNAUTHENTICATED'],
  ['an unknown caller is not anyone: it has named no workspace', forAnyone, null, null, 'UNAUTHENTICATED'],
  ['a guest may not what users may', forUsers, null, anyone, 'UNAUTHENTICATED'],
  ['a link does not stand for a user', forUsers, null, buildLink('leave'), 'UNAUTHENTICATED'],
  ['anyone may what is for anyone', forAnyone, null, anyone, null],
  ['a user is anyone', forAnyone, user, null, null],
  ['a team is anyone', forAnyone, team, null, null],
  ['a key keeps its scope there', { ...forAnyone, scope: 'write' }, reader, null, 'FORBIDDEN'],
  ['a link admits to verbs of its kind', forLink, null, buildLink('leave'), null],
  ['a link of another kind does not', forLink, null, buildLink('join'), 'UNAUTHENTICATED'],
  ['a link is not anyone', forAnyone, null, buildLink('leave'), 'UNAUTHENTICATED'],
  ['a signed message is no link', forLink, null, signed, 'UNAUTHENTICATED'],
  ['anyone has no link', forLink, null, anyone, 'UNAUTHENTICATED'],
  ["an administrator's key is no link", forLink, admin, null, 'FORBIDDEN'],
  ["a team's key is no link", forLink, team, null, 'FORBIDDEN'],
  [
    'a policy that forgets its kind of link admits none',
    { ...forLink, link: undefined },
    null,
    buildLink(''),
    'UNAUTHENTICATED',
  ],
  ['a signed message is taken', forSigned, null, signed, null],
  ['a key is no signed message', forSigned, admin, null, 'FORBIDDEN'],
  ['a link is no signed message', forSigned, null, buildLink('leave'), 'UNAUTHENTICATED'],
  ['a feature that is off is off for guests too', featured, null, anyone, 'FEATURE_OFF'],
];

test.each(cases)('%s', (_, policy, principal, guest, refusal) => {
  const workspace = { features: new Set<string>() };
  expect(evaluatePolicy(policy, { principal, guest, workspace })?.kind ?? null).toBe(refusal);
});

describe('schema build errors for contradictory policies', () => {
  test.each([
    ['a link of no kind', { auth: ['LINK'], scope: 'read' }, 'LINK requires a kind of link'],
    [
      'a kind of link without LINK',
      { auth: ['USER'], link: 'leave', scope: 'read' },
      'LINK requires a kind of link',
    ],
    ['an audited signed message', { auth: ['SIGNED'], scope: 'write', audit: 'x' }, 'no audit trail'],
  ])('%s', (_, policy, words) => {
    const builder = new SchemaBuilder<object>({ plugins: ['policy'] } as never);
    builder.queryType({ fields: (t) => ({ a: t.string({ policy, resolve: () => '' } as never) }) });
    expect(() => builder.toSchema()).toThrow(words);
  });
});

test.each([
  [
    'a key of the workspace',
    ['ADMIN'],
    team,
    /the Administrator role\. A key of the workspace has no role: use .* user/,
  ],
  ['one where users may', ['USER'], team, /a user's key\. This key is the workspace's own/],
  [
    'a user',
    ['TEAM', 'ADMIN'],
    user,
    /the Administrator role\. An administrator of the workspace can give it/,
  ],
] as const)('tells %s which access is missing and how to get it', (_who, auth, principal, words) => {
  const workspace = { features: new Set<string>() };
  const refusal = evaluatePolicy({ auth: [...auth], scope: 'write' }, { principal, guest: null, workspace });
  expect(refusal?.message).toMatch(words);
});
