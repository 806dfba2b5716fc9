import { randomBytes } from 'node:crypto';
import type { GraphQLResolveInfo } from 'graphql';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { definePurgeJob } from '../../../src/engine/work/purge.ts';
import { returnOutcome, toGraphResponse } from '../kit/operation.ts';
import type { UndoCall } from './undo.ts';

const UNDO_TTL_MINUTES = 60;
const MAX_UNDO_TOKENS_PER_USER = 50;

definePurgeJob('mail-undo-purge', '*/20 * * * *', {
  table: 'svc_mail_undo',
  time: 'create_date',
  before: sql`now() - make_interval(mins => ${sql.literal(UNDO_TTL_MINUTES)})`,
  key: { token: 'text' },
});

interface UndoableResult {
  ok: boolean;
  undo?: UndoCall[];
  /** Set if the operation has already stored the undo calls. */
  undo_token?: string | null;
}

/**
 * Like `returnOutcome`, for a change that can be undone. GraphQL clients also receive a token for `mailUndo`, so that
 * they need not store the previous state.
 */
export const returnUndoable = (...[name, description, parts]: Parameters<typeof returnOutcome>) => ({
  ...returnOutcome(name, description, {
    ...parts,
    undoToken: {
      type: 'String',
      description:
        `Token for undoing the change with \`mailUndo\` within ${UNDO_TTL_MINUTES} minutes. Null if the call ` +
        'was rejected.',
    },
  }),
  answer: async (ctx: Ctx, value: unknown, _args: unknown, info: GraphQLResolveInfo): Promise<unknown> => {
    const undoable = value as UndoableResult;
    // The change succeeds even if its undo calls cannot be stored.
    const storeIfOk = async () =>
      undoable.ok ? storeUndo(ctx, undoable.undo ?? []).catch(() => null) : null;
    return toGraphResponse({ ...undoable, undo_token: undoable.undo_token ?? (await storeIfOk()) }, info);
  },
});

/** Stores the calls that undo a change by the caller, and drops the caller's oldest changes. @returns the token */
export async function storeUndo(ctx: Ctx, calls: UndoCall[]): Promise<string> {
  const token = randomBytes(16).toString('base64url');
  const { id } = ctx.workspace;
  const user = ctx.principal!.userId;
  await ctx.db.rows(
    sql`insert into svc_mail_undo (workspace_id, token, user_id, calls)
     values (${id}, ${token}, ${user}, ${JSON.stringify(calls)}::jsonb)`,
  );
  await ctx.db.rows(
    sql`delete from svc_mail_undo where workspace_id = ${id} and token in (
       select u.token from svc_mail_undo u where u.workspace_id = ${id} and u.user_id = ${user}
       order by u.create_date desc, u.token offset ${sql.literal(MAX_UNDO_TOKENS_PER_USER)})`,
  );
  return token;
}

/** Prepends undo calls to a token's calls, in the transaction of the change. */
export async function addUndo(ctx: Ctx, token: string, calls: UndoCall[]): Promise<void> {
  await ctx.db.rows(
    sql`update svc_mail_undo set calls = ${JSON.stringify(calls)}::jsonb || calls
     where workspace_id = ${ctx.workspace.id} and token = ${token}`,
  );
}

/** Returns null if the token has expired or belongs to another user. */
export async function findUndoCalls(ctx: Ctx, token: string): Promise<UndoCall[] | null> {
  const since = new Date(Date.now() - UNDO_TTL_MINUTES * 60_000).toISOString();
  const [row] = await ctx.db.rows<{ calls: UndoCall[] }>(
    sql`select calls from svc_mail_undo where workspace_id = ${ctx.workspace.id} and token = ${token}
     and user_id = ${ctx.principal?.userId ?? 0} and create_date > ${since}::timestamp`,
  );
  return row?.calls ?? null;
}

export async function deleteUndo(ctx: Ctx, token: string): Promise<void> {
  await ctx.db.rows(
    sql`delete from svc_mail_undo where workspace_id = ${ctx.workspace.id} and token = ${token}
     and user_id = ${ctx.principal?.userId ?? 0}`,
  );
}
