import { client } from '../../graphql/client.ts';
import { formatInstant } from '../../i18n/format.ts';
import { shellStrings } from '../strings.ts';
import { useDelayedSearch } from '../use-delayed-search.ts';
import {
  PaletteEmailsDocument,
  PaletteMailboxesDocument,
  type PaletteMailboxesQuery,
  PaletteMessagesDocument,
} from './generated.ts';
import type { Entry } from './palette-search.ts';

const MAX_MAILBOXES = 3;

interface MessageSearchState {
  messages: Entry[];
  emails: Entry[];
  isWaiting: boolean;
}

const NO_RESULTS = { messages: [], emails: [], isWaiting: false };

/** Finds messages in the user's mailboxes, and emails sent by the workspace. */
export function useMessageSearch(text: string, can: ReadonlySet<string>): MessageSearchState {
  const results = useDelayedSearch(text, async (query) => {
    const [messages, emails] = await Promise.all([
      can.has('mailState') ? searchMailboxes(query) : [],
      can.has('emails') ? searchEmails(query) : [],
    ]);
    return { ...NO_RESULTS, messages, emails };
  });
  return results ?? { ...NO_RESULTS, isWaiting: text !== '' };
}

type Folder = PaletteMailboxesQuery['mailState']['folders'][number];

/** Returns no entries if mailbox search is turned off. */
async function searchMailboxes(text: string): Promise<Entry[]> {
  const { data } = await client.query(PaletteMailboxesDocument, {}).toPromise();
  const folders = data?.mailState.folders ?? [];
  const inboxes = folders.filter(({ type }) => type === 'inbox').slice(0, MAX_MAILBOXES);
  const resultsByMailbox = await Promise.all(inboxes.map(({ id }) => searchMailbox(id, text, folders)));
  return resultsByMailbox.flat();
}

async function searchMailbox(folder: string, text: string, folders: readonly Folder[]): Promise<Entry[]> {
  const request = client.query(PaletteMessagesDocument, { folder, text }, { requestPolicy: 'network-only' });
  const { data } = await request.toPromise();
  return (data?.mailEntries.entries ?? []).flatMap(
    ({ entryId, accountId, folderId, subject, fromName, fromEmail, date }) =>
      entryId
        ? [
            {
              key: `message ${entryId}`,
              name: subject || shellStrings.noSubject,
              detail: `${fromName || fromEmail} · ${formatInstant(date)}`,
              to: `/mail/${accountId}/${folders.find(({ id }) => id === folderId)?.type ?? folderId}`,
              search: { m: Number(entryId) },
            },
          ]
        : [],
  );
}

async function searchEmails(text: string): Promise<Entry[]> {
  const where = /^\S+@\S+$/.test(text) ? { to: text } : { subject: text };
  const request = client.query(PaletteEmailsDocument, where, { requestPolicy: 'network-only' });
  const { data } = await request.toPromise();
  return (data?.emails.nodes ?? []).map(({ id, to, subject, createdAt }) => ({
    key: `email ${id}`,
    name: subject || shellStrings.noSubject,
    detail: `${to.join(', ')} · ${formatInstant(createdAt)}`,
    to: '/email/emails',
    search: { id },
  }));
}
