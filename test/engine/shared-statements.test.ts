import { expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { shareByStatement } from '../../src/engine/ctx/batcher.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';

const ctx = { runtime: {} } as Ctx;
const buildSelect = (name: string, length = 0) => sql`select ${sql.id(name)}${sql.raw(' '.repeat(length))}`;
const share = (name: string, length?: number) => shareByStatement(ctx, buildSelect(name, length), () => ({}));

test('forgets shared statements when their texts become too long', () => {
  const first = share('first');
  for (let i = 0; i < 100; i++) share(`short ${i}`);
  expect(share('first')).toBe(first);
  for (let i = 0; i < 100; i++) share(`long ${i}`, 100_000);
  expect(share('first')).not.toBe(first);
});
