import { getActiveShortcuts } from '../keys/shortcuts.ts';
import type { Entry } from './palette-search.ts';

/**
 * Selector for the open screen's controls. Excludes lists, grids and tables, which repeat the same controls in each
 * row.
 */
const CONTROL_SELECTOR =
  '#main :is(button:not(:disabled), a.button[href], nav a[href], summary, [role=tab], [role=menuitem])';
const REPEATED_SELECTOR = '[role=listbox], [role=grid], [role=row], table, [role=dialog], [aria-hidden=true]';
const MAX_NAME_LENGTH = 80;

/** Returns the open screen's buttons, links and shortcuts by label. */
export function getScreenActions(): Entry[] {
  const names = new Set(findControls().map(getName));
  const shortcuts = getActiveShortcuts().filter(({ keys, label }) => !isGlobal(keys) && !names.has(label));
  return [
    ...[...names].map((name) => ({ key: `control ${name}`, name, run: () => clickControl(name) })),
    ...shortcuts.map(({ keys, label, run }) => ({
      key: `shortcut ${keys}`,
      name: label,
      run: () => run(new KeyboardEvent('keydown')),
    })),
  ];
}

const isGlobal = (keys: string): boolean => keys === '$mod+k' || keys === '[Shift]+?';

const findControls = (): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>(CONTROL_SELECTOR)].filter((control) => {
    const name = getName(control);
    return (
      name !== '' &&
      name.length <= MAX_NAME_LENGTH &&
      !control.closest(REPEATED_SELECTOR) &&
      control.checkVisibility()
    );
  });

const clickControl = (name: string): void =>
  findControls()
    .find((control) => getName(control) === name)
    ?.click();

/** Waits for a control of a page that is still loading. */
const MAX_CONTROL_WAIT_MS = 10_000;

export function clickWhenShown(name: string): void {
  const end = performance.now() + MAX_CONTROL_WAIT_MS;
  const tryClick = () => {
    if (findControls().some((control) => getName(control) === name)) clickControl(name);
    else if (performance.now() < end) requestAnimationFrame(tryClick);
  };
  requestAnimationFrame(tryClick);
}

function getName(control: HTMLElement): string {
  const name = control.getAttribute('aria-label') ?? getSpokenText(control);
  return (name.trim() || control.title).replace(/\s+/g, ' ').trim();
}

/** Returns the text that screen readers announce, with spaces between elements. */
function getSpokenText(node: Node): string {
  if (node instanceof Element && node.ariaHidden === 'true') return '';
  return node.hasChildNodes() ? [...node.childNodes].map(getSpokenText).join(' ') : (node.textContent ?? '');
}
