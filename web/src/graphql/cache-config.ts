import type { Cache, CacheExchangeOpts } from '@urql/exchange-graphcache';
import { MessageMarksFragmentDoc, RowMarksFragmentDoc } from './generated.ts';

// Updates message flags optimistically. If the server rejects a change, the cache rolls it back.

interface FlagVariables {
  ids: string[];
  vals: { isRead?: boolean | null; isStarred?: boolean | null };
}

export const cacheConfig: Pick<CacheExchangeOpts, 'keys' | 'optimistic' | 'updates'> = {
  keys: {
    MailMessageRow: ({ entryId }) => (entryId ? String(entryId) : null),
    RecordFile: () => null,
    // Ids of these types are unique only within a model.
    DeletedRecord: () => null,
    NamedRecord: () => null,
    // The values of these objects depend on the query's arguments, such as the user or the website.
    ExplainedRight: () => null,
    ExplainedRule: () => null,
    WebsiteOutlineMenu: () => null,
    WebsiteOutlinePage: () => null,
  },
  optimistic: {
    mailFlag: () => ({ __typename: 'MailFlagged', ok: true, error: null, undoToken: null }),
  },
  updates: {
    Mutation: {
      mailFlag(result, _args, cache, { variables }) {
        if ((result.mailFlag as { ok: boolean }).ok) applyFlags(cache, variables as unknown as FlagVariables);
      },
    },
  },
};

function applyFlags(cache: Cache, { ids, vals: { isRead, isStarred } }: FlagVariables): void {
  const flags = { ...(isRead != null && { isRead }), ...(isStarred != null && { isStarred }) };
  for (const id of ids) {
    const row = cache.readFragment(RowMarksFragmentDoc, { __typename: 'MailMessageRow', entryId: id });
    if (row) cache.writeFragment(RowMarksFragmentDoc, { ...row, ...flags });
    const message = cache.readFragment(MessageMarksFragmentDoc, { __typename: 'MailMessage', id });
    if (message) cache.writeFragment(MessageMarksFragmentDoc, { ...message, ...flags });
  }
}
