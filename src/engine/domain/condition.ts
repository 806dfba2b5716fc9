import type { Field } from '../model/field.ts';
import type { Model, Registry } from '../model/model.ts';
import type { ReaderTime } from '../value/relative-date.ts';
import type { DatePart } from './node.ts';

/** A domain as sent by callers: prefix connectors `& | !` and triples `[field, operator, value]`. */
export type Domain = unknown[];

/**
 * The reader that a domain is evaluated for. A condition reveals the values it compares, so the reader must be allowed
 * to read them.
 */
export interface DomainReader {
  /** @throws ACCESS_ERROR */
  checkModel(model: Model): void;
  /** @throws ACCESS_ERROR */
  checkField(model: Model, field: Field): void;
  /** Time zone that determines when the reader's days begin. */
  tz: string;
  /** Time zone set by the call itself, used for date parts. UTC by default. */
  contextTz?: string | null;
  /** Determines the first day of the week. */
  lang?: string;
  /** Current time in milliseconds. Defaults to the system time. */
  now?: number;
  /** If false, archived related records match too. */
  activeTest?: boolean;
  /** Remaining conditions for all large domains of the request. */
  conditions?: { remaining: number } | null;
}

export interface DomainParseState {
  registry: Registry;
  /** Null for the platform's own domains. */
  reader: DomainReader | null;
  clock: ReaderTime;
  /** Time zone for date parts. Null for UTC. */
  zone: string | null;
  /** Conditions so far, including derived ones. */
  count: { conditions: number };
}

/** A condition on a field of `model` itself. `item` is the caller's original condition, for error messages. */
export interface DomainCondition {
  model: Model;
  field: Field;
  part?: DatePart;
  operator: string;
  value: unknown;
  depth: number;
  item: unknown;
}
