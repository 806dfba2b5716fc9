import { AppError } from '../errors.ts';
import type { Ctx } from './ctx.ts';
import { redact } from './redact.ts';

/**
 * Runs a security-relevant call and records it: with its change in one transaction when it succeeds, by itself when
 * it is refused or fails. A call inside of an audited call is part of it and leaves no line of its own.
 */
export async function audited<T>(
  ctx: Ctx,
  event: string,
  args: object,
  fn: (ctx: Ctx) => Promise<T>,
): Promise<T> {
  if (ctx.nested) return fn(ctx);
  try {
    return await ctx.tx(async (tx) => {
      const inner = tx.with({ nested: true });
      const result = await fn(inner);
      await record(inner, event, args, null);
      return result;
    });
  } catch (error) {
    await record(ctx, event, args, error).catch((failure) =>
      ctx.log.error({ err: failure, event }, 'an audit line was lost'),
    );
    throw error;
  }
}

async function record(ctx: Ctx, event: string, args: object, error: unknown): Promise<void> {
  const message =
    error === null
      ? null
      : error instanceof AppError
        ? error.message
        : `unexpected, see request ${ctx.requestId}`;
  await ctx.db.rows(
    `insert into svc_audit_event (workspace_id, user_id, channel, event, success, error, summary, request_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      ctx.workspace.id,
      ctx.principal?.userId ?? null,
      ctx.channel,
      event,
      error === null,
      message,
      JSON.stringify(redact(args)),
      ctx.requestId,
    ],
  );
}
