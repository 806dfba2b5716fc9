import type { Visibility } from './html-visibility.ts';
import type { SelectorSubject } from './style/selector.ts';

const toSet = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const VOID_ELEMENTS = toSet(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr',
);
const FORMATTING_ELEMENTS = toSet('a b big code em font i nobr s small strike strong tt u');
const SPECIAL_ELEMENTS = toSet(
  'address applet article aside blockquote button caption center colgroup dd details dir div dl dt fieldset ' +
    'figcaption figure footer form h header hgroup li main marquee menu nav object ol p pre search section summary ' +
    'table tbody td tfoot th thead tr ul',
);
const PARAGRAPH_ENDING_ELEMENTS = toSet(
  'address article aside blockquote center dd details dir div dl dt fieldset figcaption figure footer form h header ' +
    'hgroup hr li main menu nav ol p pre search section summary table ul',
);
/** Elements that limit the scope of end tags. */
const BARRIER_ELEMENTS = toSet('applet button caption marquee object table td th');
const TABLE_SECTIONS = toSet('tbody thead tfoot');

/** Positions of the innermost open elements that a tag could end. -1 if there is none. */
interface OpenIndexes {
  p: number;
  /** `li` is ended by the next `<li>`, `item` by `</li>`. */
  li: number;
  item: number;
  /** `dt` or `dd`. */
  term: number;
  cell: number;
  row: number;
  section: number;
  table: number;
  special: number;
}

const NO_INDEXES: OpenIndexes = {
  p: -1,
  li: -1,
  item: -1,
  term: -1,
  cell: -1,
  row: -1,
  section: -1,
  table: -1,
  special: -1,
};

export interface ElementState {
  within: Visibility;
  /** The element for selectors, or its parent if the element itself is not displayed. */
  subject: SelectorSubject;
}

/**
 * Positions of open elements by name, innermost last. The map is created lazily, because most elements contain no
 * others.
 */
class IndexesByName {
  private indexes: Map<string, number[]> | null = null;

  add(name: string, index: number): void {
    this.indexes ??= new Map();
    const places = this.indexes.get(name);
    if (places) places.push(index);
    else this.indexes.set(name, [index]);
  }

  removeLast(name: string): void {
    this.indexes?.get(name)?.pop();
  }

  last(name: string): number {
    return this.indexes?.get(name)?.at(-1) ?? -1;
  }
}

interface OpenElement extends ElementState {
  name: string;
  outer: Visibility;
  /** State of text between the cells of its table. */
  fosterState: ElementState | null;
  indexes: OpenIndexes;
  /**
   * `scope` contains elements that an end tag can reach. `inline` contains elements such as `span`, which no end tag
   * can reach across a block.
   */
  scope: IndexesByName;
  inline: IndexesByName;
  isListed: boolean;
}

/**
 * Tracks open elements as browsers do (HTML, "parsing HTML documents"): missing, extra and crossed end tags, and text
 * in tables outside of cells. Takes linear time. Does not reconstruct formatting elements, such as `b`, after a block
 * ends, so text there counts as visible.
 */
export class OpenElements {
  private readonly stack: OpenElement[] = [];
  private readonly root: OpenElement;

  constructor(page: ElementState) {
    const places = new IndexesByName();
    const base = { ...page, name: '', outer: page.within, fosterState: null, indexes: NO_INDEXES };
    this.root = { ...base, scope: places, inline: places, isListed: false };
  }

  private get top(): OpenElement {
    return this.stack.at(-1) ?? this.root;
  }

  open(tag: string, judge: (outer: Visibility, parent: SelectorSubject) => ElementState): Visibility {
    const name = getElementKind(tag);
    if (isIgnored(name, this.top.indexes) || (name === 'body' && this.stack.length > 0))
      return this.top.within;
    this.endBefore(name);
    const { top } = this;
    const elementState: ElementState = top.fosterState && !isTableElement(name) ? top.fosterState : top;
    const state = judge(elementState.within, elementState.subject);
    if (!VOID_ELEMENTS.has(name)) this.push(name, elementState, state);
    return state.within;
  }

  /** @returns the visibility inside the closed element, or at the current position if no element is closed */
  close(tag: string): Visibility {
    const name = getElementKind(tag);
    const at = this.findPosition(name);
    if (at < 0) return this.top.within;
    const { outer, within } = this.stack[at]!;
    // The end tag of a formatting element does not end a block that is open inside it.
    if (FORMATTING_ELEMENTS.has(name) && this.top.indexes.special > at && outer === within) this.unlist(at);
    else this.endFrom(at);
    return within;
  }

  getTextVisibility(text: string): Visibility {
    const { fosterState, within } = this.top;
    return fosterState && /\S/.test(text) ? fosterState.within : within;
  }

