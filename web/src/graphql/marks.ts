import type { Cache, CacheExchangeOpts } from '@urql/exchange-graphcache';
import { MessageMarksFragmentDoc, RowMarksFragmentDoc } from './generated.ts';

// Marks of messages show before the server has answered. What it refuses, the cache takes back by itself.

interface Marking {
  ids: string[];
  vals: { isRead?: boolean | null; isStarred?: boolean | null };
}

export const marks: Pick<CacheExchangeOpts, 'keys' | 'optimistic' | 'updates'> = {
  keys: {
    MailMessageRow: ({ entryId }) => (entryId ? String(entryId) : null),
    RecordFile: () => null,
  },
  optimistic: {
    mailFlag: () => ({ __typename: 'MailFlagged', ok: true, error: null, undoToken: null }),
  },
  updates: {
    Mutation: {
      mailFlag(result, _args, cache, { variables }) {
        if ((result.mailFlag as { ok: boolean }).ok) mark(cache, variables as unknown as Marking);
      },
    },
  },
};

function mark(cache: Cache, { ids, vals: { isRead, isStarred } }: Marking): void {
  const marked = { ...(isRead != null && { isRead }), ...(isStarred != null && { isStarred }) };
  for (const id of ids) {
    const row = cache.readFragment(RowMarksFragmentDoc, { __typename: 'MailMessageRow', entryId: id });
    if (row) cache.writeFragment(RowMarksFragmentDoc, { ...row, ...marked });
    const message = cache.readFragment(MessageMarksFragmentDoc, { __typename: 'MailMessage', id });
    if (message) cache.writeFragment(MessageMarksFragmentDoc, { ...message, ...marked });
  }
}
