import {
  type GraphQLField,
  type GraphQLOutputType,
  getNamedType,
  isInterfaceType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { toSnakeCase } from '../../src/engine/model/datamodel.ts';
import type { Model } from '../../src/engine/model/model.ts';
import { getRootField, type Operation, operations, takesIds } from '../../src/engine/operation/operation.ts';
import type { App } from '../harness/app.ts';
import { serializeMethodCall } from '../harness/facades/xmlrpc.ts';
import { buildAnything, buildArguments, buildContext, type Material, pickModel } from './arguments.ts';
import type { Dice } from './dice.ts';
import { NUMBERS, pickHostileText, TEXTS } from './hostile.ts';
import type { Attacker } from './world.ts';

export interface AttackRequest {
  facade: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | null;
}

type MakeRequest = (app: App, material: Material, attacker: Attacker) => AttackRequest;

export interface RequestMaker {
  make: MakeRequest;
  /** True if a caller of this kind passes authentication. */
  admits(attacker: Attacker): boolean;
}

const isUser = ({ uid }: Attacker): boolean => uid > 0;

const JSON_TYPE = { 'content-type': 'application/json' };
const buildBearer = ({ key }: Attacker): Record<string, string> =>
  key ? { authorization: `Bearer ${key}` } : {};

const buildRequest = (facade: string, path: string, attacker: Attacker, body: unknown): AttackRequest => ({
  ...{ facade, path, method: 'POST', body: JSON.stringify(body) },
  headers: { ...JSON_TYPE, ...buildBearer(attacker) },
});

interface MethodCall {
  model: Model;
  method: string;
  namedArgs: Record<string, unknown>;
}

function buildMethodCall(app: App, material: Material): MethodCall {
  const { dice } = material;
  const general = pickModel(material);
  const all = [...operations.values()].filter(({ method }) => method !== null);
  const fittingOperations = all.filter(({ model }) => model === '*' || model === general.name);
  const operation = dice.pick(dice.once(5) ? all : fittingOperations);
  const model = operation.model === '*' ? general : (app.runtime.registry.get(operation.model!) ?? general);
  const args = buildArguments(
    material,
    model,
    getArgs(app, operation).filter(({ name }) => name !== 'model'),
  );
  const namedArgs = Object.fromEntries(
    Object.entries(args).map(([name, value]) => [toSnakeCase(name), value]),
  );
  if (dice.once(4)) namedArgs.context = buildContext(material);
  if (dice.once(40)) namedArgs[dice.pick(TEXTS)] = buildAnything(material, 2);
  return { model, method: operation.method!, namedArgs };
}

const getArgs = (app: App, operation: Operation) => getRootField(app.runtime.schema, operation).args;

const makeJson2: MakeRequest = (app, material, attacker) => {
  const { model, method, namedArgs } = buildMethodCall(app, material);
  const request = buildRequest('json2', `/json/2/${model.name}/${method}`, attacker, namedArgs);
  if (material.dice.once(10)) request.headers['idempotency-key'] = material.dice.pick(['a', 'b', 'same']);
  return request;
};

/** Arguments of `execute_kw`: the ids first, if the method takes any. */
function buildExecuteArgs(app: App, material: Material): unknown[] {
  const { model, method, namedArgs } = buildMethodCall(app, material);
  const { ids, ...rest } = namedArgs;
  const operation = [...operations.values()].find((operation) => operation.method === method)!;
  return [model.name, method, takesIds({ args: getArgs(app, operation) }) ? [ids ?? []] : [], rest];
}

const makeJsonRpc: MakeRequest = (app, material, attacker) => {
  const args = [attacker.workspace, attacker.uid, attacker.key, ...buildExecuteArgs(app, material)];
  const params = { service: 'object', method: 'execute_kw', args };
  return {
    ...buildRequest('jsonrpc', '/jsonrpc', attacker, { jsonrpc: '2.0', method: 'call', id: 1, params }),
    headers: JSON_TYPE,
  };
};

const makeXmlRpc: MakeRequest = (app, material, attacker) => {
  const args = [attacker.workspace, attacker.uid, attacker.key ?? '', ...buildExecuteArgs(app, material)];
  const body = serializeMethodCall('execute_kw', stripUnwritable(args));
  return {
    facade: 'xmlrpc',
    path: '/xmlrpc/2/object',
    method: 'POST',
    headers: { 'content-type': 'text/xml' },
    body,
  };
};

/** Removes characters that XML cannot represent, which the client's codec rejects. */
const stripUnwritable = (args: unknown[]): unknown[] =>
  JSON.parse(JSON.stringify(args).replaceAll(/(\\\\)|\\u(?:0000|d800)/g, (_all, escaped) => escaped ?? ''));

const makeCallKw: MakeRequest = (app, material, attacker) => {
  const [model, method, args, kwargs] = buildExecuteArgs(app, material);
  const body = { jsonrpc: '2.0', method: 'call', id: 1, params: { model, method, args, kwargs } };
  const headers = { ...JSON_TYPE, cookie: attacker.cookie ?? 'session_id=x' };
  return { ...buildRequest('call_kw', '/web/dataset/call_kw', attacker, body), headers };
};

const makeMcp: MakeRequest = (_app, material, attacker) => {
  const { dice } = material;
  const model = pickModel(material);
  const tool = dice.pick(['search', 'get', 'count', 'list_models', 'describe_model', 'nope']);
  const operation = { search: 'search_read', get: 'read', count: 'search_count' }[tool];
  const rootOperation = [...operations.values()].find(
    ({ method, model: guardedModel }) => guardedModel === '*' && method === operation,
  );
  const callArguments = rootOperation ? buildArguments(material, model, getArgs(_app, rootOperation)) : {};
  const args = { ...callArguments, model: model.name };
  return buildRequest('mcp', '/mcp', attacker, {
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: { name: tool, arguments: args },
  });
};

const makeGraphql: MakeRequest = (app, material, attacker) => {
  const { dice } = material;
  const { schema } = app.runtime;
  const [word, type] = dice.once(3)
    ? (['mutation', schema.getMutationType()!] as const)
    : (['query', schema.getQueryType()!] as const);
  const field = dice.pick(Object.values(type.getFields()));
  const variables = buildArguments(material, pickModel(material), field.args);
  const used = field.args.filter(({ name }) => name in variables);
  const declared = used.map(({ name, type: argType }) => `$${name}: ${argType}`).join(', ');
  const passed = used.map(({ name }) => `${name}: $${name}`).join(', ');
  const query = `${word}${declared && `(${declared})`} { ${field.name}${passed && `(${passed})`}${buildSelection(dice, field, 4)} }`;
  return buildRequest('graphql', '/graphql', attacker, { query, variables });
};

/** Selects some fields of the type that require no arguments. */
function buildSelection(dice: Dice, { type }: { type: GraphQLOutputType }, depth: number): string {
  const namedType = getNamedType(type);
  if (!isObjectType(namedType) && !isInterfaceType(namedType)) return '';
  const fields = Object.values(namedType.getFields()).filter(({ args }) => !args.some(isRequiredArgument));
  const isLeaf = (field: GraphQLField<unknown, unknown>) => !('getFields' in getNamedType(field.type));
  const selected = fields.filter((field) =>
    isLeaf(field) ? dice.once(2) : depth > 0 && (/^(nodes|edges|node)$/.test(field.name) || dice.once(8)),
  );
  return ` { __typename ${selected.map((item) => item.name + buildSelection(dice, item, depth - 1)).join(' ')} }`;
}

export interface RestEndpoint {
  path: string;
  method: string;
  // biome-ignore lint/suspicious/noExplicitAny: a JSON schema has no static type
  body: any;
  query: string[];
}

export async function loadOperations(app: App): Promise<{ operations: RestEndpoint[]; resolve: Resolve }> {
  const document = await (await fetch(`${app.url}/api/v1/doc`)).json();
  const resolve: Resolve = (schema) =>
    schema?.$ref ? resolve(document.components.schemas[schema.$ref.split('/').at(-1)!]) : schema;
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    // biome-ignore lint/suspicious/noExplicitAny: an OpenAPI operation has no static type
    Object.entries(item as Record<string, any>).map(([method, definition]) => ({
      path,
      method: method.toUpperCase(),
      body: definition.requestBody?.content?.['application/json']?.schema,
      query: (definition.parameters ?? []).flatMap((parameter: { in: string; name: string }) =>
        parameter.in === 'query' ? parameter.name : [],
      ),
    })),
  );
  return { operations, resolve };
}

