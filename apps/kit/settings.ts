import { sql } from '../../src/db/sql.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';

/** A setting of an app in a workspace, stored as the system parameter `app.name`. */
export interface AppSetting {
  /** Technical name, such as `quotation_days`. */
  name: string;
  label: string;
  help: string;
  type: 'boolean' | 'integer' | 'text';
  /** Value in workspaces that have not set one. */
  default: boolean | number | string;
  least?: number;
  most?: number;
  choices?: string[];
}

type SettingValue = AppSetting['default'];

export const buildSettingKey = (app: string, name: string): string => `${app}.${name}`;

/** Parses a stored parameter value. Returns the default if it is null or invalid. */
export function parseSettingValue(setting: AppSetting, text: string | null): SettingValue {
  if (text === null) return setting.default;
  if (setting.type === 'boolean') return text === 'True' || text === 'true';
  const value = setting.type === 'integer' ? Number(text) : text;
  return findSettingError(setting, value) === null ? value : setting.default;
}

/** Returns the reason why a value is invalid for the setting, or null if it is valid. */
export function findSettingError({ type, least, most, choices }: AppSetting, value: unknown): string | null {
  if (type === 'boolean') return typeof value === 'boolean' ? null : 'true or false is needed';
  if (type === 'text') {
    if (typeof value !== 'string') return 'text is needed';
    return choices && !choices.includes(value) ? `one of ${choices.join(', ')} is needed` : null;
  }
  if (!Number.isInteger(value)) return 'a whole number is needed';
  if (least !== undefined && (value as number) < least) return `at least ${least} is needed`;
  return most !== undefined && (value as number) > most ? `at most ${most} is taken` : null;
}

export async function loadSetting<S extends AppSetting>(
  ctx: Ctx,
  app: string,
  setting: S,
): Promise<S['default']> {
  const [row] = await ctx.db.rows<{ value: string }>(
    sql`select value from ir_config_parameter
     where workspace_id = ${ctx.workspace.id} and key = ${buildSettingKey(app, setting.name)}`,
  );
  return parseSettingValue(setting, row?.value ?? null);
}
