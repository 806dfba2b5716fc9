import { type Config, environment, isSecret, withoutUsers } from './config.ts';
import { nearestOf } from './nearest.ts';

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
    const shown = withoutUsers(derived[setting] ?? given);
    return { setting, value: isSecret(setting) ? masked(given) : shown, from };
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
  BEGINNINGS.has(beginningOf(name)) || (name.length >= LONG && nearestOf(name, NAMES, 2) !== undefined);

/** Shorter names of others, such as HOME and HOST, resemble each other. */
const LONG = 7;

function guessOf(name: string): { meant?: string } {
  const meant = nearestOf(name, NAMES, Math.ceil(name.length / 4));
  return meant ? { meant } : {};
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
