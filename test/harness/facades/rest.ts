import { sql } from '../../../src/db/sql.ts';
import { type App, startApp } from '../app.ts';
import { setUp } from '../set-up.ts';
import { postGraphql as askGraphql, type GraphqlResponse as GraphqlAnswer, queryData } from './graphql.ts';

export interface RestResponse {
  status: number;
  headers: Headers;
  text: string;
  // Tests check the shape of the response.
  // biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
  json: any;
}

export interface RestRequest {
  body?: unknown;
  /** Null sends no key. */
  key?: string | null;
  headers?: Record<string, string>;
}

/** The application with one team, as used by a REST API client. */
export interface Team extends App {
  ask(method: string, path: string, request?: RestRequest): Promise<RestResponse>;
  send(body: unknown, headers?: Record<string, string>): Promise<RestResponse>;
  batch(body: unknown, headers?: Record<string, string>): Promise<RestResponse>;
  book(overrides?: object): Promise<string>;
  /** Runs a GraphQL document, by default as the administrator. */
  graphql(query: string, variables?: object, key?: string): Promise<GraphqlAnswer>;
  /** Runs a GraphQL document as the administrator. Returns its data, or throws its errors. */
  query(query: string, variables?: object): Promise<GraphqlAnswer['data']>;
  email(id: string): Promise<RestResponse['json']>;
  /** Counts the rows that a send creates in the workspace. */
  countWritten(): Promise<number>;
}

/** Starts the application and its team for the tests of the calling file. */
export const setUpTeam = (env?: Record<string, string>): Team => setUp(() => startTeam(env));

export async function startTeam(env: Record<string, string> = {}): Promise<Team> {
  const app = await startApp(env);
  const sendRequest: Team['ask'] = (method, path, options) => request(app, method, path, options ?? {});
  return {
    ...app,
    ask: sendRequest,
    send: (body, headers = {}) => sendRequest('POST', '/api/v1/emails', { body, headers }),
    batch: (body, headers = {}) => sendRequest('POST', '/api/v1/emails/batch', { body, headers }),
    book: async (overrides = {}) =>
      (await sendRequest('POST', '/api/v1/contactBooks', { body: { name: 'Readers', ...overrides } })).json
        .id,
    graphql: (query, variables, key = app.main.admin.key) => askGraphql(app, query, { key, variables }),
    query: (query, variables) => queryData(app, query, { variables }),
    email: async (id) => (await sendRequest('GET', `/api/v1/emails/${id}`)).json,
    countWritten: () =>
      app.runtime.db.value<number>(
        sql`select (select count(*) from svc_email where workspace_id > 0)::int + (select count(*) from svc_email_event where workspace_id > 0 and status = 'SUPPRESSED')::int
           + (select count(*) from svc_idempotency where workspace_id > 0)::int`,
      ),
  };
}

async function request(
  app: App,
  method: string,
  path: string,
  { body, key = app.main.teamKey, headers = {} }: RestRequest,
): Promise<RestResponse> {
  const response = await fetch(app.url + path, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    body:
      body === undefined || typeof body === 'string' || body instanceof Uint8Array
        ? (body as string)
        : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: tryParseJson(text) };
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const buildMail = (change: object = {}) => ({
  to: 'ann@example.net',
  from: 'Main Team <hello@main.test>',
  subject: 'Hello',
  html: '<p>Hi</p>',
  ...change,
});

/** Builds the expected error envelope: the contract's object, and the same fields at the top level. */
export const buildExpectedEnvelope = (code: string) => ({
  error: { code, message: expectText },
  code,
  message: expectText,
});

const expectText = { asymmetricMatch: (value: unknown) => typeof value === 'string' && value.length > 0 };
