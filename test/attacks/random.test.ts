import { beforeAll, expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { fingerprintWorkspace, loadRows } from '../rights/scene.ts';
import type { Material } from './arguments.ts';
import { createDice, type Dice } from './dice.ts';
import { findFaults, findVisibleWords, type ShotResponse } from './oracle.ts';
import { type AttackRequest, createRestMaker, loadOperations, MAKERS, type RequestMaker } from './shots.ts';
import { type Attacker, type AttackStage, buildStage } from './world.ts';

// Random callers with all kinds of keys, in two workspaces, call random methods with random arguments over every
// protocol. Arguments match the declared types or come from a dictionary of hostile values. The test checks that no
// response contains a word planted in data that the caller may not see, that no other callers' rows change, that
// nothing fails unexpectedly, and that no request blocks the process for a second. Fix each finding together with a
// separate test.
//   ATTACK_SECONDS=14400 npx vitest run test/attacks/random.test.ts     four hours; after a change to rights or rules
//   ATTACK_SEED=1892796706 npx vitest run test/attacks/random.test.ts   the attacks of a run that failed

const SECONDS = Number(process.env.ATTACK_SECONDS ?? 60);
const SEED = Number(process.env.ATTACK_SEED ?? Math.floor(Math.random() * 2 ** 31));
/** Seconds after which the workspaces are recreated, because the attacks change and delete much of them. */
const ROUND = 30;

const app = setUpApp();
let rest: ReturnType<typeof createRestMaker>;
const logged: unknown[] = [];

beforeAll(async () => {
  rest = createRestMaker(await loadOperations(app));
  app.runtime.log.error = ((...args: unknown[]) => logged.push(args)) as typeof app.runtime.log.error;
});

test(
  `finds no leak in ${SECONDS} seconds of random attacks (seed ${SEED})`,
  async () => {
    const tally = new Tally();
    const faults: string[] = [];
    const end = Date.now() + SECONDS * 1_000;
    for (let round = 0; Date.now() < end && faults.length === 0; round++) {
      const dice = createDice(SEED + round);
      const stage = await buildStage(app, dice, `here-${round}`);
      const otherStage = await buildStage(app, dice, `there-${round}`);
      const half = Math.max(2_000, Math.min(ROUND * 500, (end - Date.now()) / 2));
      for (const strong of [false, true])
        faults.push(
          ...(await runAttack(
            dice,
            { here: stage, there: otherStage, strong, until: Date.now() + half },
            tally,
          )),
        );
    }
    process.stdout.write(`${tally}\n`);
    expect(faults.slice(0, 20), `ATTACK_SEED=${SEED}`).toEqual([]);
    tally.checkReach();
  },
  SECONDS * 1_000 + 600_000,
);

interface Phase {
  here: AttackStage;
  there: AttackStage;
  /** True if the attackers may change nearly everything in their own workspace. */
  strong: boolean;
  until: number;
}

/** @returns the violations */
async function runAttack(dice: Dice, phase: Phase, tally: Tally): Promise<string[]> {
  const { here, there, strong, until } = phase;
  const before = await fingerprintWorkspace(app, there.tenant);
  const loadGuarded = () => loadGuardedRows(here);
  const guardedResult = await loadGuarded();
  const attackers = new Set(strong ? here.strong : here.weak);
  const words = [...here.planted, ...there.planted];
  const faults: string[] = [];
  for (let number = 0; Date.now() < until && faults.length < 10 && attackers.size > 0; number++) {
    const maker = dice.pick([...MAKERS, rest]);
    const attacker = pickAttacker(dice, [...attackers], maker);
    const shot = maker.make(app, await loadMaterial(dice, here, there), attacker);
    const response = await fireShot(shot);
    tally.add(shot, response, findVisibleWords(attacker, shot, response, words));
    const foundFaults = findFaults(attacker, shot, response, words);
    // The attacker has revoked its own key or archived itself.
    if (response.status === 401 && shot.facade === 'json2' && !attacker.isDead) attackers.delete(attacker);
    if (!strong && number % 100 === 99 && (await loadGuarded()) !== guardedResult)
      foundFaults.push('a guarded row was changed by now');
    faults.push(
      ...foundFaults.map(
        (fault) => `${fault}: ${attacker.name} ${JSON.stringify(shot)} ${response.text.slice(0, 600)}`,
      ),
    );
  }
  if (!strong && (await loadGuarded()) !== guardedResult) faults.push('a guarded row was changed');
  const after = await fingerprintWorkspace(app, there.tenant);
  // These tables are updated asynchronously and contain no workspace data.
  for (const table of Object.keys(before).filter((name) => !['svc_due', 'svc_session_use'].includes(name)))
    if (after[table] !== before[table]) faults.push(`${table} of another workspace was changed`);
  return faults;
}

function pickAttacker(dice: Dice, attackers: Attacker[], { admits }: RequestMaker): Attacker {
  const fittingAttackers = attackers.filter((attacker) => !attacker.isDead && admits(attacker));
  return dice.pick(fittingAttackers.length > 0 && !dice.once(10) ? fittingAttackers : attackers);
}

async function loadGuardedRows({ tenant, guarded }: AttackStage): Promise<string> {
  const tables = new Set(guarded.map(([table]) => table));
  const ids = new Map(
    [...tables].map((table) => [
      table,
      guarded.flatMap(([tableName, id]) => (tableName === table ? [id] : [])),
    ]),
  );
  const dangers: string[] = [];
  for (const table of tables) {
    const rows = JSON.parse(await loadRows(app, tenant, table))[1] as { row: string }[];
    dangers.push(...rows.map(({ row }) => row).filter((row) => ids.get(table)!.includes(JSON.parse(row).id)));
  }
  return dangers.join('\n');
}

async function loadMaterial(dice: Dice, stage: AttackStage, otherStage: AttackStage): Promise<Material> {
  const workspace = await app.runtime.identity.workspace(stage.tenant.slug);
  const models = [...new Set([...Object.keys(stage.ids), ...Object.keys(otherStage.ids)])];
  return {
    dice,
    registry: workspace!.catalog.registry,
    ids: Object.fromEntries(
      models.map((model) => [model, [...(stage.ids[model] ?? []), ...(otherStage.ids[model] ?? [])]]),
    ),
    publicIds: [...stage.publicIds, ...otherStage.publicIds],
  };
}

/** The process runs nothing else, so the time on its main thread is the latency that others would see. */
async function fireShot(shot: AttackRequest): Promise<ShotResponse> {
  const failedCount = logged.length;
  const [startTime, { user, system }] = [Date.now(), process.threadCpuUsage()];
  // The server may close a kept connection just as it is reused (RFC 9112, 9.3.1).
  const { status, text } = await sendShot(shot).catch(() => sendShot(shot).catch(toFailedResponse));
  const used = process.threadCpuUsage({ user, system });
  return {
    status,
    text,
    ms: Date.now() - startTime,
    busyMs: (used.user + used.system) / 1_000,
    unexpected: logged.slice(failedCount),
  };
}

async function sendShot({
  path,
  method,
  headers,
  body,
}: AttackRequest): Promise<Pick<ShotResponse, 'status' | 'text'>> {
  const response = await fetch(app.url + path, { method, headers, body, redirect: 'manual' });
  return { status: response.status, text: await response.text() };
}

const toFailedResponse = ({ message, cause }: Error) => ({ status: 0, text: `${message}: ${cause}` });

class Tally {
  /** Planted words returned to callers who may see them. */
  readonly #seen = new Set<string>();
  readonly #counts = new Map<string, { shots: number; done: number; slowest: number; busiest: number }>();

  add({ facade }: AttackRequest, { status, text, ms, busyMs }: ShotResponse, words: string[]): void {
    for (const word of words) this.#seen.add(word);
    const line = this.#counts.get(facade) ?? { shots: 0, done: 0, slowest: 0, busiest: 0 };
    line.shots++;
    if (status >= 200 && status < 300 && !/"errors?":|<fault>|"isError":true/.test(text)) line.done++;
    line.slowest = Math.max(line.slowest, ms);
    line.busiest = Math.max(line.busiest, Math.round(busyMs));
    this.#counts.set(facade, line);
  }

  /** A run whose attacks all fail at authentication would prove nothing. */
  checkReach(): void {
    expect(this.#seen.size).toBeGreaterThan(10);
    for (const facade of ['json2', 'graphql', 'jsonrpc', 'xmlrpc', 'mcp', 'rest', 'files', 'call_kw'])
      expect([facade, this.#counts.get(facade)?.done]).toEqual([
        facade,
        expect.toSatisfy((done) => done > 0),
      ]);
  }

  toString(): string {
    const lines = [...this.#counts].map(
      ([facade, { shots, done, slowest, busiest }]) =>
        `  ${facade}: ${shots} shots, ${done} answered, slowest ${slowest} ms, busiest ${busiest} ms`,
    );
    return [
      `attacks with seed ${SEED}, ${this.#seen.size} planted words seen by those who may`,
      ...lines,
    ].join('\n');
  }
}
