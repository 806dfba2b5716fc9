import { readFileSync } from 'node:fs';

/** A recorded request and its response. `test/fixtures/odoo19/README.md` describes the fields. */
export interface Exchange {
  id: string;
  note?: string;
  /** For example `POST /json/2/res.partner/search`. May contain references to records. */
  request: string;
  /** Placeholder for the bearer key. */
  as?: string;
  headers?: Record<string, string>;
  /** At most one of these is set. */
  body?: unknown;
  text?: string;
  spaces?: number;
  raw?: string;
  call?: string;
  params?: unknown[];
  status: number;
  /** Content type of the response, if it is not the default of the protocol. */
  type?: string;
  answerHeaders?: Record<string, string>;
  etag?: boolean;
  /** The lab records found, as letters in id order. */
  names?: string;
  answer?: unknown;
  answerText?: string;
}

/** Groups in recording order. Later groups depend on earlier ones. */
export const GROUPS = [
  'auth',
  'http',
  'method',
  'common',
  'read',
  'fields_get',
  'group',
  'custom',
  'domain',
  'active',
  'write',
  'x2many',
  'access',
  'xmlrpc',
  'jsonrpc',
  'ir',
  'doc',
  'website',
  'misc',
  'throttle',
  'multidb',
  'workers',
] as const;

export type Group = (typeof GROUPS)[number];

export function loadExchanges(group: Group): Exchange[] {
  return JSON.parse(readFileSync(new URL(`../fixtures/odoo19/${group}.json`, import.meta.url), 'utf8'));
}
