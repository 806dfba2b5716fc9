import { createClient } from 'graphql-sse';
import { until } from '../harness/wait.ts';

/** One event as a client gets it. */
// biome-ignore lint/suspicious/noExplicitAny: its shape is the document's, and is what the tests look at
export type Event = Record<string, any>;

/** A subscription of the real client, and what it has heard. */
export interface LiveSubscription {
  events: Event[];
  errors: { message: string; extensions: { code: string } }[];
  /** What results have beside data and errors. */
  extensions: unknown[];
  /** Why it ended; null while it goes on. */
  ended: unknown;
  /** Waits for so many events. */
  heard(count: number): Promise<Event[]>;
  close(): void;
}

interface SubscriptionRequest {
  key: string;
  query: string;
  variables?: Record<string, unknown>;
}

/** Subscribes with graphql-sse, and waits until the server has begun. It does not try again by itself. */
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
  const listening: LiveSubscription = {
    events: [],
    errors: [],
    extensions: [],
    ended: null,
    async heard(count) {
      await until(() => listening.events.length >= count || listening.ended !== null, `${count} events`);
      return listening.events;
    },
    close: () => client.dispose(),
  };
  client.subscribe(
    { query, variables },
    {
      next: ({ data, errors, extensions }) => {
        if (extensions) listening.extensions.push(extensions);
        if (errors) listening.errors.push(...(errors as unknown as LiveSubscription['errors']));
        for (const event of Object.values(data ?? {})) if (event) listening.events.push(event as Event);
      },
      error: (error) => {
        listening.ended = error;
      },
      complete: () => {
        listening.ended ??= 'complete';
      },
    },
  );
  await until(() => hasStarted, 'an answer');
  return listening;
}

/** Long enough for anything that is on its way to arrive. */
export const waitQuiet = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 400));
