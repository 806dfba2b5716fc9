import { escapeHtml } from '../escape-html.ts';
import { type Expression, parseExpression } from './expression.ts';
import { MarkupError, type MarkupPosition } from './markup-error.ts';
import { type MarkupAttribute, type MarkupElement, type MarkupNode, parseMarkup } from './parse.ts';
import { assertElementAllowed, isAddressAttribute, type MarkupRights } from './policy.ts';

export const MAX_VIEW_QUERIES = 5;
export const MAX_LISTED_RECORDS = 100;

/** Literal text, or output that depends on values. */
export type MarkupStep =
  | string
  | { kind: 'out'; value: Expression; otherwise: MarkupStep[] }
  | { kind: 'attribute'; name: string; value: Expression | TextPiece[] }
  | { kind: 'address'; name: string; value: string }
  | { kind: 'picture'; source: MarkupStep; hasSize: boolean; hasLoading: boolean }
  | { kind: 'if'; branches: { test: Expression | null; steps: MarkupStep[] }[] }
  | { kind: 'each'; list: Expression | string; as: string; steps: MarkupStep[] }
  | { kind: 'set'; name: string; value: Expression | TextPiece[] | null; steps: MarkupStep[] }
  | { kind: 'call'; template: string; steps: MarkupStep[] };

/** A part of a text with placeholders, `{{ path }}` or `#{path}`. */
export type TextPiece = string | Expression;

export interface RecordList {
  /** Key of the list in the records passed to `renderMarkup`. */
  id: string;
  model: string;
  fields: string[];
  domain: unknown[];
  order: string | null;
  limit: number;
}

export interface CompiledMarkup {
  steps: MarkupStep[];
  calls: string[];
  queries: RecordList[];
  /** True for a complete HTML document. */
  isDocument: boolean;
  /** Length of the markup in characters. */
  size: number;
}

/** @throws MarkupError for malformed, unsupported or forbidden markup, with line and column */
export function compileMarkup(text: string, rights: MarkupRights): CompiledMarkup {
  const root = parseMarkup(text);
  const state: CompileState = { rights, calls: new Set(), queries: [] };
  const steps = mergeTexts(compileNodes([root], state));
  return {
    steps,
    calls: [...state.calls],
    queries: state.queries,
    isDocument: root.name === 'html',
    size: text.length,
  };
}

interface CompileState {
  rights: MarkupRights;
  calls: Set<string>;
  queries: RecordList[];
}

function mergeTexts(steps: MarkupStep[]): MarkupStep[] {
  const result: MarkupStep[] = [];
  for (const step of steps) {
    if (typeof step === 'string' && typeof result.at(-1) === 'string') result.push(`${result.pop()}${step}`);
    else result.push(step);
  }
  return result;
}

function compileNodes(nodes: MarkupNode[], state: CompileState): MarkupStep[] {
  const result: MarkupStep[] = [];
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index]!;
    if (node.kind === 'text') {
      result.push(escapeHtml(node.text));
      continue;
    }
    const directive = findDirective(node, 't-elif') ?? findDirective(node, 't-else');
    if (directive) throw new MarkupError(`${directive.name} must follow an element with t-if.`, directive);
    if (!findDirective(node, 't-if')) result.push(...compileElement(node, state));
    else {
      const chain = collectBranches(nodes, index);
      result.push({ kind: 'if', branches: chain.map((item) => compileBranch(item, state)) });
      index = nodes.indexOf(chain.at(-1)!, index);
    }
  }
  return mergeTexts(result);
}

const findDirective = (element: MarkupElement, name: string): MarkupAttribute | undefined =>
  element.attributes.find((attribute) => attribute.name === name);

/** Collects a t-if element and the t-elif and t-else elements that follow it, separated only by white space. */
function collectBranches(nodes: MarkupNode[], start: number): MarkupElement[] {
  const chain = [nodes[start] as MarkupElement];
  for (let index = start + 1; index < nodes.length; index++) {
    const node = nodes[index]!;
    if (node.kind === 'text') {
      if (node.text.trim() !== '') break;
      continue;
    }
    if (!findDirective(node, 't-elif') && !findDirective(node, 't-else')) break;
    chain.push(node);
    if (findDirective(node, 't-else')) break;
  }
  return chain;
}

function compileBranch(
  element: MarkupElement,
  state: CompileState,
): { test: Expression | null; steps: MarkupStep[] } {
  const test = findDirective(element, 't-if') ?? findDirective(element, 't-elif');
  return { test: test ? compileExpression(test) : null, steps: compileElement(element, state) };
}

