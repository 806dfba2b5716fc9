/** What a provider reports about a message after it was accepted. */
export type EventType = 'SENT' | 'DELIVERED' | 'BOUNCED' | 'COMPLAINED';

/**
 * One report. `data` has the shape of the object SES publishes under the event's own key (`delivery`, `bounce`, ...).
 */
export interface ProviderEvent {
  type: EventType;
  at: Date;
  /** The recipients it is about, bare addresses. */
  recipients: string[];
  data: Record<string, unknown>;
}