// biome-ignore lint/suspicious/noExplicitAny: a JSON schema has no static type
type Resolve = (schema: any) => any;

export const createRestMaker = (source: { operations: RestEndpoint[]; resolve: Resolve }): RequestMaker => ({
  make: makeRest(source),
  admits: ({ uid, sees }) => uid === 0 || sees.includes('administrators'),
});

const makeRest =
  ({ operations, resolve }: { operations: RestEndpoint[]; resolve: Resolve }): MakeRequest =>
  (_app, material, attacker) => {
    const { dice, publicIds, ids } = material;
    const { path, method, body, query } = dice.pick(operations);
    const pickId = () =>
      dice.pick<unknown>([...publicIds, ...publicIds, ...(ids['svc.domain'] ?? []), dice.pick(TEXTS)]);
    const filled = path.replace(/\{\w+\}/g, () => encodeURIComponent(String(pickId()).toWellFormed()));
    const queryParts = query
      .filter(() => dice.once(2))
      .map((name) => {
        const value = dice.pick<unknown>([...TEXTS, ...NUMBERS, ...publicIds]);
        return `${name}=${encodeURIComponent(String(value).toWellFormed())}`;
      });
    const jsonBody = body ? JSON.stringify(buildBody(material, resolve, body, 4)) : null;
    const headers = { ...(jsonBody !== null && JSON_TYPE), ...buildBearer(attacker) } as Record<
      string,
      string
    >;
    const wholePath = `/api${filled}${queryParts.length ? `?${queryParts.join('&')}` : ''}`;
    return { facade: 'rest', path: wholePath, method, headers, body: jsonBody };
  };

