import { request } from 'node:http';
import { expect } from 'vitest';
import type { App } from '../app.ts';

export interface GraphqlProblem {
  message: string;
  path?: string[];
  extensions: { code: string; status?: number };
}

export interface GraphqlResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the shape depends on the document
  data: Record<string, any>;
  errors: GraphqlProblem[];
}

export interface GraphqlRequestOptions {
  key?: string;
  variables?: object;
  headers?: Record<string, string>;
}

/** Posts a document to /graphql. Does not use fetch, which cannot set Host and Origin. */
export async function postGraphql(
  app: App,
  query: string,
  { key, variables, headers = {} }: GraphqlRequestOptions = {},
): Promise<GraphqlResponse> {
  const bearer: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {};
  return sendRequest(
    app,
    'POST',
    '/graphql',
    { 'content-type': 'application/json', ...bearer, ...headers },
    JSON.stringify({ query, variables }),
  );
}

/** Posts a document, by default as the administrator, and returns its data. Fails on errors. */
export async function queryData(
  app: App,
  query: string,
  { key = app.main.admin.key, ...options }: GraphqlRequestOptions = {},
): Promise<GraphqlResponse['data']> {
  const { data, errors, text } = await postGraphql(app, query, { key, ...options });
  expect(errors, text).toEqual([]);
  return data;
}

export function sendRequest(
  app: App,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body = '',
): Promise<GraphqlResponse> {
  return new Promise((resolve, reject) => {
    const call = request(
      { host: '127.0.0.1', port: app.port, method, path, headers, agent: false },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => {
          const text = Buffer.concat(parts).toString('utf8');
          const isJson = /json/.test(response.headers['content-type'] ?? '') && text;
          const json = (isJson ? JSON.parse(text) : null) ?? {};
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            text,
            data: json.data ?? {},
            errors: json.errors ?? [],
          });
        });
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}

/** Starts a subscription and closes it immediately. @returns its errors if it did not start */
export function startSubscription(
  app: App,
  query: string,
  { key, variables, headers = {} }: GraphqlRequestOptions = {},
): Promise<GraphqlResponse> {
  const bearer: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {};
  const all = {
    'content-type': 'application/json',
    accept: 'text/event-stream',
    ...bearer,
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port: app.port,
      method: 'POST',
      path: '/graphql',
      headers: all,
      agent: false,
    };
    const call = request(options, (response) => {
      let text = '';
      const finish = (json: { errors?: GraphqlProblem[] }) => {
        const { statusCode, headers } = response;
        resolve({ status: statusCode!, headers, text, data: {}, errors: json.errors ?? [] });
        call.destroy();
      };
      response.on('data', (part: Buffer) => {
        text += part.toString('utf8');
        if (text.startsWith(':')) finish({});
      });
      response.on('end', () => finish(JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text)));
    });
    call.on('error', reject);
    call.end(JSON.stringify({ query, variables }));
  });
}
