import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { budget } from './budget.ts';
import { precompress } from './precompress.ts';
import { squirePlugin } from './squire-plugin.ts';

// The same source gives the same bytes, without the network.
export default defineConfig({
  root: import.meta.dirname,
  base: '/app/',
  logLevel: 'warn',
  plugins: [react(), squirePlugin(), budget(), precompress()],
  build: {
    target: 'es2023',
    // A policy without `data:` scripts and styles needs every file as a file.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    emptyOutDir: true,
    rolldownOptions: {
      output: {
        // Code that every screen loads is in two files, because over HTTP/1.1 a browser loads six files at a time.
        // Libraries change less often than the rest.
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
