import SchemaBuilder from '@pothos/core';
import {
  buildSchema,
  type ConstDirectiveNode,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  valueFromASTUntyped,
} from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { createKey } from '../schema/base/keys/keys.ts';
import { sql } from '../src/db/sql.ts';
import '../src/engine/operation/policy.ts';
import { toSnakeCase } from '../src/engine/model/datamodel.ts';
import { operations } from '../src/engine/operation/operation.ts';
import { setUpApp } from './harness/app.ts';
import {
  type GraphqlProblem,
  type GraphqlResponse,
  postGraphql,
  sendRequest,
  startSubscription,
} from './harness/facades/graphql.ts';
import type { Tenant } from './harness/tenant.ts';

interface Who {
  name: string;
  key?: () => string;
  host?: string;
  is: ('USER' | 'ADMIN' | 'TEAM')[];
  scopes?: string[];
  features: boolean;
  /** True if the whole request is rejected instead of individual fields. */
  unknown?: boolean;
}

interface Root {
  kind: 'query' | 'mutation' | 'subscription';
  field: GraphQLField<unknown, unknown>;
  auth: string[];
  scope: string;
  feature: string | null;
}

const app = setUpApp({ PUBLIC_URL: 'http://atrium.test' });
let bareTenant: Tenant;
let otherTenant: Tenant;
let roots: Root[];
let sendingKey: string;

const CALLERS: Who[] = [
  { name: 'no credential', is: [], features: true },
  {
    name: "another workspace's key",
    key: () => otherTenant.admin.key,
    host: 'main.atrium.test',
    is: ['USER', 'ADMIN'],
    features: true,
    unknown: true,
  },
  { name: 'a plain user', key: () => app.main.user.key, is: ['USER'], features: true },
  { name: 'an administrator', key: () => app.main.admin.key, is: ['USER', 'ADMIN'], features: true },
  { name: 'a team key', key: () => app.main.teamKey, is: ['TEAM'], features: true },
  {
    name: 'a key with the scope read',
    key: () => app.main.readOnlyKey,
    is: ['USER', 'ADMIN'],
    scopes: ['read'],
    features: true,
  },
  {
    name: 'a send-only key',
    key: () => sendingKey,
    is: ['TEAM'],
    scopes: ['send'],
    features: true,
  },
  {
    name: 'an administrator without features',
    key: () => bareTenant.admin.key,
    is: ['USER', 'ADMIN'],
    features: false,
  },
  { name: 'a team key without features', key: () => bareTenant.teamKey, is: ['TEAM'], features: false },
];

beforeAll(async () => {
  otherTenant = await app.tenant('other');
  const keyRequest = { name: 'sends', userId: null, scopes: ['send'], days: null };
  sendingKey = (await createKey(app.main.ctx, keyRequest)).key;
  bareTenant = await app.tenant('bare');
  await app.runtime.db.rows(
    sql`update workspace set features = case slug when 'bare' then '{}'::text[] else '{email,mcp}' end`,
  );
  app.runtime.identity.invalidate();
  const sdl = await sendRequest(app, 'GET', '/graphql/schema.graphql', {
    authorization: `Bearer ${app.main.admin.key}`,
  });
  roots = getRoots(buildSchema(sdl.text));
});