/** @throws MarkupError with the attribute's position if the expression is invalid */
function compileExpression(attribute: MarkupAttribute): Expression {
  return rethrowWithPosition(attribute, () => parseExpression(attribute.value));
}

function rethrowWithPosition<T>(attribute: MarkupAttribute, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof MarkupError) throw error;
    throw new MarkupError(`${attribute.name}: ${(error as Error).message}.`, attribute);
  }
}

function compileElement(element: MarkupElement, state: CompileState): MarkupStep[] {
  assertElementAllowed(element, state.rights);
  assertKnownDirectives(element);
  const list = findDirective(element, 't-foreach') ?? findDirective(element, 't-records');
  const inner = compileLoopBody(element, state);
  if (!list) return inner;
  const variable = findDirective(element, 't-as')?.value ?? '';
  if (!/^[A-Za-z_]\w{0,99}$/.test(variable))
    throw new MarkupError(`${list.name} requires t-as with a variable name for the entries.`, list);
  const source = list.name === 't-foreach' ? compileExpression(list) : compileQuery(element, list, state);
  return [{ kind: 'each', list: source, as: variable, steps: inner }];
}

function compileLoopBody(element: MarkupElement, state: CompileState): MarkupStep[] {
  const set = findDirective(element, 't-set');
  const call = findDirective(element, 't-call');
  if (set) return [compileSet(element, set, state)];
  if (!call) return compileTag(element, compileContent(element, state));
  if (!/^[A-Za-z_][\w.-]{0,199}$/.test(call.value))
    throw new MarkupError('t-call requires the key of a view.', call);
  state.calls.add(call.value);
  return compileTag(element, [
    { kind: 'call', template: call.value, steps: compileNodes(element.children, state) },
  ]);
}

function compileSet(element: MarkupElement, set: MarkupAttribute, state: CompileState): MarkupStep {
  if (!/^[A-Za-z_]\w{0,99}$/.test(set.value)) throw new MarkupError('t-set requires a variable name.', set);
  const value = findDirective(element, 't-value');
  const filledAttribute = findDirective(element, 't-valuef');
  return {
    kind: 'set',
    name: set.value,
    value: value ? compileExpression(value) : filledAttribute ? compileTextPieces(filledAttribute) : null,
    steps: value || filledAttribute ? [] : compileNodes(element.children, state),
  };
}

function compileContent(element: MarkupElement, state: CompileState): MarkupStep[] {
  const out =
    findDirective(element, 't-out') ?? findDirective(element, 't-esc') ?? findDirective(element, 't-field');
  if (RAW_TEXT_ELEMENTS.has(element.name)) {
    if (out) throw new MarkupError(`${out.name} is not allowed in ${element.name}.`, out);
    return [compileRawText(element)];
  }
  const children = compileNodes(element.children, state);
  if (!out) return children;
  // `0` is the content of the element that calls this template.
  const value: Expression = out.value.trim() === '0' ? { kind: 'path', path: ['0'] } : compileExpression(out);
  return [{ kind: 'out', value, otherwise: children }];
}

/** Raw text elements, in which HTML does not decode character references. */
const RAW_TEXT_ELEMENTS = new Set(['style', 'script']);

function compileRawText({ name, children, ...place }: MarkupElement): string {
  return children
    .map((node) => {
      const isText = node.kind === 'text' && !(name === 'style' ? /[<]/ : /<\/|<!--/).test(node.text);
      if (!isText) throw new MarkupError(`${name} may only contain text, without tags.`, place);
      return node.text;
    })
    .join('');
}

const VOID_ELEMENTS = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);

/** Wraps the content in the element's tag. `t` has no tag. */
function compileTag(element: MarkupElement, inner: MarkupStep[]): MarkupStep[] {
  const { name, attributes } = element;
  const dynamic = attributes.find((attribute) => /^t-attf?-/.test(attribute.name));
  if (name === 't') {
    const plainAttribute = dynamic ?? attributes.find((attribute) => !attribute.name.startsWith('t-'));
    if (plainAttribute)
      throw new MarkupError(
        `t can only have directives as attributes, not ${plainAttribute.name}.`,
        plainAttribute,
      );
    return inner;
  }
  const compiledAttributes = name === 'img' ? compileImage(attributes) : attributes.flatMap(compileAttribute);
  const open: MarkupStep[] = [`<${name}`, ...compiledAttributes, '>'];
  if (!VOID_ELEMENTS.has(name)) return [...open, ...inner, `</${name}>`];
  if (inner.length > 0) throw new MarkupError(`${name} cannot have content.`, element);
  return open;
}

