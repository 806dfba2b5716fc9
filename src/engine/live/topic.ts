import type { Ctx } from '../ctx/ctx.ts';
import { decodeCursor, type StreamPosition } from './cursor.ts';

/** A set of records that a subscriber follows, limited by the caller's rights. */
export interface Topic {
  /** The records' topic in the change log (`getTopicName`). */
  source: string;
  read(ctx: Ctx, ids: number[]): Promise<Map<number, FoundRecord>>;
  /** Returns the ids that the caller may read, whether or not the records match. */
  findReadable(ctx: Ctx, ids: number[]): Promise<Set<number>>;
  /**
   * Returns true if the caller may read every record of the source, and therefore may see every deletion.
   * @throws ACCESS_ERROR if the caller may not read any record
   */
  isOpen(ctx: Ctx): boolean;
  /** True if only some records of the source match. */
  isNarrow: boolean;
  /**
   * Lists up to `limit` matching records that the caller may read: the id, and the public key if it differs from the
   * id.
   */
  reach(ctx: Ctx, limit: number): Promise<[id: number, key: string | null][]>;
  /** True for a log, whose records never change and whose deletions are not reported. */
  isLog?: boolean;
}

/** A matching record. `row` has the shape that resolvers expect. */
export interface FoundRecord {
  key: string;
  row: unknown;
}

/** Change to a record as the subscriber sees it. A record that the caller may no longer read counts as deleted. */
type LiveChangeKind = 'CREATED' | 'ENTERED' | 'UPDATED' | 'LEFT' | 'DELETED' | 'RESYNC';

export interface LiveChange {
  kind: LiveChangeKind;
  /** Null for a RESYNC of all topics. */
  topic: Topic | null;
  /** Public key. Null for a RESYNC. */
  key: string | null;
  /** Row returned by `read`. Null if the record was deleted or no longer matches. */
  row: unknown;
  /** Cursor to resume from without missing a change. */
  cursor: string;
}

/**
 * Result of a root field's `subscribe`: the topics to follow. GraphQL treats it as a stream, but the hub reads and
 * renders changes once for all identical subscriptions.
 */
export class LiveSource implements AsyncIterable<never> {
  readonly topics: Topic[];
  /** Position to resume from. Null to start now. */
  readonly after: StreamPosition | null;

  /** @throws BAD_VALUE for an invalid cursor */
  constructor(topics: Topic[], after: string | null | undefined) {
    this.topics = topics;
    this.after = after ? decodeCursor(after) : null;
  }

  [Symbol.asyncIterator](): never {
    throw new Error('a LiveSource must be followed by the hub');
  }
}