describe('root field policies', () => {
  const outcomes = new Map<string, { roots: Root[]; allowed: number; refused: number }>();

  const expectPolicies = async (caller: Who, roots: Root[]) => {
    const mismatches: string[] = [];
    const count = { roots, allowed: 0, refused: 0 };
    const result = await collectOutcomes(caller, roots);
    for (const root of roots) {
      const expected = computeExpected(root, caller);
      if (result.get(root) !== expected)
        mismatches.push(`${root.field.name}: ${result.get(root)} instead of ${expected}`);
      count[expected === 'allowed' ? 'allowed' : 'refused']++;
    }
    outcomes.set(caller.name, count);
    expect(mismatches).toEqual([]);
  };

  it.each(CALLERS)('apply to $name', (caller) => expectPolicies(caller, pickShare(caller)));

  it.each(CALLERS)('apply to $name on every root field', { tags: 'slow' }, (caller) =>
    expectPolicies(caller, roots),
  );

  it('cover every policy for every caller, and every root field for some callers', () => {
    const policies = new Set(roots.map(describePolicy));
    for (const caller of CALLERS)
      expect(new Set(pickShare(caller).map(describePolicy)), caller.name).toEqual(policies);
    expect(new Set(CALLERS.flatMap(pickShare))).toEqual(new Set(roots));
  });

  it('every root field has a tested policy', () => {
    const { schema } = app.runtime;
    const rootFields = [
      schema.getQueryType()!,
      schema.getMutationType()!,
      schema.getSubscriptionType()!,
    ].flatMap((type) => Object.keys(type.getFields()));
    expect(roots.map((root) => root.field.name).sort()).toEqual(rootFields.sort());
    expect(rootFields.length).toBeGreaterThan(40);
    expect(roots.filter((root) => root.kind === 'subscription').length).toBeGreaterThan(40);
  });

  it('include allowed and denied calls for each caller with limited access', () => {
    expect(outcomes.size).toBe(CALLERS.length);
    for (const name of ['no credential', "another workspace's key"]) {
      const { roots, allowed, refused } = outcomes.get(name)!;
      expect([allowed, refused]).toEqual([0, roots.length]);
    }
    for (const { name, is } of CALLERS.filter((caller) => caller.is.length && !caller.unknown)) {
      expect(outcomes.get(name)!.allowed, name).toBeGreaterThan(0);
      if (!is.includes('ADMIN')) expect(outcomes.get(name)!.refused, name).toBeGreaterThan(0);
    }
    const reader = outcomes.get('a key with the scope read')!;
    const mutations = reader.roots.filter((root) => root.kind === 'mutation').length;
    expect(reader.refused).toBeGreaterThanOrEqual(mutations);
    const bareAdmin = outcomes.get('an administrator without features')!;
    const featuredCount = bareAdmin.roots.filter((root) => root.feature).length;
    expect(featuredCount).toBeGreaterThan(3);
    expect(bareAdmin.refused).toBeGreaterThanOrEqual(featuredCount);
  });

  it('admit callers without a key only to the listed fields and links', () => {
    const open = roots
      .filter(({ auth }) => auth.some((sort) => ['ANYONE', 'LINK', 'SIGNED'].includes(sort)))
      .map(({ field, auth }) => [field.name, ...auth, getDirectiveArgument(field, 'auth', 'link')].join(' '));
    expect(open.sort()).toEqual([
      'calendarFeed LINK calendar-feed',
      'calendarInvitation LINK calendar-answer',
      'calendarInvitationAnswer LINK calendar-answer',
      'emailImage LINK email-image',
      'helpdeskTicketPage LINK helpdesk-ticket',
      'helpdeskTicketPageAnswer LINK helpdesk-ticket',
      'helpdeskTicketPageClose LINK helpdesk-ticket',
      'helpdeskTicketPageRate LINK helpdesk-ticket',
      'mailFileLinked LINK mail-file',
      'mailRelayReceive SIGNED ',
      'mailSesReceive SIGNED ',
      'publicFile ANYONE USER TEAM ',
      'snsMessageReceive SIGNED ',
      'subscriptionConfirm LINK subscribe',
      'subscriptionConfirmView LINK subscribe',
      'unsubscribe LINK unsubscribe',
      'unsubscribeView LINK unsubscribe',
      'userInvitationAccept LINK user-invitation',
      'userInvitationShown LINK user-invitation',
      'websiteFormSubmit ANYONE ',
      'websiteHost ANYONE USER TEAM ',
      'websiteVisit ANYONE USER TEAM ',
    ]);
  });

  it('every mutation requires the scope write, except sending operations', () => {
    expect(
      roots
        .filter((root) => root.kind === 'mutation' && root.scope !== 'write')
        .map((root) => [root.field.name, root.scope]),
    ).toEqual([
      ['campaignTestSend', 'send'],
      ['emailSend', 'send'],
      ['emailsSend', 'send'],
      ['templateTestSend', 'send'],
    ]);
  });
});

