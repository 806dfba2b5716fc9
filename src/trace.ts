/** Names and numbers that say what a piece of work was about; never values of records. */
export type TraceAttributes = Record<string, string | number | boolean>;

/** Work whose time is recorded. */
export interface TraceSpan {
  name: string;
  attributes: TraceAttributes;
  /** The `traceparent` of who asked for it (W3C Trace Context). */
  from?: string | null;
}

export interface Tracing {
  /**
   * Runs work; what begins while it runs, and because of it, is a part of it.
   * @param run is given a function that adds facts
   */
  runSpan<T>(work: TraceSpan, run: (add: (facts: TraceAttributes) => void) => T | Promise<T>): Promise<T>;
  /** Begins work without parts. @returns what to call when it has ended, with what went wrong */
  startSpan(work: TraceSpan): (error?: unknown) => void;
}

/** What records traces; null, where no setting asks for them. */
export const tracing: { now: Tracing | null } = { now: null };
