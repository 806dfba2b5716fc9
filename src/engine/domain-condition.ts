import type { Reader } from './domain.ts';
import type { DatePart, Node } from './domain-node.ts';
import type { Field } from './field.ts';
import type { Model, Registry } from './model.ts';
import type { Clock } from './relative-date.ts';

/** The state of the parsing of one domain. */
export interface Parse {
  registry: Registry;
  /** null: the domain is the platform's own. */
  reader: Reader | null;
  clock: Clock;
  /** Where parts of instants are told; null is UTC. */
  zone: string | null;
  /** Conditions so far, those that conditions were turned into included. */
  count: { conditions: number };
  /** Parses a triple as a condition on `model`. */
  leaf(item: unknown, model: Model, state: Parse, depth: number): Node;
}

/** One condition on a field of `model` itself. `item` is what the caller wrote, for the words of a refusal. */
export interface Condition {
  model: Model;
  field: Field;
  part?: DatePart;
  operator: string;
  value: unknown;
  depth: number;
  item: unknown;
}
