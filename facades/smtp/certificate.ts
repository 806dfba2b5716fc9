import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../src/config.ts';
import { type CertificatePair, createSelfSignedCertificate } from './self-signed.ts';

const VALIDITY_YEARS = 10;

/**
 * Returns the operator's certificate, or a self-signed one. The self-signed certificate is created at the first start
 * and stored in the data directory, so that clients can pin it.
 * @throws Error if a configured file cannot be read
 */
export function loadCertificate(config: Pick<Config, 'smtpTls' | 'dataDir' | 'publicUrl'>): CertificatePair {
  const { smtpTls, dataDir, publicUrl } = config;
  if (smtpTls) return { key: readFileSync(smtpTls.key, 'utf8'), cert: readFileSync(smtpTls.cert, 'utf8') };
  const path = join(dataDir, 'smtp.pem');
  const storedPair = existsSync(path) ? parsePair(readFileSync(path, 'utf8')) : null;
  if (storedPair && Date.parse(new X509Certificate(storedPair.cert).validTo) > Date.now()) return storedPair;
  const pair = createSelfSignedCertificate(new URL(publicUrl).hostname, new Date(), VALIDITY_YEARS);
  // A single file prevents two processes that start at the same time from mixing their keys and certificates.
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, pair.key + pair.cert, { mode: 0o600 });
  renameSync(draft, path);
  return pair;
}

/** Parses a key and certificate. Null if the file contains anything else. */
function parsePair(text: string): CertificatePair | null {
  const start = text.indexOf('-----BEGIN CERTIFICATE-----');
  return start > 0 ? { key: text.slice(0, start), cert: text.slice(start) } : null;
}
