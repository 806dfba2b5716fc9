import { sql } from '../../src/db/sql.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';

/** A setting of an app in a workspace, kept as the system parameter `app.name`. */
export interface AppSetting {
  /** Technical name, such as `quotation_days`. */
  name: string;
  label: string;
  help: string;
  type: 'boolean' | 'integer' | 'text';
  /** Where a workspace has set nothing. */
  default: boolean | number | string;
  /** Of an integer. */
  least?: number;
  most?: number;
  /** Of a text: the values it may have. */
  choices?: string[];
}

type SettingValue = AppSetting['default'];

/** The key of the system parameter that keeps a setting. */
export const buildSettingKey = (app: string, name: string): string => `${app}.${name}`;

/** The value that the text of a parameter stands for; the default where it is none of the setting. Pure. */
export function parseSettingValue(setting: AppSetting, text: string | null): SettingValue {
  if (text === null) return setting.default;
  if (setting.type === 'boolean') return text === 'True' || text === 'true';
  const value = setting.type === 'integer' ? Number(text) : text;
  return findSettingError(setting, value) === null ? value : setting.default;
}

/** Why a value is none of the setting; null where it is one. Pure. */
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

/** What the workspace has set, or the default. */
export async function settingOf<S extends AppSetting>(
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
