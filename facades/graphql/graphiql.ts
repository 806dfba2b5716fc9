import { type PageFiles, pageFiles } from '../../src/http/page-files.ts';

// GraphiQL's bundle is 9 MB of text: it is read when a browser first asks for it, not at boot.

interface Bundle {
  files: PageFiles;
  icon: string;
}

const OPTIONS = {
  title: 'Atrium GraphiQL',
  endpoint: '/graphql',
  credentials: 'same-origin',
  defaultQuery: `# Sign in at /login, or put a key into "Headers" below: { "authorization": "Bearer <your key>" }

query Contacts {
  partners(limit: 5, domain: [["is_company", "=", true]]) {
    id
    name
    email
    parent { id name }
  }
}
`,
};

const START = `const at = (name) => new URL(name, document.currentScript.src).href;
const workers = {
  editorWorkerService: at('editor-worker.js'),
  json: at('json-worker.js'),
  graphql: at('graphql-worker.js'),
};
self.MonacoEnvironment = { globalAPI: false, getWorkerUrl: (_module, label) => workers[label] };
YogaGraphiQL.renderYogaGraphiQL(document.querySelector('#root'), ${JSON.stringify(OPTIONS)});
`;

let loading: Promise<Bundle> | undefined;
const bundle = (): Promise<Bundle> => {
  loading ??= load();
  return loading;
};

async function load(): Promise<Bundle> {
  const { js, css, favicon, editorWorkerService, jsonWorker, graphqlWorker } = await import(
    '@graphql-yoga/render-graphiql/graphiql'
  );
  const texts = {
    'graphiql.js': js,
    'start.js': START,
    'editor-worker.js': editorWorkerService,
    'json-worker.js': jsonWorker,
    'graphql-worker.js': graphqlWorker,
    'graphiql.css': css,
  };
  return { files: pageFiles(new Map(Object.entries(texts))), icon: favicon };
}

// Monaco sets styles from script, hence the one exception.
const POLICY =
  "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The page; everything it needs comes from this server. */
export async function graphiqlPage(): Promise<Response> {
  const { files, icon } = await bundle();
  const base = `/graphql/assets/${files.version}`;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${OPTIONS.title}</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${base}/graphiql.css">
<style>html, body, #root { height: 100%; margin: 0 }</style>
</head>
<body class="no-focus-outline">
<noscript>GraphiQL needs JavaScript.</noscript>
<div id="root"></div>
<script src="${base}/graphiql.js"></script>
<script src="${base}/start.js"></script>
</body>
</html>
`;
  return new Response(html, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cache-control': 'no-cache',
    },
  });
}

/** One file of the page. */
export const asset = async (request: Request, version: string, name: string): Promise<Response> =>
  (await bundle()).files.answer(request, version, name);
