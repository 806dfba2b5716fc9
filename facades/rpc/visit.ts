import type { Runtime } from '../../src/engine/runtime.ts';

/** One request at a classic door. `source` is the address that failed sign-ins are counted by. */
export interface Visit {
  runtime: Runtime;
  requestId: string;
  source: string;
  host: string | null;
}

/** A method's result and the model it is of, which tells the types of its numbers. */
export interface Answer {
  result: unknown;
  model: string;
}
