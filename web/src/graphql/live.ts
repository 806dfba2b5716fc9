import { stringifyDocument } from '@urql/core';
import { createClient } from 'graphql-sse';
import { useEffect, useRef } from 'react';
import { waitForServer } from '../connection/server.ts';
import { LiveDocument, type LiveSubscription } from './generated.ts';
import { type LiveChange, mergeTopics, type TopicsByTab } from './topics.ts';

// All tabs of a browser share one event stream, because browsers limit HTTP/1.1 to six connections per host, and a
// seventh tab with its own stream would never load. The tab that holds the lock owns the stream and forwards its
// events. Each tab announces its topics on the channel and resumes after the last event it received. Without the Locks
// API, which requires a secure context, visible tabs poll instead.

type TabMessage =
  | { kind: 'follows'; tab: string; topics: string[] }
  | { kind: 'who' }
  | { kind: 'missed' }
  | { kind: 'heard'; change: LiveChange; cursor: string };

/** Polling interval in milliseconds if there is no stream. */
const POLL_INTERVAL_MS = 30_000;
/** Milliseconds during which topic changes are combined into one new stream. */
const RESTART_DELAY_MS = 50;
/** Initial reconnect delay in milliseconds, doubled after each failure. */
const MIN_RETRY_MS = 1_000;

const tab = crypto.randomUUID?.() ?? String(Math.random());
const listeners = new Map<string, Set<(change: LiveChange) => void>>();
const otherTabs: TopicsByTab = new Map();
let cursor: string | undefined;
let channel: BroadcastChannel | undefined;
let restart: (() => void) | undefined;

/** Calls `onChange` when a record of the model changes, and when changes may have been missed. */
export function useLiveChanges(model: string, onChange: (change: LiveChange) => void): void {
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => {
    openChannel();
    const listener = (change: LiveChange) => latest.current(change);
    listeners.set(model, (listeners.get(model) ?? new Set()).add(listener));
    announceTopics();
    return () => {
      listeners.get(model)?.delete(listener);
      if (listeners.get(model)?.size === 0) listeners.delete(model);
      announceTopics();
    };
  }, [model]);
}

/** Milliseconds during which changes to a list are combined into one reload. */
const RELOAD_DELAY_MS = 500;

/** Reloads when records of the model change, at most once per interval. */
export function useReloadOnChange(model: string, reload: () => void): void {
  const waitingObject = useRef(0);
  useEffect(() => () => clearTimeout(waitingObject.current), []);
  useLiveChanges(model, () => {
    if (waitingObject.current) return;
    waitingObject.current = window.setTimeout(() => {
      waitingObject.current = 0;
      reload();
    }, RELOAD_DELAY_MS);
  });
}

function openChannel(): void {
  if (channel) return;
  channel = new BroadcastChannel('atrium.live');
  if (!navigator.locks) {
    const look = () => document.visibilityState === 'visible' && notifyListeners(RESYNC);
    setInterval(look, POLL_INTERVAL_MS);
    document.addEventListener('visibilitychange', look);
    return;
  }
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (data.kind === 'who') announceTopics();
    else if (data.kind === 'missed') notifyListeners(RESYNC);
    else if (data.kind === 'heard') receiveChange(data.change, data.cursor);
    else {
      otherTabs.set(data.tab, data.topics);
      restart?.();
    }
  };
  addEventListener('pagehide', () => postToTabs({ kind: 'follows', tab, topics: [] }));
  addEventListener('pageshow', announceTopics);
  void navigator.locks.request('atrium.live', keepStreamOpen);
}

const RESYNC: LiveChange = { topic: null, kind: 'RESYNC', id: null };

const postToTabs = (message: TabMessage): void => channel?.postMessage(message);

function announceTopics(): void {
  postToTabs({ kind: 'follows', tab, topics: [...listeners.keys()] });
  restart?.();
}

function receiveChange(change: LiveChange, at: string): void {
  cursor = at;
  notifyListeners(change);
}

/** Tells all tabs that they may have missed events. */
function announceMissedChanges(): void {
  notifyListeners(RESYNC);
  postToTabs({ kind: 'missed' });
}

function notifyListeners(change: LiveChange): void {
  for (const [topic, callbacks] of listeners)
    if (change.topic === null || change.topic === topic) for (const callback of callbacks) callback(change);
}

/** Owns the stream until the tab is closed. */
function keepStreamOpen(): Promise<never> {
  const stream = createClient({ url: '/graphql', retryAttempts: 0 });
  let streamTopics = '';
  let stop: (() => void) | undefined;
  let waitingCount = 0;
  let retryMs = MIN_RETRY_MS;
  const open = () => {
    waitingCount = 0;
    const topics = mergeTopics(listeners.keys(), otherTabs);
    if (topics.join() === streamTopics) return;
    stop?.();
    streamTopics = topics.join();
    if (topics.length === 0) return;
    const variables = { topics: topics.map((model) => ({ model })), after: cursor };
    let isOver = false;
    const restart = () => {
      if (isOver) return;
      isOver = true;
      streamTopics = '';
      // Missed events cannot be replayed without a cursor.
      if (!cursor) announceMissedChanges();
      // Retries less often offline, but never stops: a server on the same machine is reachable without a network.
      if (!waitingCount)
        waitingCount = window.setTimeout(open, navigator.onLine ? retryMs : POLL_INTERVAL_MS);
      retryMs = Math.min(2 * retryMs, POLL_INTERVAL_MS);
      void waitForServer().then((wasLost) => {
        if (!wasLost || !waitingCount) return;
        clearTimeout(waitingCount);
        open();
      });
    };
    const end = stream.subscribe<LiveSubscription>(
      { query: stringifyDocument(LiveDocument), variables },
      {
        next({ data }) {
          if (!data || isOver) return;
          const { cursor: at, ...change } = data.live;
          receiveChange(change, at);
          postToTabs({ kind: 'heard', change, cursor: at });
        },
        error: restart,
        complete: restart,
      },
      {
        connected() {
          retryMs = MIN_RETRY_MS;
          // Changes between a screen's first query and the start of the stream are not in the stream.
          if (!cursor) announceMissedChanges();
        },
      },
    );
    stop = () => {
      isOver = true;
      end();
    };
  };
  restart = () => {
    if (!waitingCount) waitingCount = window.setTimeout(open, RESTART_DELAY_MS);
  };
  addEventListener('online', () => {
    clearTimeout(waitingCount);
    open();
  });
  postToTabs({ kind: 'who' });
  restart();
  return new Promise(() => {});
}
