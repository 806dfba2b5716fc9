import type pg from 'pg';
import type { SequenceValue, TableHeader } from './backup-file.ts';

/**
 * Tables whose rows are valid only in their own cluster. `svc_change` is keyed by transaction ids. Its subscribers are
 * told to reload.
 */
const EXCLUDED_TABLES = ['svc_change'];

/** Transaction settings that make COPY text portable between servers and disable timeouts. */
export const COPY_SETTINGS = `set local datestyle to 'ISO, YMD'; set local intervalstyle to 'postgres';
  set local timezone to 'UTC'; set local bytea_output to 'hex'; set local extra_float_digits to 1;
  set local client_encoding to 'UTF8'; set local statement_timeout to 0; set local lock_timeout to 0;
  set local idle_in_transaction_session_timeout to 0`;

/** Excludes partitions, whose rows are read through the parent table, and generated columns. */
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

/**
 * Loads the current values of all sequences. Must run after the rows are read, so that no sequence is behind the rows.
 * Values assigned between the two reads are skipped, as after a crash.
 */
export async function loadSequences(client: pg.Client): Promise<SequenceValue[]> {
  const { rows } = await client.query<{ sequence: string }>(
    `select relname as sequence from pg_class
     where relnamespace = current_schema()::regnamespace and relkind = 'S' order by relname`,
  );
  const values: SequenceValue[] = [];
  for (const { sequence } of rows) {
    const { rows: sequenceRows } = await client.query(
      `select last_value::text as value, is_called as called from ${quoteIdentifier(sequence)}`,
    );
    values.push({ sequence, ...sequenceRows[0] });
  }
  return values;
}

export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const joinColumns = ({ columns }: TableHeader): string => columns.map(quoteIdentifier).join(', ');
