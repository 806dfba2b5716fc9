import { loadConfig, parseEnvFile } from '../../../src/config.ts';
import { listSettings, type SettingReport } from '../../../src/config-report.ts';

/** @throws ConfigError with a line for each invalid setting */
export function showConfig(): SettingReport[] {
  const before = { ...process.env };
  const file = parseEnvFile();
  return listSettings(
    before,
    file,
    loadConfig(process.env, () => ''),
  );
}
