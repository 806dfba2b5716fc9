import { createTransport } from '../../src/email/create-transport.ts';
import type { Transport } from '../../src/email/transport.ts';
import type { App } from '../harness/app.ts';

/**
 * Records when emails leave, as seen by the sender. A busy process may delay a request in flight, but not this
 * timestamp.
 */
export interface Departures {
  transport(app: App): Promise<Transport>;
  /** Departure times in milliseconds. */
  departureTimes: number[];
  maxInFlight: number;
  getMaxPerSecond(): number;
}

export function watchDepartures(): Departures {
  let open = 0;
  const never = { keep: () => Promise.reject(new Error('not the local transport')) };
  const departures: Departures = {
    departureTimes: [],
    maxInFlight: 0,
    getMaxPerSecond: () =>
      Math.max(
        ...departures.departureTimes.map(
          (from) => departures.departureTimes.filter((index) => index >= from && index < from + 1000).length,
        ),
      ),
    async transport(app) {
      const transport = await createTransport(app.runtime.config, never);
      return {
        ...transport,
        send(message) {
          departures.departureTimes.push(performance.now());
          departures.maxInFlight = Math.max(departures.maxInFlight, ++open);
          return transport.send(message).finally(() => open--);
        },
      };
    },
  };
  return departures;
}
