import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../src/config.ts';
import { type CertificatePair, createSelfSigned } from './self-signed.ts';

const VALIDITY_YEARS = 10;

/**
 * The operator's certificate, else one of our own: made at the first start and kept in the data directory, so that
 * clients that pinned it find it again.
 * @throws when a file of the operator's cannot be read
 */
export function loadCertificate(config: Pick<Config, 'smtpTls' | 'dataDir' | 'publicUrl'>): CertificatePair {
  const { smtpTls, dataDir, publicUrl } = config;
  if (smtpTls) return { key: readFileSync(smtpTls.key, 'utf8'), cert: readFileSync(smtpTls.cert, 'utf8') };
  const path = join(dataDir, 'smtp.pem');
  const kept = existsSync(path) ? parsePair(readFileSync(path, 'utf8')) : null;
  if (kept && Date.parse(new X509Certificate(kept.cert).validTo) > Date.now()) return kept;
  const made = createSelfSigned(new URL(publicUrl).hostname, new Date(), VALIDITY_YEARS);
  // One file, so that key and certificate of two starting processes are never mixed.
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, made.key + made.cert, { mode: 0o600 });
  renameSync(draft, path);
  return made;
}

/** Null for a file that holds anything else. */
function parsePair(text: string): CertificatePair | null {
  const start = text.indexOf('-----BEGIN CERTIFICATE-----');
  return start > 0 ? { key: text.slice(0, start), cert: text.slice(start) } : null;
}
