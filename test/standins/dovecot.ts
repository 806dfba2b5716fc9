import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { ImapFlow } from 'imapflow';
import { definePeer } from '../harness/peer.ts';
import { findFreePort } from '../harness/process.ts';
import { until } from '../harness/wait.ts';
import { createSelfSignedCertificate, trustCertificate } from './certificate.ts';

export const PASSWORD = 'secret-of-alice';

/** An IMAP server with the mailbox of a single user, `alice`. */
export interface Dovecot {
  tlsPort: number;
  plainPort: number;
  /** File with the certificate for `localhost`, which this process and the ones that it starts trust. */
  certificateFile: string;
  signIn(): Promise<ImapFlow>;
  /** Adds messages for alice. Creates the folder if necessary. */
  append(folder: string, raws: readonly (string | Buffer)[], flags?: string[], date?: Date): Promise<void>;
  end(): Promise<void>;
}

/** On Debian, the program is only on the administrator's PATH. */
const program: string | null =
  ['dovecot', '/usr/sbin/dovecot'].find((item) => spawnSync(item, ['--version']).status === 0) ?? null;

export const dovecot = definePeer(program, 'dovecot (apt-get install dovecot-imapd)');

const isRoot = process.getuid?.() === 0;
/** Unprivileged user id for the server if the tests run as root. */
const NOBODY_ID = 65_534;

export async function startDovecot(): Promise<Dovecot> {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-dovecot-'));
  const { privateKey, pem } = createSelfSignedCertificate('localhost');
  const [tlsPort, plainPort] = [await findFreePort(), await findFreePort()];
  const files = {
    users: `alice:{PLAIN}${PASSWORD}\n`,
    'key.pem': privateKey.export({ type: 'pkcs8', format: 'pem' }),
    'cert.pem': pem,
    'dovecot.conf': buildSettings(folder, tlsPort, plainPort),
  };
  for (const item of ['run', 'state', 'mail']) mkdirSync(join(folder, item));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  for (const key of ['', 'run', 'state', 'mail', ...Object.keys(files)]) setOwner(join(folder, key));
  const child = spawn(dovecot.module, ['-F', '-c', join(folder, 'dovecot.conf')], {
    ...(isRoot && { uid: NOBODY_ID, gid: NOBODY_ID }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const trusted = getCACertificates('default');
  const distrust = trustCertificate(join(folder, 'cert.pem'));
  const end = async () => {
    distrust();
    setDefaultCACertificates(trusted);
    child.kill();
    await exit;
    rmSync(folder, { recursive: true, force: true });
  };
  await until(() => isListening(plainPort), 'Dovecot listens').catch(async (error) => {
    await end();
    throw new Error(`${error.message}: ${output}`);
  });
  setDefaultCACertificates([...trusted, pem]);
  const signIn = () => connectClient(tlsPort);
  const append: Dovecot['append'] = async (to, raws, flags = [], date) => {
    const client = await signIn();
    await client.mailboxCreate(to).catch(() => undefined);
    for (const raw of raws) await client.append(to, raw, flags, date);
    await client.logout();
  };
  return { tlsPort, plainPort, certificateFile: join(folder, 'cert.pem'), signIn, append, end };
}

async function connectClient(port: number): Promise<ImapFlow> {
  const auth = { user: 'alice', pass: PASSWORD };
  const client = new ImapFlow({ host: 'localhost', port, secure: true, auth, logger: false });
  await client.connect();
  return client;
}

function setOwner(path: string): void {
  if (isRoot) chownSync(path, NOBODY_ID, NOBODY_ID);
  chmodSync(path, 0o700);
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1').on('error', () => resolve(false));
    socket.on('data', () => {
      socket.destroy();
      resolve(true);
    });
  });

function buildSettings(folder: string, tlsPort: number, plainPort: number): string {
  const user = isRoot ? 'nobody' : process.env.USER;
  const group = isRoot ? 'nogroup' : user;
  return `
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/state/log
protocols = imap
listen = 127.0.0.1
ssl = required
ssl_cert = <${folder}/cert.pem
ssl_key = <${folder}/key.pem
default_internal_user = ${user}
default_internal_group = ${group}
default_login_user = ${user}
first_valid_uid = 1
auth_failure_delay = 0
mail_location = maildir:${folder}/mail/%n
passdb {
  driver = passwd-file
  args = scheme=PLAIN username_format=%n ${folder}/users
}
userdb {
  driver = static
  args = uid=${user} gid=${group} home=${folder}/mail/%n
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${plainPort}
  }
  inet_listener imaps {
    port = ${tlsPort}
    ssl = yes
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
namespace inbox {
  inbox = yes
  separator = /
  mailbox Sent {
    special_use = \\Sent
    auto = create
  }
  mailbox Drafts {
    special_use = \\Drafts
    auto = create
  }
}
`;
}
