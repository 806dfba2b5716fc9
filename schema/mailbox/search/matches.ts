import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { defineTextSearch } from '../../graph/plan/text-search.ts';
import { loadSearchPage } from './search-page.ts';

const MAX_MATCHES = 4_000;

defineTextSearch('svc.mail.entry', {
  about:
    'Matches this search, such as `from:ann has:attachment -draft`, with the operators of `mailSearch`. Up to ' +
    `${MAX_MATCHES} messages may match; \`mailboxId\` selects the mailboxes to search.`,
  async find(ctx, text, where) {
    if (text.trim() === '') throw errors.badRequest('`matches` must not be empty.');
    const accounts = await findAccounts(ctx, parseIds(where.mailboxId));
    if (accounts.length === 0) return [];
    if (accounts.length > limits.mail.searchMailboxes)
      throw errors.badRequest(
        `At most ${limits.mail.searchMailboxes} mailboxes can be searched at a time. Select some with \`mailboxId\`.`,
      );
    const page = { offset: 0, limit: MAX_MATCHES };
    const { ids, hasMore, notes } = await loadSearchPage(ctx, accounts, { folderIds: null }, text, page);
    if (notes.length > 0) throw errors.badRequest(`matches: ${notes.join(' ')}`);
    if (hasMore)
      throw errors.user(
        `More than ${MAX_MATCHES} messages match. Narrow the search, for example with \`after:2026-01-01\`.`,
      );
    return ids;
  },
});

function parseIds(condition: unknown): number[] | null {
  const { eq, in: ids } = (condition ?? {}) as { eq?: unknown; in?: unknown };
  if (Array.isArray(ids)) return ids.map(Number).filter(Number.isSafeInteger);
  return eq === undefined || eq === null ? null : [Number(eq)].filter(Number.isSafeInteger);
}

async function findAccounts(ctx: Ctx, accountIds: number[] | null): Promise<number[]> {
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select a.id from svc_mail_member m
     join svc_mail_account a on a.workspace_id = ${ctx.workspace.id} and a.id = m.account_id and a.active
     where m.workspace_id = ${ctx.workspace.id} and m.user_id = ${ctx.principal?.userId ?? 0}
       and (${accountIds}::int8[] is null or a.id = any(${accountIds}::int8[]))
     order by a.id limit ${sql.literal(limits.mail.searchMailboxes + 1)}`,
  );
  return rows.map(({ id }) => id);
}