describe('JSON API method policies', () => {
  it.each(CALLERS)('apply to $name', async (caller) => {
    const mismatches: string[] = [];
    for (const { root, path, isNamed } of getAddressed()) {
      const expected = computeExpected(root, caller);
      const result = await requestJsonOutcome(root, path, isNamed, caller);
      if (result !== expected) mismatches.push(`${path}: ${result} instead of ${expected}`);
    }
    expect(mismatches).toEqual([]);
  });

  it('are tested for every path', () => {
    const all = [...operations.values()].filter((operation) => operation.model !== null);
    expect(getAddressed()).toHaveLength(all.length);
    expect(all.length).toBeGreaterThan(40);
  });
});

describe('a root field without a policy', () => {
  it('fails the schema build', () => {
    const builder = new SchemaBuilder<object>({ plugins: ['policy'] } as never);
    builder.queryType({ fields: (t) => ({ open: t.string({ resolve: () => 'to everybody' }) }) });
    expect(() => builder.toSchema()).toThrow('Query.open declares no policy');
  });

  it('is accepted below the root types', () => {
    const builder = new SchemaBuilder<object>({ plugins: ['policy'] } as never);
    const Box = builder
      .objectRef<object>('Box')
      .implement({ fields: (t) => ({ inner: t.string({ resolve: () => '' }) }) });
    const policy = { auth: ['USER'], scope: 'read' };
    builder.queryType({
      fields: (t) => ({ box: t.field({ type: Box, policy, resolve: () => ({}) } as never) }),
    });
    expect(() => builder.toSchema()).not.toThrow();
  });

  it('fails the schema build for a subscription, which checks its policy when the stream starts', async () => {
    const createBuilder = (options: object) => {
      const builder = new SchemaBuilder<object>({ plugins: ['policy'] } as never);
      const policy = { auth: ['USER'], scope: 'read' };
      builder.queryType({ fields: (t) => ({ a: t.string({ policy, resolve: () => '' } as never) }) });
      builder.subscriptionType({});
      builder.subscriptionField('b', (t) =>
        t.string({ ...options, subscribe: () => [], resolve: () => '' } as never),
      );
      return builder;
    };
    expect(() => createBuilder({}).toSchema()).toThrow('Subscription.b declares no policy');
    const policy = { auth: ['USER'], scope: 'read' };
    const field = createBuilder({ policy }).toSchema().getSubscriptionType()!.getFields().b!;
    const anonymous = { principal: null, guest: null, workspace: { features: new Set() } };
    expect(() => field.subscribe!(null, {}, anonymous, null as never)).toThrow('not authenticated');
    expect(() => field.resolve!(null, {}, anonymous, null as never)).toThrow('not authenticated');
  });
});

function getRoots(schema: GraphQLSchema): Root[] {
  return (['query', 'mutation', 'subscription'] as const).flatMap((kind) => {
    const type = {
      query: schema.getQueryType()!,
      mutation: schema.getMutationType()!,
      subscription: schema.getSubscriptionType()!,
    }[kind];
    return Object.values(type.getFields()).map((field) => ({
      kind,
      field,
      auth: getDirectiveArgument(field, 'auth', 'requires') as string[],
      scope: getDirectiveArgument(field, 'scope', 'name') as string,
      feature: getDirectiveArgument(field, 'feature', 'key') as string | null,
    }));
  });
}

function getDirectiveArgument(
  field: GraphQLField<unknown, unknown>,
  directive: string,
  argument: string,
): unknown {
  const node: ConstDirectiveNode | undefined = field.astNode!.directives!.find(
    (d) => d.name.value === directive,
  );
  const value = node?.arguments?.find((a) => a.name.value === argument)?.value;
  return value ? valueFromASTUntyped(value) : null;
}

