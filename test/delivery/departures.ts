import { createTransport } from '../../src/delivery/create-transport.ts';
import type { Transport } from '../../src/delivery/transport.ts';
import type { App } from '../harness/app.ts';

/** When emails leave, as their senders know it. A busy process may be late with what is on its way, not with this. */
export interface Departures {
  /** The configured transport, watched. */
  transport(app: App): Promise<Transport>;
  /** In ms. */
  departureTimes: number[];
  /** The most that were on their way at the same time. */
  maxInFlight: number;
  /** The most that left within any second. */
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
          (from) => departures.departureTimes.filter((at) => at >= from && at < from + 1000).length,
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
