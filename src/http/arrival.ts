import type { IncomingMessage, ServerResponse } from 'node:http';

/** What is known of a request beside what it says: its sockets, and the name it is given. */
interface Arrival {
  incoming?: IncomingMessage | undefined;
  outgoing?: ServerResponse | undefined;
  /** Of the connection; a socket forgets it when it closes. */
  address?: string | undefined;
  id?: string;
}

/** By the headers of a request, which all doors have at hand. */
const arrivals = new WeakMap<Headers, Arrival>();

/** `env` is what the server gives beside a request. */
export function noteArrival(headers: Headers, env: unknown): void {
  const { incoming, outgoing } = (env ?? {}) as Arrival;
  arrivals.set(headers, { incoming, outgoing, address: incoming?.socket.remoteAddress });
}

export function arrivalOf(headers: Headers): Arrival {
  let arrival = arrivals.get(headers);
  if (!arrival) {
    arrival = {};
    arrivals.set(headers, arrival);
  }
  return arrival;
}
