import { createHash } from 'node:crypto';

const STYLE = `:root {
  color-scheme: light dark;
  --paper: #fbfaf8; --card: #fff; --ink: #1f2328; --soft: #57606a; --line: #dcd8d0; --accent: #0b5c8a; --on: #fff
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171a; --card: #1c2024; --ink: #e8e6e1; --soft: #a6adb5; --line: #343a40;
    --accent: #7cc4ee; --on: #0c1216
  }
}
* { box-sizing: border-box }
html { -webkit-text-size-adjust: 100% }
body {
  margin: 0; min-height: 100vh; display: flex; flex-direction: column;
  background: var(--paper); color: var(--ink); font: 1.0625rem/1.6 system-ui, sans-serif; overflow-wrap: break-word
}
main { flex: 1; outline: 0 }
img, video, svg { max-width: 100%; height: auto }
a { color: var(--accent) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
h1, h2, h3 { line-height: 1.2; text-wrap: balance; margin: 0 0 .6em }
h1 { font-size: clamp(1.9rem, 1.2rem + 3vw, 3.2rem); letter-spacing: -.02em }
h2 { font-size: 1.35rem }
p { margin: 0 0 1em }
.inner { width: min(100% - 2.5rem, 66rem); margin-inline: auto }
.narrow { max-width: 38rem }
.skip { position: absolute; left: -100vw }
.skip:focus { left: 1rem; top: .5rem; background: var(--card); padding: .5rem 1rem }
.top { border-bottom: 1px solid var(--line); background: var(--card) }
.top .inner { display: flex; flex-wrap: wrap; gap: .5rem 2rem; align-items: center; padding-block: .9rem }
.brand { font-weight: 700; font-size: 1.15rem; color: var(--ink); text-decoration: none; margin-right: auto }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; margin: 0; padding: 0 }
nav ul ul { padding-left: .5rem; font-size: .95em }
nav a { display: inline-block; padding: .3rem 0; color: var(--ink); text-decoration: none }
nav a:hover, nav a[aria-current] { text-decoration: underline; text-underline-offset: .3em }
nav a[aria-current] { font-weight: 600 }
section { padding-block: clamp(2rem, 6vw, 4.5rem) }
.hero { background: var(--card); border-bottom: 1px solid var(--line) }
.lead { font-size: 1.2rem; color: var(--soft); max-width: 40rem }
.columns { display: grid; gap: 2rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)) }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: 1.25rem }
.button, button {
  display: inline-block; font: inherit; font-weight: 600; padding: .65rem 1.4rem; border: 0; border-radius: .5rem;
  background: var(--accent); color: var(--on); text-decoration: none; cursor: pointer
}
label { display: block; font-weight: 600; margin-bottom: .25rem }
input, textarea, select {
  width: 100%; font: inherit; color: inherit; background: var(--card); padding: .6rem .75rem;
  border: 1px solid var(--soft); border-radius: .4rem
}
.trap { position: absolute; left: -100vw; width: 1px; height: 1px; overflow: hidden }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .5rem .75rem .5rem 0; border-top: 1px solid var(--line) }
.bottom { border-top: 1px solid var(--line); color: var(--soft); font-size: .95rem }
.bottom .inner { display: flex; flex-wrap: wrap; gap: .5rem 2rem; padding-block: 1.5rem }
.bottom p { margin: 0 auto 0 0 }
.languages { display: flex; flex-wrap: wrap; gap: .25rem 1rem; list-style: none; margin: 0; padding: 0 }
`;

const ETAG = `"${createHash('sha256').update(STYLE).digest('base64url').slice(0, 22)}"`;

export const SITE_THEME = {
  text: STYLE,
  headers: {
    'content-type': 'text/css; charset=utf-8',
    'cache-control': 'public, max-age=3600',
    etag: ETAG,
    'x-content-type-options': 'nosniff',
  },
};
