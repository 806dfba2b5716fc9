import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { RawJson } from '../../src/engine/value/raw-json.ts';
import { callMethod } from '../../src/engine/verb/call.ts';
import { AppError } from '../../src/errors.ts';
import { callByPosition, listArgument, paramText, structArgument } from './method-call.ts';
import { refusals } from './refusals.ts';
import { sessionCtx } from './session.ts';
import type { Visit } from './visit.ts';

/** `/web/dataset/call_kw`: `{model, method, args, kwargs}` with the session of a web client. */
export const callKw = (visit: Visit, params: Record<string, unknown>): Promise<unknown> =>
  callWithSession({ ...visit, streaming: true }, params);

async function callWithSession(visit: Visit, params: Record<string, unknown>): Promise<unknown> {
  const ctx = await sessionCtx(visit);
  const call = {
    model: paramText(params, 'model', 'call_kw'),
    method: paramText(params, 'method', 'call_kw'),
    args: listArgument(params.args, 'call_kw'),
    keywords: structArgument(params.kwargs, 'call_kw', 'kwargs'),
  };
  return (await callByPosition(ctx, call, refusals.noSuchModel)).result;
}

/** `/web/dataset/call_button`: what to do next when the method answers with an action, else false. */
export async function callButton(visit: Visit, params: Record<string, unknown>): Promise<unknown> {
  const result = await callWithSession(visit, params);
  const action = result instanceof RawJson ? result.value() : result;
  return isAction(action) ? action : false;
}

/** `/web/dataset/resequence`: numbers records in the order of their ids. */
export async function resequence(visit: Visit, params: Record<string, unknown>): Promise<true> {
  const { model, ids, field = 'sequence', offset = 0 } = params;
  const keywords = { field_name: field, offset };
  await callWithSession(visit, { model, method: 'web_resequence', args: [ids, {}], kwargs: keywords });
  return true;
}

/** `/web/action/load`: a window action by number, external id or path. */
export async function loadAction(visit: Visit, params: Record<string, unknown>): Promise<Action> {
  const ctx = await sessionCtx(visit);
  const domain = await actionDomain(ctx, params.action_id);
  const fields = await callMethod(ctx, WINDOW, 'search_read', { domain, limit: 1 });
  const [action] = (fields as RawJson).value<Action[]>();
  if (!action) throw refusals.missingAction(String(params.action_id));
  const names = await callMethod(ctx, WINDOW, 'get_external_id', { ids: [action.id] });
  const views = action.view_mode.split(',').map((kind) => [false, kind.trim()]);
  return { ...action, views, xml_id: (names as Record<string, string>)[action.id] };
}

const WINDOW = 'ir.actions.act_window';

interface Action {
  id: number;
  view_mode: string;
  [name: string]: unknown;
}

/** What the action is found by. @throws the refusal of one that there is not */
async function actionDomain(ctx: Ctx, wanted: unknown): Promise<unknown[]> {
  const text = String(wanted);
  if (/^\d{1,9}$/.test(text)) return [['id', '=', Number(text)]];
  if (text === '') throw refusals.missingAction(text);
  const [module, name] = text.split('.', 2);
  if (name === undefined) return [['path', '=', text]];
  try {
    const found = await callMethod(ctx, 'ir.model.data', 'check_object_reference', { module, xml_id: name });
    const [model, id] = found as [string, number];
    return [['id', '=', model === WINDOW ? id : false]];
  } catch (error) {
    throw error instanceof AppError && error.kind === 'BAD_VALUE' ? refusals.missingAction(text) : error;
  }
}

const isAction = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Boolean((value as { type?: unknown }).type);
