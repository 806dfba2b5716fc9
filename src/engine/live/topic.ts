import type { Ctx } from '../ctx/ctx.ts';
import { decodeCursor, type StreamPosition } from './cursor.ts';

/** Records that a subscriber follows, under its rights. */
export interface Topic {
  /** Topic of the records in the change log (`getTopicName`). */
  source: string;
  /** Reads the given records that match and that the caller may read. */
  read(ctx: Ctx, ids: number[]): Promise<Map<number, FoundRecord>>;
  /** Returns those of the given records that the caller may read, whether or not they match. */
  findReadable(ctx: Ctx, ids: number[]): Promise<Set<number>>;
  /**
   * Returns true if the caller may read every record of the source, and so may see every deletion.
   * @throws ACCESS_ERROR if the caller may not read any record
   */
  isOpen(ctx: Ctx): boolean;
  /** True if some records of the source do not match. */
  isNarrow: boolean;
  /** Lists up to `limit` matching records that the caller may read: ids, and public keys that differ from them. */
  reach(ctx: Ctx, limit: number): Promise<[id: number, key: string | null][]>;
  /** True if records of the source never change and deletions are not reported, as in a log. */
  isLog?: boolean;
}

/** A matching record: the public key, and the row as resolvers expect it. */
export interface FoundRecord {
  key: string;
  row: unknown;
}

/** Change of a record from the subscriber's point of view. A record that the caller may no longer read is deleted. */
type LiveChangeKind = 'CREATED' | 'ENTERED' | 'UPDATED' | 'LEFT' | 'DELETED' | 'RESYNC';

/** An event in a stream. */
export interface LiveChange {
  kind: LiveChangeKind;
  /** Null for a RESYNC of all topics. */
  topic: Topic | null;
  /** Public key. Null for a RESYNC. */
  key: string | null;
  /** Row returned by `read`. Null if the record was deleted or no longer matches. */
  row: unknown;
  /** Cursor to resume from. A stream that starts after it misses no change. */
  cursor: string;
}

/**
 * Result of the `subscribe` of a root field: the topics to follow. To GraphQL it looks like a stream, but the hub reads
 * and renders the changes once for all identical subscriptions.
 */
export class LiveSource implements AsyncIterable<never> {
  readonly topics: Topic[];
  /** Position where the subscriber resumes. Null to start now. */
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