/** Computes the expected outcome independently, so that the engine is not tested against itself. */
function computeExpected({ auth, scope, feature }: Root, caller: Who): string {
  if (caller.unknown || caller.is.length === 0) return 'UNAUTHENTICATED';
  if (!auth.some((sort) => caller.is.includes(sort as 'USER'))) return 'FORBIDDEN';
  if (caller.scopes && !caller.scopes.includes(scope) && !caller.scopes.includes('write')) return 'FORBIDDEN';
  if (feature && !caller.features) return 'FEATURE_OFF';
  return 'allowed';
}

let addresses = 0;

/** Returns a new client address, because many invalid keys from one address slow down its responses. */
function buildNewAddress(): Record<string, string> {
  const number = addresses++;
  return { 'x-forwarded-for': `198.18.${number >> 8}.${number & 255}` };
}

const describePolicy = ({ kind, auth, scope, feature }: Root): string =>
  JSON.stringify([kind, auth, scope, feature]);

/** Each caller requests one in `SHARE` root fields of each policy, and at least one. */
const SHARE = 4;

/** Returns the root fields that a caller requests outside of the slow tests. Callers request different fields. */
function pickShare(caller: Who): Root[] {
  const turn = CALLERS.indexOf(caller);
  return [...Map.groupBy(roots, describePolicy).values()].flatMap((sameRoots) => {
    const step = Math.min(SHARE, sameRoots.length);
    return sameRoots.filter((_, index) => index % step === turn % step);
  });
}

/** Returns the outcome of each root field. Many fields share a request, because single requests would take minutes. */
async function collectOutcomes(caller: Who, roots: Root[]): Promise<Map<Root, string>> {
  const outcomes = new Map<Root, string>();
  for (const kind of ['query', 'mutation', 'subscription'] as const) {
    const fields = roots.filter((root) => root.kind === kind);
    for (let start = 0; start < fields.length; start += FIELDS_BATCH_SIZE) {
      const selectedRoots = fields.slice(start, start + FIELDS_BATCH_SIZE);
      // A subscription has exactly one root field.
      if (kind === 'subscription')
        await Promise.all(selectedRoots.map((field) => tryFields([field], caller, outcomes)));
      else await tryFields(selectedRoots, caller, outcomes);
    }
  }
  return outcomes;
}

const FIELDS_BATCH_SIZE = 25;

/** Requests the fields in one document. Fields without an individual result are requested again in two halves. */
async function tryFields(fields: Root[], caller: Who, outcomes: Map<Root, string>): Promise<void> {
  const { data, errors } = await request(fields, caller);
  const open = fields.filter((root) => {
    const { name } = root.field;
    const error = errors.find(({ path }) => path?.[0] === name) ?? (caller.unknown ? errors[0] : undefined);
    if (!error && !(name in data) && fields.length > 1) return true;
    outcomes.set(root, toOutcome(error ?? (fields.length === 1 ? errors[0] : undefined)));
    return false;
  });
  if (open.length === 0) return;
  const half = Math.ceil(open.length / 2);
  await tryFields(open.slice(0, half), caller, outcomes);
  if (half < open.length) await tryFields(open.slice(half), caller, outcomes);
}

