import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../src/config.ts';
import { type CertificatePair, createSelfSigned } from './self-signed.ts';

const VALIDITY_YEARS = 10;

/**
 * Returns the operator's certificate, or a self-signed one. The latter is created at the first start and stored in the
 * data directory, so that clients can pin it.
 * @throws Error if a configured file cannot be read
 */
export function loadCertificate(config: Pick<Config, 'smtpTls' | 'dataDir' | 'publicUrl'>): CertificatePair {
  const { smtpTls, dataDir, publicUrl } = config;
  if (smtpTls) return { key: readFileSync(smtpTls.key, 'utf8'), cert: readFileSync(smtpTls.cert, 'utf8') };
  const path = join(dataDir, 'smtp.pem');
  const kept = existsSync(path) ? parsePair(readFileSync(path, 'utf8')) : null;
  if (kept && Date.parse(new X509Certificate(kept.cert).validTo) > Date.now()) return kept;
  const made = createSelfSigned(new URL(publicUrl).hostname, new Date(), VALIDITY_YEARS);
  // A single file, so that two starting processes never mix their keys and certificates.
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, made.key + made.cert, { mode: 0o600 });
  renameSync(draft, path);
  return made;
}

/** Null if the file has other content. */
function parsePair(text: string): CertificatePair | null {
  const start = text.indexOf('-----BEGIN CERTIFICATE-----');
  return start > 0 ? { key: text.slice(0, start), cert: text.slice(start) } : null;
}
