import { type App, post } from '../app.ts';
import { postXml, type XmlRpcResponse } from './xmlrpc.ts';

/** Calls to the legacy RPC facade as the administrator of `main`. */
export interface RpcClients {
  xml(path: string, method: string, ...params: unknown[]): Promise<XmlRpcResponse>;
  common(method: string, ...params: unknown[]): Promise<XmlRpcResponse>;
  execute(model: unknown, method: unknown, ...rest: unknown[]): Promise<XmlRpcResponse>;
  // biome-ignore lint/suspicious/noExplicitAny: the shape depends on the method
  json(service: unknown, method: unknown, args: unknown, id?: unknown): Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  jsonExecute(model: string, method: string, ...rest: unknown[]): Promise<any>;
}

export const postJsonRpc = (
  app: { url: string },
  service: unknown,
  method: unknown,
  args: unknown,
  id: unknown = 7,
) => post(`${app.url}/jsonrpc`, { jsonrpc: '2.0', method: 'call', id, params: { service, method, args } });

export function createRpcClients(app: App): RpcClients {
  const { id: uid, key } = app.main.admin;
  const xml: RpcClients['xml'] = (path, method, ...params) => postXml(`${app.url}${path}`, method, params);
  const json: RpcClients['json'] = async (service, method, args, id = 7) =>
    (await postJsonRpc(app, service, method, args, id)).json();
  return {
    xml,
    common: (method, ...params) => xml('/xmlrpc/2/common', method, ...params),
    execute: (model, method, ...rest) =>
      xml('/xmlrpc/2/object', 'execute_kw', 'main', uid, key, model, method, ...rest),
    json,
    jsonExecute: (model, method, ...rest) =>
      json('object', 'execute_kw', ['main', uid, key, model, method, ...rest]),
  };
}

/** Resets the failure count with a successful sign-in. Failures are counted per address, which all tests share. */
export async function clearFailures(app: App): Promise<void> {
  const { value } = await createRpcClients(app).common('login', 'main', 'admin', app.main.admin.key);
  if (value !== app.main.admin.id) throw new Error('the administrator cannot sign in');
}
