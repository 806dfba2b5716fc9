import { builder } from '../../../src/engine/operation/builder.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { getRecordRef } from '../../../src/engine/operation/record-ref.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { readRecords } from '../../graph/read/rows.ts';
import { getMemberMailbox } from '../accounts/member-access.ts';
import { toPageRange } from '../kit/list-page.ts';
import { MAIL_READ_POLICY } from '../kit/policies.ts';
import { loadSearchPage, MAX_SEARCH_COUNT, type SearchPage } from './search-page.ts';

interface MatchPage extends SearchPage {
  /** Offset of the first result after this page. */
  end: number;
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
      description: `Number of matches, up to ${MAX_COUNT_TEXT}.`,
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
      resolve: ({ end, hasMore }) => (hasMore ? toCursor(end) : null),
    }),
  }),
});

const toCursor = (end: number): string => Buffer.from(`found:${end}`).toString('base64url');

/** @throws BAD_REQUEST if the cursor is invalid */
function parseCursor(cursor: string): number {
  const [, offset] = /^found:(\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (offset === undefined) throw errors.badRequest('`after` is not a valid search cursor.');
  return Number(offset);
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
    const range = toPageRange(args.after ? parseCursor(args.after) : 0, args.first);
    const searchPage = await loadSearchPage(ctx, ids, { folderIds: null }, args.query, range);
    return { ...searchPage, end: range.offset + searchPage.ids.length };
  },
});
