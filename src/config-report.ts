import { type Config, environment, isSecret, redactUsers } from './config.ts';
import { findNearest } from './find-nearest.ts';

/** A setting as an operator may see it: passwords and keys are `***`. */
export interface SettingReport {
  setting: string;
  /** null: it has no value. */
  value: string | null;
  from: 'default' | 'environment' | '.env' | 'unknown';
  /** Of an unknown one: the setting whose name is nearest. */
  meant?: string;
}

type Env = Record<string, string | undefined>;

const SETTING_NAMES = Object.keys(environment.shape);

/** Variables of `.env` that others than `src/config.ts` read. */
const FOREIGN_NAMES = /^(?:AWS_|OTEL_|NODE_|PG|POSTGRES_|COMPOSE_|npm_|BACKUP_PASSPHRASE$|TZ$)/;

/** How settings begin: an environment has many variables of others, which do not. */
const SETTING_PREFIXES = new Set(SETTING_NAMES.filter((name) => name.includes('_')).map(getPrefix));

/**
 * Every setting with what is in effect, then what looks like one and is none. Pure.
 * @param env the environment before `.env` was read, which takes precedence over the `file`
 */
export function listSettings(
  env: Env,
  file: Env,
  config: Pick<Config, 'publicUrl' | 'dataDir'>,
): SettingReport[] {
  const derived: Env = { PUBLIC_URL: config.publicUrl, DATA_DIR: config.dataDir };
  // Each has a default or may be missing.
  const defaults = environment.parse({}) as Record<string, unknown>;
  const known = SETTING_NAMES.map((setting): SettingReport => {
    const given = env[setting] ?? file[setting];
    if (!given?.trim()) {
      const value = derived[setting] ?? defaults[setting];
      return { setting, value: value === undefined ? null : String(value), from: 'default' };
    }
    const from = env[setting] === undefined ? '.env' : 'environment';
    const shown = redactUsers(derived[setting] ?? given);
    return { setting, value: isSecret(setting) ? maskUrl(given) : shown, from };
  });
  return [...known, ...findUnknownSettings(env, file)];
}

/** What looks like a setting and is none, without its value: it may be a secret. Pure. */
function findUnknownSettings(env: Env, file: Env): SettingReport[] {
  const others = (name: string) => SETTING_NAMES.includes(name) || FOREIGN_NAMES.test(name);
  const names = [...Object.keys(file), ...Object.keys(env).filter(isLikelySetting)];
  return [...new Set(names)]
    .filter((name) => !others(name))
    .sort()
    .map((setting) => ({ setting, value: null, from: 'unknown', ...suggestSetting(setting) }));
}

/** A line for each of them, with what may have been meant. Pure. */
export const describeUnknownSettings = (env: Env, file: Env): string[] =>
  findUnknownSettings(env, file).map(describeUnknownSetting);

const describeUnknownSetting = ({ setting, meant }: Pick<SettingReport, 'setting' | 'meant'>): string =>
  meant ? `${setting} (did you mean ${meant}?)` : setting;

const isLikelySetting = (name: string): boolean =>
  SETTING_PREFIXES.has(getPrefix(name)) ||
  (name.length >= MIN_GUESS_LENGTH && findNearest(name, SETTING_NAMES, 2) !== undefined);

/** Shorter names of others, such as HOME and HOST, resemble each other. */
const MIN_GUESS_LENGTH = 7;

function suggestSetting(name: string): { meant?: string } {
  const meant = findNearest(name, SETTING_NAMES, Math.ceil(name.length / 4));
  return meant ? { meant } : {};
}

function getPrefix(name: string): string {
  return name.split('_')[0]!;
}

const MASK = '***';

/** An address without its password and parameters; anything else not at all. Pure. */
function maskUrl(value: string): string {
  if (!URL.canParse(value)) return MASK;
  const url = new URL(value);
  if (url.password) url.password = MASK;
  if (url.search) url.search = MASK;
  return url.href;
}
