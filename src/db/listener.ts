import pg from 'pg';
import type { Logger } from 'pino';

export interface Listener {
  /**
   * Calls `handler` for each notification on `channel`, now and after every reconnect.
   * @throws when it cannot listen now
   */
  listen(channel: string, handler: (payload: string) => void): Promise<void>;
  /** Called when the connection is lost (false) and when it is back (true). */
  onChange(watcher: (up: boolean) => void): void;
  close(): Promise<void>;
}

const PAUSE = 250;

/** One connection that listens, and comes back by itself. */
export function createListener(url: string, log: Logger): Listener {
  const handlers = new Map<string, Set<(payload: string) => void>>();
  const watchers: ((up: boolean) => void)[] = [];
  let client: pg.Client | null = null;
  let connecting: Promise<void> | null = null;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  const connect = (): Promise<void> => {
    connecting ??= open().finally(() => {
      connecting = null;
    });
    return connecting;
  };

  /** Only the client that listens on every channel counts; one that fails on the way there is ended and forgotten. */
  async function open(): Promise<void> {
    const next = new pg.Client({
      connectionString: url,
      application_name: 'atrium listener',
      keepAlive: true,
    });
    next.on('notification', (n) => {
      if (next !== client) return;
      for (const handler of handlers.get(n.channel) ?? []) handler(n.payload ?? '');
    });
    next.on('error', (error) => log.warn({ err: error }, 'the LISTEN connection failed'));
    next.on('end', () => {
      if (next === client) lost();
    });
    try {
      await next.connect();
      for (const channel of handlers.keys()) await next.query(`listen ${channel}`);
    } catch (error) {
      next.end().catch(() => undefined);
      throw error;
    }
    if (closed) return next.end();
    client = next;
    for (const watcher of watchers) watcher(true);
  }

  function lost(): void {
    client = null;
    for (const watcher of watchers) watcher(false);
    retry();
  }

  function retry(): void {
    if (closed || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      if (!client) connect().catch(retry);
    }, PAUSE);
  }

  return {
    async listen(channel, handler) {
      const all = handlers.get(channel) ?? new Set();
      handlers.set(channel, all.add(handler));
      try {
        await connecting;
        if (client) await client.query(`listen ${channel}`);
        else await connect();
      } catch (error) {
        all.delete(handler);
        if (all.size === 0) handlers.delete(channel);
        throw error;
      }
    },
    onChange: (watcher) => {
      watchers.push(watcher);
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await client?.end();
    },
  };
}
