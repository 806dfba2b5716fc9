import { version } from '../version.ts';

// Shared design of all pages: colors, type, icon and the navigation bar.

/** Every text color has a contrast of at least 4.5:1 on every background. */
export const STYLE_TOKENS = `:root {
  color-scheme: light dark;
  --paper: light-dark(#fbfaf7, #14181d); --card: light-dark(#fff, #1b2127); --sunk: light-dark(#f2f0eb, #101317);
  --ink: light-dark(#1c2530, #e9ecef); --soft: light-dark(#55606c, #a6b0bb);
  --line: light-dark(#e3dfd7, #2f3842); --line-strong: light-dark(#858d96, #76818d);
  --accent: light-dark(#0b6b58, #63cdb4); --wrong: light-dark(#b3261e, #ff8a80); --focus: light-dark(#1f5fd0, #8ab4ff);
}
`;

/** Requires `STYLE_TOKENS`. */
export const BAR_STYLE = `.bar {
  display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; align-items: center; padding: .5rem 1.25rem;
  background: var(--card); border-bottom: 1px solid var(--line); font: 15px/1.6 system-ui, sans-serif
}
.bar .brand { font-weight: 650; color: var(--ink) }
.bar ul { display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; list-style: none; margin: 0; padding: 0 }
.bar li { margin: 0 }
.bar a { color: var(--accent); display: inline-block; min-height: 24px }
.bar a[aria-current] { color: var(--ink); font-weight: 600; text-decoration: none }
.bar small { margin-left: auto; color: var(--soft); font-size: 13px }
@media (max-width: 40rem) { .bar nav { order: 1; flex-basis: 100% } }
.bar :focus-visible { outline: 2px solid var(--focus); outline-offset: 2px }
`;

export const ICON_LINK = '<link rel="icon" href="/favicon.ico" sizes="32x32">';

const BAR_PAGES: [path: string, name: string][] = [
  // Redirects signed-in visitors to the browser application.
  ['/', 'Home'],
  ['/doc', 'Models'],
  ['/graphql', 'GraphiQL'],
  ['/api/v1/ui', 'Email API'],
  ['/dev/outbox', 'Outbox'],
  ['/profile/agents', 'Agents'],
];

export function renderBar(current: string): string {
  const links = BAR_PAGES.map(
    ([path, name]) =>
      `<li><a href="${path}"${path === current ? ' aria-current="page"' : ''}>${name}</a></li>`,
  );
  return `<header class="bar"><span class="brand">Atrium</span>
<nav aria-label="Pages"><ul>${links.join('')}</ul></nav><small>${version}</small></header>`;
}
