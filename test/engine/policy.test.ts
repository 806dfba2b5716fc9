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
const signedGuest: Guest = { kind: 'SIGNED' };
const buildLink = (kind: string): Guest => ({ kind: 'LINK', link: kind, subject: 's' });

const forUsers: Policy = { auth: ['USER'], scope: 'read' };
const forAnyone: Policy = { auth: ['ANYONE'], scope: 'read' };
const forSigned: Policy = { auth: ['SIGNED'], scope: 'write' };
const forLink: Policy = { auth: ['LINK'], link: 'leave', scope: 'write' };
const featuredPolicy: Policy = { ...forAnyone, feature: 'email' };

const cases: [string, Policy, Principal | null, Guest | null, string | null][] = [
  ['a user passes a policy for users', forUsers, user, null, null],
  ['an unknown caller passes no policy', forUsers, null, null, 'UNAUTHENTICATED'],
  [
    'an unknown caller without a workspace does not pass a public policy',
    forAnyone,
    null,
    null,
    'UNAUTHENTICATED',
  ],
  ['a guest does not pass a policy for users', forUsers, null, anyone, 'UNAUTHENTICATED'],
  ['a link does not replace a user', forUsers, null, buildLink('leave'), 'UNAUTHENTICATED'],
  ['an anonymous caller passes a public policy', forAnyone, null, anyone, null],
  ['a user does not pass a policy for guests', forAnyone, user, null, 'FORBIDDEN'],
  ['a team key does not pass a policy for guests', forAnyone, team, null, 'FORBIDDEN'],
  ['a user passes a public policy', { ...forAnyone, auth: ['ANYONE', 'USER'] }, user, null, null],
  [
    'a key needs the scope of a public policy',
    { auth: ['ANYONE', 'USER'], scope: 'write' },
    reader,
    null,
    'FORBIDDEN',
  ],
  ['a link passes a policy for its kind', forLink, null, buildLink('leave'), null],
  ['a link does not pass a policy for another kind', forLink, null, buildLink('join'), 'UNAUTHENTICATED'],
  ['a link does not pass a public policy', forAnyone, null, buildLink('leave'), 'UNAUTHENTICATED'],
  ['a signed message does not pass a policy for links', forLink, null, signedGuest, 'UNAUTHENTICATED'],
  ['an anonymous caller does not pass a policy for links', forLink, null, anyone, 'UNAUTHENTICATED'],
  ["an administrator's key does not pass a policy for links", forLink, admin, null, 'FORBIDDEN'],
  ['a team key does not pass a policy for links', forLink, team, null, 'FORBIDDEN'],
  [
    'a policy without a link kind accepts no link',
    { ...forLink, link: undefined },
    null,
    buildLink(''),
    'UNAUTHENTICATED',
  ],
  ['a signed message passes a policy for signed messages', forSigned, null, signedGuest, null],
  ['a key does not pass a policy for signed messages', forSigned, admin, null, 'FORBIDDEN'],
  [
    'a link does not pass a policy for signed messages',
    forSigned,
    null,
    buildLink('leave'),
    'UNAUTHENTICATED',
  ],
  ['a disabled feature is disabled for guests too', featuredPolicy, null, anyone, 'FEATURE_OFF'],
];

test.each(cases)('%s', (_, policy, principal, guest, reason) => {
  const workspace = { features: new Set<string>() };
  expect(evaluatePolicy(policy, { principal, guest, workspace })?.kind ?? null).toBe(reason);
});

describe('contradictory policies', () => {
  test.each([
    ['a link without a kind', { auth: ['LINK'], scope: 'read' }, 'LINK must be combined with a kind of link'],
    [
      'a kind of link without LINK',
      { auth: ['USER'], link: 'leave', scope: 'read' },
      'LINK must be combined with a kind of link',
    ],
    [
      'an audited signed message',
      { auth: ['SIGNED'], scope: 'write', audit: 'x' },
      'audit cannot be combined with SIGNED',
    ],
  ])('fail the schema build: %s', (_, policy, text) => {
    const builder = new SchemaBuilder<object>({ plugins: ['policy'] } as never);
    builder.queryType({ fields: (t) => ({ a: t.string({ policy, resolve: () => '' } as never) }) });
    expect(() => builder.toSchema()).toThrow(text);
  });
});

test.each([
  [
    'a workspace key',
    ['ADMIN'],
    team,
    /the Administrator role\. A key of the workspace has no role: use .* user/,
  ],
  ['a key where users have access', ['USER'], team, /a user's key\. This key is the workspace's own/],
  [
    'a user',
    ['TEAM', 'ADMIN'],
    user,
    /the Administrator role\. An administrator of the workspace can give it/,
  ],
] as const)('tells %s which access is missing and how to get it', (_who, auth, principal, pattern) => {
  const workspace = { features: new Set<string>() };
  const error = evaluatePolicy({ auth: [...auth], scope: 'write' }, { principal, guest: null, workspace });
  expect(error?.message).toMatch(pattern);
});
