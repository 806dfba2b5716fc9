import type { Db } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import { AppError } from '../../errors.ts';
import { isObject } from '../../json.ts';
import { createMaskTest, type Model } from '../model/model.ts';
import { redact } from '../value/redact.ts';
import { allocateId } from './allocate-ids.ts';
import type { Ctx } from './ctx.ts';
import { runInSavepoint } from './savepoint.ts';

/**
 * Runs a change to an audited model and records it as `model.operation`, regardless of the protocol and of the parent
 * record it was made through. Changes to other models are not recorded.
 */
export const runRecordedChange = <T>(
  ctx: Ctx,
  model: Model,
  operation: 'create' | 'write' | 'unlink',
  args: object,
  fn: (ctx: Ctx) => Promise<T>,
): Promise<T> =>
  model.options.audited
    ? runWithAuditEntry(
        ctx,
        { name: `${model.name}.${operation}`, args, isSecret: createMaskTest(model) },
        fn,
      )
    : fn(ctx);

/** Recorded parts of a call. `isSecret` selects the arguments to redact. */
interface AuditEvent {
  name: string;
  args: object;
  isSecret?: (name: string) => boolean;
}

/**
 * Runs a security-relevant call and adds an audit entry. A success is recorded in the call's transaction. An error or a
 * rejection is recorded after the surrounding transaction has ended. Nested audited calls are not recorded.
 * @param isWhole false for a call that waits for an external system, because it must not hold a transaction. It commits
 * its own changes, so an `event.begin` entry is written first. If no `event` entry with the same request id follows,
 * the call was interrupted.
 */
export const runAudited = <T>(
  ctx: Ctx,
  event: string,
  args: object,
  fn: (ctx: Ctx) => Promise<T>,
  isWhole = true,
): Promise<T> => runWithAuditEntry(ctx, { name: event, args }, fn, isWhole);

async function runWithAuditEntry<T>(
  ctx: Ctx,
  event: AuditEvent,
  fn: (ctx: Ctx) => Promise<T>,
  isWhole = true,
): Promise<T> {
  if (ctx.nested) return fn(ctx);
  const run = async (ctx: Ctx) => {
    const inner = ctx.with({ nested: true });
    // Not a change of the request, which can be retried while nothing else has been written.
    if (!isWhole)
      await recordAuditEvent(inner, ctx.runtime.db, { ...event, name: `${event.name}.begin` }, null);
    const result = await fn(inner);
    if (isRejection(result)) throw new RejectedCall(result);
    await recordAuditEvent(inner, inner.db, event, null);
    return result;
  };
  try {
    if (!isWhole) return await run(ctx);
    return await (ctx.db.isTransaction ? runInSavepoint(ctx, () => run(ctx)) : ctx.tx(run));
  } catch (error) {
    await ctx.afterEnd(() =>
      recordAuditEvent(ctx, ctx.runtime.db, event, error).catch((failure) =>
        ctx.log.error({ err: failure, event: event.name }, 'could not write an audit entry'),
      ),
    );
    if (error instanceof RejectedCall) return error.result as T;
    throw error;
  }
}

interface Rejection {
  ok: false;
  error: string;
}

/** Rolls back a call that returns a rejection instead of throwing an error. Its caller receives the result. */
class RejectedCall extends Error {
  readonly result: Rejection;
  constructor(result: Rejection) {
    super(result.error);
    this.result = result;
  }
}

const isRejection = (result: unknown): result is Rejection =>
  isObject(result) && result.ok === false && typeof result.error === 'string';

export async function recordAuditEvent(
  ctx: Ctx,
  db: Db,
  { name, args, isSecret }: AuditEvent,
  error: unknown,
): Promise<void> {
  const message = error === null ? null : toAuditMessage(ctx, error);
  const id = await allocateId(ctx, 'svc_audit_event');
  await db.rows(
    sql`insert into svc_audit_event (workspace_id, id, user_id, channel, event, success, error, summary, request_id)
     values (${ctx.workspace.id}, ${id}, ${ctx.principal?.userId ?? null}, ${ctx.channel}, ${name}, ${error === null},
       ${message?.replaceAll('\0', '\uFFFD') ?? null}, ${JSON.stringify(redact(args, isSecret))}, ${ctx.requestId})`,
  );
}

/** Returns an error's message for the audit trail, without the value of a masked field. */
function toAuditMessage(ctx: Ctx, error: unknown): string {
  if (error instanceof RejectedCall) return error.message;
  if (!(error instanceof AppError)) return `unexpected, see request ${ctx.requestId}`;
  const { model = '', field = '', value } = error.details;
  const isMasked = value !== undefined && ctx.catalog.registry.get(model)?.fields.get(field)?.masked;
  return isMasked ? `Wrong value for ${model}.${field}` : error.message;
}
