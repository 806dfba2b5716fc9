import { envFile, loadConfig } from '../../../src/config.ts';
import { type ShownSetting, shownSettings } from '../../../src/config-shown.ts';

/** @throws ConfigError, a line for each mistake */
export function configShown(): ShownSetting[] {
  const before = { ...process.env };
  const file = envFile();
  return shownSettings(
    before,
    file,
    loadConfig(process.env, () => ''),
  );
}
