import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { budget } from './budget.ts';
import { precompress } from './precompress.ts';
import { squirePlugin } from './squire-plugin.ts';

// The build is reproducible and needs no network access.
export default defineConfig({
  root: import.meta.dirname,
  base: '/app/',
  logLevel: 'warn',
  plugins: [react(), squirePlugin(), budget(), precompress()],
  build: {
    target: 'es2023',
    // The content security policy forbids `data:` scripts and styles, so files are never inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    emptyOutDir: true,
    rolldownOptions: {
      output: {
        // The code that every screen loads is split in two: libraries change less often than the rest, and a browser
        // requests only six files at a time over HTTP/1.1.
        codeSplitting: {
          groups: [
            { name: 'libraries', tags: ['$initial'], test: /node_modules/, priority: 1 },
            { name: 'shell', tags: ['$initial'], test: /\/src\/(?!main\.)/ },
          ],
        },
      },
    },
  },
});
