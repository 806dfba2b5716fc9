export type EventType = 'SENT' | 'DELIVERED' | 'BOUNCED' | 'COMPLAINED';

/**
 * A report. `data` has the shape of the object that SES publishes under the event's key (`delivery`, `bounce`, ...).
 */
export interface ProviderEvent {
  type: EventType;
  at: Date;
  recipients: string[];
  data: Record<string, unknown>;
}
