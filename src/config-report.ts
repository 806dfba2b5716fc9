import { type Config, environment, isSecretSetting, redactUrlCredentials } from './config.ts';
import { findNearest } from './find-nearest.ts';

/** A setting as shown to an operator. Passwords and keys are replaced by `***`. */
export interface SettingReport {
  setting: string;
  value: string | null;
  from: 'default' | 'environment' | '.env' | 'unknown';
  /** The most similar setting name, if this one is unknown. */
  meant?: string;
}

type Env = Record<string, string | undefined>;

const SETTING_NAMES = Object.keys(environment.shape);

/** Variables in `.env` that other programs or libraries read. */
const FOREIGN_NAMES = /^(?:AWS_|OTEL_|NODE_|PG|POSTGRES_|COMPOSE_|npm_|BACKUP_PASSPHRASE$|TZ$)/;

const SETTING_PREFIXES = new Set(SETTING_NAMES.filter((name) => name.includes('_')).map(getPrefix));

/**
 * Lists every setting with its effective value, then unknown variables that look like settings.
 * @param env the environment without the variables of `.env`; takes precedence over `file`
 */
export function listSettings(
  env: Env,
  file: Env,
  config: Pick<Config, 'publicUrl' | 'dataDir'>,
): SettingReport[] {
  const derivedEnv: Env = { PUBLIC_URL: config.publicUrl, DATA_DIR: config.dataDir };
  // Every setting has a default or is optional.
  const defaults = environment.parse({}) as Record<string, unknown>;
  const settings = SETTING_NAMES.map((setting): SettingReport => {
    const rawValue = env[setting] ?? file[setting];
    if (!rawValue?.trim()) {
      const value = derivedEnv[setting] ?? defaults[setting];
      return { setting, value: value === undefined ? null : String(value), from: 'default' };
    }
    const from = env[setting] === undefined ? '.env' : 'environment';
    const redacted = redactUrlCredentials(derivedEnv[setting] ?? rawValue);
    return { setting, value: isSecretSetting(setting) ? maskUrl(rawValue) : redacted, from };
  });
  return [...settings, ...findUnknownSettings(env, file)];
}

/** Omits the values of unknown variables, which may be secret. */
function findUnknownSettings(env: Env, file: Env): SettingReport[] {
  const isExpectedName = (name: string) => SETTING_NAMES.includes(name) || FOREIGN_NAMES.test(name);
  const names = [...Object.keys(file), ...Object.keys(env).filter(isLikelySetting)];
  return [...new Set(names)]
    .filter((name) => !isExpectedName(name))
    .sort()
    .map((setting) => ({ setting, value: null, from: 'unknown', ...suggestSetting(setting) }));
}

/** Returns a line per unknown setting, with a suggestion if a known name is similar. */
export const describeUnknownSettings = (env: Env, file: Env): string[] =>
  findUnknownSettings(env, file).map(describeUnknownSetting);

const describeUnknownSetting = ({ setting, meant }: Pick<SettingReport, 'setting' | 'meant'>): string =>
  meant ? `${setting} (did you mean ${meant}?)` : setting;

const isLikelySetting = (name: string): boolean =>
  SETTING_PREFIXES.has(getPrefix(name)) ||
  (name.length >= MIN_GUESS_LENGTH && findNearest(name, SETTING_NAMES, 2) !== undefined);

/**
 * Minimum length of a name to suggest a similar one, because unrelated short names, such as HOME and HOST, are often
 * similar.
 */
const MIN_GUESS_LENGTH = 7;

function suggestSetting(name: string): { meant?: string } {
  const suggestion = findNearest(name, SETTING_NAMES, Math.ceil(name.length / 4));
  return suggestion ? { meant: suggestion } : {};
}

function getPrefix(name: string): string {
  return name.split('_')[0]!;
}

const MASK = '***';

/** Masks the password and the query of a URL. Masks the whole value if it is not a URL. */
function maskUrl(value: string): string {
  if (!URL.canParse(value)) return MASK;
  const url = new URL(value);
  if (url.password) url.password = MASK;
  if (url.search) url.search = MASK;
  return url.href;
}
