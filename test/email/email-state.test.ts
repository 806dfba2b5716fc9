import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  EMAIL_STATES,
  EMAIL_TRANSITIONS,
  type EmailState,
  type EmailTransitionName,
  getTransition,
  INITIAL_STATES,
  STATUS_BY_STATE,
} from '../../schema/email/state/email-state.ts';
import { moveEmails } from '../../schema/email/state/move-emails.ts';
import { sql } from '../../src/db/sql.ts';
import { createDatabase } from '../harness/database.ts';
import { buildLeaseTable, buildStateDiagram, NEXT_STATES } from './state-diagram.ts';

const root = join(import.meta.dirname, '../..');
const readText = (file: string): string => readFileSync(join(root, file), 'utf8');
const pairs = EMAIL_STATES.flatMap((from) => EMAIL_STATES.map((to) => [from, to] as const));

describe('the email state machine', () => {
  it.each<[EmailState, EmailState[]]>([
    ['queued', ['sending', 'sent', 'failed', 'cancelled']],
    ['sending', ['queued', 'sent', 'failed', 'unknown', 'cancelled', 'suppressed']],
    ['sent', ['queued']],
    ['failed', ['queued', 'sent']],
    ['unknown', ['queued', 'sent', 'failed', 'cancelled', 'suppressed']],
    ['cancelled', []],
    ['suppressed', ['queued']],
  ])('allows transitions from %s to %j', (from, targets) => {
    expect(NEXT_STATES[from].toSorted()).toEqual(targets.toSorted());
  });

  it('can reach every state except the initial ones', () => {
    const reachableStates = new Set([...INITIAL_STATES, ...Object.values(NEXT_STATES).flat()]);
    expect(EMAIL_STATES.filter((state) => !reachableStates.has(state))).toEqual([]);
  });

  it('has a public status for every state except sending', () => {
    expect(EMAIL_STATES.filter((state) => STATUS_BY_STATE[state] === null)).toEqual(['sending']);
  });

  it("restricts the update to the transition's source states", () => {
    const { text } = moveEmails('giveUp', { to: 'failed', condition: sql`true` }).render();
    expect(text).toContain("where m.state in ('queued', 'unknown') and true");
  });

  it.each<[EmailTransitionName, EmailState]>([
    ['claim', 'sent'],
    ['cancel', 'failed'],
    ['sendAgain', 'sending'],
  ])('builds no statement that lets %s change the state to %s', (mover, to) => {
    expect(() => moveEmails(mover, { to, condition: sql`true` })).toThrow(TypeError);
  });

  it('is documented with all transitions and leases in delivery.md', () => {
    const guide = readText('docs/guides/delivery.md');
    expect(guide).toContain(buildStateDiagram());
    expect(guide).toContain(buildLeaseTable());
  });

  it('is written only by the update builder', () => {
    const files = ['schema', 'apps', 'src', 'facades', 'boot'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(folder, file),
      ),
    );
    const writers = files.filter(
      (file) => file.endsWith('.ts') && /\bupdate\s+(only\s+)?"?svc_email\b(?!_)/i.test(readText(file)),
    );
    expect(writers).toEqual(['schema/email/state/move-emails.ts']);
  });
});

describe('the database constraint on email states', () => {
  let database: pg.Client;
  let drop: () => Promise<void>;
  let workspace = 0;

  beforeAll(async () => {
    const newDatabase = await createDatabase();
    drop = newDatabase.drop;
    database = new pg.Client({ connectionString: newDatabase.url });
    await database.connect();
    const { rows } = await database.query(
      `insert into workspace (name, slug) values ('Main', 'main') returning id`,
    );
    workspace = rows[0].id;
  });

  afterAll(async () => {
    await database.end();
    await drop();
  });

  it('contains the same states', async () => {
    const { rows } = await database.query<{ rule: string }>(
      `select pg_get_constraintdef(oid) as rule from pg_constraint where conname = 'svc_email_state_check'`,
    );
    const states = [...rows[0]!.rule.matchAll(/'(\w+)'::text/g)].map(([, state]) => state);
    expect(states.toSorted()).toEqual(EMAIL_STATES.toSorted());
  });

  it.each(pairs)('allows a change from %s to %s if and only if a transition does', async (from, to) => {
    const { rows } = await database.query(
      `insert into svc_email (id, workspace_id, public_id, "from", subject, state)
       values (nextval('svc_email_id_seq'), $1, $2, 'a@b.test', 's', $3) returning id`,
      [workspace, `${from} ${to}`, from],
    );
    const move = database.query('update svc_email set state = $3 where workspace_id = $1 and id = $2', [
      workspace,
      rows[0].id,
      to,
    ]);
    if (from === to || NEXT_STATES[from].includes(to)) await move;
    else await expect(move).rejects.toMatchObject({ code: 'AT409', message: expect.stringContaining(to) });
  });

  it.each(Object.keys(EMAIL_TRANSITIONS) as EmailTransitionName[])(
    'allows all transitions of %s',
    async (mover) => {
      for (const [from, targets] of Object.entries(getTransition(mover).moves))
        for (const to of targets) {
          const id = `${mover} ${from} ${to}`;
          await database.query(
            `insert into svc_email (id, workspace_id, public_id, "from", subject, state) values (nextval('svc_email_id_seq'), $1, $2, 'a@b.test', 's', $3)`,
            [workspace, id, from],
          );
          const condition = sql`m.workspace_id = ${workspace} and m.public_id = ${id}`;
          const { text, params } = moveEmails(mover, {
            to,
            condition,
            returning: sql`m.state`,
          }).render();
          expect((await database.query(text, params)).rows).toEqual([{ state: to }]);
        }
    },
  );
});
