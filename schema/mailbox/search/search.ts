import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { builder } from '../../../src/engine/operation/builder.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { getRecordRef } from '../../../src/engine/operation/record-ref.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { decodeRowCursor, encodeRowCursor } from '../../graph/read/cursor.ts';
import { readRecords } from '../../graph/read/rows.ts';
import { getMemberMailbox } from '../accounts/member-access.ts';
import type { EntryPosition } from '../kit/entry-cursor.ts';
import { toPageRange } from '../kit/list-page.ts';
import { MAIL_READ_POLICY } from '../kit/operation.ts';
import { loadSearchPage, MAX_SEARCH_COUNT, type SearchPage } from './search-page.ts';

interface MatchPage extends SearchPage {
  /** Cursor of the last result. Null on the last page. */
  end: string | null;
}

const MAX_COUNT_TEXT = MAX_SEARCH_COUNT.toLocaleString('en');

const MailSearchPage = builder.objectRef<MatchPage>('MailSearchPage').implement({
  description: 'Messages found by a search.',
  fields: (t) => ({
    nodes: t.field({
      type: [getRecordRef('svc.mail.entry')],
      description: 'The messages, newest first.',
      resolve: ({ ids }, _args, ctx, info) => readRecords(ctx, 'svc.mail.entry', ids, info),
    }),
    count: t.int({
      description: `Number of matches when the first page was read, up to ${MAX_COUNT_TEXT}.`,
      resolve: ({ count }) => count,
    }),
    countIsAtLeast: t.boolean({
      description: 'True if there are more matches than `count`.',
      resolve: ({ isCountAtLeast }) => isCountAtLeast,
    }),
    notes: t.stringList({
      description: 'Explanations of parts of the search that could not be applied as written.',
      resolve: ({ notes }) => notes,
    }),
    endCursor: t.string({
      nullable: true,
      description: 'Cursor to pass as `after` for the next page. Null on the last page.',
      resolve: ({ end }) => end,
    }),
  }),
});

interface SearchCursor extends EntryPosition {
  count: number;
  isCountAtLeast: boolean;
}

function decodeSearchCursor(ctx: Ctx, cursor: string, search: string): SearchCursor {
  const { order, values } = decodeRowCursor(ctx, cursor, 'after');
  if (order !== search) throw errors.foreignCursor('after');
  const [date, id, count, isCountAtLeast] = values;
  return { date: date!, id: Number(id), count: Number(count), isCountAtLeast: isCountAtLeast === 'true' };
}

/** Returns the cursor of the page's last message. Messages that were deleted in the meantime have none. */
async function encodeSearchCursor(
  ctx: Ctx,
  { ids, count, isCountAtLeast }: SearchPage,
  search: string,
): Promise<string | null> {
  const [last] = await ctx.db.rows<{ id: number; date: string }>(
    sql`select id, date::text as date from svc_mail_entry
     where workspace_id = ${ctx.workspace.id} and id = any(${ids}::int8[]) order by date, id limit 1`,
  );
  return (
    (last &&
      encodeRowCursor(ctx, [
        null,
        search,
        last.date,
        String(last.id),
        String(count),
        String(isCountAtLeast),
      ])) ??
    null
  );
}

export const mailSearch = defineOperation('mailSearch', {
  kind: 'query',
  effects: ['reads'],
  policy: MAIL_READ_POLICY,
  description: 'Searches mailboxes with common operators, such as `from:ann has:attachment -draft`.',
  args: (arg) => ({
    mailboxIds: arg.recordIds({
      required: true,
      description: `Mailboxes to search, up to ${limits.mail.searchMailboxes}. You must be a member of each.`,
    }),
    query: arg.string({ required: true, description: 'Words, phrases and operators.' }),
    first: arg.int({
      defaultValue: 50,
      description: `Maximum number of messages, up to ${limits.mail.rows}.`,
    }),
    after: arg.string({ description: '`endCursor` of the previous page.' }),
  }),
  type: MailSearchPage,
  run: async (ctx, args): Promise<MatchPage> => {
    const ids = [...new Set(args.mailboxIds)];
    if (ids.length === 0 || ids.length > limits.mail.searchMailboxes)
      throw errors.badValue(`A search must include 1 to ${limits.mail.searchMailboxes} mailboxes.`);
    for (const id of ids) await getMemberMailbox(ctx, id);
    const search = `search ${JSON.stringify([ids.toSorted((a, b) => a - b), args.query])}`;
    const after = args.after ? decodeSearchCursor(ctx, args.after, search) : null;
    const page = await loadSearchPage(
      ctx,
      ids,
      { folderIds: null, after },
      args.query,
      toPageRange(0, args.first),
    );
    const counted = after ? { ...page, count: after.count, isCountAtLeast: after.isCountAtLeast } : page;
    return { ...counted, end: page.hasMore ? await encodeSearchCursor(ctx, counted, search) : null };
  },
});
