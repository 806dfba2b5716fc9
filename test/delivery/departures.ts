import { createTransport } from '../../src/delivery/create-transport.ts';
import type { Transport } from '../../src/delivery/transport.ts';
import type { App } from '../harness/app.ts';

/** When emails leave, as their senders know it. A busy process may be late with what is on its way, not with this. */
export interface Departures {
  /** The configured transport, watched. */
  transport(app: App): Promise<Transport>;
  /** In ms. */
  left: number[];
  /** The most that were on their way at the same time. */
  most: number;
  /** The most that left within any second. */
  fullest(): number;
}

export function watch(): Departures {
  let open = 0;
  const never = { keep: () => Promise.reject(new Error('not the local transport')) };
  const departures: Departures = {
    left: [],
    most: 0,
    fullest: () =>
      Math.max(
        ...departures.left.map(
          (from) => departures.left.filter((at) => at >= from && at < from + 1000).length,
        ),
      ),
    async transport(app) {
      const transport = await createTransport(app.runtime.config, never);
      return {
        ...transport,
        send(message) {
          departures.left.push(performance.now());
          departures.most = Math.max(departures.most, ++open);
          return transport.send(message).finally(() => open--);
        },
      };
    },
  };
  return departures;
}
