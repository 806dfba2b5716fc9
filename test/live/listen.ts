import { createClient } from 'graphql-sse';
import { limits } from '../../src/limits.ts';
import { until } from '../harness/wait.ts';

// biome-ignore lint/suspicious/noExplicitAny: the shape depends on the document
export type Event = Record<string, any>;

export interface LiveSubscription {
  events: Event[];
  errors: { message: string; extensions: { code: string } }[];
  extensions: unknown[];
  ended: unknown;
  waitForEvents(count: number): Promise<Event[]>;
  close(): void;
}

// Transactions in the databases of other tests delay a stream's start. After the normal wait it would send a RESYNC.
Object.assign(limits.live, { startWait: 60_000 });

interface SubscriptionRequest {
  key: string;
  query: string;
  variables?: Record<string, unknown>;
}

/** Subscribes with graphql-sse, without reconnecting, and waits until the stream has started. */
export async function subscribe(
  url: string,
  { key, query, variables }: SubscriptionRequest,
): Promise<LiveSubscription> {
  let hasStarted = false;
  const client = createClient({
    url: `${url}/graphql`,
    headers: { authorization: `Bearer ${key}` },
    retryAttempts: 0,
    fetchFn: async (input: string, init: RequestInit) => {
      const response = await fetch(input, init);
      hasStarted = true;
      return response;
    },
  });
  const listeningSubscription: LiveSubscription = {
    events: [],
    errors: [],
    extensions: [],
    ended: null,
    async waitForEvents(count) {
      await until(
        () => listeningSubscription.events.length >= count || listeningSubscription.ended !== null,
        `${count} events`,
      );
      return listeningSubscription.events;
    },
    close: () => client.dispose(),
  };
  client.subscribe(
    { query, variables },
    {
      next: ({ data, errors, extensions }) => {
        if (extensions) listeningSubscription.extensions.push(extensions);
        if (errors) listeningSubscription.errors.push(...(errors as unknown as LiveSubscription['errors']));
        for (const event of Object.values(data ?? {}))
          if (event) listeningSubscription.events.push(event as Event);
      },
      error: (error) => {
        listeningSubscription.ended = error;
      },
      complete: () => {
        listeningSubscription.ended ??= 'complete';
      },
    },
  );
  await until(() => hasStarted, 'an answer');
  return listeningSubscription;
}

export const waitQuiet = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 400));
