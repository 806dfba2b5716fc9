import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { post } from './app.ts';

/** Backups of recent versions, created by `npm run release:dump`, each with its client data. */
export const releasesFolder = fileURLToPath(new URL('../fixtures/releases/', import.meta.url));

export interface Release {
  /** Created for the fixture. It gives access to nothing else. */
  secretKey: string;
  login: string;
  password: string;
  userKey: string;
  teamKey: string;
  domain: string;
  emailId: string;
  attachmentId: number;
  page: string;
  records: Record<string, number>;
}

export const MARKER = 'Written before the upgrade';

/** Models whose records are counted: some platform models, one model of each app, and a custom model. */
export const COUNTED_MODELS = [
  'res.partner',
  'res.users',
  'ir.model.access',
  'product.template',
  'crm.lead',
  'sale.order',
  'project.task',
  'helpdesk.ticket',
  'calendar.event',
  'x_boat',
];

export const listReleases = (): { version: string; file: string; release: Release }[] =>
  readdirSync(releasesFolder)
    .filter((name) => name.endsWith('.backup'))
    .map((name) => {
      const version = basename(name, '.backup');
      const release = JSON.parse(readFileSync(join(releasesFolder, `${version}.json`), 'utf8'));
      return { version, file: join(releasesFolder, name), release };
    });

export function createReleaseClient(url: string, { userKey, teamKey }: Pick<Release, 'userKey' | 'teamKey'>) {
  const request = async (path: string, body: unknown, key: string) => {
    const answer = await post(url + path, body, key);
    if (answer.status !== 200 || answer.text.includes('"errors":'))
      throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
    return answer.json();
  };
  const callRecords = (path: string, body: object) => request(`/json/2/${path}`, body, userKey);
  const queryGraphql = async (query: string, variables: object = {}) =>
    (await request('/graphql', { query, variables }, userKey)).data;
  return {
    records: callRecords,
    graphql: queryGraphql,
    count: async (models: string[]): Promise<Record<string, number>> => {
      const counts: Record<string, number> = {};
      for (const model of models) counts[model] = await callRecords(`${model}/search_count`, { domain: [] });
      return counts;
    },
    send: async (email: object): Promise<string> => (await request('/api/v1/emails', email, teamKey)).emailId,
    email: async (id: string) => {
      const response = await fetch(`${url}/api/v1/emails/${id}`, {
        headers: { authorization: `Bearer ${teamKey}` },
      });
      return response.json();
    },
    inbox: async (): Promise<string[]> => {
      const { mailMessages } = await queryGraphql('{ mailMessages(first: 50) { nodes { subject } } }');
      return mailMessages.nodes.map(({ subject }: { subject: string }) => subject);
    },
  };
}
