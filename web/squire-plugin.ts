import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const NAME = 'virtual:squire';

/** Globals that Squire reads from `window`. */
const GLOBALS = [
  ...[
    'document',
    'navigator',
    'Node',
    'Text',
    'Element',
    'Event',
    'CustomEvent',
    'CharacterData',
    'DocumentFragment',
    'Range',
  ],
  ...[
    'Selection',
    'MutationObserver',
    'HTMLElement',
    'HTMLAnchorElement',
    'HTMLDivElement',
    'HTMLInputElement',
  ],
  ...['HTMLLIElement', 'HTMLOListElement'],
];

/**
 * Wraps Squire in a function whose parameter is the window to edit in. The published package only edits its own
 * document.
 */
export const squirePlugin = (): Plugin => ({
  name: 'squire',
  resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
  load(id) {
    if (id !== `\0${NAME}`) return null;
    const text = readFileSync(fileURLToPath(import.meta.resolve('squire-rte')), 'utf8');
    const [, body, name] = /^(.*)export\s*\{\s*(\w+) as default\s*\};/s.exec(text)!;
    return `export const squireOf = (window) => {
const { ${GLOBALS.join(', ')} } = window;
${body}
return ${name};
};`;
  },
});
