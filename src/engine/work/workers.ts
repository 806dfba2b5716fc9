import { hasLeft } from '../../db/listener.ts';
import { NOW } from '../../db/now.ts';
import type { Database } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';

/** Milliseconds between two signs of life of a worker. */
export const HEARTBEAT = 1_000;
/** Milliseconds after which a worker that gives none is taken for dead. */
const SILENCE = 8_000;
/** The same for a worker whose process is not connected either, at two beats. */
const STALL = 1_500;
/** Milliseconds without an own sign of life after which a worker judges no other: the database may have been away. */
const GAP = 3_000;

/** What a worker knows of those of its kind. */
export interface Others {
  /** How many are alive. */
  alive: number;
  /** Ids of those that died and left what they held. */
  dead: string[];
}

/** The signs of life of one worker. */
export interface Heart {
  readonly id: string;
  beat(): Promise<Others>;
  /** What a dead one held has been taken over. */
  bury(ids: string[]): Promise<void>;
  /** The worker ends and holds nothing. */
  end(): Promise<void>;
}

/** @param now ms */
export function createHeart(db: Database, id: string, kind: string, now: () => number): Heart {
  let last = Number.NEGATIVE_INFINITY;
  let steady = Number.POSITIVE_INFINITY;
  let left = new Set<string>();
  return {
    id,
    async beat() {
      const others = await db.rows<{ id: string; silent: boolean; left: boolean }>(
        SIGN({ id, kind, silence: SILENCE / 1000, stall: STALL / 1000 }),
      );
      const time = now();
      const isSteady = time - last <= GAP;
      if (!isSteady) steady = time;
      last = time;
      const leftBefore = isSteady ? left : new Set<string>();
      left = new Set(others.filter((other) => other.left).map((other) => other.id));
      const mayJudge = time - steady >= SILENCE;
      const dead = others.filter(
        (other) => (mayJudge && other.silent) || (other.left && leftBefore.has(other.id)),
      );
      return {
        alive: others.filter((other) => !other.silent).length,
        dead: dead.map((other) => other.id),
      };
    },
    bury: (ids) => remove(db, ids),
    end: () => remove(db, [id]),
  };
}

const SIGN = sql.prepare<{ id: string; kind: string; silence: number; stall: number }>(
  (p) => sql`
  with own as (
    insert into svc_worker (id, kind, seen_at) values (${p.id}, ${p.kind}, ${NOW})
    on conflict (id) do update set seen_at = excluded.seen_at
  )
  select w.id, w.seen_at < ${NOW} - make_interval(secs => ${p.silence}) as silent,
    case when w.id like 'process %' and w.seen_at < ${NOW} - make_interval(secs => ${p.stall})
      then ${hasLeft(sql`w.id`)} else false end as "left"
  from svc_worker w where w.kind = ${p.kind} and w.id <> ${p.id}`,
);

const remove = async (db: Database, ids: string[]): Promise<void> => {
  await db.rows(sql`delete from svc_worker where id = any(${ids})`);
};
