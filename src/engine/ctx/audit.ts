import type { Db } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import { AppError } from '../../errors.ts';
import type { Model } from '../model/model.ts';
import { redact } from '../value/redact.ts';
import type { Ctx } from './ctx.ts';

/**
 * A change to the records of a model whose changes are security events, whichever door and whichever other record it
 * came through, is recorded as `model.operation`; one to another model just runs.
 */
export const recorded = <T>(
  ctx: Ctx,
  model: Model,
  operation: 'create' | 'write' | 'unlink',
  args: object,
  fn: (ctx: Ctx) => Promise<T>,
): Promise<T> => (model.options.audited ? audited(ctx, `${model.name}.${operation}`, args, fn) : fn(ctx));

/**
 * Runs a security-relevant call and records it: with its change in one transaction when it succeeds, by itself when it
 * is refused or fails, once the transaction around it has ended. A call inside of an audited call is part of it and
 * leaves no line of its own.
 * @param whole false for a call that waits for somebody outside and must hold no transaction meanwhile: it commits its
 *   changes itself, and the line follows
 */
export async function audited<T>(
  ctx: Ctx,
  event: string,
  args: object,
  fn: (ctx: Ctx) => Promise<T>,
  whole = true,
): Promise<T> {
  if (ctx.nested) return fn(ctx);
  const run = async (around: Ctx) => {
    const inner = around.with({ nested: true });
    const result = await fn(inner);
    await record(inner, inner.db, event, args, null);
    return result;
  };
  try {
    return await (whole ? ctx.tx(run) : run(ctx));
  } catch (error) {
    await ctx.afterEnd(() =>
      record(ctx, ctx.runtime.db, event, args, error).catch((failure) =>
        ctx.log.error({ err: failure, event }, 'could not write an audit entry'),
      ),
    );
    throw error;
  }
}

/** Writes a line of the audit trail. */
export async function record(ctx: Ctx, db: Db, event: string, args: object, error: unknown): Promise<void> {
  const message =
    error === null
      ? null
      : error instanceof AppError
        ? error.message
        : `unexpected, see request ${ctx.requestId}`;
  await db.rows(
    sql`insert into svc_audit_event (workspace_id, user_id, channel, event, success, error, summary, request_id)
     values (${ctx.workspace.id}, ${ctx.principal?.userId ?? null}, ${ctx.channel}, ${event}, ${error === null},
       ${message?.replaceAll('\0', '\uFFFD') ?? null}, ${JSON.stringify(redact(args))}, ${ctx.requestId})`,
  );
}
