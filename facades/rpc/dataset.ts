import { RawJson } from '../../src/engine/value/raw-json.ts';
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

const isAction = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Boolean((value as { type?: unknown }).type);