  private push(name: string, elementState: ElementState, state: ElementState): void {
    const { top } = this;
    const at = this.stack.length;
    const scope = BARRIER_ELEMENTS.has(name) ? new IndexesByName() : top.scope;
    const isSpecial = SPECIAL_ELEMENTS.has(name);
    const inline = isSpecial ? new IndexesByName() : top.inline;
    this.stack.push({
      name,
      within: state.within,
      subject: state.subject,
      outer: elementState.within,
      fosterState: getFosterState(name, top, elementState),
      scope,
      inline,
      isListed: true,
      indexes: isSpecial ? computeIndexes(name, at, top.indexes) : top.indexes,
    });
    const list = isSpecial || FORMATTING_ELEMENTS.has(name) ? top.scope : inline;
    list.add(name, at);
  }

  /** Ends the elements that the start tag implicitly closes. */
  private endBefore(name: string): void {
    const { indexes: marks } = this.top;
    if (name === 'li') this.endFrom(marks.li);
    else if (name === 'dd' || name === 'dt') this.endFrom(marks.term);
    else if (isCell(name)) this.endFrom(marks.cell);
    else if (name === 'tr') this.endFrom(Math.max(marks.row, -1));
    else if (TABLE_SECTIONS.has(name)) this.endFrom(marks.section >= 0 ? marks.section : marks.row);
    else if (name === 'a') this.close('a');
    if (name === 'caption' || name === 'colgroup')
      this.endFrom(marks.section >= 0 ? marks.section : marks.row);
    if (PARAGRAPH_ENDING_ELEMENTS.has(name)) this.endFrom(this.top.indexes.p);
    if (name === 'h' && this.top.name === 'h') this.endFrom(this.stack.length - 1);
  }

  private findPosition(name: string): number {
    const { indexes: marks, scope, inline } = this.top;
    if (name === 'p') return marks.p;
    if (name === 'li') return marks.item;
    if (isCell(name)) return marks.cell;
    if (name === 'tr') return marks.row;
    if (TABLE_SECTIONS.has(name)) return marks.section;
    if (name === 'table') return marks.table;
    const list =
      SPECIAL_ELEMENTS.has(name) || FORMATTING_ELEMENTS.has(name)
        ? getOuterScope(name, this.top, this.stack, scope)
        : inline;
    return list.last(name);
  }

  private endFrom(index: number): void {
    if (index < 0) return;
    while (this.stack.length > index) {
      this.unlist(this.stack.length - 1);
      this.stack.pop();
    }
  }

  private unlist(index: number): void {
    const element = this.stack[index]!;
    if (!element.isListed) return;
    element.isListed = false;
    const parentState = this.stack[index - 1] ?? this.root;
    const list =
      SPECIAL_ELEMENTS.has(element.name) || FORMATTING_ELEMENTS.has(element.name)
        ? parentState.scope
        : element.inline;
    list.removeLast(element.name);
  }
}

const getElementKind = (name: string): string => (/^h[1-6]$/.test(name) ? 'h' : name);

const isCell = (name: string): boolean => name === 'td' || name === 'th' || name === 'caption';

const isTableElement = (name: string): boolean =>
  isCell(name) || name === 'tr' || TABLE_SECTIONS.has(name) || name === 'colgroup' || name === 'col';

/** Returns true for tags that browsers ignore at this position. */
const isIgnored = (name: string, { table }: OpenIndexes): boolean =>
  name === 'html' || name === 'head' || (table < 0 && isTableElement(name));

/** Browsers move content between table cells to a position before the table. */
function getFosterState(
  name: string,
  top: OpenElement,
  { within, subject }: ElementState,
): ElementState | null {
  if (name === 'table') return { within, subject };
  return name === 'tr' || TABLE_SECTIONS.has(name) ? top.fosterState : null;
}

function computeIndexes(name: string, index: number, outer: OpenIndexes): OpenIndexes {
  const marks = { ...outer, special: index };
  if (BARRIER_ELEMENTS.has(name)) Object.assign(marks, { p: -1, li: -1, item: -1, term: -1 });
  if (name === 'table') Object.assign(marks, { table: index, section: -1, row: -1, cell: -1 });
  else if (TABLE_SECTIONS.has(name)) Object.assign(marks, { section: index, row: -1, cell: -1 });
  else if (name === 'tr') Object.assign(marks, { row: index, cell: -1 });
  else if (isCell(name)) marks.cell = index;
  if (name === 'p') return { ...marks, p: index };
  if (name === 'li') return { ...marks, li: index, item: index, term: -1 };
  if (name === 'dd' || name === 'dt') return { ...marks, term: index, li: -1 };
  if (name === 'ul' || name === 'ol') marks.item = -1;
  return name === 'div' || name === 'address' ? marks : { ...marks, li: -1, term: -1 };
}

/** The end tag of a barrier element can reach the elements around it. */
const getOuterScope = (
  name: string,
  top: OpenElement,
  stack: readonly OpenElement[],
  scope: IndexesByName,
): IndexesByName =>
  top.name === name && BARRIER_ELEMENTS.has(name) ? (stack.at(-2)?.scope ?? scope) : scope;
