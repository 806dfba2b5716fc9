import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { createCache } from '../../../src/cache.ts';
import type { Config } from '../../../src/config.ts';
import type { Db } from '../../../src/db/db.ts';
import { sql } from '../../../src/db/sql.ts';

// Anyone can forge a bounce report, so a report is accepted only with a secret that was sent with the email. The
// Message-ID is not secret: it is in the message and in every reply. Relays and recipients can see the return path;
// only servers can see the envelope id (RFC 3461).

interface ReturnAddress {
  /** Envelope sender, which delivers to the sender's mailbox. */
  returnPath: string;
  envelopeId: string;
}

/** Returns null if reports to the sender's address do not reach this installation. */
export type ReturnPaths = (
  workspaceId: number,
  emailId: number,
  from: string,
) => Promise<ReturnAddress | null>;

const CACHE_AGE_MS = 60_000;
const MAX_CACHED_SENDERS = 1_000;
/** RFC 5321 4.5.3.1.1 */
const MAX_LOCAL_PART_LENGTH = 64;

/** Returns null for transports without return paths. */
export function createReturnPaths(db: Db, config: Config): ReturnPaths | null {
  if (config.mailTransport !== 'smtp' || !config.takesBounces) return null;
  const cachedSenders = createCache<string, Promise<boolean>>({
    entries: MAX_CACHED_SENDERS,
    age: CACHE_AGE_MS,
  });
  return async (workspaceId, emailId, from) => {
    const name = `${workspaceId} ${from}`;
    const isOurs = await cachedSenders.getOrCreate(name, () => {
      const mailboxCheck = isMailbox(db, workspaceId, from);
      mailboxCheck.catch(() => cachedSenders.delete(name));
      return mailboxCheck;
    });
    return isOurs ? buildReturnAddress(config, workspaceId, emailId, from) : null;
  };
}

async function isMailbox(db: Db, workspaceId: number, from: string): Promise<boolean> {
  const address = from.toLowerCase();
  const untaggedAddress = address.replace(/\+[^@]*@/, '@');
  const all = [address, untaggedAddress, address.slice(address.lastIndexOf('@'))];
  const rows = await db.rows(
    sql`select 1 from svc_mail_address d
     join svc_mail_account a on a.workspace_id = ${workspaceId} and a.id = d.account_id and a.active
     where d.workspace_id = ${workspaceId} and d.address = any(${all}::text[]) limit 1`,
  );
  return rows.length > 0;
}

/** @returns null if the local part would be too long */
export function buildReturnAddress(
  config: Pick<Config, 'secretKey'>,
  workspaceId: number,
  emailId: number,
  from: string,
): ReturnAddress | null {
  const at = from.lastIndexOf('@');
  const local = `${from.slice(0, at)}+b-${encryptEmailId(config, workspaceId, emailId, 'path')}`;
  if (local.length > MAX_LOCAL_PART_LENGTH || from.startsWith('"')) return null;
  return {
    returnPath: local + from.slice(at),
    envelopeId: encryptEmailId(config, workspaceId, emailId, 'envelope'),
  };
}

export function parseReturnPath(
  config: Pick<Config, 'secretKey'>,
  workspaceId: number,
  address: string,
): number | null {
  const token = /\+b-([0-9a-f]{32})@[^@]*$/i.exec(address)?.[1];
  return token ? decryptEmailId(config, workspaceId, token, 'path') : null;
}

export const parseEnvelopeId = (
  config: Pick<Config, 'secretKey'>,
  workspaceId: number,
  id: string,
): number | null => (/^[0-9a-f]{32}$/i.test(id) ? decryptEmailId(config, workspaceId, id, 'envelope') : null);

type TokenPurpose = 'path' | 'envelope';

/** Encrypts the id and a proof (zeros) as one block, so that neither can be read or changed without the key. */
function encryptEmailId(
  { secretKey }: Pick<Config, 'secretKey'>,
  workspace: number,
  id: number,
  purpose: TokenPurpose,
): string {
  const block = Buffer.alloc(16);
  block.writeBigInt64BE(BigInt(id));
  return createCipheriv('aes-128-ecb', deriveKey(secretKey, workspace, purpose), null)
    .setAutoPadding(false)
    .update(block)
    .toString('hex');
}

function decryptEmailId(
  { secretKey }: Pick<Config, 'secretKey'>,
  workspace: number,
  token: string,
  purpose: TokenPurpose,
): number | null {
  const block = createDecipheriv('aes-128-ecb', deriveKey(secretKey, workspace, purpose), null)
    .setAutoPadding(false)
    .update(Buffer.from(token, 'hex'));
  return block.readBigInt64BE(8) === 0n ? Number(block.readBigInt64BE()) : null;
}

const deriveKey = (secretKey: string, workspace: number, purpose: TokenPurpose): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, `workspace ${workspace}`, `return ${purpose}`, 16));
