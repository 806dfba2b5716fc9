import type { Ctx } from '../ctx/ctx.ts';
import { decodeCursor, type StreamPosition } from './cursor.ts';

/** Records that a subscriber wants to hear of, under its rights. */
export interface Topic {
  /** What changes of the records are noted under (`topicOf`). */
  source: string;
  /** Those of `ids` that match and that the caller may read. */
  read(ctx: Ctx, ids: number[]): Promise<Map<number, FoundRecord>>;
  /**
   * Whether the caller may read every record of the source: then it may hear of any that it is gone.
   * @throws ACCESS_ERROR when it may read none
   */
  isOpen(ctx: Ctx): boolean;
  /** Whether some records of the source do not match. */
  isNarrow: boolean;
  /** The records that match and that the caller may read, at most `most`: numbers, and ids where these are others. */
  reach(ctx: Ctx, most: number): Promise<[id: number, key: string | null][]>;
  /** Records of the source never change, and deleted ones are not reported: a log. */
  isLog?: boolean;
}

/** A record that matches: the id that clients know, and the row in the form resolvers take. */
export interface FoundRecord {
  key: string;
  row: unknown;
}

/** What happened to a record as a subscriber sees it: deleted also when it no longer matches. */
type LiveChangeKind = 'CREATED' | 'UPDATED' | 'DELETED' | 'RESYNC';

/** One event of a stream. */
export interface LiveChange {
  kind: LiveChangeKind;
  /** null for a RESYNC of every topic. */
  topic: Topic | null;
  /** The id that clients know; null for a RESYNC. */
  key: string | null;
  /** What `read` gave; null when the record is gone. */
  row: unknown;
  /** Where to go on from: a stream that starts after it misses nothing. */
  cursor: string;
}

/**
 * What the `subscribe` of a root field gives: the topics to follow. It looks like a stream to GraphQL, but is
 * read by the hub, which reads and renders once for all subscribers that ask for the same.
 */
export class LiveSource implements AsyncIterable<never> {
  readonly topics: Topic[];
  /** Where the subscriber was last; null to begin now. */
  readonly after: StreamPosition | null;

  /** @throws BAD_VALUE for a wrong cursor */
  constructor(topics: Topic[], after: string | null | undefined) {
    this.topics = topics;
    this.after = after ? decodeCursor(after) : null;
  }

  [Symbol.asyncIterator](): never {
    throw new Error('a LiveSource is followed by the hub');
  }
}
