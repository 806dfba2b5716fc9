import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import xmlrpc from 'xmlrpc';

// The package's client hides HTTP, so the tests use its codec, which it exports without types.
const require = createRequire(import.meta.url);
const Deserializer = require('xmlrpc/lib/deserializer.js');
export const { serializeMethodCall } = require('xmlrpc/lib/serializer.js');

export interface Fault {
  faultCode: number | string;
  faultString: string;
}

export interface XmlRpcResponse {
  status: number;
  headers: Headers;
  text: string;
  value?: unknown;
  fault?: Fault;
}

export async function postXml(
  url: string,
  method: string | Buffer,
  params: unknown[] = [],
): Promise<XmlRpcResponse> {
  const body = typeof method === 'string' ? serializeMethodCall(method, params) : method;
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'text/xml' }, body });
  const text = await response.text();
  const result = { status: response.status, headers: response.headers, text };
  return { ...result, ...(await decodeResponse(text)) };
}

/** Parses the text of a response. @throws if it is invalid */
export function decodeResponse(text: string): Promise<{ value?: unknown; fault?: Fault }> {
  return new Promise((resolve, reject) =>
    new Deserializer().deserializeMethodResponse(
      Readable.from([text]),
      (error: (Error & Fault) | null, value: unknown) => {
        if (!error) resolve({ value });
        else if (error.faultString === undefined) reject(error);
        else resolve({ fault: { faultCode: error.faultCode, faultString: error.faultString } });
      },
    ),
  );
}

export interface NpmClient {
  call(method: string, ...params: unknown[]): Promise<unknown>;
}

export function createNpmClient(url: string): NpmClient {
  const client = xmlrpc.createClient({ url });
  return {
    call: (method, ...params) =>
      new Promise((resolve, reject) =>
        client.methodCall(method, params, (error: unknown, value: unknown) =>
          error ? reject(error) : resolve(value),
        ),
      ),
  };
}
