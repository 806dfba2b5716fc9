import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Adds a Brotli (`.br`) and a gzip (`.gz`) copy of each file in the build. */
export const precompress = (): Plugin => ({
  name: 'precompress',
  writeBundle({ dir }, bundle) {
    for (const name of Object.keys(bundle).filter((key) => /\.(?:js|css|svg)$/.test(key))) {
      const bytes = readFileSync(join(dir!, name));
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      };
      writeFileSync(join(dir!, `${name}.br`), brotliCompressSync(bytes, { params }));
      writeFileSync(join(dir!, `${name}.gz`), gzipSync(bytes, { level: 9 }));
    }
  },
});
