import { randomUUID } from 'node:crypto';
import { buildEnvelope } from './envelope.ts';
import type { ProviderEvent } from './provider-event.ts';
import { buildSimulatedEvents } from './simulator.ts';
import type { Transport, TransportMessage } from './transport.ts';

export interface OutboxMessage extends TransportMessage {
  providerId: string;
  at: Date;
  events: ProviderEvent[];
  /** Explains which recipients did not receive the message, and why. */
  reason?: string;
}

/**
 * Creates a transport for machines without a provider.
 * @param keep stores the message before it resolves; if it rejects, the message can be retried
 */
export function createLocalTransport(keep: (message: OutboxMessage) => Promise<void>): Transport {
  return {
    name: 'local',
    async send(message) {
      const envelope = buildEnvelope(message);
      if ('kind' in envelope) return envelope;
      const at = new Date();
      const providerId = `local-${randomUUID()}`;
      try {
        await keep({
          ...message,
          ...envelope,
          providerId,
          at,
          events: buildSimulatedEvents(envelope.recipients, at),
        });
      } catch (error) {
        const reason = `the local outbox could not store it: ${error instanceof Error ? error.message : String(error)}`;
        return { kind: 'throttled', scope: 'unreachable', retryAfterMs: 5000, reason };
      }
      return { kind: 'sent', providerId };
    },
    limits: async () => null,
    close: async () => {},
  };
}
