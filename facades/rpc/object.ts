import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { listOf, structOf, text } from './arguments.ts';
import { workspaceAt } from './databases.ts';
import { callByPosition } from './method-call.ts';
import { refusals } from './refusals.ts';
import { type Answer, type Visit, visitCtx } from './visit.ts';

/** `execute(db, uid, password, model, method, *args)` and `execute_kw(…, args, kwargs)`. */
export async function callObject(visit: Visit, service: string, params: unknown[]): Promise<Answer> {
  if (service !== 'execute' && service !== 'execute_kw') throw refusals.unknownObjectMethod(service);
  const most = service === 'execute' ? Number.POSITIVE_INFINITY : 7;
  if (params.length < 5 || params.length > most)
    throw refusals.argumentCount(service, 'at least 5', params.length);
  const [database, uid, secret, givenModel, givenMethod, ...rest] = params;
  const model = text(givenModel, 'model', service);
  const method = text(givenMethod, 'method', service);
  const ctx = await signedIn(visit, service, database, uid, secret);
  const [args, keywords] =
    service === 'execute' ? [rest, {}] : [listOf(rest[0], service), structOf(rest[1], service, 'kw')];
  return callByPosition(ctx, { model, method, args, keywords }, refusals.unknownModel);
}

async function signedIn(
  visit: Visit,
  service: string,
  database: unknown,
  uid: unknown,
  secret: unknown,
): Promise<Ctx> {
  const slug = await workspaceAt(visit, service, database, secret);
  const id = userId(uid);
  if (id === null || typeof secret !== 'string' || secret === '') throw refusals.accessDenied();
  const caller = await visit.runtime.identity.byUid(slug, id, secret, visit.source);
  if (!caller) throw refusals.accessDenied();
  return visitCtx(visit, caller);
}

/** Clients send the number authenticate gave them, some as text. */
function userId(uid: unknown): number | null {
  const id = typeof uid === 'string' && /^\d{1,10}$/.test(uid) ? Number(uid) : uid;
  return typeof id === 'number' && Number.isInteger(id) && id > 0 && id <= 2147483647 ? id : null;
}
