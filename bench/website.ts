import { compare } from './lib/compare.ts';
import { openStage } from './lib/stage.ts';

// `node bench/website.ts` compares a published page with Hono serving the same text, in alternating rounds (medians).

const stage = await openStage({ ROLE: 'web' }, 'bench/baseline/page.ts');
try {
  await runMutation('mutation { websitePagePublish(url: "/") { id } }');
  const path = '/site/main/';
  const { port } = stage.app;
  const page = await (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  await fetch(`http://127.0.0.1:${stage.baseline.port}/`, { method: 'PUT', body: page });
  const args = { headers: { accept: 'text/html' }, body: '', method: 'GET' };
  await compare('page', { ...args, port, path }, { ...args, port: stage.baseline.port, path: '/' }, 0.7);
} finally {
  await stage.close();
}

async function runMutation(query: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${stage.app.port}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stage.userKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const { errors } = (await response.json()) as { errors?: { message: string }[] };
  if (errors) throw new Error(errors[0]!.message);
}
