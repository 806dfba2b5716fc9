import { run } from './process.ts';

export interface SesProcess {
  url: string;
  /** Posts to a control endpoint of the stub, such as `modes`. */
  control(path: string, body?: object): Promise<Record<string, unknown>>;
  stop(): Promise<void>;
}

export const sesCredentials = { AWS_ACCESS_KEY_ID: 'standin', AWS_SECRET_ACCESS_KEY: 'standin-secret' };

export const buildSesEnv = (url: string): Record<string, string> => ({
  MAIL_TRANSPORT: 'ses',
  AWS_REGION: 'eu-west-1',
  AWS_SES_ENDPOINT: url,
  DNS_SERVERS: '127.0.0.1:9',
  ...sesCredentials,
});

export async function startSes(): Promise<SesProcess> {
  const ses = run('test/standins/ses.ts', ['--port', '0', '--no-verify', '--no-raw']);
  const url = await new Promise<string>((resolve) =>
    ses.child.stdout!.once('data', (line) => resolve(JSON.parse(String(line)).url)),
  );
  return {
    url,
    async control(path, body = {}) {
      const response = await fetch(`${url}/standin/${path}`, { method: 'POST', body: JSON.stringify(body) });
      return (await response.json()) as Record<string, unknown>;
    },
    stop: ses.stop,
  };
}
