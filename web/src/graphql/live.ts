import { stringifyDocument } from '@urql/core';
import { createClient } from 'graphql-sse';
import { useEffect, useRef } from 'react';
import { LiveDocument, type LiveSubscription } from './generated.ts';
import { type LiveChange, mergedTopics, type TopicsOfTabs } from './topics.ts';

// Changes, as the server sends them, on one stream for all tabs of the browser: over HTTP/1.1 a browser has six
// connections to a host, so with a stream for each tab the seventh never loads. The tab that holds the lock holds the
// stream, and hands on what it hears. Each says on the channel what it follows, and resumes behind what it has heard.
// Without locks (a page of plain HTTP on a network is no secure context) every visible tab asks again now and then.

type Said =
  | { kind: 'follows'; tab: string; topics: string[] }
  | { kind: 'who' }
  | { kind: 'missed' }
  | { kind: 'heard'; change: LiveChange; cursor: string };

/** Milliseconds between two looks where there is no stream. */
const POLL = 30_000;
/** Milliseconds in which changes of what is followed become one new stream. */
const SETTLE = 50;
/** Milliseconds before a stream that ended is opened again; twice as many each time. */
const SHORTEST_PAUSE = 1_000;

const tab = crypto.randomUUID?.() ?? String(Math.random());
const heard = new Map<string, Set<(change: LiveChange) => void>>();
const others: TopicsOfTabs = new Map();
let cursor: string | undefined;
let channel: BroadcastChannel | undefined;
let restart: (() => void) | undefined;

/** Calls `onChange` when a record of the model changes, and when some changes may have been missed. */
export function useLive(model: string, onChange: (change: LiveChange) => void): void {
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => {
    begin();
    const hear = (change: LiveChange) => latest.current(change);
    heard.set(model, (heard.get(model) ?? new Set()).add(hear));
    sayMine();
    return () => {
      heard.get(model)?.delete(hear);
      if (heard.get(model)?.size === 0) heard.delete(model);
      sayMine();
    };
  }, [model]);
}

/** Milliseconds in which changes of a list become one new look. */
const TOGETHER = 500;

/** Asks again when records of the model change; of many that change at once, once. */
export function useFresh(model: string, reload: () => void): void {
  const waiting = useRef(0);
  useEffect(() => () => clearTimeout(waiting.current), []);
  useLive(model, () => {
    if (waiting.current) return;
    waiting.current = window.setTimeout(() => {
      waiting.current = 0;
      reload();
    }, TOGETHER);
  });
}

/** Once a tab. */
function begin(): void {
  if (channel) return;
  channel = new BroadcastChannel('atrium.live');
  if (!navigator.locks) {
    const look = () => document.visibilityState === 'visible' && announce(RESYNC);
    setInterval(look, POLL);
    document.addEventListener('visibilitychange', look);
    return;
  }
  channel.onmessage = ({ data }: MessageEvent<Said>) => {
    if (data.kind === 'who') sayMine();
    else if (data.kind === 'missed') announce(RESYNC);
    else if (data.kind === 'heard') take(data.change, data.cursor);
    else {
      others.set(data.tab, data.topics);
      restart?.();
    }
  };
  addEventListener('pagehide', () => post({ kind: 'follows', tab, topics: [] }));
  addEventListener('pageshow', sayMine);
  void navigator.locks.request('atrium.live', hold);
}

const RESYNC: LiveChange = { topic: null, kind: 'RESYNC', id: null };

const post = (said: Said): void => channel?.postMessage(said);

function sayMine(): void {
  post({ kind: 'follows', tab, topics: [...heard.keys()] });
  restart?.();
}

function take(change: LiveChange, at: string): void {
  cursor = at;
  announce(change);
}

/** Something may have happened that no tab has heard of. */
function sayMissed(): void {
  announce(RESYNC);
  post({ kind: 'missed' });
}

function announce(change: LiveChange): void {
  for (const [topic, callbacks] of heard)
    if (change.topic === null || change.topic === topic) for (const callback of callbacks) callback(change);
}

/** Holds the stream for as long as this tab lives. */
function hold(): Promise<never> {
  const stream = createClient({ url: '/graphql', retryAttempts: 0 });
  let followed = '';
  let stop: (() => void) | undefined;
  let waiting = 0;
  let pause = SHORTEST_PAUSE;
  const open = () => {
    waiting = 0;
    const topics = mergedTopics(heard.keys(), others);
    if (topics.join() === followed) return;
    stop?.();
    followed = topics.join();
    if (topics.length === 0) return;
    const variables = { topics: topics.map((model) => ({ model })), after: cursor };
    let isOver = false;
    const again = () => {
      if (isOver) return;
      isOver = true;
      followed = '';
      // Without a cursor nothing says what has happened in between.
      if (!cursor) sayMissed();
      // A browser that is offline still reaches a server on its own machine, so it tries, if rarely.
      if (!waiting) waiting = window.setTimeout(open, navigator.onLine ? pause : POLL);
      pause = Math.min(2 * pause, POLL);
    };
    const end = stream.subscribe<LiveSubscription>(
      { query: stringifyDocument(LiveDocument), variables },
      {
        next({ data }) {
          if (!data || isOver) return;
          const { cursor: at, ...change } = data.live;
          take(change, at);
          post({ kind: 'heard', change, cursor: at });
        },
        error: again,
        complete: again,
      },
      {
        connected() {
          pause = SHORTEST_PAUSE;
          // What changed after a screen asked and before the first stream was there would be missed.
          if (!cursor) sayMissed();
        },
      },
    );
    stop = () => {
      isOver = true;
      end();
    };
  };
  restart = () => {
    if (!waiting) waiting = window.setTimeout(open, SETTLE);
  };
  addEventListener('online', () => {
    clearTimeout(waiting);
    open();
  });
  post({ kind: 'who' });
  restart();
  return new Promise(() => {});
}
