import { stringifyDocument } from '@urql/core';
import { createClient } from 'graphql-sse';
import { useEffect, useRef } from 'react';
import { LiveDocument, type LiveSubscription } from './generated.ts';
import { type LiveChange, mergeTopics, type TopicsByTab } from './topics.ts';

// Changes, as the server sends them, on one stream for all tabs of the browser: over HTTP/1.1 a browser has six
// connections to a host, so with a stream for each tab the seventh never loads. The tab that holds the lock holds the
// stream, and hands on what it hears. Each says on the channel what it follows, and resumes behind what it has heard.
// Without locks (a page of plain HTTP on a network is no secure context) every visible tab asks again now and then.

type TabMessage =
  | { kind: 'follows'; tab: string; topics: string[] }
  | { kind: 'who' }
  | { kind: 'missed' }
  | { kind: 'heard'; change: LiveChange; cursor: string };

/** Milliseconds between two looks where there is no stream. */
const POLL_INTERVAL_MS = 30_000;
/** Milliseconds in which changes of what is followed become one new stream. */
const RESTART_DELAY_MS = 50;
/** Milliseconds before a stream that ended is opened again; twice as many each time. */
const MIN_RETRY_MS = 1_000;

const tab = crypto.randomUUID?.() ?? String(Math.random());
const listeners = new Map<string, Set<(change: LiveChange) => void>>();
const otherTabs: TopicsByTab = new Map();
let cursor: string | undefined;
let channel: BroadcastChannel | undefined;
let restart: (() => void) | undefined;

/** Calls `onChange` when a record of the model changes, and when some changes may have been missed. */
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

/** Milliseconds in which changes of a list become one new look. */
const RELOAD_DELAY_MS = 500;

/** Asks again when records of the model change; of many that change at once, once. */
export function useReloadOnChange(model: string, reload: () => void): void {
  const waiting = useRef(0);
  useEffect(() => () => clearTimeout(waiting.current), []);
  useLiveChanges(model, () => {
    if (waiting.current) return;
    waiting.current = window.setTimeout(() => {
      waiting.current = 0;
      reload();
    }, RELOAD_DELAY_MS);
  });
}

/** Once a tab. */
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
  void navigator.locks.request('atrium.live', holdStream);
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

/** Something may have happened that no tab has heard of. */
function announceMissed(): void {
  notifyListeners(RESYNC);
  postToTabs({ kind: 'missed' });
}

function notifyListeners(change: LiveChange): void {
  for (const [topic, callbacks] of listeners)
    if (change.topic === null || change.topic === topic) for (const callback of callbacks) callback(change);
}

/** Holds the stream for as long as this tab lives. */
function holdStream(): Promise<never> {
  const stream = createClient({ url: '/graphql', retryAttempts: 0 });
  let streamTopics = '';
  let stop: (() => void) | undefined;
  let waiting = 0;
  let retryMs = MIN_RETRY_MS;
  const open = () => {
    waiting = 0;
    const topics = mergeTopics(listeners.keys(), otherTabs);
    if (topics.join() === streamTopics) return;
    stop?.();
    streamTopics = topics.join();
    if (topics.length === 0) return;
    const variables = { topics: topics.map((model) => ({ model })), after: cursor };
    let isOver = false;
    const again = () => {
      if (isOver) return;
      isOver = true;
      streamTopics = '';
      // Without a cursor nothing says what has happened in between.
      if (!cursor) announceMissed();
      // A browser that is offline still reaches a server on its own machine, so it tries, if rarely.
      if (!waiting) waiting = window.setTimeout(open, navigator.onLine ? retryMs : POLL_INTERVAL_MS);
      retryMs = Math.min(2 * retryMs, POLL_INTERVAL_MS);
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
        error: again,
        complete: again,
      },
      {
        connected() {
          retryMs = MIN_RETRY_MS;
          // What changed after a screen asked and before the first stream was there would be missed.
          if (!cursor) announceMissed();
        },
      },
    );
    stop = () => {
      isOver = true;
      end();
    };
  };
  restart = () => {
    if (!waiting) waiting = window.setTimeout(open, RESTART_DELAY_MS);
  };
  addEventListener('online', () => {
    clearTimeout(waiting);
    open();
  });
  postToTabs({ kind: 'who' });
  restart();
  return new Promise(() => {});
}
