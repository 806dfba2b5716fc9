import { run } from './process.ts';
import type { Stage } from './stage.ts';

async function runCli({ dataDir }: Stage, ...args: string[]): Promise<string> {
  const command = run('boot/cli.mjs', args, { DATA_DIR: dataDir, LOG_LEVEL: 'fatal' });
  await new Promise((resolve) => command.child.once('close', resolve));
  return command.output();
}

/**
 * Creates another workspace.
 * @param options options for `workspace create`
 * @returns an administrator's API key
 */
export async function createWorkspaceKey(stage: Stage, slug: string, ...options: string[]): Promise<string> {
  await runCli(stage, 'workspace', 'create', slug, ...options);
  const user = ['user', 'create', 'reader', '--workspace', slug, '--admin'];
  await runCli(stage, ...user, '--password', 'a long password');
  const output = await runCli(stage, 'key', 'create', '--workspace', slug, '--user', 'reader');
  return /uk_[0-9a-z]{10}_[0-9a-f]{32}/.exec(output)![0];
}
