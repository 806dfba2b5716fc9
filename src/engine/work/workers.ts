import { NOW } from '../../db/now.ts';
import type { Database } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';

/** Milliseconds between two signs of life of a worker. */
export const BEAT = 1_000;
/** Milliseconds after which a worker that gives none is taken for dead. */
const SILENCE = 8_000;
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
  return {
    id,
    async beat() {
      const others = await db.rows<{ id: string; silent: boolean }>(
        SIGN({ id, kind, silence: SILENCE / 1000 }),
      );
      const time = now();
      if (time - last > GAP) steady = time;
      last = time;
      const alive = others.filter((other) => !other.silent);
      const dead = time - steady >= SILENCE ? others.filter((other) => other.silent) : [];
      return { alive: alive.length, dead: dead.map((other) => other.id) };
    },
    bury: (ids) => remove(db, ids),
    end: () => remove(db, [id]),
  };
}

const SIGN = sql.prepare<{ id: string; kind: string; silence: number }>(
  (p) => sql`
  with own as (
    insert into svc_worker (id, kind, seen_at) values (${p.id}, ${p.kind}, ${NOW})
    on conflict (id) do update set seen_at = excluded.seen_at
  )
  select w.id, w.seen_at < ${NOW} - make_interval(secs => ${p.silence}) as silent
  from svc_worker w where w.kind = ${p.kind} and w.id <> ${p.id}`,
);

const remove = async (db: Database, ids: string[]): Promise<void> => {
  await db.rows(sql`delete from svc_worker where id = any(${ids})`);
};
