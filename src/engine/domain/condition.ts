import type { Field } from '../model/field.ts';
import type { Model, Registry } from '../model/model.ts';
import type { ReaderTime } from '../value/relative-date.ts';
import type { DatePart } from './node.ts';

/** A domain as sent by callers: prefix connectors `& | !` and triples `[field, operator, value]`. */
export type Domain = unknown[];

/**
 * Reader whose rights apply to a domain. A condition reveals the values it compares, so the reader must be allowed to
 * read them.
 */
export interface DomainReader {
  /** @throws ACCESS_ERROR */
  checkModel(model: Model): void;
  /** @throws ACCESS_ERROR */
  checkField(model: Model, field: Field): void;
  /** The caller's time zone, used for day boundaries. */
  tz: string;
  /** Time zone of date parts. Defaults to UTC. */
  periodZone?: string | null;
  /** Returns the first day of the week. 1 is Monday, 7 is Sunday (default). */
  weekStart?(): number;
  /** Current Unix time in milliseconds. Defaults to the system time. */
  now?: number;
  /** If false, archived related records match as well. */
  activeTest?: boolean;
  /** Number of conditions that the request's large domains may still use. */
  conditions?: { remaining: number } | null;
}

export interface DomainParseState {
  registry: Registry;
  /** Null for platform domains, such as record rules, and for the record's own related fields. */
  reader: DomainReader | null;
  /** True if a list contains only the records that the reader may read, even where `reader` is null. */
  ruled: boolean;
  clock: ReaderTime;
  /** Time zone for date parts. Null for UTC. */
  zone: string | null;
  /** Number of conditions so far, including derived ones. */
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
