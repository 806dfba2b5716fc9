import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { callMethod } from '../../src/engine/operation/call.ts';
import { RawJson } from '../../src/engine/value/raw-json.ts';
import { AppError } from '../../src/errors.ts';
import { rpcCallErrors } from './errors.ts';
import { callByPosition, getTextParam, parseListArgument, parseStructArgument } from './method-call.ts';
import type { RpcRequest } from './request.ts';
import { getSessionCtx } from './session.ts';

/** Handles `/web/dataset/call_kw`: calls `{model, method, args, kwargs}` with a web client's session. */
export const callKw = (visit: RpcRequest, params: Record<string, unknown>): Promise<unknown> =>
  callWithSession({ ...visit, streaming: true }, params);

async function callWithSession(visit: RpcRequest, params: Record<string, unknown>): Promise<unknown> {
  const ctx = await getSessionCtx(visit);
  const call = {
    model: getTextParam(params, 'model', 'call_kw'),
    method: getTextParam(params, 'method', 'call_kw'),
    args: parseListArgument(params.args, 'call_kw'),
    keywords: parseStructArgument(params.kwargs, 'call_kw', 'kwargs'),
  };
  return (await callByPosition(ctx, call, rpcCallErrors.noSuchModel)).result;
}

/** Handles `/web/dataset/call_button`: returns the method's result if it is an action, else false. */
export async function callButton(visit: RpcRequest, params: Record<string, unknown>): Promise<unknown> {
  const result = await callWithSession(visit, params);
  const action = result instanceof RawJson ? result.value() : result;
  return isAction(action) ? action : false;
}

/** Handles `/web/dataset/resequence`: numbers records in the order of the given ids. */
export async function resequence(visit: RpcRequest, params: Record<string, unknown>): Promise<true> {
  const { model, ids, field = 'sequence', offset = 0 } = params;
  const keywords = { field_name: field, offset };
  await callWithSession(visit, { model, method: 'web_resequence', args: [ids, {}], kwargs: keywords });
  return true;
}

/** Handles `/web/action/load`: returns a window action by id, external id or path. */
export async function loadAction(visit: RpcRequest, params: Record<string, unknown>): Promise<WindowAction> {
  const ctx = await getSessionCtx(visit);
  const domain = await loadActionDomain(ctx, params.action_id);
  const fields = await callMethod(ctx, WINDOW, 'search_read', { domain, limit: 1 });
  const [action] = (fields as RawJson).value<WindowAction[]>();
  if (!action) throw rpcCallErrors.missingAction(String(params.action_id));
  const names = await callMethod(ctx, WINDOW, 'get_external_id', { ids: [action.id] });
  const views = action.view_mode.split(',').map((kind) => [false, kind.trim()]);
  return { ...action, views, xml_id: (names as Record<string, string>)[action.id] };
}

const WINDOW = 'ir.actions.act_window';

interface WindowAction {
  id: number;
  view_mode: string;
  [name: string]: unknown;
}

/** Returns the domain that finds the action. @throws RpcCallError for an unknown reference */
async function loadActionDomain(ctx: Ctx, actionRef: unknown): Promise<unknown[]> {
  const text = String(actionRef);
  if (/^\d{1,9}$/.test(text)) return [['id', '=', Number(text)]];
  if (text === '') throw rpcCallErrors.missingAction(text);
  const [module, name] = text.split('.', 2);
  if (name === undefined) return [['path', '=', text]];
  try {
    const reference = await callMethod(ctx, 'ir.model.data', 'check_object_reference', {
      module,
      xml_id: name,
    });
    const [model, id] = reference as [string, number];
    return [['id', '=', model === WINDOW ? id : false]];
  } catch (error) {
    throw error instanceof AppError && error.kind === 'BAD_VALUE' ? rpcCallErrors.missingAction(text) : error;
  }
}

const isAction = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Boolean((value as { type?: unknown }).type);
