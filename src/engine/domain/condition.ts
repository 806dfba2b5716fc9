import type { Field } from '../model/field.ts';
import type { Model, Registry } from '../model/model.ts';
import type { ReaderTime } from '../value/relative-date.ts';
import type { DatePart } from './node.ts';

/** A domain as callers write it: prefix connectors `& | !` and triples `[field, operator, value]`. */
export type Domain = unknown[];

/**
 * Who a domain is evaluated for. A condition reveals the values it compares, so the reader must be allowed to see them.
 */
export interface DomainReader {
  /** @throws ACCESS_ERROR */
  checkModel(model: Model): void;
  /** @throws ACCESS_ERROR */
  checkField(model: Model, field: Field): void;
  /** Where the reader's days begin. */
  tz: string;
  /** The zone that the call itself names: parts of times are computed in it. Default UTC. */
  contextTz?: string | null;
  /** Decides the first day of the week. */
  lang?: string;
  /** Milliseconds; the present by default. */
  now?: number;
  /** False: archived related records count too. */
  activeTest?: boolean;
  /** What is left of the conditions of all large domains of the request. */
  conditions?: { left: number } | null;
}

/** The state of the parsing of one domain. */
export interface DomainParseState {
  registry: Registry;
  /** null: the domain is the platform's own. */
  reader: DomainReader | null;
  clock: ReaderTime;
  /** Time zone for parts of times; null is UTC. */
  zone: string | null;
  /** Conditions so far, those that conditions were turned into included. */
  count: { conditions: number };
}

/** One condition on a field of `model` itself. `item` is what the caller wrote, for the words of a refusal. */
export interface DomainCondition {
  model: Model;
  field: Field;
  part?: DatePart;
  operator: string;
  value: unknown;
  depth: number;
  item: unknown;
}
