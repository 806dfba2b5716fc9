import { type Sql, sql } from '../../../src/db/sql.ts';
import { computeKeyedHash } from '../../../src/engine/value/keys.ts';

/** Columns covered by each log's hash chain. */
export const CHAINED_LOGS = {
  svc_audit_event: ['user_id', 'channel', 'event', 'success', 'error', 'summary', 'request_id'],
  svc_mcp_log: [
    ...[
      'user_id',
      'tool',
      'model_name',
      'method',
      'success',
      'error',
      'summary',
      'record_count',
      'duration_ms',
    ],
    ...['request_id', 'agent_id', 'client_name', 'revision', 'outcome', 'undo_token'],
  ],
} as const;

export type ChainedLog = keyof typeof CHAINED_LOGS;

/** A block in a log's hash chain. Instants are in PostgreSQL's text format. */
export interface AuditBlock {
  number: number;
  after: string | null;
  since: string;
  until: string;
  lines: number;
  digest: string;
  before: string;
  hash: string;
}

export const BLOCK_COLUMNS: Sql = sql`number, after::text, since::text, until::text, lines, digest, before, hash`;

/** An attacker without the secret key cannot compute a matching hash for changed entries. */
export const computeBlockHash = (
  secretKey: string,
  workspaceId: number,
  log: ChainedLog,
  { number, after, since, until, lines, digest, before }: Omit<AuditBlock, 'hash'>,
): string =>
  computeKeyedHash(
    secretKey,
    JSON.stringify(['audit block', workspaceId, log, number, after, since, until, lines, digest, before]),
  );

export function selectDigest(log: ChainedLog, where: Sql): Sql {
  const columns = sql.join(['id', 'create_date', ...CHAINED_LOGS[log]].map((name) => sql.id('l', name)));
  return sql`select count(*)::int as lines, min(l.create_date)::text as since,
      encode(sha256(convert_to(coalesce(string_agg(json_build_array(${columns})::text, chr(10)
        order by l.create_date, l.id), ''), 'UTF8')), 'hex') as digest
    from ${sql.id(log)} l where ${where}`;
}
