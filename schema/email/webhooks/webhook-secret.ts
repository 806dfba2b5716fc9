import { sql } from '../../../src/db/sql.ts';
import { decryptIfPrefixed, ENCRYPTED_PREFIX, encryptWithPrefix } from '../../../src/encryption.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineJob } from '../../../src/engine/work/jobs.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';

export const encryptWebhookSecret = ({ runtime }: Ctx, secret: string): string =>
  encryptWithPrefix(runtime.config.secretKey, secret);

export const UNREADABLE_SECRET =
  "The signing secret cannot be read, because the installation's secret key was changed. Rotate the signing secret.";

/** @throws USER_ERROR if the secret was encrypted with a different secret key */
export function decryptWebhookSecret({ runtime }: Ctx, storedSecret: string): string {
  const secret = decryptIfPrefixed(runtime.config.secretKey, storedSecret);
  if (secret === null) throw errors.user(UNREADABLE_SECRET);
  return secret;
}

interface StoredSecret {
  workspace_id: number;
  id: number;
  secret: string;
  old_secret: string | null;
}

const isUnencrypted = sql`(secret not like ${sql.literal(`${ENCRYPTED_PREFIX}%`)}
  or old_secret not like ${sql.literal(`${ENCRYPTED_PREFIX}%`)})`;

/** Encrypts webhook secrets that an older version stored in plain text. */
defineJob({
  name: 'webhook-seal',
  cron: '7 * * * *',
  async run({ db, config }) {
    const encryptIfPlain = (storedSecret: string | null) =>
      storedSecret === null || storedSecret.startsWith(ENCRYPTED_PREFIX)
        ? storedSecret
        : encryptWithPrefix(config.secretKey, storedSecret);
    for (let foundCount: number = limits.sql.batchRows; foundCount === limits.sql.batchRows; ) {
      const rows = await db.rows<StoredSecret>(
        sql`select workspace_id, id, secret, old_secret from svc_webhook
         where workspace_id > 0 and ${isUnencrypted} limit ${sql.literal(limits.sql.batchRows)}`,
      );
      for (const { workspace_id, id, secret, old_secret } of rows)
        await db.rows(
          sql`update svc_webhook set secret = ${encryptIfPlain(secret)}, old_secret = ${encryptIfPlain(old_secret)}
           where workspace_id = ${workspace_id} and id = ${id} and secret = ${secret}
             and old_secret is not distinct from ${old_secret}`,
        );
      foundCount = rows.length;
    }
  },
});
