import type { Runtime } from '../../src/engine/ctx/runtime.ts';

/** Returns the statements that run in `fn` and contain `mark`. If set, `instead` replaces their execution. */
export async function captureStatements(
  { db }: Runtime,
  mark: string,
  fn: () => Promise<void>,
  instead?: () => Promise<never[]>,
): Promise<string[]> {
  const { rows } = db;
  const statements: string[] = [];
  db.rows = (statement, running) => {
    const { text } = statement.render();
    if (!text.includes(mark)) return rows(statement, running);
    statements.push(text);
    return instead ? instead() : rows(statement, running);
  };
  try {
    await fn();
  } finally {
    db.rows = rows;
  }
  return statements;
}
