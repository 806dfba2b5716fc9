import type { App } from '../harness/app.ts';

/**
 * Makes Postgres undo the next `times` statements that change `table`, with an error as it has when others were in the
 * way. Counted by a sequence, which no rollback takes back. Gives what ends it and tells how often the table was tried.
 */
export async function provokeErrors(
  app: App,
  table: string,
  code: string,
  times: number,
): Promise<() => Promise<number>> {
  const { pool } = app.runtime.db;
  await pool.query(`
    create sequence provoked;
    create function provoke() returns trigger language plpgsql as $$
    begin
      if nextval('provoked') <= ${times} then raise exception 'provoked' using errcode = '${code}'; end if;
      return null;
    end $$;
    create trigger provoke after insert or update or delete on "${table}" for each statement execute function provoke();`);
  return async () => {
    const { rows } = await pool.query<{ n: string }>(
      'select case when is_called then last_value else 0 end as n from provoked',
    );
    await pool.query(`drop trigger provoke on "${table}"; drop function provoke(); drop sequence provoked;`);
    return Number(rows[0]!.n);
  };
}
