import { type Config, environment, isSecret } from './config.ts';

/** A setting as an operator may see it: passwords and keys are `***`. */
export interface ShownSetting {
  setting: string;
  /** null: it has no value. */
  value: string | null;
  from: 'default' | 'environment' | '.env' | 'unknown';
  /** Of an unknown one: the setting whose name is nearest. */
  meant?: string;
}

type Env = Record<string, string | undefined>;

const NAMES = Object.keys(environment.shape);

/** Variables of `.env` that others than `src/config.ts` read. */
const OF_OTHERS = /^(?:AWS_|OTEL_|NODE_|PG|POSTGRES_|COMPOSE_|npm_|BACKUP_PASSPHRASE$|TZ$)/;

/** How settings begin: an environment has many variables of others, which do not. */
const BEGINNINGS = new Set(NAMES.filter((name) => name.includes('_')).map(beginningOf));

/**
 * Every setting with what is in effect, then what looks like one and is none. Pure.
 * @param env the environment before `.env` was read, which takes precedence over the `file`
 */
export function shownSettings(
  env: Env,
  file: Env,
  config: Pick<Config, 'publicUrl' | 'dataDir'>,
): ShownSetting[] {
  const derived: Env = { PUBLIC_URL: config.publicUrl, DATA_DIR: config.dataDir };
  // Each has a default or may be missing.
  const defaults = environment.parse({}) as Record<string, unknown>;
  const known = NAMES.map((setting): ShownSetting => {
    const given = env[setting] ?? file[setting];
    if (!given?.trim()) {
      const value = derived[setting] ?? defaults[setting];
      return { setting, value: value === undefined ? null : String(value), from: 'default' };
    }
    const from = env[setting] === undefined ? '.env' : 'environment';
    return { setting, value: isSecret(setting) ? masked(given) : (derived[setting] ?? given), from };
  });
  return [...known, ...unknownSettings(env, file)];
}

/** What looks like a setting and is none, without its value: it may be a secret. Pure. */
function unknownSettings(env: Env, file: Env): ShownSetting[] {
  const others = (name: string) => NAMES.includes(name) || OF_OTHERS.test(name);
  const names = [...Object.keys(file), ...Object.keys(env).filter(looksLikeOurs)];
  return [...new Set(names)]
    .filter((name) => !others(name))
    .sort()
    .map((setting) => ({ setting, value: null, from: 'unknown', ...guessOf(setting) }));
}

/** A line for each of them, with what may have been meant. Pure. */
export const unknownLines = (env: Env, file: Env): string[] => unknownSettings(env, file).map(unknownLine);

const unknownLine = ({ setting, meant }: Pick<ShownSetting, 'setting' | 'meant'>): string =>
  meant ? `${setting} (did you mean ${meant}?)` : setting;

const looksLikeOurs = (name: string): boolean =>
  BEGINNINGS.has(beginningOf(name)) || (name.length >= LONG && nearest(name, 2) !== undefined);

/** Shorter names of others, such as HOME and HOST, resemble each other. */
const LONG = 7;

function guessOf(name: string): { meant?: string } {
  const meant = nearest(name, Math.ceil(name.length / 4));
  return meant ? { meant } : {};
}

/** The setting that takes the fewest changes to reach, `most` at most. */
function nearest(name: string, most: number): string | undefined {
  const [best] = NAMES.map((known) => ({ known, changes: changesBetween(name, known) }))
    .filter(({ changes }) => changes <= most)
    .sort((a, b) => a.changes - b.changes);
  return best?.known;
}

/** Letters to add, take away, replace or swap with the next one (Damerau-Levenshtein, restricted). */
function changesBetween(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        rows[i - 1]![j]! + 1,
        row[j - 1]! + 1,
        rows[i - 1]![j - 1]! + same,
        swapped ? rows[i - 2]![j - 2]! + 1 : Infinity,
      );
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}

function beginningOf(name: string): string {
  return name.split('_')[0]!;
}

const MASK = '***';

/** An address without its password and parameters; anything else not at all. Pure. */
function masked(value: string): string {
  if (!URL.canParse(value)) return MASK;
  const url = new URL(value);
  if (url.password) url.password = MASK;
  if (url.search) url.search = MASK;
  return url.href;
}