// biome-ignore lint/suspicious/noExplicitAny: a JSON schema has no static type
function buildBody(material: Material, resolve: Resolve, bodySchema: any, depth: number): unknown {
  const { dice, publicIds } = material;
  const schema = resolve(bodySchema) ?? {};
  if (depth === 0 || dice.once(15)) return buildAnything(material, 2);
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) return buildBody(material, resolve, dice.pick(variants), depth);
  if (schema.enum) return dice.pick(schema.enum);
  if (schema.properties)
    return Object.fromEntries(
      Object.entries(schema.properties)
        .filter(([name]) => schema.required?.includes(name) || dice.once(3))
        .map(([name, inner]) => [name, buildBody(material, resolve, inner, depth - 1)]),
    );
  if (schema.type === 'array')
    return dice.some(3, () => buildBody(material, resolve, schema.items, depth - 1));
  if (schema.type === 'boolean') return dice.once(2);
  if (/number|integer/.test(schema.type)) return dice.pick(NUMBERS);
  if (dice.once(2)) return pickHostileText(dice);
  return dice.pick([...publicIds, 'you@example.org', 'hello@here.test', '2030-01-01T00:00:00Z', 'Name']);
}

const makeFileRequest: MakeRequest = (_app, material, attacker) => {
  const { dice, ids } = material;
  const id = dice.pick(Object.values(ids).flat());
  const files = ids['ir.attachment']!;
  const path = dice.pick([
    `/web/content/${dice.pick(files)}`,
    `/web/content/${dice.pick(files)}?download=1&access_token=${encodeURIComponent(dice.pick(['', 'x', '%', "'"]))}`,
    `/web/content/${pickModel(material).name}/${id}/${dice.pick(['raw', 'datas', 'name', 'email', 'password', 'image_1920'])}`,
    `/web/image/${pickModel(material).name}/${id}/image_128`,
    `/web/image?model=ir.attachment&id=${dice.pick(files)}&field=${dice.pick(['raw', 'datas', 'access_token'])}`,
    `/web/content?model=res.partner&id=${id}&field=comment&filename_field=email`,
  ]);
  const cookie: Record<string, string> = attacker.cookie ? { cookie: attacker.cookie } : {};
  return {
    facade: 'files',
    path,
    method: 'GET',
    headers: { ...buildBearer(attacker), ...cookie },
    body: null,
  };
};

const limitToUsers = (make: MakeRequest): RequestMaker => ({ make, admits: isUser });

/** The facades with the most functionality are listed several times. */
export const MAKERS: RequestMaker[] = [
  ...[
    makeJson2,
    makeJson2,
    makeJson2,
    makeGraphql,
    makeGraphql,
    makeGraphql,
    makeJsonRpc,
    makeXmlRpc,
    makeMcp,
    makeFileRequest,
  ].map(limitToUsers),
  { make: makeGraphql, admits: () => true },
  { make: makeCallKw, admits: ({ cookie }) => cookie !== null },
];
