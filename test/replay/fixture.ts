import { readFileSync } from 'node:fs';

/** What a recorded request and its answer come down to; `test/fixtures/odoo19/README.md` describes the fields. */
export interface Exchange {
  id: string;
  note?: string;
  /** `POST /json/2/res.partner/search`; may hold references to records. */
  request: string;
  /** The placeholder of the bearer key it was sent with. */
  as?: string;
  headers?: Record<string, string>;
  /** One of these, or none. */
  body?: unknown;
  text?: string;
  spaces?: number;
  raw?: string;
  call?: string;
  params?: unknown[];
  status: number;
  /** Content type of the answer where it is not the door's own. */
  type?: string;
  answerHeaders?: Record<string, string>;
  etag?: boolean;
  /** The lab records found, as letters in the order of their ids. */
  names?: string;
  answer?: unknown;
  answerText?: string;
}

/** The groups in the order in which they were recorded; later ones build on what earlier ones made. */
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
