import type { Database } from '../../src/db/pool.ts';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';

/** Returns the statements that run in `fn` and contain `mark`. If set, `instead` replaces their execution. */
export async function captureStatements(
  { db }: Runtime,
  mark: string,
  fn: () => Promise<void>,
  instead?: () => Promise<never[]>,
): Promise<string[]> {
  const { rows, transaction } = db;
  const statements: string[] = [];
  const capture =
    (run: Database['rows']): Database['rows'] =>
    (statement, running) => {
      const { text } = statement.render();
      if (!text.includes(mark)) return run(statement, running);
      statements.push(text);
      return instead ? instead() : run(statement, running);
    };
  db.rows = capture(rows);
  db.transaction = (run, stoppable) => transaction((tx) => run({ ...tx, rows: capture(tx.rows) }), stoppable);
  try {
    await fn();
  } finally {
    Object.assign(db, { rows, transaction });
  }
  return statements;
}
