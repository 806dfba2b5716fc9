import { constants, setPriority } from 'node:os';
import type { ImapFlow } from 'imapflow';
import { type ConnectOptions, connectToServer } from './imap-connection.ts';
import { fetchNextMessages, type ImapSource } from './imap-fetch.ts';
import { listFolders } from './imap-list.ts';
import { createTimeoutError, type RemoteError, toRemoteError } from './remote-error.ts';

// Entry point of the process in `imap-session.ts`.

export type ImapOrder = { connect: ConnectOptions } | { fetch: ImapSource } | { list: true };

export type ImapReply =
  | { value: unknown; receivedBytes: number }
  | { fault: Pick<RemoteError, 'code' | 'message'> };

let client: ImapFlow;
let until = 0;

setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
process.once('disconnect', () => process.exit());
process.on('message', async (order: ImapOrder) => {
  const reply: ImapReply = await execute(order).then(
    (value) => ({ value, receivedBytes: client.stats().received }),
    (error: Error) => {
      const { code, message } = Date.now() < until ? toRemoteError(error) : createTimeoutError();
      return { fault: { code, message } };
    },
  );
  process.send!(reply);
});

async function execute(order: ImapOrder): Promise<unknown> {
  if ('fetch' in order) return fetchNextMessages(client, until, order.fetch);
  if ('list' in order) return listFolders(client, until);
  ({ until } = order.connect);
  client = await connectToServer(order.connect);
}
