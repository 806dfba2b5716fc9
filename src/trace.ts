/** Must not contain values of records. */
export type TraceAttributes = Record<string, string | number | boolean>;

export interface TraceSpan {
  name: string;
  attributes: TraceAttributes;
  /** The caller's `traceparent` (W3C Trace Context). */
  from?: string | null;
}

export interface Tracing {
  /**
   * Runs work in a span. Spans that start during the work become its children.
   * @param run receives a function that adds attributes
   */
  runSpan<T>(
    span: TraceSpan,
    run: (add: (attributes: TraceAttributes) => void) => T | Promise<T>,
  ): Promise<T>;
  /**
   * Starts a span without children.
   * @returns a function that ends it, with the error if there was one
   */
  startSpan(span: TraceSpan): (error?: unknown) => void;
}

/** `now` is null if tracing is not configured. */
export const tracing: { now: Tracing | null } = { now: null };
