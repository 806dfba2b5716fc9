import { type IncomingHttpHeaders, request } from 'node:http';
import { expect } from 'vitest';
import { decodeResponse, serializeMethodCall } from '../harness/facades/xmlrpc.ts';

export interface WireResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a client without types
  json(): any;
}

export interface WireRequest {
  headers?: Record<string, string>;
  /** Serialized as JSON unless it is a string. */
  body?: unknown;
}

/** Sends a raw request, including the Host header, which fetch cannot set. */
export function sendRequest(
  port: number,
  method: string,
  path: string,
  sentRequest: WireRequest = {},
): Promise<WireResponse> {
  const body = typeof sentRequest.body === 'string' ? sentRequest.body : JSON.stringify(sentRequest.body);
  const headers = {
    ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
    ...sentRequest.headers,
  };
  return new Promise((resolve, reject) => {
    const req = request({ host: '127.0.0.1', port, method, path, headers }, async (response) => {
      const parts: Buffer[] = [];
      for await (const part of response) parts.push(part);
      const text = Buffer.concat(parts).toString();
      const buildJson = () => JSON.parse(text);
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: buildJson });
    });
    req.on('error', reject).end(body);
  });
}

/**
 * Calls a method over XML-RPC.
 * @throws Error with the fault's code and text
 */
export async function callXml(
  port: number,
  path: string,
  [method, ...params]: [string, ...unknown[]],
  headers: Record<string, string> = {},
): Promise<unknown> {
  const body = serializeMethodCall(method, params);
  const { text } = await sendRequest(port, 'POST', path, {
    headers: { 'content-type': 'text/xml', ...headers },
    body,
  });
  const { value, fault } = await decodeResponse(text);
  if (fault) throw Object.assign(new Error(fault.faultString), fault);
  return value;
}

/** Returns a response's cookies as a Cookie header. */
export const getCookies = (reply: WireResponse): string =>
  (reply.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]).join('; ');

export const JSON_TYPE = { 'content-type': 'application/json' };

export const postJson = (
  port: number,
  path: string,
  body: unknown,
  headers: Record<string, string> = JSON_TYPE,
) => sendRequest(port, 'POST', path, { headers, body });

/** Returns the response's JSON. Its status must be 200. */
export function parseOk(reply: WireResponse) {
  expect(reply.status, reply.text).toBe(200);
  return reply.json();
}

/**
 * Returns the `result` of a JSON-RPC request.
 * @throws Error with the message in the error's data, as clients show it
 */
export async function callRpc(port: number, path: string, params: object, headers?: Record<string, string>) {
  const response = parseOk(
    await postJson(port, path, { jsonrpc: '2.0', method: 'call', params, id: 7 }, headers),
  );
  if (response.error) throw new Error(response.error.data.message);
  expect([response.jsonrpc, response.id]).toEqual(['2.0', 7]);
  return response.result;
}

/** Creates a client for an application whose port is resolved on each call. */
export const createPoster = (port: () => number) => ({
  post: (path: string, body: unknown, headers?: Record<string, string>) =>
    postJson(port(), path, body, headers),
  rpc: (path: string, params: object, headers?: Record<string, string>) =>
    callRpc(port(), path, params, headers),
  service: (name: string, method: string, ...args: unknown[]) =>
    callRpc(port(), '/jsonrpc', { service: name, method, args }),
});
