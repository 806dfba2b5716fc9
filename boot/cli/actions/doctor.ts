import { checkVerifiedDomains, type DomainHealth } from '../../../schema/email/domains/domain-health.ts';
import { type Config, ConfigError, findSecret, loadConfig, parseEnvFile } from '../../../src/config.ts';
import { describeUnknownSettings } from '../../../src/config-report.ts';
import { type Database, openDatabase } from '../../../src/db/pool.ts';
import { describeFailure } from '../../../src/describe-failure.ts';
import { createLog } from '../../../src/log.ts';
import { checkInstallation } from '../checks/database.ts';
import {
  buildFailureFinding,
  buildOkFinding,
  buildWarningFinding,
  type Finding,
  runCheck,
} from '../checks/finding.ts';
import { checkMachine } from '../checks/machine.ts';
import { withDatabase } from '../run-on-database.ts';

/** Runs all possible checks, whether or not the server is running. Changes nothing. */
export async function runDoctor(): Promise<Finding[]> {
  const before = { ...process.env };
  const file = parseEnvFile();
  try {
    const config = loadConfig(process.env, ({ dataDir }) => findSecret(dataDir) ?? '');
    const machine = await checkMachine(config);
    return [
      buildSettingsFinding(describeUnknownSettings(before, file)),
      ...machine,
      ...(await checkDatabaseSection()),
    ];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.mistakes.map((mistake) =>
      buildFailureFinding('settings', mistake, 'Correct it in the environment or in .env.'),
    );
  }
}

const buildSettingsFinding = (unknown: string[]): Finding =>
  unknown.length === 0
    ? buildOkFinding('settings', 'all are known and valid')
    : buildWarningFinding(
        'settings',
        `unknown settings: ${unknown.join(', ')}`,
        'Correct the names, or remove them.',
      );

/** If the database is unavailable, returns a single finding with the reason. */
async function checkDatabaseSection(): Promise<Finding[]> {
  try {
    return await withDatabase(async (location) => {
      const db = openDatabase(location.url, createLog(location.config.logLevel, 2), { size: 8 });
      try {
        return [...(await checkInstallation(db, location)), ...(await checkDomains(db, location.config))];
      } finally {
        await db.close();
      }
    });
  } catch (error) {
    const advice = 'Check DATA_DIR and DATABASE_URL, and make sure that PostgreSQL is running.';
    const problem = error instanceof ConfigError ? error.message : describeFailure(error).split('\n')[0]!;
    return [buildFailureFinding('database', problem, advice)];
  }
}

const checkDomains = (db: Database, config: Config): Promise<Finding[]> =>
  runCheck('DNS', 'Run `migrate`, and check that every database node is running.', async () => {
    const domains = await checkVerifiedDomains(db, config);
    return domains.length > 0
      ? domains.map(buildDomainFinding)
      : buildOkFinding('DNS', 'no verified domain has records to check');
  });

function buildDomainFinding({
  name,
  workspace,
  failedRecords,
  isSignedHere,
  holdReason,
}: DomainHealth): Finding {
  const check = `DNS of ${name}`;
  if (failedRecords === null)
    return buildWarningFinding(
      check,
      'the name servers do not respond',
      'Check DNS_SERVERS and the network connection.',
    );
  if (failedRecords.length === 0) return buildOkFinding(check, 'all records are correct');
  const unsigned = holdReason
    ? '; its DMARC policy is reject, so mail waits'
    : '; mail is sent without a DKIM signature';
  const isUnsigned = isSignedHere && failedRecords.includes('dkim');
  const records = failedRecords.map((record) => record.toUpperCase()).join(', ');
  const description = `missing or different: ${records}${isUnsigned ? unsigned : ''}`;
  const advice = `Compare \`domain records ${name} --workspace ${workspace}\` with your DNS zone.`;
  return failedRecords.includes('dkim')
    ? buildFailureFinding(check, description, advice)
    : buildWarningFinding(check, description, advice);
}
