interface MigrationRisks {
  /** Required columns without a default. Adding them fails if the table has rows. */
  unfilled: string[];
  /** Columns and tables whose data is deleted. */
  lost: string[];
}

const ALTER = /^ALTER TABLE ("[^"]+")\s([^;]*)/gm;
const NEW_COLUMN = /\bADD COLUMN\s+("[^"]+")\s+([^;]*?)(?=,\s*(?:ADD|DROP|ALTER)\b|$)/g;
const OLD_COLUMN = /\bDROP COLUMN\s+("[^"]+")/g;
const OLD_TABLE = /^DROP TABLE\s+("[^"]+")/gm;

/** Expects the format of Prisma's engine, with each statement at the start of a line. */
export function findMigrationRisks(sql: string): MigrationRisks {
  const risks: MigrationRisks = { unfilled: [], lost: [] };
  for (const [, table, actions] of sql.matchAll(ALTER)) {
    for (const [, column, type] of actions!.matchAll(NEW_COLUMN))
      if (/\bNOT NULL\b/.test(type!) && !/\bDEFAULT\b|SERIAL\b/.test(type!))
        risks.unfilled.push(`${table}.${column}`);
    for (const [, column] of actions!.matchAll(OLD_COLUMN)) risks.lost.push(`${table}.${column}`);
  }
  for (const [, table] of sql.matchAll(OLD_TABLE)) risks.lost.push(table!);
  return risks;
}

export const formatWarnings = ({ unfilled, lost }: MigrationRisks): string[] => [
  ...unfilled.map(
    (column) =>
      `warning: ${column} is NOT NULL without a default: this fails where the table has rows. Give it a ` +
      `@default, or make it optional.`,
  ),
  ...lost.map(
    (column) =>
      `warning: ${column} is dropped with its data. Was it renamed? Then write ALTER TABLE … RENAME in place of ` +
      `the DROP and the ADD.`,
  ),
];