/** Keeps the author's size and loading attributes. */
function compileImage(attributes: MarkupAttribute[]): MarkupStep[] {
  const getName = ({ name }: MarkupAttribute) => name.replace(/^t-attf?-/, '').toLowerCase();
  const has = (names: string[]) => attributes.some((attribute) => names.includes(getName(attribute)));
  const flags = { hasSize: has(SIZE_ATTRIBUTES), hasLoading: has(LOADING_ATTRIBUTES) };
  return attributes.flatMap((attribute) =>
    compileAttribute(attribute).map((source) =>
      getName(attribute) === 'src' ? { kind: 'picture', source, ...flags } : source,
    ),
  );
}

const SIZE_ATTRIBUTES = ['width', 'height', 'srcset', 'sizes'];
const LOADING_ATTRIBUTES = ['loading', 'decoding', 'fetchpriority'];

function compileAttribute(attribute: MarkupAttribute): MarkupStep[] {
  const { name, value } = attribute;
  const filled = /^t-attf-(.+)$/.exec(name)?.[1];
  if (filled) return [{ kind: 'attribute', name: filled, value: compileTextPieces(attribute) }];
  const computed = /^t-att-(.+)$/.exec(name)?.[1];
  if (computed) return [{ kind: 'attribute', name: computed, value: compileExpression(attribute) }];
  if (name.startsWith('t-')) return [];
  return isAddressAttribute(name) ? [{ kind: 'address', name, value }] : [` ${name}="${escapeHtml(value)}"`];
}

function compileTextPieces(attribute: MarkupAttribute): TextPiece[] {
  const parts: TextPiece[] = [];
  let end = 0;
  for (const match of attribute.value.matchAll(/\{\{([^{}]*)\}\}|#\{([^{}]*)\}/g)) {
    if (match.index > end) parts.push(attribute.value.slice(end, match.index));
    parts.push(rethrowWithPosition(attribute, () => parseExpression(match[1] ?? match[2]!)));
    end = match.index + match[0].length;
  }
  if (end < attribute.value.length) parts.push(attribute.value.slice(end));
  return parts;
}

const DIRECTIVES = new Set(
  (
    't-if t-elif t-else t-foreach t-as t-set t-value t-valuef t-out t-esc t-field t-call t-name t-records ' +
    't-fields t-domain t-order t-limit'
  ).split(' '),
);

function assertKnownDirectives({ attributes }: MarkupElement): void {
  for (const attribute of attributes) {
    const { name } = attribute;
    if (name === 'groups')
      throw new MarkupError("groups is not supported here. Use the page's visibility instead.", attribute);
    if (!name.startsWith('t-') || /^t-attf?-[A-Za-z_]/.test(name) || DIRECTIVES.has(name)) continue;
    const hint = name === 't-raw' ? ' Use t-out, which escapes.' : '';
    throw new MarkupError(`${name} is not a directive.${hint}`, attribute);
  }
}

function compileQuery(element: MarkupElement, attribute: MarkupAttribute, { queries }: CompileState): string {
  if (queries.length >= MAX_VIEW_QUERIES)
    throw new MarkupError(`A view can contain at most ${MAX_VIEW_QUERIES} record lists.`, attribute);
  const query: Omit<RecordList, 'id'> = {
    model: attribute.value,
    fields: (findDirective(element, 't-fields')?.value ?? 'display_name').split(/[\s,]+/).filter(Boolean),
    domain: parseDomainAttribute(findDirective(element, 't-domain')),
    order: findDirective(element, 't-order')?.value ?? null,
    limit: parseLimit(findDirective(element, 't-limit')),
  };
  const id = JSON.stringify(query);
  queries.push({ ...query, id });
  return id;
}

function parseDomainAttribute(attribute: MarkupAttribute | undefined): unknown[] {
  if (!attribute) return [];
  return rethrowWithPosition(attribute, () => {
    const domain: unknown = JSON.parse(attribute.value);
    if (!Array.isArray(domain)) throw new Error('the domain must be a JSON list of conditions');
    return domain;
  });
}

function parseLimit(attribute: MarkupAttribute | undefined): number {
  const limit = Number(attribute?.value ?? 20);
  if (Number.isInteger(limit) && limit > 0 && limit <= MAX_LISTED_RECORDS) return limit;
  throw new MarkupError(`t-limit must be a number up to ${MAX_LISTED_RECORDS}.`, attribute as MarkupPosition);
}
