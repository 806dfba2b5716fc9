import type { App } from '../harness/app.ts';

/**
 * Makes PostgreSQL fail the next `times` statements that change `table` with a conflict error. A sequence counts them,
 * because rollbacks do not reset it.
 * @returns a function that restores the table and returns the number of attempts
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