async function request(fields: Root[], caller: Who): Promise<GraphqlResponse> {
  const variables: Record<string, unknown> = {};
  const declared: string[] = [];
  const selected = fields.map(({ field }, index) => {
    const args = field.args.filter((arg) => isNonNullType(arg.type) && arg.defaultValue === undefined);
    const passed = args.map((arg) => {
      const variable = `${arg.name}${index}`;
      variables[variable] = buildSample(arg.type);
      declared.push(`$${variable}: ${arg.type}`);
      return `${arg.name}: $${variable}`;
    });
    const select = isCompositeType(getNamedType(field.type)) ? ' { __typename }' : '';
    return `${field.name}${passed.length ? `(${passed.join(', ')})` : ''}${select}`;
  });
  const { kind } = fields[0]!;
  const document = `${kind} Try${declared.length ? `(${declared.join(', ')})` : ''} { ${selected.join(' ')} }`;
  const headers = { ...(caller.host && { host: caller.host }), ...buildNewAddress() };
  const asking = { key: caller.key?.(), variables, headers };
  const response = await (kind === 'subscription'
    ? startSubscription(app, document, asking)
    : postGraphql(app, document, asking));
  const invalidProblem = response.errors.find(
    ({ extensions }) => extensions.code === 'GRAPHQL_VALIDATION_FAILED',
  );
  if (invalidProblem) throw new Error(`${document}: ${invalidProblem.message}`);
  return response;
}

/** Classifies an error. Errors of the operation itself about meaningless arguments count as allowed. */
function toOutcome(error: GraphqlProblem | undefined): string {
  const isPolicys =
    error && (error.extensions.code !== 'FORBIDDEN' || error.message.startsWith('This requires '));
  const isRefused =
    isPolicys && ['UNAUTHENTICATED', 'FORBIDDEN', 'FEATURE_OFF'].includes(error.extensions.code);
  return isRefused ? error.extensions.code : 'allowed';
}

/**
 * Returns the root fields that are also model methods. A method that exists on all models is called on a model that
 * does not override it. `isNamed` is true if the path contains the model, which is then not an argument.
 */
function getAddressed(): { root: Root; path: string; isNamed: boolean }[] {
  const addressed = new Set(
    [...operations.values()].map((operation) => `${operation.model}/${operation.method}`),
  );
  return [...operations.values()].flatMap(({ name, model, method }) => {
    if (model === null) return [];
    const plain = ['res.country', 'res.partner.industry', 'crm.tag'].find(
      (item) => !addressed.has(`${item}/${method}`),
    );
    const root = roots.find((root) => root.field.name === name)!;
    return [{ root, path: `${model === '*' ? plain : model}/${method}`, isNamed: model === '*' }];
  });
}

async function requestJsonOutcome(
  { field }: Root,
  path: string,
  isNamed: boolean,
  caller: Who,
): Promise<string> {
  const args = field.args.filter((arg) => isNonNullType(arg.type) && arg.defaultValue === undefined);
  const namedArgs = args
    .filter((arg) => !(isNamed && arg.name === 'model'))
    .map((arg) => [toSnakeCase(arg.name), buildSample(arg.type)]);
  const headers = {
    'content-type': 'application/json',
    ...(caller.key && { authorization: `Bearer ${caller.key()}` }),
    ...(caller.host && { host: caller.host }),
    ...buildNewAddress(),
  };
  const body = JSON.stringify(Object.fromEntries(namedArgs));
  const { status, text } = await sendRequest(app, 'POST', `/json/2/${path}`, headers, body);
  if (status === 401) return 'UNAUTHENTICATED';
  const message = status === 403 ? (JSON.parse(text).message as string) : '';
  if (message.startsWith('This requires ')) return 'FORBIDDEN';
  return message.startsWith('The feature ') ? 'FEATURE_OFF' : 'allowed';
}

function buildSample(type: GraphQLInputType): unknown {
  if (isNonNullType(type)) return buildSample(type.ofType);
  if (isListType(type)) return [buildSample(type.ofType)];
  if (isEnumType(type)) return type.getValues()[0]!.value;
  if (isInputObjectType(type)) {
    const requiredFields = Object.values(type.getFields()).filter(
      (field) => isNonNullType(field.type) && field.defaultValue === undefined,
    );
    return Object.fromEntries(requiredFields.map((field) => [field.name, buildSample(field.type)]));
  }
  const samples: Record<string, unknown> = {
    Int: 2_000_000_011,
    ID: '2000000011',
    Float: 0.5,
    Boolean: true,
    JSON: [],
    DateTime: '2026-01-01T00:00:00.000Z',
  };
  return samples[type.name] ?? 'nowhere';
}
