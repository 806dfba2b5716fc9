import pg from 'pg';
import { expect, test } from 'vitest';
import { GuardedClient } from '../../src/db/outage.ts';

test('keeps the process running after an error on a released or pooled connection', () => {
  const pgClient = new pg.Client({});
  let ends = 0;
  pgClient.on('end', () => {
    ends++;
  });
  pgClient.removeAllListeners();
  pgClient.emit('end');
  expect(ends).toBe(0);
  for (const client of [pgClient, new GuardedClient()])
    expect(client.emit('error', new Error('terminating connection'))).toBe(true);
});
