import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { definePeer } from '../harness/peer.ts';
import { findFreePort } from '../harness/process.ts';
import { until } from '../harness/wait.ts';

export const RELAY_MODES = ['lmtp', 'lmtp-xforward', 'smtp', 'smtp-xforward'] as const;
export type RelayMode = (typeof RELAY_MODES)[number];

/** A relay on loopback for mail to `main.test`. Clients on loopback can set their address with XCLIENT. */
export interface Postfix {
  ports: Record<RelayMode, number>;
  end(): Promise<void>;
}

const PROGRAM = '/usr/lib/postfix/sbin/master';

export const postfix = definePeer(
  existsSync(PROGRAM) && process.getuid?.() === 0 ? PROGRAM : null,
  'Postfix (apt-get install postfix), which only root can start',
);

export async function startPostfix(to: { port: number; lmtpPort: number }): Promise<Postfix> {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-postfix-'));
  chmodSync(folder, 0o755);
  for (const item of ['etc', 'queue', 'data', ...QUEUES.map((queue) => `queue/${queue}`)]) {
    mkdirSync(join(folder, item));
    if (item.includes('/') || item === 'data')
      chownSync(join(folder, item), getAccountId('-u'), getAccountId('-g'));
  }
  mkdirSync(join(folder, 'queue/pid'));
  const ports = Object.fromEntries(
    await Promise.all(RELAY_MODES.map(async (mode) => [mode, await findFreePort()])),
  ) as Postfix['ports'];
  writeFileSync(join(folder, 'etc/main.cf'), buildMainConfig(folder));
  writeFileSync(join(folder, 'etc/master.cf'), buildMasterConfig(ports, to));
  // The master kills its process group on exit, so it needs a separate one.
  const child = spawn(postfix.module, ['-d', '-c', join(folder, 'etc')], { detached: true, stdio: 'ignore' });
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const end = async () => {
    child.kill();
    await exit;
    rmSync(folder, { recursive: true, force: true });
  };
  const log = join(folder, 'log');
  await until(
    () => existsSync(log) && readFileSync(log, 'utf8').includes('daemon started'),
    'Postfix runs',
  ).catch(async (error) => {
    await end();
    throw error;
  });
  return { ports, end };
}

const QUEUES = [
  ...['active', 'bounce', 'corrupt', 'defer', 'deferred', 'flush', 'hold', 'incoming', 'maildrop'],
  ...['private', 'public', 'saved', 'trace'],
];

const getAccountId = (option: '-u' | '-g'): number => Number(execFileSync('id', [option, 'postfix']));

const buildMainConfig = (folder: string): string => `
compatibility_level = 3.6
queue_directory = ${folder}/queue
data_directory = ${folder}/data
maillog_file = ${folder}/log
maillog_file_prefixes = ${folder}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = relay.test
mydestination =
relay_domains = main.test
relay_recipient_maps =
alias_maps =
alias_database =
mynetworks = 127.0.0.1
disable_dns_lookups = yes
smtpd_peername_lookup = no
smtpd_authorized_xclient_hosts = 127.0.0.1
smtpd_relay_restrictions = permit_mynetworks, reject_unauth_destination
fast_flush_domains =
`;

function buildMasterConfig(
  ports: Postfix['ports'],
  { port, lmtpPort }: { port: number; lmtpPort: number },
): string {
  const ways = RELAY_MODES.map((mode) => {
    const protocol = mode.startsWith('lmtp') ? 'lmtp' : 'smtp';
    const target = `${mode}:[127.0.0.1]:${protocol === 'lmtp' ? lmtpPort : port}`;
    const isForwarding = mode.endsWith('xforward') ? 'yes' : 'no';
    return `
127.0.0.1:${ports[mode]} inet n - n - - smtpd -o content_filter=${target}
${mode} unix - - n - - ${protocol} -o ${protocol}_send_xforward_command=${isForwarding}`;
  });
  return `
postlog unix-dgram n - n - 1 postlogd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
proxymap unix - - n - - proxymap
anvil unix - - n - 1 anvil${ways.join('')}
`;
}
