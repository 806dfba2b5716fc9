import type pg from 'pg';
import type { SequenceValue, TableHeader } from './backup-file.ts';

/**
 * Tables whose rows mean nothing in another cluster: changes are named by the numbers of its transactions, and who
 * follows them is asked to read again.
 */
const EXCLUDED_TABLES = ['svc_change'];

/** Statements of COPY that mean the same on every server. */
export const COPY_SETTINGS = `set local datestyle to 'ISO, YMD'; set local intervalstyle to 'postgres';
  set local timezone to 'UTC'; set local bytea_output to 'hex'; set local extra_float_digits to 1;
  set local client_encoding to 'UTF8'; set local statement_timeout to 0; set local lock_timeout to 0;
  set local idle_in_transaction_session_timeout to 0`;

/** Every table with its columns, partitions as part of theirs. Columns that are computed are left to the server. */
export async function loadTableHeaders(client: pg.Client): Promise<TableHeader[]> {
  const { rows } = await client.query<TableHeader>(
    `select c.relname as "table", array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and c.relname <> all($1)
     group by c.relname order by c.relname`,
    [EXCLUDED_TABLES],
  );
  return rows;
}

/** Read after the rows: what a sequence has given since is left free, as after a crash. */
export async function loadSequences(client: pg.Client): Promise<SequenceValue[]> {
  const { rows } = await client.query<{ sequence: string }>(
    `select relname as sequence from pg_class
     where relnamespace = current_schema()::regnamespace and relkind = 'S' order by relname`,
  );
  const values: SequenceValue[] = [];
  for (const { sequence } of rows) {
    const { rows: found } = await client.query(
      `select last_value::text as value, is_called as called from ${quoteIdentifier(sequence)}`,
    );
    values.push({ sequence, ...found[0] });
  }
  return values;
}

export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const joinColumns = ({ columns }: TableHeader): string => columns.map(quoteIdentifier).join(', ');
