import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Logger } from 'pino';
import { type Sql, sql } from '../sql.ts';
import { createNotificationEcho } from './notification-echo.ts';

interface Listener {
  /**
   * Calls `handler` for each notification on `channel`, now and after every reconnect.
   * @throws Error if the connection cannot listen now
   */
  listen(channel: string, handler: (payload: string) => void): Promise<void>;
  /** Calls `watcher` with true when notifications arrive again, and with false when they stop arriving. */
  onChange(watcher: (up: boolean) => void): void;
  isReceiving(): boolean;
  /** Name of this process, which `buildProcessGoneSql` checks. */
  name: string;
  close(): Promise<void>;
}

const RECONNECT_DELAY_MS = 250;

const PROCESS_LOCK = 'atrium process';

/**
 * Builds SQL that is true if no process with this name is connected. Each process holds an advisory lock on its
 * listening connection, which PostgreSQL releases as soon as the process dies.
 */
export const buildProcessGoneSql = (name: Sql): Sql =>
  sql`pg_try_advisory_xact_lock(hashtext(${sql.literal(PROCESS_LOCK)}), hashtext(${name}))`;

const NOTIFICATIONS_LOST =
  'notifications of the database do not arrive: nothing is cached until they do. ' +
  'Behind a pooler, set DATABASE_DIRECT_URL';

type NotificationHandler = (payload: string) => void;

/**
 * Creates a listening connection that reconnects automatically.
 * @param notify sends a notification through the pool, like all other notifications
 */
export function createListener(
  url: string,
  log: Logger,
  notify: (channel: string, payload: string) => Promise<void>,
  echoIntervalMs: number,
): Listener {
  const id = randomBytes(8).toString('hex');
  const name = `process ${id}`;
  const echoChannel = `atrium_echo_${id}`;
  const handlers = new Map<string, Set<NotificationHandler>>();
  const watchers: ((up: boolean) => void)[] = [];
  let isReceiving = false;
  let isWarned = false;

  const connection = createListeningConnection(url, log, name, {
    listChannels: () => [echoChannel, ...handlers.keys()],
    onConnect: () => echo.begin(),
    onDisconnect() {
      echo.stop();
      setReceiving(false);
    },
    onNotification(channel, payload) {
      if (channel === echoChannel) echo.receive(payload);
      for (const handler of handlers.get(channel) ?? []) handler(payload);
    },
  });
  const echo = createNotificationEcho(
    (payload) => notify(echoChannel, payload),
    (arrives) => (arrives ? setReceiving(true) : replaceSilentConnection()),
    echoIntervalMs,
  );

  function setReceiving(to: boolean): void {
    if (to) isWarned = false;
    if (isReceiving === to) return;
    isReceiving = to;
    for (const watcher of watchers) watcher(to);
  }

  function replaceSilentConnection(): void {
    if (!isWarned) log.warn(NOTIFICATIONS_LOST);
    isWarned = true;
    connection.replace();
  }

  return {
    async listen(channel, handler) {
      const channelHandlers = handlers.get(channel) ?? new Set();
      handlers.set(channel, channelHandlers.add(handler));
      try {
        await connection.listen(channel);
      } catch (error) {
        channelHandlers.delete(handler);
        if (channelHandlers.size === 0) handlers.delete(channel);
        throw error;
      }
    },
    onChange: (watcher) => {
      watchers.push(watcher);
    },
    isReceiving: () => isReceiving,
    name,
    close() {
      echo.stop();
      return connection.close();
    },
  };
}

interface ListeningConnection {
  /** Listens on a channel, now and after every reconnect while `listChannels` contains it. */
  listen(channel: string): Promise<void>;
  /** Reconnects, because a connection may be dead without an error. */
  replace(): void;
  close(): Promise<void>;
}

interface ConnectionEvents {
  listChannels(): string[];
  onConnect(): void;
  onDisconnect(): void;
  onNotification(channel: string, payload: string): void;
}

function createListeningConnection(
  url: string,
  log: Logger,
  processName: string,
  events: ConnectionEvents,
): ListeningConnection {
  let client: pg.Client | null = null;
  let connecting: Promise<void> | null = null;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  const connect = (): Promise<void> => {
    connecting ??= open().finally(() => {
      connecting = null;
    });
    return connecting;
  };

  /** A client becomes current once it listens on every channel. A client that fails earlier is discarded. */
  async function open(): Promise<void> {
    const next = new pg.Client({
      connectionString: url,
      application_name: 'atrium listener',
      keepAlive: true,
    });
    next.on('notification', ({ channel, payload }) => {
      if (next === client) events.onNotification(channel, payload ?? '');
    });
    next.on('error', (error) => log.warn({ err: error }, 'the LISTEN connection failed'));
    next.on('end', () => {
      if (next === client) handleDisconnect();
    });
    await startListening(next, processName, events.listChannels);
    if (isClosed) return next.end();
    client = next;
    events.onConnect();
  }

  function handleDisconnect(): void {
    client = null;
    events.onDisconnect();
    scheduleReconnect();
  }

  function scheduleReconnect(): void {
    if (isClosed || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      if (!client) connect().catch(scheduleReconnect);
    }, RECONNECT_DELAY_MS);
  }

  return {
    async listen(channel) {
      await connecting;
      if (client) await client.query(`listen ${channel}`);
      else await connect();
    },
    replace() {
      const silent = client;
      handleDisconnect();
      silent?.end().catch(() => undefined);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await client?.end();
    },
  };
}

/** Connects, and holds the lock that `buildProcessGoneSql` checks. */
async function startListening(
  client: pg.Client,
  processName: string,
  listChannels: () => string[],
): Promise<void> {
  try {
    await client.connect();
    const lock = [PROCESS_LOCK, processName];
    await client.query('select pg_advisory_lock_shared(hashtext($1), hashtext($2))', lock);
    for (const channel of listChannels()) await client.query(`listen ${channel}`);
  } catch (error) {
    client.end().catch(() => undefined);
    throw error;
  }
}
