import { squireOf } from 'virtual:squire';
import { createPictureStore, type PictureStore, STAGED_ATTRIBUTE } from './pictures.ts';
import { createSanitizer } from './safe-html.ts';

export const TOOLS = [
  'bold',
  'italic',
  'underline',
  'strike',
  'bullets',
  'numbers',
  'quote',
  'clear',
] as const;

export type Tool = (typeof TOOLS)[number];

export interface Editor {
  focus(): void;
  getHtml(): string;
  /** Returns plain text. The quote's lines begin with `>`. */
  getText(): string;
  isEmpty(): boolean;
  applyTool(tool: Tool): void;
  getActiveTools(): Tool[];
  setLink(address: string): void;
  setColor(value: string): void;
  insertPicture(id: string, address: string, name: string): void;
  showQuote(isOn: boolean): void;
  editQuote(): void;
  close(): void;
}

export interface EditorOptions {
  label: string;
  quoteLabel: string;
  language: string;
  content: string;
  quote: string;
  pictures: PictureStore;
  onChange(): void;
  onMove(): void;
  onKey(event: KeyboardEvent): void;
  onFiles(files: File[], isPasted: boolean): void;
}

/** Starts an editor in the document of an iframe that runs no scripts. */
export function createDocumentEditor(window: Window & typeof globalThis, options: EditorOptions): Editor {
  const { document } = window;
  const safe = createSanitizer(window, options.pictures);
  document.documentElement.lang = options.language;
  const root = createTextBox(document, options.label);
  const quote = createQuoteBox(document, options.quoteLabel);
  quote.append(safe(options.quote));
  document.body.append(root, quote);
  const abortController = new AbortController();
  const { signal } = abortController;
  const Squire = getSquireClass(window);
  const squire = new Squire(root, {
    blockTag: 'DIV',
    sanitizeToDOMFragment: safe,
    didError: (error: unknown) => console.warn(error),
  });
  squire.setHTML(options.content);
  squire.moveCursorToStart();
  squire.addEventListener('input', options.onChange);
  for (const moved of ['pathChange', 'select', 'cursor']) squire.addEventListener(moved, options.onMove);
  document.addEventListener('keydown', options.onKey, { signal });
  listenForFiles(document, options.onFiles, signal);
  const focusBelow = ({ target }: Event) => {
    if (target === document.documentElement || target === document.body) squire.focus();
  };
  document.documentElement.addEventListener('click', focusBelow, { signal });
  return {
    focus() {
      window.focus();
      squire.focus();
    },
    getHtml: () => options.pictures.toStored(squire.getHTML()),
    getText() {
      // biome-ignore lint/performance/useDomNodeTextContent: innerText keeps the visible line breaks
      const editorText = root.innerText;
      const quoted = quote.isConnected ? (quote.textContent ?? '').trim() : '';
      return quoted ? `${editorText}\n\n${quoted.replace(/^/gm, '> ')}` : editorText;
    },
    // The editor leaves zero-width characters at previous cursor positions.
    isEmpty: () =>
      (root.textContent ?? '').replaceAll('\u200b', '').trim() === '' && !root.querySelector('img'),
    applyTool: (tool) => toggleTool(squire, tool),
    getActiveTools: () => TOOLS.filter((tool) => isToolActive(squire, tool)),
    setLink(address) {
      if (address) squire.makeLink(address);
      else squire.removeLink();
      squire.focus();
    },
    setColor: (value) => void squire.setTextColor(value),
    insertPicture: (id, address, name) =>
      void squire.insertImage(address, { alt: name, [STAGED_ATTRIBUTE]: id, style: 'max-width:100%' }),
    showQuote(isOn) {
      quote.hidden = !isOn;
    },
    editQuote() {
      const fragment = document.createElement('div');
      fragment.append(...quote.childNodes);
      quote.remove();
      squire.saveUndoState();
      root.append(fragment);
      options.onChange();
    },
    close() {
      abortController.abort();
      squire.destroy();
    },
  };
}

function createTextBox(document: Document, label: string): HTMLElement {
  const box = document.createElement('div');
  box.setAttribute('role', 'textbox');
  box.setAttribute('aria-multiline', 'true');
  box.setAttribute('aria-label', label);
  box.style.outline = 'none';
  box.style.minHeight = '4em';
  return box;
}

/** Creates a box for the quote, whose styles cannot affect anything outside the box. */
function createQuoteBox(document: Document, label: string): HTMLElement {
  const box = document.createElement('section');
  box.setAttribute('aria-label', label);
  box.style.cssText = 'contain: paint; position: relative';
  box.hidden = true;
  return box;
}

/** Runs the editor once on an empty document, so that its code is compiled before the first composer opens. */
export function preloadEditor(window: Window & typeof globalThis): void {
  const noop = () => {};
  const editor = createDocumentEditor(window, {
    label: '',
    quoteLabel: '',
    language: '',
    content: '<div>.</div>',
    quote: '',
    pictures: createPictureStore(),
    onChange: noop,
    onMove: noop,
    onKey: noop,
    onFiles: noop,
  });
  editor.close();
  window.document.body.replaceChildren();
}

type SquireClass = ReturnType<typeof squireOf>;

type SquireInstance = InstanceType<SquireClass>;

const classes = new WeakMap<Window, SquireClass>();

function getSquireClass(window: Window & typeof globalThis): SquireClass {
  const Squire = classes.get(window) ?? squireOf(window);
  classes.set(window, Squire);
  return Squire;
}

const FORMATS: Partial<Record<Tool, string>> = { bold: 'B', italic: 'I', underline: 'U', strike: 'S' };

const BLOCKS: Partial<Record<Tool, RegExp>> = { bullets: /UL/, numbers: /OL/, quote: /BLOCKQUOTE/ };

function isToolActive(squire: SquireInstance, tool: Tool): boolean {
  const format = FORMATS[tool];
  if (format) return squire.hasFormat(format);
  return BLOCKS[tool]?.test(squire.getPath()) ?? false;
}

function toggleTool(squire: SquireInstance, tool: Tool): void {
  const isOn = isToolActive(squire, tool);
  const format = FORMATS[tool];
  if (format) squire.changeFormat(isOn ? null : { tag: format }, isOn ? { tag: format } : null);
  else if (tool === 'clear') squire.removeAllFormatting();
  else if (tool === 'quote') isOn ? squire.decreaseQuoteLevel() : squire.increaseQuoteLevel();
  else if (isOn) squire.removeList();
  else if (tool === 'bullets') squire.makeUnorderedList();
  else squire.makeOrderedList();
  squire.focus();
}

function listenForFiles(document: Document, onFiles: EditorOptions['onFiles'], signal: AbortSignal): void {
  const allowDrop = (event: DragEvent) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  };
  document.addEventListener('dragover', allowDrop, { signal });
  const receiveFiles = (event: Event, data: DataTransfer | null, isPasted: boolean) => {
    const files = [...(data?.files ?? [])];
    // Office applications copy text together with an image of the text.
    if (files.length === 0 || data?.types.includes('text/html')) return;
    event.preventDefault();
    event.stopPropagation();
    onFiles(files, isPasted);
  };
  const early = { capture: true, signal };
  document.addEventListener('drop', (event) => receiveFiles(event, event.dataTransfer, false), early);
  document.addEventListener('paste', (event) => receiveFiles(event, event.clipboardData, true), early);
}
